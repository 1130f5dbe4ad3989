//! Health and readiness endpoints.

use axum::extract::State;
use contract::time::Timestamp;
use governance::{base::error::log::rollback_detected, proof::transparency_log::HaltReason};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    edge::{Json, JsonResult, RequestContext, error::unavailable},
    state::Service,
};

/// The health of the process.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    status: &'static str,
    version: &'static str,
    timestamp: Timestamp,
}

/// The readiness of the process.
#[derive(Debug, Serialize, ToSchema)]
pub struct Readiness {
    status: &'static str,
    checks: Checks,
}

/// The checks of the readiness endpoint.
#[derive(Debug, Serialize, ToSchema)]
pub struct Checks {
    database: &'static str,
    /// `ok`; `unsigned` without a signing key; or the reason why the transparency log is halted, such as
    /// `LOG_KEY_CHANGED` if the key of the tree is lost.
    log: &'static str,
}

/// Check whether the process is alive, without using the database.
#[get("/v1/health", public, tag = "infrastructure")]
pub async fn health(context: RequestContext) -> JsonResult<Health> {
    Ok(Json(alive(context.governance.clock().now())))
}

/// Returns the health of the process, also before the database is open.
pub(crate) fn alive(timestamp: Timestamp) -> Health {
    Health { status: "healthy", version: env!("CARGO_PKG_VERSION"), timestamp }
}

/// Check whether the process can serve requests.
#[get("/v1/ready", public, tag = "infrastructure", 503)]
pub async fn ready(
    State(service): State<Service>,
    context: RequestContext,
) -> JsonResult<Readiness> {
    if service.is_stopping() {
        return Err(unavailable(5, "the process is stopping").into());
    }
    context.governance.ready().await?;
    let log = match context.governance.log_halt_reason() {
        Some(reason @ HaltReason::Rollback) => {
            return Err(rollback_detected(reason.as_str()).into());
        }
        Some(reason) => reason.as_str(),
        None if context.governance.has_log() => "ok",
        None => "unsigned",
    };
    Ok(Json(Readiness { status: "ready", checks: Checks { database: "ok", log } }))
}
