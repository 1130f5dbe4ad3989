//! Counts of new items and of open alerts. `public/page.js` updates them from the event stream; the list itself
//! does not change until the user reloads it.

use leptos::prelude::*;

use super::live_words;

contract::named_enum! {
    /// The kind of items that are counted.
    pub enum LiveSubject {
        Decisions = "decisions",
        Alerts = "alerts",
        Deliveries = "deliveries",
    }
}

/// A link that shows the number of new items and reloads the page. It is hidden without scripts.
#[component]
pub fn NewItemsPill(
    subject: LiveSubject,
    /// The mark of the page; only newer items are counted.
    mark: String,
    /// The address of the first page of the list.
    href: String,
    /// Whether the list is filtered; the count covers all items.
    is_part: bool,
) -> impl IntoView {
    let text = if is_part { live_words::NEW_IN_ALL } else { live_words::NEW };
    view! {
        <p role="status">
            <a
                href=href
                rel="external"
                class="pill"
                data-live=subject.as_str()
                data-since=mark
                data-text=text
                data-paused=live_words::PAUSED
                hidden
            ></a>
        </p>
    }
}
