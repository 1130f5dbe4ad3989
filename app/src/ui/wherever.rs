//! What buttons and forms do wherever they stand, on pages of the server's own too: the document listens
//! for all of them, and goes by their attributes.
//!
//! - `data-copy` on a button copies the text of the `code` beside it.
//! - `data-once` on a form lets it go once: another press on the way to the answer would leave it unread.
//! - `data-preview`, on a form, keeps the element of that id a preview of what is typed; `data-preview-by` is
//!   who makes it.

use std::time::Duration;

use leptos::{
    ev,
    leptos_dom::helpers::TimeoutHandle,
    prelude::*,
    task::spawn_local,
    wasm_bindgen::{JsCast, JsValue},
};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Element, Event, FormData, HtmlFormElement, HtmlInputElement, RequestInit, Response,
    UrlSearchParams,
};

use crate::text::words;

/// How long a button says that it has copied.
const SAID_FOR: Duration = Duration::from_secs(2);
/// How long the typing pauses before a preview follows.
const PAUSE: Duration = Duration::from_millis(250);

/// Listens as long as the document lives.
pub(crate) fn listen() {
    let waiting = StoredValue::new(None::<TimeoutHandle>);
    Effect::new(move || {
        let copied = window_event_listener(ev::click, |event| copy(&event));
        let sent = window_event_listener(ev::submit, |event| once(&event));
        let shown = window_event_listener(ev::pageshow, |_| again());
        let typed = window_event_listener(ev::input, move |event| preview(&event, waiting));
        on_cleanup(move || {
            for handle in [copied, sent, shown, typed] {
                handle.remove();
            }
        });
    });
}

fn target(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

fn copy(event: &Event) {
    let button = target(event).and_then(|target| target.closest("[data-copy]").ok()?);
    let Some(button) = button else { return };
    let code = button.parent_element().and_then(|around| around.query_selector("code").ok()?);
    let Some(text) = code.and_then(|code| code.text_content()) else { return };
    // The answer is not awaited: a refused clipboard leaves the text to be selected by hand.
    let _ = window().navigator().clipboard().write_text(&text);
    let say = move |word: Option<&str>| {
        let _ = button.class_list().toggle_with_force("done", word.is_some());
        if let Ok(Some(status)) = button.query_selector("[role=status]") {
            status.set_text_content(word);
        }
    };
    say(Some(words::COPIED));
    set_timeout(move || say(None), SAID_FOR);
}

fn once(event: &Event) {
    if let Some(form) = target(event).filter(|form| form.has_attribute("data-once")) {
        if form.has_attribute("data-sent") {
            event.prevent_default();
        }
        let _ = form.set_attribute("data-sent", "");
    }
}

/// A document that the browser kept, and shows again, may send its forms again.
fn again() {
    let Ok(sent) = document().query_selector_all("[data-sent]") else { return };
    let forms = (0..sent.length()).filter_map(|place| sent.item(place));
    for form in forms.filter_map(|form| form.dyn_into::<Element>().ok()) {
        let _ = form.remove_attribute("data-sent");
    }
}

/// Shows what is typed in the form as it is after a pause. A later letter starts the pause anew.
fn preview(event: &Event, waiting: StoredValue<Option<TimeoutHandle>>) {
    let form = target(event).and_then(|field| field.closest("form[data-preview]").ok()?);
    let Some(form) = form.and_then(|form| form.dyn_into::<HtmlFormElement>().ok()) else { return };
    if let Some(waiting) = waiting.get_value() {
        waiting.clear();
    }
    let show = move || {
        // What is being sent is judged there.
        if form.has_attribute("data-sent") {
            return;
        }
        spawn_local(async move {
            let Some(typed) = typed(&form) else { return };
            let Some(html) = previewed(&form, &typed).await else { return };
            let place = form.get_attribute("data-preview").unwrap_or_default();
            if let Some(place) = document().get_element_by_id(&place)
                && self::typed(&form).as_ref() == Some(&typed)
            {
                place.set_inner_html(&html);
            }
        });
    };
    waiting.set_value(set_timeout_with_handle(show, PAUSE).ok());
}

/// What the form would send, without passwords: a preview shows none.
fn typed(form: &HtmlFormElement) -> Option<String> {
    let data = FormData::new_with_form(form).ok()?;
    let secrets = form.query_selector_all("[type=password]").ok()?;
    for secret in (0..secrets.length()).filter_map(|place| secrets.item(place)) {
        data.delete(&secret.dyn_into::<HtmlInputElement>().ok()?.name());
    }
    let pairs = UrlSearchParams::new_with_str_sequence_sequence(&data).ok()?;
    pairs.to_string().as_string()
}

/// The preview of what was typed.
async fn previewed(form: &HtmlFormElement, typed: &str) -> Option<String> {
    let by = form.get_attribute("data-preview-by")?;
    let request = RequestInit::new();
    request.set_method("POST");
    // The type goes along by itself, and must be as that of the form.
    let body = UrlSearchParams::new_with_str(typed).ok()?;
    request.set_body(&JsValue::from(body));
    let answer = window().fetch_with_str_and_init(&by, &request);
    let answer: Response = JsFuture::from(answer).await.ok()?.dyn_into().ok()?;
    let html = answer.ok().then(|| answer.json().ok()).flatten()?;
    JsFuture::from(html).await.ok()?.as_string()
}
