//! The decision list and the page of one decision.

use contract::id::{DecisionId, SavedFilterId, TenantId};
use leptos::prelude::server;

use super::{
    load as sources,
    view::{DecisionPage, DecisionRows},
};
use crate::{codec::JsonCodec, problem::Problem, request, text::query::DecisionQuery};

/// Returns one page of the decision list. An ID in `query.open` redirects to that decision.
pub(crate) async fn list_decisions(
    tenant: TenantId,
    query: DecisionQuery,
) -> Result<DecisionRows, Problem> {
    let cx = request::human(tenant).await?;
    if let Ok(id) = query.open.parse::<DecisionId>() {
        request::redirect(&crate::text::url::decision(tenant, id));
    }
    sources::list(&cx, tenant, query).await
}

/// Returns one decision with its explanation and, when `replay` is set, its replay.
pub(crate) async fn read_decision(
    tenant: TenantId,
    id: DecisionId,
    replay: bool,
) -> Result<DecisionPage, Problem> {
    let cx = request::human(tenant).await?;
    sources::read(&cx, id, replay).await
}

/// Saves the filters `query` of the decision list under a name.
#[server(prefix = "/console", endpoint = "save-filter", output = JsonCodec)]
pub(crate) async fn save_filter(
    tenant: TenantId,
    name: String,
    query: String,
) -> Result<(), Problem> {
    use governance::deciding::saved_filter;
    let cx = request::human(tenant).await?;
    let page = crate::text::url::kept_filter(tenant, &query);
    let result = request::into_problem(saved_filter::save(&cx, &name, &query).await);
    request::respond(result, &page, &page, name).await
}

/// Removes a saved filter and redirects to the decision list with the filters `query`, which offers to save the
/// removed filter again.
#[server(prefix = "/console", endpoint = "remove-filter", output = JsonCodec)]
pub(crate) async fn remove_filter(
    tenant: TenantId,
    id: SavedFilterId,
    #[server(default)] query: String,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let page = crate::text::url::kept_filter(tenant, &query);
    let result = sources::remove_filter(&cx, id, &page).await;
    request::respond(result, &page, &page, String::new()).await
}
