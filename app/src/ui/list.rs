//! Parts of pages with a list: the table and the link to older items.

use leptos::prelude::*;

use super::empty::Empty;
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
