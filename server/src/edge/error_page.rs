//! The error page for browsers whose request was rejected before it reached the console.
//!
//! It is self-contained: if an address has reached its rate limit, a request for a style sheet would be
//! rejected too.

use std::sync::LazyLock;

use app::{problem::Problem, text::errors};
use axum::extract::Request;
use base64::{Engine, engine::general_purpose::STANDARD};
use contract::error::ErrorBody;
use http::{HeaderMap, HeaderValue, header};
use receipt::digest::Digest;

use crate::html::escape;

const STYLE: &str = include_str!("problem.css");

/// The drawing of a broken seal. It is decorative.
const ART: &str = "<svg viewBox=\"0 0 96 96\" width=\"96\" height=\"96\" fill=\"none\" aria-hidden=\"true\">\
                   <path class=\"seal\" d=\"M85 48h9M84.3 55.2l8.8 1.8M82.2 62.2l8.3 3.4M78.8 68.6l7.4 5\
                   M55.2 84.3l1.8 8.8M48 85v9M40.8 84.3L39 93.1M33.8 82.2l-3.4 8.3M21.8 74.2l-6.3 6.3\
                   M17.2 68.6l-7.4 5M13.8 62.2l-8.3 3.4M11.7 55.2L2.9 57M11 48H2M11.7 40.8L2.9 39\
                   M21.8 21.8l-6.3-6.3M27.4 17.2l-5-7.4M33.8 13.8l-3.4-8.3M40.8 11.7L39 2.9M48 11V2\
                   M55.2 11.7L57 2.9M62.2 13.8l3.4-8.3M74.2 21.8l6.3-6.3M78.8 27.4l7.4-5M82.2 33.8l8.3-3.4\
                   M84.3 40.8l8.8-1.8\"/><path class=\"crack\" d=\"M60 4l-9 25 8 9-14 17 7 9-10 28\"/></svg>";

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

/// Renders the page of an error and writes its headers.
pub(crate) fn render(body: ErrorBody, status: u16, headers: &mut HeaderMap) -> String {
    let mut problem = Problem { status, ..body.error.into() };
    problem.wait_seconds = problem.wait_seconds.or(body.retry_after);
    render_problem(&problem, &body.correlation_id, headers)
}

/// Renders the page of a problem and writes its headers.
pub(crate) fn render_problem(
    problem: &Problem,
    correlation_id: &str,
    headers: &mut HeaderMap,
) -> String {
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CONTENT_SECURITY_POLICY, POLICY.clone());
    let id = escape(correlation_id);
    let status = problem.status;
    let errors::ErrorText { title, text, next } = errors::describe(problem);
    let [text, next] = [text, next].map(|text| escape(&text));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title} – Govern</title><style>{STYLE}</style></head><body><main>\
         {ART}<p class=\"muted\">{status}</p><h1>{title}</h1><p>{text}</p><p>{next}</p>\
         <p><a class=\"button\" href=\"/\">Go to the start page</a></p>\
         <dl><dt>Correlation ID</dt><dd><code>{id}</code></dd></dl></main></body></html>\n"
    )
}
