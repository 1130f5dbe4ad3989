//! The user's saved filters.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::decision::{RemoveFilter, SaveFilter},
    text::{messages, url},
    ui::{field::TextField, problem::ProblemNote},
    view::{decision::SavedFilter, flash::RejectedForm},
};

/// The saved filters as links, and a form that saves the current one. The forms return to the current page.
#[component]
pub(super) fn SavedFilters(
    tenant: TenantId,
    /// The current filters, as in the address.
    query: String,
    saved: Vec<SavedFilter>,
    rejected: Option<RejectedForm>,
) -> impl IntoView {
    let is_saved = saved.iter().any(|filter| filter.query == query);
    let open = rejected.is_some();
    let name = rejected.as_ref().map(|rejected| rejected.text.clone()).unwrap_or_default();
    let problem_note = rejected.map(|rejected| view! { <ProblemNote problem=rejected.problem /> });
    let save_form = (!query.is_empty() && !is_saved).then(|| {
        view! {
            <form method="post" action=SaveFilter::url() class="filters">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="query" value=query.clone() />
                <TextField label=messages::decisions::NAME name="name" value=name required=true />
                <button>{messages::decisions::SAVE}</button>
            </form>
        }
    });
    let none = (saved.is_empty() && save_form.is_none())
        .then(|| view! { <p class="text-muted">{messages::decisions::NO_SAVED_FILTERS}</p> });
    let count = (!saved.is_empty())
        .then(|| view! { <span class="tabular-nums text-muted">{saved.len()}</span> });
    let filters = saved
        .into_iter()
        .map(move |filter| view! { <OneFilter tenant filter current_query=query.clone() /> });
    view! {
        <details class="disclosure saved" open=open>
            <summary>{messages::decisions::SAVED} " " {count}</summary>
            <div class="stack">
                {problem_note} <ul class="plain-list saved-filters">{filters.collect_view()}</ul>
                {save_form} {none}
            </div>
        </details>
    }
}

/// A saved filter. Its removal returns to `current_query`.
#[component]
fn OneFilter(tenant: TenantId, filter: SavedFilter, current_query: String) -> impl IntoView {
    let current = (filter.query == current_query).then_some("true");
    let label = format!("{}: {}", messages::decisions::REMOVE, filter.name);
    view! {
        <li class="row">
            <a href=url::kept_filter(tenant, &filter.query) aria-current=current>
                <bdi>{filter.name}</bdi>
            </a>
            <form method="post" action=RemoveFilter::url()>
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="id" value=filter.id.to_string() />
                <input type="hidden" name="query" value=current_query />
                <button class="quiet" aria-label=label>
                    {messages::decisions::REMOVE}
                </button>
            </form>
        </li>
    }
}
