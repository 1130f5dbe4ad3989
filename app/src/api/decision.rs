//! The log of decisions, and one explained.

use contract::id::{DecisionId, TenantId};
use leptos::prelude::server;

use super::codec::Answer;
use crate::{
    problem::Problem,
    view::{
        decision::{DecisionPage, DecisionRows},
        query::DecisionQuery,
    },
};

/// One page of the log. An id in `query.open` leads to its decision.
#[server(prefix = "/console", endpoint = "decisions", output = Answer)]
pub(crate) async fn list_decisions(
    tenant: TenantId,
    query: DecisionQuery,
) -> Result<DecisionRows, Problem> {
    use super::ssr::{self, decision as sources};
    let cx = ssr::human(tenant).await?;
    if let Ok(id) = query.open.parse::<DecisionId>() {
        ssr::go(&crate::text::url::decision(tenant, id));
    }
    sources::list(&cx, query).await
}

/// One decision explained.
#[server(prefix = "/console", endpoint = "decision", output = Answer)]
pub(crate) async fn read_decision(
    tenant: TenantId,
    id: DecisionId,
) -> Result<DecisionPage, Problem> {
    use super::ssr::{self, decision as sources};
    let cx = ssr::human(tenant).await?;
    sources::read(&cx, id).await
}
