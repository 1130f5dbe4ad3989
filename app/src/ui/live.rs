//! Live updates: counts of new items from the event stream, shown next to the heading and in the navigation.
//! The list itself does not change until the user reloads it.
//!
//! An element names its subject in `data-live` and the mark since which it counts in `data-since`.

use std::time::Duration;

use contract::id::TenantId;
use leptos::{
    html,
    prelude::*,
    wasm_bindgen::{JsCast, closure::Closure},
};
use send_wrapper::SendWrapper;
use web_sys::{Event, EventSource, HtmlElement, MessageEvent};

use crate::text::{messages, url};

/// The delay before the stream is opened. A user who leaves the page earlier opens none.
const CONNECT_DELAY: Duration = Duration::from_secs(1);

/// The delay before the next attempt after the service rejected the stream.
const RETRY_DELAY: Duration = Duration::from_mins(1);

/// The kind of items that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LiveSubject {
    Decisions,
    Alerts,
}

impl LiveSubject {
    /// Returns the name of the subject in `data-live`.
    const fn as_str(self) -> &'static str {
        match self {
            Self::Decisions => "decisions",
            Self::Alerts => "alerts",
        }
    }
}

/// A trigger that is notified when the current page or its visibility changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Live(Trigger);

impl Live {
    pub(crate) fn new() -> Self {
        Self(Trigger::new())
    }
}

/// A link that shows the number of new items and reloads the page. It is hidden without scripts.
#[component]
pub(crate) fn NewItemsPill(
    subject: LiveSubject,
    /// The mark of the page; only newer items are counted.
    mark: String,
    /// The address of the first page of the list.
    href: String,
    /// Whether the list is filtered; the count covers all items.
    is_part: bool,
) -> impl IntoView {
    let live = use_context::<Live>();
    let pill = NodeRef::<html::A>::new();
    Effect::new(move || {
        // The count belongs to the previous content.
        if let Some(pill) = pill.get() {
            pill.set_hidden(true);
        }
        if let Some(Live(changed)) = live {
            changed.notify();
        }
    });
    view! {
        <p role="status">
            <a
                node_ref=pill
                href=href
                rel="external"
                class="pill"
                data-live=subject.as_str()
                data-since=mark
                data-part=is_part.then_some("")
                hidden
            ></a>
        </p>
    }
}

/// Listens for new items of a tenant while its frame is mounted and the document is visible. `open` is the
/// number of open alerts.
pub(crate) fn listen(tenant: TenantId, open: RwSignal<u64>) {
    let Some(Live(changed)) = use_context::<Live>() else { return };
    let delay = StoredValue::new(CONNECT_DELAY);
    Effect::new(move || {
        let event = "visibilitychange";
        let handle = window_event_listener_untyped(event, move |_| changed.notify());
        on_cleanup(move || handle.remove());
    });
    Effect::new(move || {
        changed.track();
        if document().hidden() {
            return;
        }
        // The stream is closed when this run of the effect ends.
        let source = StoredValue::new(None::<SendWrapper<Source>>);
        let on_rejected = move || {
            delay.set_value(RETRY_DELAY);
            changed.notify();
        };
        let connect =
            move || source.set_value(Source::open(tenant, open, on_rejected).map(SendWrapper::new));
        if let Ok(timer) = set_timeout_with_handle(connect, delay.get_value()) {
            on_cleanup(move || timer.clear());
        }
        delay.set_value(CONNECT_DELAY);
    });
}

/// The event stream of one tenant. It is closed on drop.
struct Source {
    inner: EventSource,
    _on_counts: Closure<dyn Fn(MessageEvent)>,
    _on_error: Closure<dyn Fn(Event)>,
}

impl Source {
    /// Opens the stream. The browser reconnects after a lost connection; `on_rejected` is called when the
    /// service rejects the stream.
    fn open(
        tenant: TenantId,
        open: RwSignal<u64>,
        on_rejected: impl Fn() + 'static,
    ) -> Option<Self> {
        let since = pills().find_map(|pill| pill.get_attribute("data-since"));
        let inner = EventSource::new(&url::live(tenant, &since.unwrap_or_default())).ok()?;
        let on_counts: Closure<dyn Fn(MessageEvent)> = Closure::new(move |event: MessageEvent| {
            if let Some(counts) = event.data().as_string().as_deref().and_then(parse_counts) {
                show(counts, open);
            }
        });
        let source = inner.clone();
        let on_error: Closure<dyn Fn(Event)> = Closure::new(move |_| {
            if source.ready_state() == EventSource::CLOSED {
                pills().for_each(|pill| set_text(&pill, messages::live::PAUSED));
                on_rejected();
            }
        });
        let listener = on_counts.as_ref().unchecked_ref();
        inner.add_event_listener_with_callback("news", listener).ok()?;
        inner.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Some(Self { inner, _on_counts: on_counts, _on_error: on_error })
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        self.inner.set_onerror(None);
        self.inner.close();
    }
}

/// Parses the counts of an event: new decisions, new alerts and open alerts.
fn parse_counts(text: &str) -> Option<[u32; 3]> {
    let mut numbers = text.split(' ').map_while(|number| number.parse().ok());
    Some([numbers.next()?, numbers.next()?, numbers.next()?])
}

fn show([decisions, alerts, now_open]: [u32; 3], open: RwSignal<u64>) {
    open.set(now_open.into());
    for pill in pills() {
        let counts_alerts =
            pill.get_attribute("data-live").as_deref() == Some(LiveSubject::Alerts.as_str());
        let count = if counts_alerts { alerts } else { decisions };
        if count == 0 {
            pill.set_hidden(true);
        } else {
            set_text(&pill, &messages::live::new_items(count, pill.has_attribute("data-part")));
        }
    }
}

fn set_text(pill: &HtmlElement, text: &str) {
    pill.set_text_content(Some(text));
    pill.set_hidden(false);
}

/// Returns the elements of the page that show a count.
fn pills() -> impl Iterator<Item = HtmlElement> {
    let pills = document().query_selector_all("[data-live]").ok();
    let indexes = 0..pills.as_ref().map_or(0, web_sys::NodeList::length);
    let nodes = indexes.filter_map(move |index| pills.as_ref()?.item(index));
    nodes.filter_map(|node| node.dyn_into().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_counts_are_parsed_and_other_text_is_rejected() {
        assert_eq!(parse_counts("3 1 412"), Some([3, 1, 412]));
        for bad in ["", "3", "3 1", "3 1 x", "3  1 4", "-3 1 4"] {
            assert_eq!(parse_counts(bad), None, "{bad}");
        }
    }
}
