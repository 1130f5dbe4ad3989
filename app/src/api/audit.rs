//! The audit log: its events, and the check of it.

use contract::id::TenantId;
use leptos::prelude::server;

use super::codec::Answer;
use crate::{
    problem::Problem,
    view::audit::{AuditPage, AuditQuery},
};

/// One page of events; when `query.check` asks for it, what a check of the log finds too.
#[server(prefix = "/console", endpoint = "audit", output = Answer)]
pub(crate) async fn list_events(tenant: TenantId, query: AuditQuery) -> Result<AuditPage, Problem> {
    use super::ssr::{self, audit as sources};
    let cx = ssr::human(tenant).await?;
    sources::page(&cx, query).await
}
