//! Cookies of the console: preferences, rejected forms of signed-out users, and one-time secrets.

use http::{header, request::Parts};
use leptos::prelude::{expect_context, use_context};
use leptos_axum::ResponseOptions;

use crate::{
    cookie::{self, CookieRule},
    flash::{OneTimeSecret, RejectedForm},
    problem::Problem,
    text::url::TENANT_COOKIE,
};

/// The cookie with a page, an error code and a text: the email address entered at sign-in, or the error of a first
/// password. A signed-out user has no session, and the address must not be part of the page's URL.
const REJECTED_COOKIE: &str = "refused";

/// The cookie with a page and a newly created key or link. The browser sends it to the page that shows it, so the secret
/// is neither stored on the server nor part of a URL.
const CREATED_COOKIE: &str = "made";

/// The maximum length of a text in a cookie, in bytes. Browsers ignore cookies of more than 4 KiB.
const TEXT_BYTES_MAX: usize = 1_024;

const MINUTE_SECONDS: u32 = 60;
const YEAR_SECONDS: u32 = 365 * 24 * 60 * 60;

/// Returns the preference of this browser with a name.
pub fn preference(name: &'static str) -> Option<String> {
    read(name)
}

/// Stores a preference in the browser for a year.
pub fn set_preference(name: &'static str, value: &str) {
    write(name, value, YEAR_SECONDS);
}

/// Stores for one minute why the form of `page` was rejected, and a text for it. A text that is too long is left out.
pub fn set_rejected_cookie(problem: &Problem, text: &str, page: &'static str) {
    let wait = problem.wait_seconds.unwrap_or_default();
    let text = if text.len() > TEXT_BYTES_MAX { "" } else { text };
    let value = format!("{}.{wait}.{}", problem.code, hex::encode(text));
    write_for(page, REJECTED_COOKIE, &value, MINUTE_SECONDS);
}

/// Stores for one minute why the form of `page` was rejected, with a sentence for each field error. `labels` maps members to
/// the labels of the form.
pub fn set_rejected_fields(error: &governance::Error, labels: &[(&str, &str)], page: &'static str) {
    let text = super::field_sentences(error, labels).unwrap_or_default();
    set_rejected_cookie(&super::to_problem(error), &text, page);
}

/// Returns the rejected form of `page`, and deletes the cookie.
pub fn take_rejected_cookie(page: &'static str) -> Option<RejectedForm> {
    let value = read_for(page, REJECTED_COOKIE)?;
    write(REJECTED_COOKIE, "", 0);
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
pub fn set_created(created: &OneTimeSecret, page: &str) {
    set_secret(created, page, MINUTE_SECONDS);
}

/// Sends a secret to the browser, for `page` only and for `seconds`.
pub fn set_secret(created: &OneTimeSecret, page: &str, seconds: u32) {
    let value = format!("{}.{}", hex::encode(&created.name), hex::encode(&created.secret));
    write_for(page, CREATED_COOKIE, &value, seconds);
}

/// Returns the one-time secret for `page`, and deletes the cookie.
pub fn take_created(page: &str) -> Option<OneTimeSecret> {
    let created = secret(page)?;
    delete_secret();
    Some(created)
}

/// Returns the secret for `page` that the browser sent, and leaves it there.
pub fn secret(page: &str) -> Option<OneTimeSecret> {
    let created = read_for(page, CREATED_COOKIE)?;
    let (name, secret) = created.split_once('.')?;
    Some(OneTimeSecret { name: unhex(name)?, secret: unhex(secret)? })
}

/// Deletes the secret in the browser.
pub fn delete_secret() {
    write(CREATED_COOKIE, "", 0);
}

/// Returns the tenant of the last sign-in with an identity provider in this browser.
pub fn last_tenant() -> Option<String> {
    read(TENANT_COOKIE)
}

/// Discards the sign-ins with identity providers that this browser has started.
pub fn delete_sign_ins() {
    let (headers, rule) = (expect_context::<Parts>().headers, expect_context::<CookieRule>());
    for name in rule.sign_ins(&headers) {
        append(name, "", 0);
    }
}

fn read(name: &'static str) -> Option<String> {
    let (parts, rule) = (use_context::<Parts>()?, use_context::<CookieRule>()?);
    cookie::value(&parts.headers, &rule.name(name)).map(str::to_owned)
}

/// Returns the value of a cookie for `page`.
fn read_for(page: &str, name: &'static str) -> Option<String> {
    let value = read(name)?;
    let (of, value) = value.split_once('.')?;
    (of == hex::encode(page)).then(|| value.to_owned())
}

/// Sets a cookie for `seconds`.
fn write(name: &'static str, value: &str, seconds: u32) {
    append(&expect_context::<CookieRule>().name(name), value, seconds);
}

/// Sets a cookie, whose name is the one in headers.
fn append(name: &str, value: &str, seconds: u32) {
    if let Some(value) = expect_context::<CookieRule>().header(name, value, seconds) {
        expect_context::<ResponseOptions>().append_header(header::SET_COOKIE, value);
    }
}

/// Sets a cookie for `page` only.
fn write_for(page: &str, name: &'static str, value: &str, seconds: u32) {
    write(name, &format!("{}.{value}", hex::encode(page)), seconds);
}

fn unhex(text: &str) -> Option<String> {
    String::from_utf8(hex::decode(text).ok()?).ok()
}
