//! The descriptions of public pages, for search engines and previews of links.

use super::url;

/// Returns the description of the page at `path`, if the page is public.
pub fn of(path: &str) -> Option<&'static str> {
    let text = match path {
        LOGIN => {
            "Sign in to Govern, which evaluates decisions against approved policies and records them."
        }
        url::RESET => "Request a link to choose a new password for Govern.",
        url::SETUP => "Choose the password of an account.",
        HELP => "Verdicts, severities, rule types, keyboard shortcuts and terms of Govern.",
        url::VERIFY => {
            "Verify a decision in the browser, without an account and with keys that you trust."
        }
        url::LOG => {
            "The transparency log of this service: its checkpoint, and inclusion proofs of digests."
        }
        url::TRUST => {
            "The keys with which this service signs receipts, approvals and its transparency log."
        }
        _ if path.starts_with("/r/") || path.starts_with("/f/") => {
            "The receipt of a decision: its verdict, its time, its policies and its proof."
        }
        _ => return None,
    };
    Some(text)
}

/// Returns whether search engines may list the page at `path`.
pub fn is_indexed(path: &str) -> bool {
    [LOGIN, url::RESET, HELP, url::VERIFY, url::LOG, url::TRUST].contains(&path)
}

const LOGIN: &str = "/login";
const HELP: &str = "/help";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_indexed_page_has_a_description_and_private_pages_have_none() {
        for path in [LOGIN, HELP, url::RESET, url::VERIFY, url::LOG, url::TRUST] {
            assert!(is_indexed(path) && of(path).is_some(), "{path}");
        }
        for path in [url::SETUP, "/r/1", "/f/1/receipts/2"] {
            assert!(!is_indexed(path) && of(path).is_some(), "{path}");
        }
        for path in ["/", "/login/confirm", url::ACCOUNT, "/t/1", "/t/1/policies", "/nothing"] {
            assert!(!is_indexed(path) && of(path).is_none(), "{path}");
        }
    }
}
