//! The error page for browsers whose request was refused before it reached the console.
//!
//! It is self-contained: if an address has reached its rate limit, a request for a style sheet would be
//! refused too.

use std::sync::LazyLock;

use axum::extract::Request;
use base64::{Engine, engine::general_purpose::STANDARD};
use governance::Error;
use http::{HeaderMap, HeaderValue, header};
use kit::problem::Problem;
use receipt::digest::Digest;

const STYLE: &str = include_str!("problem.css");

/// The content security policy of the page: its style is allowed by its digest, and nothing else may load.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let style = STANDARD.encode(Digest::compute(STYLE.as_bytes()).as_bytes());
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
});

/// Returns whether a browser requests a page, with a link or a form. Responses of `/v1` are never pages.
pub(crate) fn accepts_html_page(request: &Request) -> bool {
    !request.uri().path().starts_with("/v1/") && accepts_html(request.headers())
}

pub(crate) fn accepts_html(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/html"))
}

/// Renders the page of an error and writes its headers. `retry_after` is the wait of an unavailable service.
pub(crate) fn render(
    error: &Error,
    retry_after: Option<u32>,
    correlation_id: &str,
    headers: &mut HeaderMap,
) -> String {
    let mut problem = Problem::of_error(error);
    problem.wait_seconds = problem.wait_seconds.or(retry_after);
    render_problem(&problem, correlation_id, headers)
}

/// Renders the page of a problem and writes its headers.
pub(crate) fn render_problem(
    problem: &Problem,
    correlation_id: &str,
    headers: &mut HeaderMap,
) -> String {
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CONTENT_SECURITY_POLICY, POLICY.clone());
    documents::error_page::render(problem, correlation_id, STYLE)
}
