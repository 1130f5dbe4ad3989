//! Trying a context: what would be decided on it, without a record.

use contract::id::TenantId;
use leptos::prelude::server;

use super::codec::Answer;
use crate::{
    problem::Problem,
    view::tried::{Found, TryPage},
};

/// What the page starts with: the context of the decision `from`, what a page without scripts has
/// sent before, or an empty context.
#[server(prefix = "/console", endpoint = "try-page", output = Answer)]
pub(crate) async fn read_try(tenant: TenantId, from: String) -> Result<TryPage, Problem> {
    use super::ssr::{self, tried as sources};
    let cx = ssr::human(tenant).await?;
    sources::page(&cx, tenant, &from).await
}

/// Evaluates the text. A plain form is led back to its page, which then shows what was found.
#[server(prefix = "/console", endpoint = "try", output = Answer)]
pub(crate) async fn try_context(tenant: TenantId, context: String) -> Result<Found, Problem> {
    use super::ssr::{self, tried as sources};
    let cx = ssr::human(tenant).await?;
    if ssr::wants_page() {
        sources::keep(&cx, tenant, context).await?;
        ssr::go(&crate::text::url::try_page(tenant));
        return Ok(Found::Faults(Vec::new()));
    }
    sources::evaluate(&cx, &context).await
}
