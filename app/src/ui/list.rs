//! The table of a list.

use leptos::prelude::*;

use crate::text::time;

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
