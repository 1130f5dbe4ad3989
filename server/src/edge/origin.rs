//! Protection against cross-site request forgery for the console.

use axum::{
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use contract::error::ErrorCode;
use governance::base::error::refusal;
use http::{HeaderMap, HeaderName, Method, header};

use crate::edge::error::ApiError;

/// Rejects unsafe requests that do not come from the service's own pages.
///
/// Browsers send `Sec-Fetch-Site`. Older ones send `Origin`, which must match the `Host` header. `/v1` does
/// not need this layer, because it requires a header that a cross-site form cannot send.
pub(crate) async fn same_origin(request: Request, next: Next) -> Response {
    let is_safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if is_safe || is_same_origin(request.headers()) {
        return next.run(request).await;
    }
    let message = "this form was sent from another site";
    ApiError::from(refusal(ErrorCode::Forbidden, message)).into_response()
}

/// Applies [`same_origin`] to routes that need no sign-in. A request without these headers does not come from
/// a browser, and without a cookie it has no user's permissions.
pub(crate) async fn same_site_or_non_browser(request: Request, next: Next) -> Response {
    let headers = request.headers();
    let is_non_browser =
        [SITE, header::ORIGIN, header::COOKIE].iter().all(|name| !headers.contains_key(name));
    if is_non_browser { next.run(request).await } else { same_origin(request, next).await }
}

/// The header in which a browser reports the origin of a request.
const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Returns whether a browser reports that another site, or another host of the same site, caused the request.
pub(crate) fn is_from_other_site(headers: &HeaderMap) -> bool {
    headers.get(SITE).is_some_and(|site| site != "same-origin" && site != "none")
}

fn is_same_origin(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text(SITE) {
        site == "same-origin"
    } else {
        let origin = text(header::ORIGIN).and_then(|origin| origin.split_once("://"));
        let host = text(header::HOST);
        origin.is_some_and(|(_, authority)| Some(authority) == host)
    }
}
