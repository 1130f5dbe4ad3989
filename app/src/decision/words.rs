//! Texts of `/t/{tenant}/decisions/{decision}`.

use contract::{evaluation::Verdict, text::isolated};

pub(crate) const NOT_APPLICABLE: &str = "Not applicable";
pub(crate) const VIOLATION: &str = "Violation:";
pub(crate) const NO_MATCHING_RULE: &str = "No rule of this policy.";
pub(crate) const NOT_COUNTED: &str = "Shadow mode: not counted.";
pub(crate) const SNAPSHOT_DIGEST: &str = "Snapshot digest";
pub(crate) const RULES_HASH: &str = "Evaluated rules hash";
pub(crate) const ID: &str = "Decision";
pub(crate) const EVALUATED_AT: &str = "Evaluated at";
pub(crate) const INTEGRITY: &str = "Integrity hash";
pub(crate) const SIGNATURE: &str = "Signature (Ed25519)";
pub(crate) const KEY: &str = "Key ID";
pub(crate) const UNSIGNED: &str = "Unsigned. Signing was not configured.";

pub(crate) const STEP: &str = "Step";

pub(crate) fn title(verdict: Verdict, decision_type: &str) -> String {
    format!("{verdict} {}", isolated(decision_type))
}
