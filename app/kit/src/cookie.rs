//! The cookies of the service: one rule for their names and attributes.

use std::borrow::Cow;

use http::{HeaderMap, HeaderValue, header};

/// The names and attributes of cookies, which depend only on the public URL of the service.
///
/// Under https, each cookie is `Secure` and its name has the prefix `__Host-`: browsers accept it only from this host and
/// never send it without TLS. The prefix requires the path `/`, so a cookie for one page names the page in its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CookieRule {
    is_https: bool,
}

impl CookieRule {
    /// Returns the rule for a public URL with or without https.
    pub const fn new(is_https: bool) -> Self {
        Self { is_https }
    }

    /// Returns whether cookies are sent only over TLS.
    pub const fn is_secure(self) -> bool {
        self.is_https
    }

    /// Returns the name of a cookie in headers.
    pub fn name(self, name: &'static str) -> Cow<'static, str> {
        if self.is_https { format!("__Host-{name}").into() } else { name.into() }
    }

    /// Returns the name of the cookie of a started sign-in with an identity provider. A browser may have several.
    pub fn sign_in(self, id: &str) -> String {
        format!("{}-{id}", self.name("govern-sign-in"))
    }

    /// Returns the names of the cookies of the started sign-ins of a browser.
    pub fn sign_ins(self, headers: &HeaderMap) -> Vec<&str> {
        let prefix = self.sign_in("");
        all(headers).map(|(name, _)| name).filter(|name| name.starts_with(&prefix)).collect()
    }

    /// Returns the header that stores a cookie for `seconds`, or deletes it with zero. `name` is the one in headers.
    /// Returns `None` for characters that a cookie cannot contain.
    pub fn header(self, name: &str, value: &str, seconds: u32) -> Option<HeaderValue> {
        let is_plain =
            |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b';');
        let secure = if self.is_https { "; Secure" } else { "" };
        let text =
            format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
        if is_plain(name) && is_plain(value) { HeaderValue::from_str(&text).ok() } else { None }
    }
}

/// Returns the names and values of the cookies of a request.
pub fn all(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let texts = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='))
}

/// Returns the value of a cookie. `name` is the one in headers.
pub fn value<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    all(headers).find(|(found, _)| *found == name).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_public_url_decides_how_a_cookie_is_protected() {
        let header = |is_https: bool, value: &str| {
            let rule = CookieRule::new(is_https);
            rule.header(&rule.name("made"), value, 60)
        };
        assert_eq!(
            header(true, "a.b").unwrap(),
            "__Host-made=a.b; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure"
        );
        assert_eq!(
            header(false, "a.b").unwrap(),
            "made=a.b; Path=/; Max-Age=60; HttpOnly; SameSite=Lax"
        );
        for value in ["a; Domain=example.com", "a\r\nb", "ä"] {
            assert_eq!(header(true, value), None, "{value}");
        }
    }
}
