//! Keyboard shortcuts: a key presses what is on the page anyway.
//!
//! Each control names its key in `data-key`. Single letters do nothing inside fields, and nothing
//! at all once they are switched off (WCAG 2.1.4).

use leptos::{ev::KeyboardEvent, prelude::*, wasm_bindgen::JsCast};

/// Listens for shortcuts as long as the page lives.
pub(crate) fn listen() {
    let prefix = StoredValue::new(false);
    Effect::new(move || {
        let handle = window_event_listener(leptos::ev::keydown, move |event| press(&event, prefix));
        on_cleanup(move || handle.remove());
    });
}

fn press(event: &KeyboardEvent, prefix: StoredValue<bool>) {
    let Some(target) = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok())
    else {
        return;
    };
    let command = event.ctrl_key() || event.meta_key();
    if command && event.key() == "Enter" {
        return submit(&target);
    }
    let off = document().document_element().and_then(|root| root.get_attribute("data-keys"));
    if command || event.alt_key() || is_field(&target) || off.as_deref() == Some("off") {
        return;
    }
    let key = event.key();
    let name = if prefix.get_value() { format!("g {key}") } else { key.clone() };
    prefix.set_value(key == "g");
    let done = match name.as_str() {
        "j" => step("[data-row]", 1),
        "k" => step("[data-row]", -1),
        "]" => step("[data-comment]", 1),
        "[" => step("[data-comment]", -1),
        "o" => open(),
        // A link opens itself.
        "Enter" if is_row(&target) => open(),
        _ => act(&name),
    };
    if done {
        event.prevent_default();
    }
}

fn is_field(target: &web_sys::Element) -> bool {
    // A box takes no letters.
    let fields = "input:not([type=checkbox]), textarea, select, [contenteditable]";
    target.closest(fields).is_ok_and(|field| field.is_some())
}

/// A row that is no link, but has one.
fn is_row(target: &web_sys::Element) -> bool {
    target.matches("tr[data-row]").unwrap_or(false)
}

/// Sends the form that the focus is in, else that of the open dialog, else the page's main one, as its main
/// button would.
fn submit(target: &web_sys::Element) {
    let first = |selector| document().query_selector(selector).ok().flatten();
    let own = target.closest("form").ok().flatten();
    let form = own.or_else(|| first("dialog[open] form")).or_else(|| first("form[data-main]"));
    let button = form.and_then(|form| {
        let button = |kind| form.query_selector(kind).ok().flatten();
        // Buttons that do less may stand before the main one.
        button("button.primary:not([type=button])").or_else(|| button("button:not([type=button])"))
    });
    if let Some(Ok(button)) = button.map(JsCast::dyn_into::<web_sys::HtmlElement>) {
        button.click();
    }
}

/// Presses the first visible control of that key, or puts the focus into it when it is a field: in the
/// row that has the focus, else on the page. A box that is ticked has had its turn.
fn act(name: &str) -> bool {
    let selector = format!("[data-key=\"{name}\"]:not(:checked)");
    let focused = document().active_element();
    let row = focused.and_then(|focused| focused.closest("[data-row]").ok()?);
    let own = row.and_then(|row| visible(&row.query_selector_all(&selector).ok()?));
    let Some(control) = own.or_else(|| visible(&document().query_selector_all(&selector).ok()?))
    else {
        return false;
    };
    // The focus comes first, so that a dialog knows where to give it back.
    let focused = control.focus().is_ok();
    if !is_field(&control) {
        control.click();
    }
    focused
}

/// Follows the link of the row that has the focus, else of the first row.
fn open() -> bool {
    let focused = document().active_element();
    let row = focused.and_then(|focused| focused.closest("[data-row]").ok()?);
    let row = row.or_else(|| document().query_selector("[data-row]").ok()?);
    let link = row.and_then(|row| {
        let inner = row.query_selector("th a[href]").ok()?;
        inner.or_else(|| row.has_attribute("href").then_some(row))
    });
    let link = link.and_then(|link| link.dyn_into::<web_sys::HtmlElement>().ok());
    link.is_some_and(|link| {
        link.click();
        true
    })
}

/// The first of them that a person sees.
fn visible(found: &web_sys::NodeList) -> Option<web_sys::HtmlElement> {
    let controls = (0..found.length()).filter_map(|place| found.item(place));
    let mut controls = controls.filter_map(|node| node.dyn_into::<web_sys::HtmlElement>().ok());
    controls.find(|control| control.offset_parent().is_some())
}

/// Moves the focus to the next or the previous of the page's rows or comments, from wherever in one it is.
fn step(selector: &str, by: i32) -> bool {
    let Ok(rows) = document().query_selector_all(selector) else { return false };
    let here = document().active_element();
    let here = here.and_then(|focused| focused.closest(selector).ok()?).map(web_sys::Node::from);
    let at = (0..rows.length()).find(|place| here.is_some() && rows.item(*place) == here);
    let last = rows.length().saturating_sub(1);
    let next = at.map_or(0, |place| place.saturating_add_signed(by).min(last));
    let row = rows.item(next);
    let row = row.and_then(|row| row.dyn_into::<web_sys::HtmlElement>().ok());
    row.is_some_and(|row| row.focus().is_ok())
}
