//! The heading of a page and the title of its browser tab.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::text::{between_tags, messages};

/// The `h1` of a page. `title` is the title of the tab; `children` replace it on the page.
#[component]
pub fn Heading(
    #[prop(into)] title: String,
    /// Whether the heading takes the focus.
    #[prop(optional)]
    autofocus: bool,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let tab = between_tags(messages::tab(&title));
    let content = match children {
        Some(children) => children(),
        None => title.into_any(),
    };
    view! {
        <Title text=tab />
        <h1 tabindex="-1" autofocus=autofocus>
            {content}
        </h1>
    }
}
