//! `/docs`: the `OpenAPI` document as an HTML page, which [`documents::api_reference`] renders once, and the pages of the
//! documentation, which begin at `/docs/start`.

mod catalogue;
mod markdown;
mod search;
mod site;

use axum::{
    Router, middleware,
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use http::header;
use serde_json::Value;

use crate::{
    edge::{compression, extract::json_text},
    openapi::TENANT,
    state::Service,
};

const STYLE: &str = include_str!("docs/docs.css");
const SCRIPT: &str = include_str!("docs/docs.js");

/// The content security policy of the page: only files of this service, and no inline scripts or styles.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Returns the routes of the document, its page with style and script, and the documentation.
pub(crate) fn routes(document: &Value) -> Router<Service> {
    let json = document.to_string();
    let page = documents::api_reference::render(document, TENANT);
    Router::new()
        .route("/openapi.json", get(async move || json_text(json)))
        .route("/docs", get(async move || respond("text/html; charset=utf-8", page)))
        .route("/docs/", get(async || Redirect::permanent("/docs")))
        .route("/docs/docs.css", get(async || respond("text/css; charset=utf-8", STYLE)))
        .route("/docs/docs.js", get(async || respond("text/javascript; charset=utf-8", SCRIPT)))
        .merge(site::routes())
        .route_layer(middleware::from_fn(compression::compress))
}

fn respond(content_type: &'static str, text: impl IntoResponse) -> Response {
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-cache"),
        (header::REFERRER_POLICY, "same-origin"),
    ];
    (headers, text).into_response()
}
