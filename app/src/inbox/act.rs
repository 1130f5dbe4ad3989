//! The inbox.

use contract::id::TenantId;
use leptos::prelude::server;

use super::view::{InboxPage, InboxQuery};
use crate::{codec::JsonCodec, problem::Problem};

/// Returns the items that need the user's action, the versions that wait for others, and the user's recent
/// actions.
#[server(prefix = "/console", endpoint = "inbox", output = JsonCodec)]
pub(crate) async fn read_inbox(
    tenant: TenantId,
    #[server(default)] query: InboxQuery,
) -> Result<InboxPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::page(&cx, tenant, &query).await
}
