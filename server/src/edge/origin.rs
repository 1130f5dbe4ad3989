//! Protection against cross-site request forgery for the console.

use axum::{
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use contract::error::ErrorCode;
use governance::base::error::refusal;
use http::{HeaderMap, HeaderName, Method, header};
use kit::cookie::CookieRule;

use crate::edge::{access::TENANT, error::ApiError};

/// Refuses unsafe requests that do not come from the service's own pages.
///
/// Browsers send `Sec-Fetch-Site`. Older ones send `Origin`, which must match the `Host` header. Most routes of `/v1`
/// do not need this layer, because they require a header that a cross-site form cannot send.
pub(crate) async fn same_origin(request: Request, next: Next) -> Response {
    if is_safe(request.method()) || is_same_origin(request.headers()) {
        return next.run(request).await;
    }
    refuse("this form was sent from another site")
}

/// Protects the routes of `/v1` that need no tenant header: those of sessions and accounts.
///
/// An unsafe request needs the tenant header, which a page of another site cannot send, or must come from the service's own
/// pages. A request without headers of a browser comes from a program. It may sign in, but needs the tenant header if it
/// has the cookie of a session.
pub(crate) async fn own_page_or_program(request: Request, next: Next) -> Response {
    let headers = request.headers();
    if is_safe(request.method()) || headers.contains_key(TENANT) || is_same_origin(headers) {
        return next.run(request).await;
    }
    if [SITE, header::ORIGIN].iter().any(|name| headers.contains_key(name)) {
        return refuse("this request was sent from another site");
    }
    if has_session_cookie(headers) && !is_sign_in(&request) {
        return refuse(
            "a program that sends the cookie of a session also sends the header `X-Service-Tenant-Id`",
        );
    }
    next.run(request).await
}

fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

fn refuse(message: &str) -> Response {
    ApiError::from(refusal(ErrorCode::Forbidden, message)).into_response()
}

/// Returns whether a request has the cookie of a session. Its name depends on the scheme of the public URL.
fn has_session_cookie(headers: &HeaderMap) -> bool {
    let names = [false, true].map(|is_https| CookieRule::new(is_https).name(SESSION_COOKIE));
    kit::cookie::all(headers).any(|(name, _)| names.iter().any(|session| session == name))
}

/// Returns whether a request is a step of a sign-in or a reset of a password, which do not act for the user of the session.
fn is_sign_in(request: &Request) -> bool {
    *request.method() == Method::POST
        && matches!(
            request.uri().path(),
            "/v1/session"
                | "/v1/session/passkey"
                | "/v1/session/passkey-options"
                | "/v1/session/second-factor"
                | "/v1/session/reset"
                | "/v1/session/setup"
        )
}

/// The name of the session cookie, without the prefix of a service with TLS.
pub(crate) const SESSION_COOKIE: &str = "govern";

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
