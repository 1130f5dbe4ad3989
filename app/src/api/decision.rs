//! The log of decisions, and one explained.

use contract::id::{DecisionId, SavedFilterId, TenantId};
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
    sources::list(&cx, tenant, query).await
}

/// One decision explained; with `replay`, made again of what was stored.
#[server(prefix = "/console", endpoint = "decision", output = Answer)]
pub(crate) async fn read_decision(
    tenant: TenantId,
    id: DecisionId,
    replay: bool,
) -> Result<DecisionPage, Problem> {
    use super::ssr::{self, decision as sources};
    let cx = ssr::human(tenant).await?;
    sources::read(&cx, id, replay).await
}

/// Keeps the filters `query` of the log under a name.
#[server(prefix = "/console", endpoint = "save-filter", output = Answer)]
pub(crate) async fn save_filter(
    tenant: TenantId,
    name: String,
    query: String,
) -> Result<(), Problem> {
    use super::ssr::{self, decision as sources};
    let cx = ssr::human(tenant).await?;
    let page = crate::text::url::kept_filter(tenant, &query);
    match sources::save(&cx, &name, &query).await {
        Ok(()) => ssr::go(&page),
        Err(problem) => ssr::keep(problem, page, name).await?,
    }
    Ok(())
}

/// Removes a filter that the person keeps, and leads back to the log under `query`.
#[server(prefix = "/console", endpoint = "remove-filter", output = Answer)]
pub(crate) async fn remove_filter(
    tenant: TenantId,
    id: SavedFilterId,
    #[server(default)] query: String,
) -> Result<(), Problem> {
    use super::ssr::{self, decision as sources};
    let cx = ssr::human(tenant).await?;
    let page = crate::text::url::kept_filter(tenant, &query);
    match sources::remove(&cx, id).await {
        Ok(()) => ssr::go(&page),
        Err(problem) => ssr::keep(problem, page, String::new()).await?,
    }
    Ok(())
}
