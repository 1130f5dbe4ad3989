//! Behavior of buttons and forms with `data-*` attributes, also on server-rendered pages. One set of
//! listeners serves the whole document.
//!
//! - `data-copy` on a button copies the text of the adjacent `code` element.
//! - `data-once` on a form allows one submission. A second one would discard the response to the first.
//! - `data-preview` on a form shows a preview of its input in the element with that ID. `data-preview-by` is
//!   the address that renders the preview.

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

use crate::text::messages;

/// The time for which a button shows that it has copied.
const COPIED_NOTICE: Duration = Duration::from_secs(2);
/// The pause in typing after which a preview is requested.
const PREVIEW_DELAY: Duration = Duration::from_millis(250);

/// Registers the listeners for the lifetime of the document.
pub(crate) fn listen() {
    let timer = StoredValue::new(None::<TimeoutHandle>);
    Effect::new(move || {
        let click = window_event_listener(ev::click, |event| copy(&event));
        let submit = window_event_listener(ev::submit, |event| disable_after_submit(&event));
        let pageshow = window_event_listener(ev::pageshow, |_| reset_submitted_forms());
        let input = window_event_listener(ev::input, move |event| preview(&event, timer));
        on_cleanup(move || {
            for handle in [click, submit, pageshow, input] {
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
    let code = button.parent_element().and_then(|parent| parent.query_selector("code").ok()?);
    let Some(text) = code.and_then(|code| code.text_content()) else { return };
    // The result is ignored: if the clipboard is not available, the text can be selected by hand.
    let _ = window().navigator().clipboard().write_text(&text);
    let set_status = move |notice: Option<&str>| {
        let _ = button.class_list().toggle_with_force("done", notice.is_some());
        if let Ok(Some(status)) = button.query_selector("[role=status]") {
            status.set_text_content(notice);
        }
    };
    set_status(Some(messages::COPIED));
    set_timeout(move || set_status(None), COPIED_NOTICE);
}

fn disable_after_submit(event: &Event) {
    if let Some(form) = target(event).filter(|form| form.has_attribute("data-once")) {
        if form.has_attribute("data-sent") {
            event.prevent_default();
        }
        let _ = form.set_attribute("data-sent", "");
    }
}

/// Allows forms to be submitted again when the browser restores the document from its cache.
fn reset_submitted_forms() {
    let Ok(nodes) = document().query_selector_all("[data-sent]") else { return };
    let forms = (0..nodes.length()).filter_map(|index| nodes.item(index));
    for form in forms.filter_map(|form| form.dyn_into::<Element>().ok()) {
        let _ = form.remove_attribute("data-sent");
    }
}

/// Shows a preview of the form's input after a pause in typing. Each input event restarts the pause.
fn preview(event: &Event, timer: StoredValue<Option<TimeoutHandle>>) {
    let form = target(event).and_then(|field| field.closest("form[data-preview]").ok()?);
    let Some(form) = form.and_then(|form| form.dyn_into::<HtmlFormElement>().ok()) else { return };
    if let Some(timer) = timer.get_value() {
        timer.clear();
    }
    let show = move || {
        // The server validates a submitted form; it needs no preview.
        if form.has_attribute("data-sent") {
            return;
        }
        spawn_local(async move {
            let Some(form_data) = form_data(&form) else { return };
            let Some(html) = fetch_preview(&form, &form_data).await else { return };
            let output = form.get_attribute("data-preview").unwrap_or_default();
            if let Some(output) = document().get_element_by_id(&output)
                && self::form_data(&form).as_ref() == Some(&form_data)
            {
                output.set_inner_html(&html);
            }
        });
    };
    timer.set_value(set_timeout_with_handle(show, PREVIEW_DELAY).ok());
}

/// Returns the encoded input of the form, without passwords.
fn form_data(form: &HtmlFormElement) -> Option<String> {
    let data = FormData::new_with_form(form).ok()?;
    let secrets = form.query_selector_all("[type=password]").ok()?;
    for secret in (0..secrets.length()).filter_map(|index| secrets.item(index)) {
        data.delete(&secret.dyn_into::<HtmlInputElement>().ok()?.name());
    }
    let pairs = UrlSearchParams::new_with_str_sequence_sequence(&data).ok()?;
    pairs.to_string().as_string()
}

async fn fetch_preview(form: &HtmlFormElement, form_data: &str) -> Option<String> {
    let url = form.get_attribute("data-preview-by")?;
    let request = RequestInit::new();
    request.set_method("POST");
    // The content type follows from the body and matches that of the form.
    let body = UrlSearchParams::new_with_str(form_data).ok()?;
    request.set_body(&JsValue::from(body));
    let response = window().fetch_with_str_and_init(&url, &request);
    let response: Response = JsFuture::from(response).await.ok()?.dyn_into().ok()?;
    let html = response.ok().then(|| response.json().ok()).flatten()?;
    JsFuture::from(html).await.ok()?.as_string()
}
