//! Small cookies of the console: preferences, what was refused to somebody who is not signed in, and a
//! new key or link on its way to the page that shows it.

use std::fmt::Write as _;

use http::{HeaderValue, header, request::Parts};
use leptos::prelude::{expect_context, use_context};
use leptos_axum::ResponseOptions;

use crate::{
    api::preference::Preference,
    problem::Problem,
    view::kept::{Kept, Made},
};

/// The code of a refusal, and a text: the address that was typed at sign-in, or what is wrong with a
/// first password. There is no session to keep them in, and an address must not stand in the page's
/// own.
const REFUSED: &str = "refused";

/// A key or a link that was just made. The browser itself carries it to the page that shows it, so
/// that no store of ours ever holds it, nor any address.
const MADE: &str = "made";

const MINUTE_SECONDS: u32 = 60;
const YEAR_SECONDS: u32 = 365 * 24 * 60 * 60;

/// The value of a preference that the browser remembers.
pub(crate) fn preference(name: Preference) -> Option<String> {
    read(name.as_str())
}

/// Lets the browser remember a preference for a year.
pub(in crate::api) fn set_preference(name: Preference, value: &str) {
    write(name.as_str(), value, "/", YEAR_SECONDS);
}

/// Remembers for a minute why `page` refused a form, and a text for it.
pub(in crate::api) fn keep_refused(problem: &Problem, text: &str, page: &'static str) {
    let wait = problem.wait_seconds.unwrap_or_default();
    write(REFUSED, &format!("{}.{wait}.{}", problem.code, hex(text)), page, MINUTE_SECONDS);
}

/// What `page` refused; it is told once.
pub(in crate::api) fn refused(page: &'static str) -> Option<Kept> {
    let refused = read(REFUSED)?;
    write(REFUSED, "", page, 0);
    let mut parts = refused.splitn(3, '.');
    let code = parts.next()?.to_owned();
    let wait_seconds = parts.next()?.parse().ok().filter(|seconds| *seconds > 0);
    let problem = Problem { code, wait_seconds, ..Problem::default() };
    Some(Kept { page: page.to_owned(), problem, text: unhex(parts.next()?).unwrap_or_default() })
}

/// Gives the browser what was just made, for `page` alone and for a minute.
pub(in crate::api) fn keep_made(made: &Made, page: &str) {
    write(MADE, &format!("{}.{}", hex(&made.name), hex(&made.secret)), page, MINUTE_SECONDS);
}

/// What was just made; `page` shows it once.
pub(in crate::api) fn made(page: &str) -> Option<Made> {
    let made = read(MADE)?;
    write(MADE, "", page, 0);
    let (name, secret) = made.split_once('.')?;
    Some(Made { name: unhex(name)?, secret: unhex(secret)? })
}

fn read(name: &str) -> Option<String> {
    let parts = use_context::<Parts>()?;
    let headers = parts.headers.get_all(header::COOKIE).iter();
    let pairs = headers.filter_map(|value| value.to_str().ok()).flat_map(|text| text.split(';'));
    let mut pairs = pairs.filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(found, _)| *found == name).map(|(_, value)| value.to_owned())
}

/// Sets a cookie for `seconds`; `value` consists of letters, digits, `_` and `.`.
fn write(name: &str, value: &str, path: &str, seconds: u32) {
    let secure = if is_secure() { "; Secure" } else { "" };
    let text =
        format!("{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    if let Ok(value) = HeaderValue::from_str(&text) {
        expect_context::<ResponseOptions>().append_header(header::SET_COOKIE, value);
    }
}

/// Whether the browser speaks https with us: its own statement about the page that it came from.
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
    let byte = |place| u8::from_str_radix(text.get(place..place + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..text.len()).step_by(2).map(byte).collect();
    String::from_utf8(bytes?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_survives_its_cookie() {
        assert_eq!(unhex(&hex("zoë@example.org")).as_deref(), Some("zoë@example.org"));
        assert_eq!(unhex("zz"), None);
        assert_eq!(unhex("6"), None);
    }
}
