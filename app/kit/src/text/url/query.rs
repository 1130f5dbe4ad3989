//! Query strings, and addresses from outside.

use std::fmt::Write as _;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Returns `path` with a query string of its `own` pairs; `others` replace pairs of the same name.
pub fn with_other(path: &str, own: &[(&str, &str)], others: &[(&str, &str)]) -> String {
    let own = own.iter().filter(|(name, _)| others.iter().all(|(other, _)| other != name));
    let pairs: Vec<(&str, &str)> = own.chain(others).copied().collect();
    with_query(path, &pairs)
}

/// Returns `path` with a query string. Pairs with an empty value are left out.
pub fn with_query(path: &str, pairs: &[(&str, &str)]) -> String {
    let mut url = path.to_owned();
    for (name, value) in pairs.iter().filter(|(_, value)| !value.is_empty()) {
        let mark = if url.len() == path.len() { '?' } else { '&' };
        let _ = write!(url, "{mark}{name}={}", utf8_percent_encode(value, RESERVED));
    }
    url
}

/// Everything except RFC 3986's unreserved characters.
pub const RESERVED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Returns the address to open after sign-in: `next` if it is a path of this service, else `/`.
///
/// A browser treats `//host` and `/\host` as another origin, and removes control characters before it parses
/// an address. Both are rejected.
pub fn own_path(next: &str) -> &str {
    let is_foreign =
        next.starts_with("//") || next.contains('\\') || next.contains(char::is_control);
    if next.starts_with('/') && !is_foreign { next } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_path_accepts_only_paths_of_this_service() {
        assert_eq!(own_path("/t/1/policies?q=a"), "/t/1/policies?q=a");
        for next in [
            "",
            "t",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
            "/\t/x",
            "/a\r\nb",
        ] {
            assert_eq!(own_path(next), "/", "{next:?}");
        }
    }

    #[test]
    fn a_query_is_encoded_and_omits_empty_values() {
        assert_eq!(
            with_query("/a", &[("q", "x & ü"), ("r", ""), ("s", "1")]),
            "/a?q=x%20%26%20%C3%BC&s=1"
        );
        assert_eq!(with_query("/a", &[("q", "")]), "/a");
    }

    #[test]
    fn other_pairs_replace_own_pairs() {
        let own = [("status", "dead"), ("cursor", "abc")];
        assert_eq!(with_other("/a", &own, &[]), "/a?status=dead&cursor=abc");
        assert_eq!(with_other("/a", &own, &[("cursor", "")]), "/a?status=dead");
        assert_eq!(with_other("/a", &own, &[("page", "2")]), "/a?status=dead&cursor=abc&page=2");
    }
}
