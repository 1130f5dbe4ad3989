//! Comments on a version.

use contract::id::{PolicyId, TenantId};
use leptos::prelude::server;

use super::view::CommentForm;
use crate::{codec::JsonCodec, problem::Problem};

/// Creates a comment or a reply, or resolves or reopens a thread, and redirects to the page of the form.
#[server(prefix = "/console", endpoint = "comment", output = JsonCodec)]
pub(crate) async fn comment(
    tenant: TenantId,
    policy: PolicyId,
    version: u32,
    #[server(default)] form: CommentForm,
) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::act(&cx, (tenant, policy, version), form).await
}
