//! `/.well-known/security.txt` (RFC 9116): the contact for vulnerabilities of this deployment.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use contract::time::Timestamp;
use http::header;

use crate::{
    edge::{ApiResult, Public, error::no_such_path},
    state::Service,
};

/// The path of the file (RFC 9116, section 3).
pub(crate) const PATH: &str = "/.well-known/security.txt";

/// The validity of a copy in milliseconds: 90 days. RFC 9116 recommends less than a year.
const VALID_MS: i64 = 90 * DAY_MS;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Returns the file, or 404 when no contact is configured.
pub(crate) async fn read(
    State(service): State<Service>,
    Public(cx): Public,
) -> ApiResult<Response> {
    let contact = service.edge.security_contact.as_deref().ok_or_else(no_such_path)?;
    let canonical = service.is_https.then(|| cx.governance().link(PATH));
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CACHE_CONTROL, "public, max-age=86400"),
    ];
    Ok((headers, text(contact, canonical.as_deref(), cx.now)).into_response())
}

/// Renders the file. It expires at the start of a day, so that copies of one day are equal.
fn text(contact: &str, canonical: Option<&str>, now: Timestamp) -> String {
    let today = now.plus_millis(-now.millis().rem_euclid(DAY_MS));
    let canonical = canonical.map(|url| format!("Canonical: {url}\n")).unwrap_or_default();
    let expires = today.plus_millis(VALID_MS);
    format!("Contact: {contact}\nExpires: {expires}\nPreferred-Languages: en\n{canonical}")
}
