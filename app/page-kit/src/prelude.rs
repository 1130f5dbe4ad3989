//! The vocabulary of the pages, which almost every noun needs. It contains no noun. The modules that it takes names from,
//! such as `list`, `page` and `ui`, name what they use, so that the test of references sees it.

pub use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

pub use contract::{
    decision::DecisionRecord,
    error::{ErrorCode, FieldError},
    evaluation::{Verdict, Violation},
    form::{FieldType, Form, FormField},
    id::*,
    json::{Limits, Number, Object, Value},
    pagination::LIMIT_MAX,
    policy::{Policy, PolicyVersion, ReviewSubmission, ReviewVerdict, VersionStage, VersionStatus},
    read,
    rule::{Rule, Severity},
    scope::{Right, Role},
    string_enum::StringEnum,
    text::isolated,
    time::{DAY_MS, Timestamp},
};
pub use governance::{Cx, PageRequest, SignedIn, Window, access::permission};
pub use kit::any_view;
pub use kit::{
    codec::JsonCodec,
    flash::{OneTimeSecret, RejectedForm},
    problem::{Problem, UNREADABLE},
};
pub use leptos::{prelude::*, server_fn::ServerFn};
pub use serde::{Deserialize, Serialize};

pub use crate::{
    list::{Filter, ListQuery, Table, list, nothing_matches, older_than, pager},
    names::{Names, actor_name, known},
    page::{self, PageResult},
    request::{self, directory, page_at, take_created, take_input, take_rejected, take_result},
    text::{
        TICKED, between_tags, curl, json, lines, messages,
        number::{count, counted, exact_rate, limited, whole},
        query::{self, BAD_EXPIRES, end_instant, instant},
        time, url, verdict,
    },
    ui::{
        badge::{VerdictBadge, badge, mode_badge, severity_chip, stage_badge},
        bdi::bdi,
        brand::logo,
        code::{code_block, digest_code, id_code, short_digest},
        create_form::CreateForm,
        empty::empty_state,
        facts::{digest_fact, fact, id_fact, short_id_fact},
        field::{HintedField, SelectField, TextArea, TextField, hidden, options},
        form_errors::{MemberField, error_summary},
        heading::Heading,
        icon::{Icon, icon},
        inline_code::quoted,
        live::LiveSubject,
        note::{Tone, long_note, note},
        one_time_secret::OneTimeSecretBox,
        panel::{Crumb, Panel, submit, submit_or_cancel},
        problem::{page_not_found, problem_note, summary},
        public::{PublicFrame, card_page},
        quote::quote,
        sentence::sentence,
        tabs::{Tab, tab_links},
        time::{age, ago, attribution, day, exact, minute, minute_by, second, time_or},
    },
};
