//! Dry runs: evaluating a context without recording a decision.

use leptos::prelude::server;

use super::view::Evaluation;
use crate::prelude::*;

/// Evaluates the context. A form sent without scripts is redirected to its page, which shows the result.
#[server(prefix = "/console", endpoint = "try", output = JsonCodec)]
pub async fn try_context(tenant: TenantId, context: String) -> Result<Evaluation, Problem> {
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
