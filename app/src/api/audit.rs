//! The audit log: its events and its verification.

use contract::id::TenantId;
use leptos::prelude::server;

use crate::{
    codec::JsonCodec,
    problem::Problem,
    view::audit::{AuditPage, AuditQuery},
};

/// Returns one page of events. When `query.check` is set, it also verifies the log and returns the result.
#[server(prefix = "/console", endpoint = "audit", output = JsonCodec)]
pub(crate) async fn list_events(tenant: TenantId, query: AuditQuery) -> Result<AuditPage, Problem> {
    use super::request::{self, audit as sources};
    let cx = request::human(tenant).await?;
    sources::page(&cx, query).await
}
