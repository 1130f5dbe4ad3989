//! The audit log: its events and its verification.

use contract::id::TenantId;
use leptos::prelude::server;

use super::view::{AuditPage, AuditQuery};
use crate::{codec::JsonCodec, problem::Problem};

/// Returns one page of events. When `query.check` is set, it also verifies the log and returns the result.
#[server(prefix = "/console", endpoint = "audit", output = JsonCodec)]
pub(crate) async fn list_events(tenant: TenantId, query: AuditQuery) -> Result<AuditPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::page(&cx, query).await
}
