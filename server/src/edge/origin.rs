//! Cross-site safety of the console: a form of another site must not act for a signed-in person.

use axum::{
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use contract::error::ErrorCode;
use governance::error::refusal;
use http::{HeaderMap, Method, header};

use crate::edge::error::Failure;

/// Refuses unsafe requests that do not come from our own pages.
///
/// Browsers send `Sec-Fetch-Site`; older ones send `Origin`, which must then name our host. `/v1` is
/// not behind this layer: it asks for a header that a cross-site form cannot send.
pub(crate) async fn same_origin(request: Request, next: Next) -> Response {
    let is_safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if is_safe || is_ours(request.headers()) {
        return next.run(request).await;
    }
    let message = "this form was sent from another site";
    Failure::from(refusal(ErrorCode::Forbidden, message)).into_response()
}

fn is_ours(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text(header::HeaderName::from_static("sec-fetch-site")) {
        site == "same-origin"
    } else {
        let origin = text(header::ORIGIN).and_then(|origin| origin.split_once("://"));
        let host = text(header::HOST);
        origin.is_some_and(|(_, authority)| Some(authority) == host)
    }
}
