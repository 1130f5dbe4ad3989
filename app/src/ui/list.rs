//! Parts of pages with a list: the table, and the form of its filters.

use leptos::prelude::*;

use crate::text::{messages, time};

/// Renders a table with a caption for screen readers, the heads of its columns, and its rows.
pub(crate) fn table<T, R: IntoView + 'static, const COLUMNS: usize>(
    caption: &'static str,
    head: [&'static str; COLUMNS],
    rows: Vec<T>,
    row: impl Fn(T) -> R,
) -> AnyView {
    let rows = rows.into_iter().map(row).collect_view();
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
