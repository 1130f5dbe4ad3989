//! Addresses of pages and files for everyone.

use contract::id::{DecisionId, FormId};

use super::query::with_query;

addresses! {
    /// Returns the address of the public receipt of a decision.
    receipt(id: DecisionId) = "/r/{id}";
    verify(id: DecisionId) = "{VERIFY}?id={id}";
    /// Returns the address of the public page of a form.
    hosted_form(id: FormId) = "/f/{id}";
    /// Returns the address of the receipt of a form submission.
    submission(form: FormId, id: DecisionId) = "/f/{form}/receipts/{id}";
}

pub const VERIFY: &str = "/verify";

/// The address of the transparency log.
pub const LOG: &str = "/log";

/// Returns the address of the entry of a digest in the transparency log.
pub fn log_entry(digest: &str) -> String {
    with_query(LOG, &[("digest", digest)])
}

/// The latest checkpoint of the transparency log, a signed note.
pub const CHECKPOINT: &str = "/v1/log/checkpoint";

/// The proof of the latest checkpoint that was submitted to Rekor.
pub const REKOR: &str = "/v1/log/rekor";

/// The address of the published signing keys.
pub const TRUST: &str = "/trust";

pub const KEY_SET: &str = "/v1/.well-known/signing-keys";

pub const REGISTRY: &str = "/v1/.well-known/trust-registry";
