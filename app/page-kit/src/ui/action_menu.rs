//! A button that opens a list of links to further actions. It works without scripts.

use kit::any_view;
use leptos::prelude::*;

pub struct ActionLink {
    pub href: String,
    pub text: &'static str,
}

impl ActionLink {
    pub fn new(href: String, text: &'static str) -> Self {
        Self { href, text }
    }
}

/// The menu of a page. Nothing without links.
pub fn action_menu(links: Vec<ActionLink>) -> AnyView {
    if links.is_empty() {
        return ().into_any();
    }
    let link = |ActionLink { href, text }: ActionLink| {
        view! {
            <li>
                <a href=href>{text}</a>
            </li>
        }
    };
    any_view! {
        <details class="filter-menu end" name="actions">
            <summary class="button">"More"</summary>
            <ul class="filter-panel plain-list">{links.into_iter().map(link).collect_view()}</ul>
        </details>
    }
}
