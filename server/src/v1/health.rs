//! Health and readiness.

use axum::extract::State;
use contract::{
    error::ErrorBody,
    json::{Object, Value},
    time::Timestamp,
};
use governance::{Error, Refusal, error::log::rollback_detected, log::Refused};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    edge::{
        error::Reply,
        extract::{Caller, Json, Query},
    },
    state::Service,
};

/// That the process is alive.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    status: &'static str,
    version: &'static str,
    timestamp: Timestamp,
}

/// That the process can serve.
#[derive(Debug, Serialize, ToSchema)]
pub struct Readiness {
    status: &'static str,
    checks: Checks,
}

/// What readiness looks at.
#[derive(Debug, Serialize, ToSchema)]
pub struct Checks {
    database: &'static str,
    /// `unsigned` without a key; `LOG_KEY_CHANGED` when the key of the tree is lost.
    log: &'static str,
}

/// Whether the process is alive; touches nothing.
#[utoipa::path(
    get, path = "/v1/health", tag = "infrastructure", security(()),
    responses((status = 200, body = Health))
)]
pub async fn health(caller: Caller, query: Query) -> Reply<Json<Health>> {
    query.finish()?;
    Ok(Json(alive(caller.governance.clock().now())))
}

/// What health answers, also before the store is open.
pub(crate) fn alive(timestamp: Timestamp) -> Health {
    Health { status: "healthy", version: env!("CARGO_PKG_VERSION"), timestamp }
}

/// Whether the process can serve.
#[utoipa::path(
    get, path = "/v1/ready", tag = "infrastructure", security(()),
    responses((status = 200, body = Readiness), (status = 503, body = ErrorBody))
)]
pub async fn ready(
    State(service): State<Service>,
    caller: Caller,
    query: Query,
) -> Reply<Json<Readiness>> {
    query.finish()?;
    if service.is_stopping() {
        let retry_after = std::time::Duration::from_secs(5);
        let cause = "the process is stopping".into();
        return Err(Error::Unavailable { retry_after, cause }.into());
    }
    caller.governance.ready().await?;
    let log = match caller.governance.log_refused() {
        Some(Refused::Rollback) => return Err(rolled_back().into()),
        Some(refused) => refused.as_str(),
        None if caller.governance.has_log() => "ok",
        None => "unsigned",
    };
    Ok(Json(Readiness { status: "ready", checks: Checks { database: "ok", log } }))
}

/// The store is there, and is not the one whose log was signed last.
fn rolled_back() -> Refusal {
    let log = Refused::Rollback.as_str();
    let checks = [("database", Value::from("ok")), ("log", Value::from(log))];
    rollback_detected(Object::from(checks))
}
