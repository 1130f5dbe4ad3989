//! A button that opens a list of links to further actions. It works without scripts.

use leptos::prelude::*;

use super::icon::{Icon, icon};
use crate::text::messages;

pub(crate) struct ActionLink {
    pub(crate) href: String,
    pub(crate) text: &'static str,
    /// The accessible name, if the text is not unique on the page.
    pub(crate) label: Option<String>,
}

impl ActionLink {
    pub(crate) fn new(href: String, text: &'static str) -> Self {
        Self { href, text, label: None }
    }
}

/// The menu of a page, or of the row of a list if it has the name `of_row`. Nothing without links.
#[component]
pub(crate) fn ActionMenu(
    links: Vec<ActionLink>,
    #[prop(optional)] of_row: Option<String>,
) -> impl IntoView {
    if links.is_empty() {
        return ().into_any();
    }
    let link = |ActionLink { href, text, label }: ActionLink| {
        view! {
            <li>
                <a href=href aria-label=label>
                    {text}
                </a>
            </li>
        }
    };
    let summary = match of_row {
        Some(label) => view! {
            <summary class="button quiet square" aria-label=label>
                {icon(Icon::More)}
            </summary>
        }
        .into_any(),
        None => view! { <summary class="button">{messages::MORE}</summary> }.into_any(),
    };
    view! {
        <details class="filter-menu end" name="actions">
            {summary}
            <ul class="filter-panel plain-list">{links.into_iter().map(link).collect_view()}</ul>
        </details>
    }
    .into_any()
}
