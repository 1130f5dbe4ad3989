//! The inbox.

use contract::id::TenantId;
use leptos::prelude::server;

use super::codec::Answer;
use crate::{problem::Problem, view::inbox::InboxPage};

/// What needs the person, what waits for others, and what the person has done.
#[server(prefix = "/console", endpoint = "inbox", output = Answer)]
pub(crate) async fn read_inbox(tenant: TenantId) -> Result<InboxPage, Problem> {
    use super::ssr::{self, inbox as sources};
    let cx = ssr::human(tenant).await?;
    sources::page(&cx, tenant).await
}
