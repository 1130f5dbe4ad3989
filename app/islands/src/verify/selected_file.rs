//! Browser functions: files, requests to the service and the clock.

use js_sys::{Array, Date};
use leptos::wasm_bindgen::JsValue;
use send_wrapper::SendWrapper;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, FileList, HtmlAnchorElement, HtmlInputElement, Response, Url,
};

use crate::{
    prelude::*,
    verify::view::{BYTES_MAX, CheckError},
};

/// A file that was selected or fetched. Only the verifier's worker reads its content.
#[derive(Clone, Debug)]
pub(super) struct SelectedFile {
    pub(super) name: String,
    /// The size in bytes.
    pub(super) bytes: u32,
    /// The content. Only the page's own thread uses it.
    pub(super) file: SendWrapper<Blob>,
    /// Whether the file is the trust registry that the service publishes.
    pub(super) is_published: bool,
}

impl SelectedFile {
    fn new(name: String, file: Blob) -> Result<Self, CheckError> {
        let size = file.size();
        if size > f64::from(BYTES_MAX) {
            return Err(CheckError::TooLong(name));
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

/// Returns the first of `files`, or an error if it is too long.
pub(super) fn first_file(files: Option<FileList>) -> Option<Result<SelectedFile, CheckError>> {
    let file = files.and_then(|files| files.get(0))?;
    Some(SelectedFile::new(file.name(), file.into()))
}

/// Clears a file field whose file is no longer used.
pub(super) fn clear_field(id: &str) {
    let field = document().get_element_by_id(id);
    if let Some(field) = field.and_then(|field| field.dyn_into::<HtmlInputElement>().ok()) {
        field.set_value("");
    }
}

pub(super) async fn fetch_bundle(id: &str) -> Result<SelectedFile, CheckError> {
    let id: DecisionId = id.trim().parse().map_err(|_| CheckError::NoId(id.trim().to_owned()))?;
    let missing = CheckError::NoBundle(id.to_string());
    SelectedFile::new(format!("{id}.tar"), fetch(&url::archive(id), missing).await?)
}

pub(super) async fn fetch_registry() -> Result<SelectedFile, CheckError> {
    let file = fetch(url::REGISTRY, CheckError::NoRegistry).await?;
    let selected = SelectedFile::new("trust-registry.json".to_owned(), file)?;
    Ok(SelectedFile { is_published: true, ..selected })
}

/// Fetches a file from the service. The page sends no other requests, and sends these only for the ID in its
/// address or when the user asks for them.
async fn fetch(url: &str, missing: CheckError) -> Result<Blob, CheckError> {
    let unreachable = |_: JsValue| CheckError::Unreachable;
    let response = JsFuture::from(window().fetch_with_str(url)).await.map_err(unreachable)?;
    let response: Response = response.dyn_into().map_err(unreachable)?;
    match response.status() {
        200 => {
            let body =
                JsFuture::from(response.blob().map_err(unreachable)?).await.map_err(unreachable)?;
            body.dyn_into().map_err(unreachable)
        }
        404 => Err(missing),
        status => Err(CheckError::Answer(status)),
    }
}

/// Returns the current time of the browser's clock.
pub(super) fn now() -> Option<Timestamp> {
    String::from(Date::new_0().to_iso_string()).parse().ok()
}

/// Downloads `text` as a file.
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
    // The browser has started to read the URL by then.
    set_timeout(move || drop(Url::revoke_object_url(&address)), Duration::from_mins(1));
}
