//! The filters that a person keeps under a name.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::decision::{RemoveFilter, SaveFilter},
    text::{url, words},
    ui::{field::TextField, problem::ProblemNote},
    view::{decision::SavedFilter, kept::Kept},
};

/// The kept filters as links, and a form that keeps the one at hand. Both are plain posts: the page
/// comes back as it is now.
#[component]
pub(super) fn Saved(
    tenant: TenantId,
    /// The filters at hand, as they stand in the address.
    now: String,
    saved: Vec<SavedFilter>,
    kept: Option<Kept>,
) -> impl IntoView {
    let is_saved = saved.iter().any(|filter| filter.query == now);
    let open = kept.is_some();
    let name = kept.as_ref().map(|kept| kept.text.clone()).unwrap_or_default();
    let refused = kept.map(|kept| view! { <ProblemNote problem=kept.problem/> });
    let keep = (!now.is_empty() && !is_saved).then(|| {
        view! {
            <form method="post" action=SaveFilter::url() class="filters">
                <input type="hidden" name="tenant" value=tenant.to_string()/>
                <input type="hidden" name="query" value=now.clone()/>
                <TextField label=words::decisions::NAME name="name" value=name required=true/>
                <button>{words::decisions::SAVE}</button>
            </form>
        }
    });
    let none = (saved.is_empty() && keep.is_none())
        .then(|| view! { <p class="text-muted">{words::decisions::SAVED_NONE}</p> });
    let number = (!saved.is_empty())
        .then(|| view! { <span class="tabular-nums text-muted">{saved.len()}</span> });
    let here = now;
    let filters = saved.into_iter().map(|filter| {
        let here = here.clone();
        view! { <OneFilter tenant filter here/> }
    });
    view! {
        <details class="disclosure saved" open=open>
            <summary>{words::decisions::SAVED} " " {number}</summary>
            <div class="stack">
                {refused}
                <ul class="plain-list kept-filters">{filters.collect_view()}</ul>
                {keep}
                {none}
            </div>
        </details>
    }
}

/// A kept filter; `here` are the filters of now, to which its removal leads back.
#[component]
fn OneFilter(tenant: TenantId, filter: SavedFilter, here: String) -> impl IntoView {
    let current = (filter.query == here).then_some("true");
    let label = format!("{}: {}", words::decisions::REMOVE, filter.name);
    view! {
        <li class="row">
            <a href=url::kept_filter(tenant, &filter.query) aria-current=current>
                <bdi>{filter.name}</bdi>
            </a>
            <form method="post" action=RemoveFilter::url()>
                <input type="hidden" name="tenant" value=tenant.to_string()/>
                <input type="hidden" name="id" value=filter.id.to_string()/>
                <input type="hidden" name="query" value=here/>
                <button class="quiet" aria-label=label>
                    {words::decisions::REMOVE}
                </button>
            </form>
        </li>
    }
}
