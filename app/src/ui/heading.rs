//! The heading of a page and the title of its browser tab.

use leptos::{html, prelude::*};
use leptos_meta::Title;

use crate::text::{between_tags, messages};

/// Whether the page was reached by navigation within the console. Its heading then takes the focus, so that a
/// screen reader starts there, as it does after a page load.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClientNavigation(pub(crate) StoredValue<bool>);

/// The `h1` of a page. `title` is the title of the tab; `children` replace it on the page.
#[component]
pub(crate) fn Heading(
    #[prop(into)] title: String,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let heading = NodeRef::<html::H1>::new();
    Effect::new(move || {
        if let Some(ClientNavigation(has_navigated)) = use_context::<ClientNavigation>()
            && has_navigated.get_value()
            && let Some(heading) = heading.get()
        {
            let _ = heading.focus();
        }
    });
    let tab = between_tags(messages::tab(&title));
    let content = match children {
        Some(children) => children(),
        None => title.into_any(),
    };
    view! {
        <Title text=tab />
        <h1 node_ref=heading tabindex="-1">
            {content}
        </h1>
    }
}
