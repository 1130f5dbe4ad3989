//! The tabs of a page: links to its parts, with the number of items of each part.

use kit::any_view;
use leptos::prelude::*;

use crate::text::number::counted;

pub struct Tab {
    pub href: String,
    pub label: &'static str,
    /// The number of items; absent if the part is no list.
    pub count: Option<u64>,
    pub is_current: bool,
}

pub fn tab_links(label: &'static str, tabs: Vec<Tab>) -> AnyView {
    let link = |Tab { href, label, count, is_current }: Tab| {
        let count = count.map(|count| {
            view! {
                " "
                <span class="tabular-nums text-muted">{counted(count)}</span>
            }
        });
        view! {
            <a href=href aria-current=is_current.then_some("page")>
                {label}
                {count}
            </a>
        }
    };
    any_view! {
        <nav class="tabs" aria-label=label>
            {tabs.into_iter().map(link).collect_view()}
        </nav>
    }
}
