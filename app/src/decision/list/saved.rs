//! The user's saved filters.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    decision::{
        act::{RemoveFilter, SaveFilter},
        list_words as strings,
        view::SavedFilter,
    },
    flash::RejectedForm,
    text::{messages, url},
    ui::{
        field::TextField,
        filter_menu::hidden,
        icon::{Icon, icon},
        note::undo_notice,
        problem::ProblemNote,
    },
};

/// The saved filters as links, and a menu that saves the current filters or removes saved ones. The forms return
/// to the current page.
#[component]
pub(super) fn SavedFilters(
    tenant: TenantId,
    /// The current filters, as in the address.
    query: String,
    saved: Vec<SavedFilter>,
    rejected: Option<RejectedForm>,
) -> impl IntoView {
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
    let all = link(strings::ALL.to_owned(), "");
    let open = rejected.is_some();
    let is_saved = saved.iter().any(|filter| filter.query == query);
    let form = (!query.is_empty() && !is_saved)
        .then(|| view! { <SaveForm tenant query=query.clone() rejected /> });
    let removals = saved
        .into_iter()
        .map(move |filter| view! { <Removal tenant filter current_query=query.clone() /> })
        .collect_view();
    let hint = (form.is_none() && removals.is_empty())
        .then(|| view! { <p class="text-muted">{strings::SAVED_NONE}</p> });
    let menu = view! {
        <li>
            <details class="filter-menu" name="filter" open=open>
                <summary class="quiet">{icon(Icon::Plus)} {strings::SAVE_FILTER}</summary>
                <div class="filter-panel">{form} {hint} <ul class="plain-list">{removals}</ul></div>
            </details>
        </li>
    };
    view! {
        <nav class="views" aria-label=strings::SAVED>
            <ul>{all} {links} {menu}</ul>
        </nav>
    }
}

/// The notice that a filter was removed. Its form saves the filter again and opens it.
#[component]
pub(super) fn RemovedNotice(tenant: TenantId, filter: SavedFilter) -> impl IntoView {
    let SavedFilter { name, query, .. } = filter;
    let fields = vec![("tenant", tenant.to_string()), ("name", name.clone()), ("query", query)];
    let text = view! {
        {strings::REMOVED}
        " "
        <bdi>{name}</bdi>
    };
    let undo = view! {
        <form method="post" action=SaveFilter::url() data-once="">
            {hidden(fields)}
            <button data-key="z">{messages::UNDO}</button>
        </form>
    };
    undo_notice(text, undo)
}

#[component]
fn SaveForm(tenant: TenantId, query: String, rejected: Option<RejectedForm>) -> impl IntoView {
    let name = rejected.as_ref().map(|rejected| rejected.text.clone()).unwrap_or_default();
    let problem_note = rejected.map(|rejected| view! { <ProblemNote problem=rejected.problem /> });
    view! {
        <form method="post" action=SaveFilter::url() class="stack">
            {problem_note}
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <input type="hidden" name="query" value=query />
            <TextField label=strings::NAME name="name" value=name required=true />
            <button>{strings::SAVE}</button>
        </form>
    }
}

/// The form that removes a saved filter and returns to `current_query`.
#[component]
fn Removal(tenant: TenantId, filter: SavedFilter, current_query: String) -> impl IntoView {
    let label = format!("{}: {}", strings::REMOVE, filter.name);
    view! {
        <li>
            <form method="post" action=RemoveFilter::url() class="row">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="id" value=filter.id.to_string() />
                <input type="hidden" name="query" value=current_query />
                <bdi class="grow">{filter.name}</bdi>
                <button class="quiet" aria-label=label>
                    {strings::REMOVE}
                </button>
            </form>
        </li>
    }
}
