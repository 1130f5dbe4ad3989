//! What happened after a decision: told once.

use contract::id::{DecisionId, TenantId};
use leptos::prelude::server;

use super::codec::Answer;
use crate::{
    problem::Problem,
    view::outcome::{OutcomeForm, OutcomePage},
};

/// The page on which the outcome is told, with what was typed when it was refused.
#[server(prefix = "/console", endpoint = "outcome", output = Answer)]
pub(crate) async fn read_outcome(tenant: TenantId, id: DecisionId) -> Result<OutcomePage, Problem> {
    use super::ssr::{self, outcome as sources};
    let cx = ssr::human(tenant).await?;
    sources::page(&cx, tenant, id).await
}

/// Records what happened, and leads to the decision. A second outcome leads to the page that tells
/// of the first.
#[server(prefix = "/console", endpoint = "tell-outcome", output = Answer)]
pub(crate) async fn tell_outcome(
    tenant: TenantId,
    id: DecisionId,
    form: OutcomeForm,
) -> Result<(), Problem> {
    use super::ssr::{self, outcome as sources};
    use crate::text::url;
    let cx = ssr::human(tenant).await?;
    let note = form.note.clone();
    match sources::tell(&cx, id, form).await {
        Ok(()) => ssr::go(&url::decision(tenant, id)),
        Err(problem) => ssr::keep(problem, url::outcome(tenant, id), note).await?,
    }
    Ok(())
}
