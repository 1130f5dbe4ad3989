//! Cookies of the console: preferences, rejected forms of signed-out users, and one-time secrets.

use std::fmt::Write as _;

use http::{HeaderValue, header, request::Parts};
use leptos::prelude::{expect_context, use_context};
use leptos_axum::ResponseOptions;

use crate::{
    flash::{OneTimeSecret, RejectedForm},
    preference::view::Preference,
    problem::Problem,
};

/// The cookie with an error code and a text: the email address entered at sign-in, or the error of a first
/// password. A signed-out user has no session, and the address must not be part of the page's URL.
const REJECTED_COOKIE: &str = "refused";

/// The cookie with a newly created key or link. The browser sends it to the page that shows it, so the secret
/// is neither stored on the server nor part of a URL.
const CREATED_COOKIE: &str = "made";

/// The maximum length of a text in a cookie, in bytes. Browsers ignore cookies of more than 4 KiB.
const TEXT_BYTES_MAX: usize = 1_024;

const MINUTE_SECONDS: u32 = 60;
const YEAR_SECONDS: u32 = 365 * 24 * 60 * 60;

pub(crate) fn preference(name: Preference) -> Option<String> {
    read(name.as_str())
}

/// Stores a preference in the browser for a year.
pub(crate) fn set_preference(name: Preference, value: &str) {
    write(name.as_str(), value, "/", YEAR_SECONDS);
}

/// Stores for one minute why the form of `page` was rejected, and a text for it. A text that is too long is left out.
pub(crate) fn set_rejected_cookie(problem: &Problem, text: &str, page: &'static str) {
    let wait = problem.wait_seconds.unwrap_or_default();
    let text = if text.len() > TEXT_BYTES_MAX { "" } else { text };
    write(REJECTED_COOKIE, &format!("{}.{wait}.{}", problem.code, hex(text)), page, MINUTE_SECONDS);
}

/// Returns the rejected form of `page`, and deletes the cookie.
pub(crate) fn take_rejected_cookie(page: &'static str) -> Option<RejectedForm> {
    let value = read(REJECTED_COOKIE)?;
    write(REJECTED_COOKIE, "", page, 0);
    let mut parts = value.splitn(3, '.');
    let code = parts.next()?.to_owned();
    let wait_seconds = parts.next()?.parse().ok().filter(|seconds| *seconds > 0);
    let problem = Problem { code, wait_seconds, ..Problem::default() };
    Some(RejectedForm {
        page: page.to_owned(),
        problem,
        text: unhex(parts.next()?).unwrap_or_default(),
    })
}

/// Sends a one-time secret to the browser, for `page` only and for one minute.
pub(crate) fn set_created(created: &OneTimeSecret, page: &str) {
    set_secret(created, page, MINUTE_SECONDS);
}

/// Sends a secret to the browser, for `page` only and for `seconds`.
pub(crate) fn set_secret(created: &OneTimeSecret, page: &str, seconds: u32) {
    let value = format!("{}.{}", hex(&created.name), hex(&created.secret));
    write(CREATED_COOKIE, &value, page, seconds);
}

/// Returns the one-time secret for `page`, and deletes the cookie.
pub(crate) fn take_created(page: &str) -> Option<OneTimeSecret> {
    read(CREATED_COOKIE)?;
    delete_secret(page);
    secret()
}

/// Returns the secret that the browser sent, and leaves it there.
pub(crate) fn secret() -> Option<OneTimeSecret> {
    let created = read(CREATED_COOKIE)?;
    let (name, secret) = created.split_once('.')?;
    Some(OneTimeSecret { name: unhex(name)?, secret: unhex(secret)? })
}

/// Deletes the secret for `page` in the browser.
pub(crate) fn delete_secret(page: &str) {
    write(CREATED_COOKIE, "", page, 0);
}

/// Returns the tenant of the last sign-in with an identity provider in this browser.
pub(crate) fn last_tenant() -> Option<String> {
    read(crate::text::url::TENANT_COOKIE)
}

fn read(name: &str) -> Option<String> {
    let parts = use_context::<Parts>()?;
    let headers = parts.headers.get_all(header::COOKIE).iter();
    let pairs = headers.filter_map(|value| value.to_str().ok()).flat_map(|text| text.split(';'));
    let mut pairs = pairs.filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value.to_owned())
}

/// Sets a cookie for `seconds`. `value` contains only letters, digits, `_` and `.`.
fn write(name: &str, value: &str, path: &str, seconds: u32) {
    let secure = if is_secure() { "; Secure" } else { "" };
    let text =
        format!("{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    if let Ok(value) = HeaderValue::from_str(&text) {
        expect_context::<ResponseOptions>().append_header(header::SET_COOKIE, value);
    }
}

/// Returns whether the browser uses https, according to the `Origin` header that it sends.
fn is_secure() -> bool {
    let origin = use_context::<Parts>()
        .and_then(|parts| parts.headers.get(header::ORIGIN)?.to_str().ok().map(str::to_owned));
    origin.is_some_and(|origin| origin.starts_with("https://"))
}

fn hex(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

fn unhex(text: &str) -> Option<String> {
    let byte = |index| u8::from_str_radix(text.get(index..index + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..text.len()).step_by(2).map(byte).collect();
    String::from_utf8(bytes?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_round_trips_non_ascii_text_and_rejects_invalid_input() {
        assert_eq!(unhex(&hex("zoë@example.org")).as_deref(), Some("zoë@example.org"));
        assert_eq!(unhex("zz"), None);
        assert_eq!(unhex("6"), None);
    }
}
