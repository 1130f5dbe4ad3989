//! Decision outcomes. An outcome is recorded once.

use contract::id::{DecisionId, TenantId};
use leptos::prelude::server;

use super::view::{OutcomeForm, OutcomePage};
use crate::{codec::JsonCodec, problem::Problem};

/// Returns the page that records an outcome, with the rejected input, if any.
#[server(prefix = "/console", endpoint = "outcome", output = JsonCodec)]
pub(crate) async fn read_outcome(tenant: TenantId, id: DecisionId) -> Result<OutcomePage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::page(&cx, tenant, id).await
}

/// Records the outcome and redirects to the decision. Recording a second outcome redirects to the page that
/// shows the first.
#[server(prefix = "/console", endpoint = "tell-outcome", output = JsonCodec)]
pub(crate) async fn record_outcome(
    tenant: TenantId,
    id: DecisionId,
    form: OutcomeForm,
) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    use crate::text::url;
    let cx = request::human(tenant).await?;
    let note = form.note.clone();
    let result = sources::record(&cx, id, form).await;
    request::respond(result, &url::decision(tenant, id), &url::outcome(tenant, id), note).await
}
