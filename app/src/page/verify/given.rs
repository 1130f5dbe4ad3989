//! What only a browser has: files, the service at the other end, a clock.

use std::time::Duration;

use contract::id::DecisionId;
use js_sys::{Array, Date, Uint8Array};
use leptos::{
    prelude::*,
    wasm_bindgen::{JsCast, JsValue},
};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, File, HtmlAnchorElement, Response, Url};

use crate::{
    text::url,
    view::verify::{Checked, Given, Refused, Role},
};

/// Reads a file, unless it is longer than what it is given as can be.
pub(super) async fn read(file: &File, role: Role) -> Result<Given, Refused> {
    let name = file.name();
    if file.size() > f64::from(role.bytes_max()) {
        return Err(Refused::TooLong(name, role));
    }
    match JsFuture::from(file.array_buffer()).await {
        Ok(buffer) => Ok(Given { name, bytes: Uint8Array::new(&buffer).to_vec() }),
        Err(_) => Err(Refused::Unreadable(name)),
    }
}

/// Asks the service for the bundle of a decision. This is the only request that the page ever makes.
pub(super) async fn fetch(id: &str) -> Result<Given, Refused> {
    let id: DecisionId = id.trim().parse().map_err(|_| Refused::NoId(id.trim().to_owned()))?;
    let bytes = answer(id).await.map_err(|refused| refused.unwrap_or(Refused::Unreachable))?;
    Ok(Given { name: format!("{id}.tar"), bytes })
}

async fn answer(id: DecisionId) -> Result<Vec<u8>, Option<Refused>> {
    let lost = |_: JsValue| None;
    let answer = JsFuture::from(window().fetch_with_str(&url::bundle(id))).await.map_err(lost)?;
    let answer: Response = answer.dyn_into().map_err(lost)?;
    match answer.status() {
        200 => {
            let buffer = answer.array_buffer().map_err(lost)?;
            let buffer = JsFuture::from(buffer).await.map_err(lost)?;
            Ok(Uint8Array::new(&buffer).to_vec())
        }
        404 => Err(Some(Refused::NoBundle(id.to_string()))),
        status => Err(Some(Refused::Answer(status))),
    }
}

/// Calls `then` once what was set before is on the screen.
pub(super) fn after_painting(then: impl FnOnce() + 'static) {
    request_animation_frame(move || set_timeout(then, Duration::ZERO));
}

/// Milliseconds since some moment of the past.
pub(super) fn now_ms() -> f64 {
    window().performance().map(|clock| clock.now()).unwrap_or_default()
}

/// A result with the moment that the reader's clock shows.
pub(super) fn dated(checked: Checked) -> Checked {
    let now = String::from(Date::new_0().to_iso_string());
    Checked { at: now.parse().ok(), ..checked }
}

/// Gives the reader `text` as a file.
pub(super) fn save(text: &str, name: &str) {
    let kind = BlobPropertyBag::new();
    kind.set_type("application/json");
    let parts = Array::of1(&JsValue::from_str(text));
    let Ok(blob) = Blob::new_with_str_sequence_and_options(&parts, &kind) else { return };
    let Ok(address) = Url::create_object_url_with_blob(&blob) else { return };
    let link = document().create_element("a").ok();
    if let Some(link) = link.and_then(|link| link.dyn_into::<HtmlAnchorElement>().ok()) {
        link.set_href(&address);
        link.set_download(name);
        link.click();
    }
    // The browser has begun to read it by then.
    set_timeout(move || drop(Url::revoke_object_url(&address)), Duration::from_mins(1));
}
