//! `/docs`: the `OpenAPI` document as an HTML page, which [`app::api_reference`] renders once.

use axum::{
    Router, middleware,
    response::{IntoResponse, Response},
    routing::get,
};
use http::header;
use serde_json::Value;

use crate::{
    edge::{
        compression,
        error::{ApiResult, no_such_path},
        extract::{Path, json_text},
    },
    openapi::TENANT,
    state::Service,
};

const STYLE: &str = include_str!("docs/docs.css");
const SCRIPT: &str = include_str!("docs/docs.js");

/// The content security policy of the page: only files of this service, and no inline scripts or styles.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Returns the routes of the document, its page, and the style and script of the page.
pub(crate) fn routes(document: &Value) -> Router<Service> {
    let json = document.to_string();
    let page = app::api_reference::render(document, TENANT);
    Router::new()
        .route("/openapi.json", get(async move || json_text(json)))
        .route("/docs", get(async move || respond("text/html; charset=utf-8", page)))
        .route("/docs/{file}", get(file))
        .route_layer(middleware::from_fn(compression::compress))
}

async fn file(Path((name,)): Path<(String,)>) -> ApiResult<Response> {
    match name.as_str() {
        "docs.css" => Ok(respond("text/css; charset=utf-8", STYLE)),
        "docs.js" => Ok(respond("text/javascript; charset=utf-8", SCRIPT)),
        _ => Err(no_such_path()),
    }
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
