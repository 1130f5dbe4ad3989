//! What is new while a page is looked at: counts from the service's own stream, shown beside the heading and
//! in the navigation. The list itself stays as it is until the reader asks.
//!
//! Whatever wants to know says in `data-live` which news, and in `data-since` since which mark.

use std::time::Duration;

use contract::id::TenantId;
use leptos::{
    html,
    prelude::*,
    wasm_bindgen::{JsCast, closure::Closure},
};
use send_wrapper::SendWrapper;
use web_sys::{Event, EventSource, HtmlElement, MessageEvent};

use crate::text::{url, words};

/// Until the stream begins: who only passes through needs none.
const SOON: Duration = Duration::from_secs(1);

/// Until it is tried again once it was refused.
const LATER: Duration = Duration::from_mins(1);

/// What is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// Decisions.
    Decisions,
    /// Alerts.
    Alerts,
}

impl News {
    /// The word of the page for it.
    const fn word(self) -> &'static str {
        match self {
            Self::Decisions => "decisions",
            Self::Alerts => "alerts",
        }
    }
}

/// Notified when there is another page to keep up to date.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Live(Trigger);

impl Live {
    pub(crate) fn new() -> Self {
        Self(Trigger::new())
    }
}

/// A link that says how many are new and reads the page again. Without scripts it is not there.
#[component]
pub(crate) fn LivePill(
    news: News,
    /// The mark of the page.
    mark: String,
    /// The page from its start.
    href: String,
    /// Whether the page shows only some: the count is of all.
    is_part: bool,
) -> impl IntoView {
    let live = use_context::<Live>();
    let pill = NodeRef::<html::A>::new();
    Effect::new(move || {
        // What was said of the page before is over.
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
                data-live=news.word()
                data-since=mark
                data-part=is_part.then_some("")
                hidden
            ></a>
        </p>
    }
}

/// Listens to what is new in a tenant for as long as its frame stands, and somebody looks. `open` is how many
/// alerts nobody has acknowledged.
pub(crate) fn listen(tenant: TenantId, open: RwSignal<u64>) {
    let Some(Live(changed)) = use_context::<Live>() else { return };
    let wait = StoredValue::new(SOON);
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
        // It ends with this run of the effect.
        let source = StoredValue::new(None::<SendWrapper<Source>>);
        let refused = move || {
            wait.set_value(LATER);
            changed.notify();
        };
        let begin =
            move || source.set_value(Source::open(tenant, open, refused).map(SendWrapper::new));
        if let Ok(timer) = set_timeout_with_handle(begin, wait.get_value()) {
            on_cleanup(move || timer.clear());
        }
        wait.set_value(SOON);
    });
}

/// The stream of one tenant. It is closed when this is dropped.
struct Source {
    inner: EventSource,
    _told: Closure<dyn Fn(MessageEvent)>,
    _failed: Closure<dyn Fn(Event)>,
}

impl Source {
    /// Opens the stream, which begins again by itself when the connection is lost. `refused` is called when
    /// the service does not want it.
    fn open(tenant: TenantId, open: RwSignal<u64>, refused: impl Fn() + 'static) -> Option<Self> {
        let since = pills().find_map(|pill| pill.get_attribute("data-since"));
        let inner = EventSource::new(&url::live(tenant, &since.unwrap_or_default())).ok()?;
        let told: Closure<dyn Fn(MessageEvent)> = Closure::new(move |event: MessageEvent| {
            if let Some(counts) = event.data().as_string().as_deref().and_then(read) {
                show(counts, open);
            }
        });
        let source = inner.clone();
        let failed: Closure<dyn Fn(Event)> = Closure::new(move |_| {
            if source.ready_state() == EventSource::CLOSED {
                pills().for_each(|pill| say(&pill, words::live::PAUSED));
                refused();
            }
        });
        let told_to = told.as_ref().unchecked_ref();
        inner.add_event_listener_with_callback("news", told_to).ok()?;
        inner.set_onerror(Some(failed.as_ref().unchecked_ref()));
        Some(Self { inner, _told: told, _failed: failed })
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        self.inner.set_onerror(None);
        self.inner.close();
    }
}

/// New decisions, new alerts, and open alerts.
fn read(text: &str) -> Option<[u32; 3]> {
    let mut numbers = text.split(' ').map_while(|number| number.parse().ok());
    Some([numbers.next()?, numbers.next()?, numbers.next()?])
}

fn show([decisions, alerts, now_open]: [u32; 3], open: RwSignal<u64>) {
    open.set(now_open.into());
    for pill in pills() {
        let is_of_alerts = pill.get_attribute("data-live").as_deref() == Some(News::Alerts.word());
        let count = if is_of_alerts { alerts } else { decisions };
        if count == 0 {
            pill.set_hidden(true);
        } else {
            say(&pill, &words::live::fresh(count, pill.has_attribute("data-part")));
        }
    }
}

fn say(pill: &HtmlElement, text: &str) {
    pill.set_text_content(Some(text));
    pill.set_hidden(false);
}

/// What of the page wants to know.
fn pills() -> impl Iterator<Item = HtmlElement> {
    let found = document().query_selector_all("[data-live]").ok();
    let places = 0..found.as_ref().map_or(0, web_sys::NodeList::length);
    let nodes = places.filter_map(move |place| found.as_ref()?.item(place));
    nodes.filter_map(|node| node.dyn_into().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_counts_are_read_and_nothing_else() {
        assert_eq!(read("3 1 412"), Some([3, 1, 412]));
        for bad in ["", "3", "3 1", "3 1 x", "3  1 4", "-3 1 4"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
