//! The vocabulary of the use cases, which almost every module of the layers above needs. Modules of this layer name what
//! they use, so that the test of references sees it.

pub(crate) use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

pub(crate) use contract::{
    error::{ErrorCode, FieldError},
    evaluation::Verdict,
    id::*,
    json::{Object, Value},
    pagination::Page,
    policy::{PolicyVersion, VersionStatus},
    rule::{Rule, Severity},
    scope::{Right, Role, Scope},
    time::Timestamp,
};
pub(crate) use entity::column::{TextEnum, from_column, to_column, unsigned};
pub(crate) use receipt::{canonical_json::CanonicalJson, digest::Digest};
pub(crate) use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait,
    DatabaseConnection, DatabaseTransaction, DbErr, EntityTrait, FromQueryResult, IntoActiveModel,
    JoinType, Order, QueryFilter, QueryOrder, QueryResult, QuerySelect, QueryTrait, RelationDef,
    Select, prelude::DateTimeUtc, sea_query::Expr,
};
pub(crate) use serde::{Deserialize, Serialize};
pub(crate) use uuid::Uuid;

pub(crate) use crate::{
    Governance,
    base::{
        audit_event::Event,
        caller::{Caller, Human, Person},
        clock::Entropy,
        cx::Cx,
        database::{delete_untenanted, untenanted, update_untenanted},
        error::{
            Error, OrBug, OrNotFound, Refusal, ResourceKind, Result, conflict, invalid,
            invalid_field, map_violation, not_found, refusal, unauthorized,
        },
        json::to_json,
        observe::Observed,
        pagination::{Cursor, PageRequest, Window},
        sql::{self, statement},
        stored_digest,
        stored_json::parse_stored,
        tenancy::{Tenant, TenantTx, related, timestamp_value},
    },
};
