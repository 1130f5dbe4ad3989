//! Parts of pages with a list: the table, the link to older items, and the form of its filters.

use leptos::prelude::*;

use super::{
    empty::{Empty, NothingMatches},
    list_page::ListPage,
    note::{Tone, note},
};
use crate::text::query::ListQuery;
use crate::text::{messages, time, url};

/// Renders a table with a caption for screen readers, the heads of its columns, and its rows.
pub(crate) fn table<T, R: IntoView + 'static, const COLUMNS: usize>(
    caption: &'static str,
    head: [&'static str; COLUMNS],
    rows: Vec<T>,
    row: impl Fn(T) -> R,
) -> AnyView {
    table_of(caption, head, rows.into_iter().map(row).collect_view().into_any())
}

/// Renders a table, or without rows the empty state with a title and the next step.
pub(crate) fn table_or_empty<T, R: IntoView + 'static, const COLUMNS: usize>(
    caption: &'static str,
    head: [&'static str; COLUMNS],
    rows: Vec<T>,
    row: impl Fn(T) -> R,
    [title, text]: [&'static str; 2],
) -> AnyView {
    if rows.is_empty() {
        return view! { <Empty title text /> }.into_any();
    }
    table(caption, head, rows, row)
}

/// Renders a table whose rows are already rendered.
fn table_of<const COLUMNS: usize>(
    caption: &'static str,
    head: [&'static str; COLUMNS],
    rows: AnyView,
) -> AnyView {
    view! {
        <table class="list">
            <caption class="sr-only">{caption}</caption>
            <thead>
                <tr>{head.map(|head| view! { <th scope="col">{time::head(head)}</th> })}</tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

/// Renders the link to older items, if there are any.
pub(crate) fn older(href: Option<String>) -> impl IntoView {
    href.map(|href| {
        view! {
            <a class="button" href=href>
                {messages::OLDER}
            </a>
        }
    })
}

/// Renders the link to the items of `path` from `cursor` on, if there are any.
pub(crate) fn older_than(path: &str, cursor: Option<String>) -> impl IntoView + use<> {
    older(cursor.map(|cursor| url::with_query(path, &[("cursor", &cursor)])))
}

/// The links to the pages before and after a page of a list, and the text about the shown items.
#[component]
pub(crate) fn Pager(newer: Option<String>, older: Option<String>, count: String) -> impl IntoView {
    let link = |href: Option<String>, label: &'static str| {
        href.map(|href| {
            view! {
                <a class="button" href=href>
                    {label}
                </a>
            }
        })
    };
    view! {
        <nav class="row" aria-label=messages::PAGES>
            {link(newer, messages::NEWER)}
            {link(older, messages::OLDER)}
            <span class="text-xs text-muted">{count}</span>
        </nav>
    }
}

/// A page of a list, its filters and its address.
pub(crate) struct Paged<'q, T, Q> {
    pub(crate) page: ListPage<T>,
    /// The error in the filters, if any.
    pub(crate) error: Option<String>,
    pub(crate) query: &'q Q,
    pub(crate) path: &'q str,
    /// The text about the shown items.
    pub(crate) count: String,
}

impl<T, Q: ListQuery> Paged<'_, T, Q> {
    /// Renders the rows with the links to the adjacent pages, the error of invalid filters, or an empty state. `empty`
    /// renders the state of a list without filters.
    pub(crate) fn render(
        self,
        rows: impl FnOnce(Vec<T>) -> AnyView,
        empty: impl FnOnce() -> AnyView,
    ) -> AnyView {
        let Self { page: ListPage { items, newer, older }, error, query, path, count } = self;
        let address = |cursor: Option<String>| cursor.map(|cursor| query.address(path, &cursor));
        let (newer, older) = (address(newer), address(older));
        let clear = query.has_filters().then(|| path.to_owned());
        let list = |items| {
            view! {
                {rows(items)}
                <Pager newer older count />
            }
            .into_any()
        };
        list_or_empty(error, items, clear, list, empty)
    }
}

/// Renders the error of invalid filters, the list, or an empty state. `clear` is the address without filters if a
/// filter is set; `empty` renders the state of a list without filters.
pub(crate) fn list_or_empty<T>(
    error: Option<String>,
    items: Vec<T>,
    clear: Option<String>,
    list: impl FnOnce(Vec<T>) -> AnyView,
    empty: impl FnOnce() -> AnyView,
) -> AnyView {
    match (error, clear) {
        (Some(error), _) => note(Tone::Warn, Some("alert"), error),
        (None, _) if !items.is_empty() => list(items),
        (None, Some(clear)) => view! { <NothingMatches clear /> }.into_any(),
        (None, None) => empty(),
    }
}

/// The filters of a list: a plain form whose fields become query parameters of `path`.
#[component]
pub(crate) fn FilterForm(path: String, is_filtered: bool, children: Children) -> impl IntoView {
    let clear = is_filtered.then(|| view! { <a href=path.clone()>{messages::CLEAR_FILTERS}</a> });
    view! {
        <form method="get" action=path class="filters" aria-label=messages::FILTER>
            {children()}
            <button>{messages::FILTER}</button>
            {clear}
        </form>
    }
}
