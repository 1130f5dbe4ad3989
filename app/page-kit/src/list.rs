//! Pages with a list: the columns of the table, the filters, the links to other pages, and the empty states.

mod filter;
mod table;

use governance::Window;
use leptos::prelude::*;

pub use self::{
    filter::{Filter, ListQuery, VERDICTS, filter},
    table::{Row, Table},
};
use crate::{
    text::{messages, url},
    ui::{
        empty::NothingMatches,
        note::{Tone, note},
    },
};

/// Renders a page of a filtered list: the rows with the links to the pages before and after it, the message of an
/// invalid filter, or an empty state. `nouns` are the singular and the plural of the items; `empty` renders the state
/// of a list without filters.
pub fn list<T>(
    query: &ListQuery,
    window: Result<Window<T>, &'static str>,
    nouns: [&str; 2],
    rows: impl FnOnce(&[T]) -> AnyView,
    empty: impl FnOnce() -> AnyView,
) -> AnyView {
    let Window { items, next, previous } = match window {
        Ok(window) => window,
        Err(message) => return note(Tone::Warn, Some("alert"), message),
    };
    if !items.is_empty() {
        let [one, many] = nouns;
        let count = messages::shown(items.len(), one, many);
        let address = |cursor: Option<String>| cursor.map(|cursor| query.at(&cursor));
        let pager = pager(address(previous), address(next), count);
        return view! {
            {rows(&items)}
            {pager}
        }
        .into_any();
    }
    if query.is_filtered() { nothing_matches(query) } else { empty() }
}

/// Renders the empty state of a filtered list.
pub fn nothing_matches(query: &ListQuery) -> AnyView {
    view! { <NothingMatches clear=query.path().to_owned() /> }.into_any()
}

/// Renders the links to the pages before and after a page of a list, and the text about the shown items.
pub fn pager(newer: Option<String>, older: Option<String>, count: String) -> AnyView {
    view! {
        <nav class="row" aria-label="Pages">
            {link(newer, "Newer")}
            {link(older, messages::OLDER)}
            <span class="text-xs text-muted">{count}</span>
        </nav>
    }
    .into_any()
}

/// Renders the link to the items of `path` from `cursor` on, if there are any.
pub fn older_than(path: &str, cursor: Option<String>) -> Option<AnyView> {
    older(cursor.map(|cursor| url::with_query(path, &[("cursor", &cursor)])))
}

/// Renders the link to older items, if there are any.
pub fn older(href: Option<String>) -> Option<AnyView> {
    link(href, messages::OLDER)
}

fn link(href: Option<String>, label: &'static str) -> Option<AnyView> {
    let href = href?;
    let link = view! {
        <a class="button" href=href>
            {label}
        </a>
    };
    Some(link.into_any())
}
