//! What only a browser has: files, the service at the other end, a clock.

use std::time::Duration;

use contract::{id::DecisionId, time::Timestamp};
use js_sys::{Array, Date};
use leptos::{
    prelude::*,
    wasm_bindgen::{JsCast, JsValue},
};
use send_wrapper::SendWrapper;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, FileList, HtmlAnchorElement, HtmlInputElement, Response, Url,
};

use crate::{
    text::url,
    view::verify::{BYTES_MAX, Refused},
};

/// A file that the reader gave. Its bytes stay with the browser; only the verifier's thread reads them.
#[derive(Clone, Debug)]
pub(super) struct Given {
    /// What it is called.
    pub(super) name: String,
    /// How many bytes it has.
    pub(super) bytes: u32,
    /// Where they are. No thread but the page's own ever holds one.
    pub(super) file: SendWrapper<Blob>,
    /// Whether it is the registry that the service itself gives.
    pub(super) is_published: bool,
}

impl Given {
    fn new(name: String, file: Blob) -> Result<Self, Refused> {
        let size = file.size();
        if size > f64::from(BYTES_MAX) {
            return Err(Refused::TooLong(name));
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most the limit"
        )]
        let bytes = size as u32;
        Ok(Self { name, bytes, file: SendWrapper::new(file), is_published: false })
    }
}

/// The first of `files`, unless it is too long.
pub(super) fn first(files: Option<FileList>) -> Option<Result<Given, Refused>> {
    let file = files.and_then(|files| files.get(0))?;
    Some(Given::new(file.name(), file.into()))
}

/// Empties the field of a file that counts no more.
pub(super) fn empty(id: &str) {
    let field = document().get_element_by_id(id);
    if let Some(field) = field.and_then(|field| field.dyn_into::<HtmlInputElement>().ok()) {
        field.set_value("");
    }
}

/// Asks the service for the bundle of a decision.
pub(super) async fn bundle(id: &str) -> Result<Given, Refused> {
    let id: DecisionId = id.trim().parse().map_err(|_| Refused::NoId(id.trim().to_owned()))?;
    let missing = Refused::NoBundle(id.to_string());
    Given::new(format!("{id}.tar"), answer(&url::archive(id), missing).await?)
}

/// Asks the service for its registry.
pub(super) async fn registry() -> Result<Given, Refused> {
    let file = answer(url::REGISTRY, Refused::NoRegistry).await?;
    let given = Given::new("trust-registry.json".to_owned(), file)?;
    Ok(Given { is_published: true, ..given })
}

/// What the service answers. These are the only requests that the page makes, and only when asked to.
async fn answer(url: &str, missing: Refused) -> Result<Blob, Refused> {
    let lost = |_: JsValue| Refused::Unreachable;
    let answer = JsFuture::from(window().fetch_with_str(url)).await.map_err(lost)?;
    let answer: Response = answer.dyn_into().map_err(lost)?;
    match answer.status() {
        200 => {
            let body = JsFuture::from(answer.blob().map_err(lost)?).await.map_err(lost)?;
            body.dyn_into().map_err(lost)
        }
        404 => Err(missing),
        status => Err(Refused::Answer(status)),
    }
}

/// The moment that the reader's clock shows.
pub(super) fn now() -> Option<Timestamp> {
    String::from(Date::new_0().to_iso_string()).parse().ok()
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
