//! The comparison of two versions.

use contract::id::{PolicyId, TenantId};
use leptos::prelude::server;

use super::view::{ComparePage, Layout};
use crate::{codec::JsonCodec, problem::Problem};

/// Returns the comparison of a version with `against`, or with the active version if that is empty. If `to`
/// names another version, it redirects to the comparison of that version.
#[server(prefix = "/console", endpoint = "compare", output = JsonCodec)]
pub(crate) async fn read_comparison(
    tenant: TenantId,
    policy: PolicyId,
    version: u32,
    against: String,
    to: String,
    layout: Layout,
) -> Result<ComparePage, Problem> {
    use super::load as sources;
    use crate::request;
    use crate::text::url;
    let cx = request::human(tenant).await?;
    if let Ok(other) = to.parse::<u32>()
        && other != version
    {
        let page = url::compare(tenant, policy, other);
        let query = [("against", against.as_str()), ("layout", layout.word())];
        request::redirect(&url::with_query(&page, &query));
    }
    sources::page(&cx, (tenant, policy, version), &against, layout).await
}
