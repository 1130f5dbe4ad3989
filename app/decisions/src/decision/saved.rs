//! The user's saved filters.

use governance::deciding::saved_filter::{self, SavedFilter};
use page_kit::{prelude::*, ui::note::undo_notice};

/// Renders the saved filters as links, and a menu that saves the current filters or removes saved ones. The forms
/// return to the current page. `query` are the current filters, as in the address.
pub(super) fn saved_filters(
    tenant: TenantId,
    query: &str,
    saved: Vec<SavedFilter>,
    rejected: Option<RejectedForm>,
) -> AnyView {
    let link = |name: String, filter: &str| {
        let current = (filter == query).then_some("page");
        view! {
            <li>
                <a href=url::kept_filter(tenant, filter) aria-current=current>
                    <bdi>{name}</bdi>
                </a>
            </li>
        }
    };
    let links = saved.iter().map(|filter| link(filter.name.clone(), &filter.query)).collect_view();
    let all = link("All".to_owned(), "");
    let open = rejected.is_some();
    let is_saved = saved.iter().any(|filter| filter.query == query);
    let form = (!query.is_empty() && !is_saved).then(|| save_form(tenant, query, rejected));
    let removals: Vec<_> =
        saved.into_iter().map(|filter| removal(tenant, filter, query.to_owned())).collect();
    let hint = (form.is_none() && removals.is_empty())
        .then(|| view! { <p class="text-muted">"Apply filters, then save them here."</p> });
    let menu = view! {
        <li>
            <details class="filter-menu" name="filter" open=open>
                <summary class="quiet">{icon(Icon::Plus)} "Save filter"</summary>
                <div class="filter-panel">{form} {hint} <ul class="plain-list">{removals}</ul></div>
            </details>
        </li>
    };
    any_view! {
        <nav class="views" aria-label="Saved filters">
            <ul>{all} {links} {menu}</ul>
        </nav>
    }
}

fn save_form(tenant: TenantId, query: &str, rejected: Option<RejectedForm>) -> AnyView {
    let (problem, name) = rejected.map(|rejected| (rejected.problem, rejected.text)).unzip();
    any_view! {
        <form method="post" action=SaveFilter::url() class="stack">
            {problem.map(problem_note)}
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <input type="hidden" name="query" value=query.to_owned() />
            <TextField
                label="Save filter as"
                name="name"
                value=name.unwrap_or_default()
                required=true
            />
            <button>"Save"</button>
        </form>
    }
}

/// Renders the form that removes a saved filter and returns to `current_query`.
fn removal(tenant: TenantId, filter: SavedFilter, current_query: String) -> AnyView {
    let label = format!("Remove: {}", filter.name);
    any_view! {
        <li>
            <form method="post" action=RemoveFilter::url() class="row">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="id" value=filter.id.to_string() />
                <input type="hidden" name="query" value=current_query />
                <bdi class="grow">{filter.name}</bdi>
                <button class="quiet" aria-label=label>
                    "Remove"
                </button>
            </form>
        </li>
    }
}

/// Renders the notice that a filter with this name and query was removed. Its form saves the filter again and opens it.
pub(super) fn removed_notice(tenant: TenantId, (name, query): (String, String)) -> AnyView {
    let fields =
        hidden(vec![("tenant", tenant.to_string()), ("name", name.clone()), ("query", query)]);
    let text = view! {
        "Filter removed:"
        " "
        <bdi>{name}</bdi>
    };
    let undo = view! {
        <form method="post" action=SaveFilter::url() data-once="">
            {fields}
            <button data-key="z">{messages::UNDO}</button>
        </form>
    };
    undo_notice(text, undo)
}

/// Saves the filters `query` of the decision list under a name.
#[server(prefix = "/console", endpoint = "save-filter", output = JsonCodec)]
async fn save_filter(tenant: TenantId, name: String, query: String) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let page = url::kept_filter(tenant, &query);
    let result = saved_filter::save(&cx, &name, &query).await.map_err(Problem::from);
    request::respond(result, &page, &page, name).await
}

/// Removes a saved filter and redirects to the decision list with the filters `query`, which offers to save the
/// removed filter again.
#[server(prefix = "/console", endpoint = "remove-filter", output = JsonCodec)]
async fn remove_filter(
    tenant: TenantId,
    id: SavedFilterId,
    #[server(default)] query: String,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let page = url::kept_filter(tenant, &query);
    request::act(&page, String::new(), async {
        let SavedFilter { name, query, .. } = saved_filter::remove(&cx, id).await?;
        // The page shows what was removed.
        request::set_result(&page, &(name, query)).await?;
        Ok(page.clone())
    })
    .await
}
