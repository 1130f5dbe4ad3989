//! Filters of a list: the active filters as chips, and a menu per filter. Each choice is a link, so the address
//! is the state.

use leptos::prelude::*;

use super::icon::{Icon, icon};
use crate::text::{messages, query::ListQuery};

/// The active filters as chips, and the menus of filters. `children` are the menus; `search` precedes the chips.
#[component]
pub(crate) fn FilterBar(
    path: String,
    active: Vec<ActiveFilter>,
    #[prop(optional)] search: Option<AnyView>,
    children: Children,
) -> impl IntoView {
    let clear = (!active.is_empty()).then(|| {
        view! {
            <a class="quiet" href=path>
                {messages::CLEAR_FILTERS}
            </a>
        }
    });
    view! { <div class="chip-bar">{search} {chips(active)} {children()} {clear}</div> }
}

/// Returns the text of a filter's value.
pub(crate) fn label_of<L: AsRef<str>>(choices: &[(L, L)], value: &str) -> Option<String> {
    let choice = choices.iter().find(|(choice, _)| choice.as_ref() == value);
    choice.map(|(_, label)| label.as_ref().to_owned())
}

/// Returns the links of a menu for the filter `name`. A choice without a value is left out.
pub(crate) fn choices<L: AsRef<str>>(
    query: &impl ListQuery,
    path: &str,
    name: &str,
    choices: &[(L, L)],
) -> Vec<(String, String, bool)> {
    let filters = query.filters();
    let current = filters.iter().find(|(filter, _)| *filter == name).map_or("", |(_, value)| value);
    let choice = |(value, label): &(L, L)| {
        let (value, label) = (value.as_ref(), label.as_ref());
        (query.filtered(path, name, value), label.to_owned(), value == current)
    };
    choices.iter().filter(|(value, _)| !value.as_ref().is_empty()).map(choice).collect()
}

/// Returns the filters of `query` except `names`.
pub(crate) fn others(query: &impl ListQuery, names: &[&str]) -> Vec<(&'static str, String)> {
    let filters = query.filters().into_iter().filter(|(other, _)| !names.contains(other));
    filters.map(|(name, value)| (name, value.to_owned())).collect()
}

/// An active filter, with the address of the list without it.
pub(crate) struct ActiveFilter {
    pub(crate) name: &'static str,
    pub(crate) value: String,
    pub(crate) clear: String,
}

/// Renders the active filters as chips, or nothing if there are none.
pub(crate) fn chips(filters: Vec<ActiveFilter>) -> Option<AnyView> {
    let chip = |ActiveFilter { name, value, clear }| {
        view! {
            <li class="chip on">
                {name} " " <b>
                    <bdi>{value}</bdi>
                </b> <a class="x" href=clear aria-label=format!("Clear filter: {name}")>
                    {icon(Icon::Cross)}
                </a>
            </li>
        }
    };
    (!filters.is_empty()).then(|| {
        let chips = filters.into_iter().map(chip).collect_view();
        view! {
            <ul class="chips" aria-label="Active filters">
                {chips}
            </ul>
        }
        .into_any()
    })
}

/// A menu with a link per choice: its address, its label, and whether it is the current one.
#[component]
pub(crate) fn ChoiceMenu(
    label: &'static str,
    choices: Vec<(String, String, bool)>,
) -> impl IntoView {
    let choice = |(href, label, is_current): (String, String, bool)| {
        view! {
            <li>
                <a href=href aria-current=is_current.then_some("true")>
                    <bdi>{label}</bdi>
                </a>
            </li>
        }
    };
    view! {
        <details class="filter-menu" name="filter">
            <summary class="chip">{icon(Icon::Plus)} {label}</summary>
            <ul class="filter-panel plain-list">
                {choices.into_iter().map(choice).collect_view()}
            </ul>
        </details>
    }
}

/// A menu with a form of one or more fields. `others` are the filters that stay as they are.
#[component]
pub(crate) fn FieldMenu(
    label: &'static str,
    path: String,
    others: Vec<(&'static str, String)>,
    /// Whether the page shows the result of the form.
    #[prop(optional)]
    is_current: bool,
    /// Whether the menu is at the end of a line.
    #[prop(optional)]
    is_last: bool,
    children: Children,
) -> impl IntoView {
    let class = if is_current { "chip on" } else { "chip" };
    view! {
        <details class="filter-menu" class:end=is_last name="filter">
            <summary class=class aria-current=is_current.then_some("true")>
                {icon(Icon::Plus)}
                {label}
            </summary>
            <form method="get" action=path class="filter-panel" aria-label=label>
                {hidden(others)}
                {children()}
                <button>"Apply"</button>
            </form>
        </details>
    }
}

/// Renders filters as hidden fields. Filters without a value are left out.
pub(crate) fn hidden(filters: Vec<(&'static str, String)>) -> impl IntoView {
    let filters = filters.into_iter().filter(|(_, value)| !value.is_empty());
    filters
        .map(|(name, value)| view! { <input type="hidden" name=name value=value /> })
        .collect_view()
}
