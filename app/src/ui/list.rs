//! Parts of pages with a list: the table, the link to older items, and the form of its filters.

use leptos::prelude::*;

use crate::text::{messages, url};

/// Renders a table with a caption for screen readers, the heads of its columns, and its rows.
pub(crate) fn table<T, R: IntoView + 'static, const COLUMNS: usize>(
    caption: &'static str,
    head: [&'static str; COLUMNS],
    rows: Vec<T>,
    row: impl Fn(T) -> R,
) -> AnyView {
    table_of(caption, head, rows.into_iter().map(row).collect_view().into_any())
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
                <tr>{head.map(|head| view! { <th scope="col">{head}</th> })}</tr>
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
