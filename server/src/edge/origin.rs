//! Cross-site safety of the console: a form of another site must not act for a signed-in person.

use axum::{
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use contract::error::ErrorCode;
use governance::error::refusal;
use http::{HeaderMap, HeaderName, Method, header};

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

/// The same for what needs no sign-in. Whoever sends neither header is no browser, and without a cookie
/// acts for nobody.
pub(crate) async fn not_foreign(request: Request, next: Next) -> Response {
    let headers = request.headers();
    let says_nothing =
        [SITE, header::ORIGIN, header::COOKIE].iter().all(|name| !headers.contains_key(name));
    if says_nothing { next.run(request).await } else { same_origin(request, next).await }
}

/// Where a browser says that a request comes from.
const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

fn is_ours(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text(SITE) {
        site == "same-origin"
    } else {
        let origin = text(header::ORIGIN).and_then(|origin| origin.split_once("://"));
        let host = text(header::HOST);
        origin.is_some_and(|(_, authority)| Some(authority) == host)
    }
}
