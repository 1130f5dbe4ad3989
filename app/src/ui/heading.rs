//! The heading of a page and the title of its browser tab.

use leptos::{html, prelude::*};
use leptos_meta::Title;
use web_sys::FocusOptions;

use super::scroll::ScrollPosition;
use crate::text::{between_tags, messages};

/// Whether the page was reached by navigation within the console. Its heading then takes the focus, so that a
/// screen reader starts there, as it does after a page load.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClientNavigation(pub(crate) StoredValue<bool>);

/// The `h1` of a page. `title` is the title of the tab; `children` replace it on the page.
#[component]
pub(crate) fn Heading(
    #[prop(into)] title: String,
    /// Whether the heading of a server-rendered page takes the focus.
    #[prop(optional)]
    autofocus: bool,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let heading = NodeRef::<html::H1>::new();
    Effect::new(move || {
        if let Some(ClientNavigation(has_navigated)) = use_context::<ClientNavigation>()
            && has_navigated.get_value()
            && let Some(heading) = heading.get()
        {
            // The navigation determines the scroll position.
            let options = FocusOptions::new();
            options.set_prevent_scroll(true);
            let _ = heading.focus_with_options(&options);
        }
        if let Some(position) = use_context::<ScrollPosition>() {
            position.restore();
        }
    });
    // Only in server-rendered HTML: in the browser, the effect sets the focus.
    let autofocus = autofocus && cfg!(feature = "ssr");
    let tab = between_tags(messages::tab(&title));
    let content = match children {
        Some(children) => children(),
        None => title.into_any(),
    };
    view! {
        <Title text=tab />
        <h1 node_ref=heading tabindex="-1" autofocus=autofocus>
            {content}
        </h1>
    }
}
