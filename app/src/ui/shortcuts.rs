//! Keyboard shortcuts. A shortcut activates a control that is on the page.
//!
//! Each control names its key in `data-key`. Single-letter keys are ignored inside fields, and everywhere
//! when the user has disabled shortcuts (WCAG 2.1.4).

use leptos::{ev::KeyboardEvent, prelude::*, wasm_bindgen::JsCast};

/// Registers the shortcut listener for the lifetime of the document.
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
    let setting = document().document_element().and_then(|root| root.get_attribute("data-keys"));
    if command || event.alt_key() || is_field(&target) || setting.as_deref() == Some("off") {
        return;
    }
    let key = event.key();
    let name = if prefix.get_value() { format!("g {key}") } else { key.clone() };
    prefix.set_value(key == "g");
    let is_handled = match name.as_str() {
        "j" => step("[data-row]", 1),
        "k" => step("[data-row]", -1),
        "]" => step("[data-comment]", 1),
        "[" => step("[data-comment]", -1),
        "o" => open(),
        // The browser opens a focused link itself.
        "Enter" if is_row(&target) => open(),
        _ => activate(&name),
    };
    if is_handled {
        event.prevent_default();
    }
}

fn is_field(target: &web_sys::Element) -> bool {
    // A checkbox does not take letters.
    let fields = "input:not([type=checkbox]), textarea, select, [contenteditable]";
    target.closest(fields).is_ok_and(|field| field.is_some())
}

/// Returns whether the element is a table row with a link of its own.
fn is_row(target: &web_sys::Element) -> bool {
    target.matches("tr[data-row]").unwrap_or(false)
}

/// Submits the form with the focus, else the form of the open dialog, else the main form of the page, with
/// the form's main button.
fn submit(target: &web_sys::Element) {
    let first = |selector| document().query_selector(selector).ok().flatten();
    let own = target.closest("form").ok().flatten();
    let form = own.or_else(|| first("dialog[open] form")).or_else(|| first("form[data-main]"));
    let button = form.and_then(|form| {
        let button = |kind| form.query_selector(kind).ok().flatten();
        // Secondary buttons may precede the main button.
        button("button.primary:not([type=button])").or_else(|| button("button:not([type=button])"))
    });
    if let Some(Ok(button)) = button.map(JsCast::dyn_into::<web_sys::HtmlElement>) {
        button.click();
    }
}

/// Activates the first visible control with this key, or focuses it if it is a field. Controls of the row
/// with the focus come first. A checked checkbox is skipped.
fn activate(name: &str) -> bool {
    let selector = format!("[data-key=\"{name}\"]:not(:checked)");
    let focused = document().active_element();
    let row = focused.and_then(|focused| focused.closest("[data-row]").ok()?);
    let own = row.and_then(|row| first_visible(&row.query_selector_all(&selector).ok()?));
    let Some(control) =
        own.or_else(|| first_visible(&document().query_selector_all(&selector).ok()?))
    else {
        return false;
    };
    // The focus moves first, so that a closing dialog returns it to this control.
    let focused = control.focus().is_ok();
    if !is_field(&control) {
        control.click();
    }
    focused
}

/// Follows the link of the row with the focus, else of the first row.
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

fn first_visible(nodes: &web_sys::NodeList) -> Option<web_sys::HtmlElement> {
    let controls = (0..nodes.length()).filter_map(|index| nodes.item(index));
    let mut controls = controls.filter_map(|node| node.dyn_into::<web_sys::HtmlElement>().ok());
    controls.find(|control| control.offset_parent().is_some())
}

/// Moves the focus to the next or previous row or comment, relative to the one that contains the focus.
fn step(selector: &str, offset: i32) -> bool {
    let Ok(rows) = document().query_selector_all(selector) else { return false };
    let current = document().active_element();
    let current =
        current.and_then(|focused| focused.closest(selector).ok()?).map(web_sys::Node::from);
    let index =
        (0..rows.length()).find(|position| current.is_some() && rows.item(*position) == current);
    let last = rows.length().saturating_sub(1);
    let next = index.map_or(0, |position| position.saturating_add_signed(offset).min(last));
    let row = rows.item(next);
    let row = row.and_then(|row| row.dyn_into::<web_sys::HtmlElement>().ok());
    row.is_some_and(|row| row.focus().is_ok())
}
