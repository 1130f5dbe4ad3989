//! Dry runs: evaluating a context without recording a decision.

use contract::id::TenantId;
use leptos::prelude::server;

use super::view::{Evaluation, TryPage};
use crate::{codec::JsonCodec, problem::Problem};

/// Returns the initial context: that of the decision `from`, the one last sent without scripts, or an empty
/// context.
#[server(prefix = "/console", endpoint = "try-page", output = JsonCodec)]
pub(crate) async fn read_try(tenant: TenantId, from: String) -> Result<TryPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::page(&cx, tenant, &from).await
}

/// Evaluates the context. A form sent without scripts is redirected to its page, which shows the result.
#[server(prefix = "/console", endpoint = "try", output = JsonCodec)]
pub(crate) async fn try_context(tenant: TenantId, context: String) -> Result<Evaluation, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    if request::wants_page() {
        sources::store_context(&cx, tenant, context).await?;
        request::redirect(&crate::text::url::try_page(tenant));
        return Ok(Evaluation::Errors(Vec::new()));
    }
    sources::evaluate(&cx, &context).await
}
