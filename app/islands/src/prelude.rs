//! The vocabulary of the islands.

pub(crate) use std::{collections::BTreeMap, sync::Arc, time::Duration};

pub(crate) use contract::{
    error::FieldError,
    evaluation::Verdict,
    id::{DecisionId, PolicyId, TenantId},
    json::{Limits, Object, Value},
    rule::{Rule, RuleType, Severity},
    text::isolated,
    time::Timestamp,
};
#[cfg(feature = "ssr")]
pub(crate) use contract::{policy::PolicyVersion, read};
#[cfg(feature = "ssr")]
pub(crate) use governance::{Cx, access::permission};
pub(crate) use kit::any_view;
pub(crate) use leptos::{prelude::*, server_fn::ServerFn, task::spawn_local, wasm_bindgen::JsCast};
pub(crate) use serde::{Deserialize, Serialize};

pub(crate) use crate::{
    codec::JsonCodec,
    problem::Problem,
    text::{
        between_tags, curl, messages,
        number::{count, counted},
        sentence::Sentence,
        url, verdict,
    },
    ui::{
        badge::VerdictBadge,
        code::code_block,
        facts::fact,
        field::options,
        icon::{Icon, icon},
        inline_code::quoted,
        note::{Tone, long_note, note},
        problem::problem_note,
        sentence::sentence,
    },
};
