//! The heading of a page: its title in the tab, and the place where reading starts.

use leptos::{html, prelude::*};
use leptos_meta::Title;

use crate::text::{between_tags, words};

/// Whether the page was reached from within: then its heading takes the focus, so that a screen
/// reader starts at it as it would on a page that was loaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved(pub(crate) StoredValue<bool>);

/// The `h1` of a page. `title` goes into the tab; `children` are what stands on the page.
#[component]
pub(crate) fn Heading(
    #[prop(into)] title: String,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let heading = NodeRef::<html::H1>::new();
    Effect::new(move || {
        if let Some(Moved(moved)) = use_context::<Moved>()
            && moved.get_value()
            && let Some(heading) = heading.get()
        {
            let _ = heading.focus();
        }
    });
    let tab = between_tags(words::tab(&title));
    let shown = match children {
        Some(children) => children(),
        None => title.into_any(),
    };
    view! {
        <Title text=tab/>
        <h1 node_ref=heading tabindex="-1">
            {shown}
        </h1>
    }
}
