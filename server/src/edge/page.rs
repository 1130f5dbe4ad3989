//! A refusal as a page, for people whose request did not get as far as the console.
//!
//! It stands alone: when an address has used up its limit, its style sheet would be refused too.

use std::sync::LazyLock;

use app::{problem::Problem, text::refusal};
use axum::extract::Request;
use base64::{Engine, engine::general_purpose::STANDARD};
use contract::error::ErrorBody;
use http::{HeaderMap, HeaderValue, header};
use receipt::digest::Digest;

use crate::html::escaped;

const STYLE: &str = include_str!("problem.css");

/// The page's own policy: its style is known by its digest, and nothing else may load.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let style = STANDARD.encode(Digest::of(STYLE.as_bytes()).as_bytes());
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
});

/// Whether a browser asks for a page, by its address or with a form. `/v1` answers programs.
pub(crate) fn is_wanted(request: &Request) -> bool {
    !request.uri().path().starts_with("/v1/") && accepts_html(request.headers())
}

/// Whether a browser asks.
pub(crate) fn accepts_html(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/html"))
}

/// The page of a refusal, and the headers that go with it.
pub(crate) fn of(body: ErrorBody, status: u16, headers: &mut HeaderMap) -> String {
    let mut problem = Problem { status, ..body.error.into() };
    problem.wait_seconds = problem.wait_seconds.or(body.retry_after);
    of_problem(&problem, &body.correlation_id, headers)
}

/// The page of a problem, and the headers that go with it.
pub(crate) fn of_problem(
    problem: &Problem,
    correlation_id: &str,
    headers: &mut HeaderMap,
) -> String {
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CONTENT_SECURITY_POLICY, POLICY.clone());
    let id = escaped(correlation_id);
    let status = problem.status;
    let refusal::Said { title, text, next } = refusal::say(problem);
    let [text, next] = [text, next].map(|text| escaped(&text));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title} – Govern</title><style>{STYLE}</style></head><body><main>\
         <p class=\"muted\">{status}</p><h1>{title}</h1><p>{text}</p><p>{next}</p>\
         <p><a href=\"/\">Go to the start</a></p>\
         <p class=\"muted\">Correlation id <code>{id}</code></p></main></body></html>\n"
    )
}
