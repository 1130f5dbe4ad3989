//! Texts of `/r/{decision}`.

use contract::evaluation::Verdict;

pub(crate) const TITLE: &str = "Receipt";
pub(crate) const POLICY: &str = "policy";
pub(crate) const VIOLATIONS: &str = "Violations";
pub(crate) const REDACTED: &str = "Values are redacted in this public receipt.";
pub(crate) const HISTORY: &str = "History";
pub(crate) const RATIFIED: &str = "Rules ratified";
pub(crate) const NO_APPROVAL: &str = "The receipt names no approval.";
pub(crate) const DECIDED: &str = "Decided";
pub(crate) const ANCHORED_AT: &str = "Anchored";
pub(crate) const EXCLUDED_NOTE: &str =
    "Public receipts do not include clauses, ratifiers or outcomes.";
pub(crate) const PROOF: &str = "Proof";
pub(crate) const CONTEXT_DIGEST: &str = "Context digest";
pub(crate) const LOG: &str = "Transparency log";
pub(crate) const ANCHORED: &str = "Anchored";
pub(crate) const NOT_ANCHORED: &str = "Not yet anchored";
pub(crate) const STATEMENT: &str = "Signed statement";
pub(crate) const RETRIEVED: &str = "Retrieved from the service";
pub(crate) const CODE: &str = "QR code of this receipt's link";
pub(crate) const CHECK: &str = "Verify it yourself";
pub(crate) const BUNDLE: &str = "Download the bundle";
pub(crate) const PRINT: &str = "Print";
pub(crate) const SAVE_LINK: &str = "Save this link:";

/// Returns the title of the tab.
pub(crate) fn title(verdict: Verdict) -> String {
    format!("{TITLE}: {verdict}")
}

/// Returns, for example, "16 rules: 12 passed, 2 violated, 2 not applicable."
pub(crate) fn counts([passed, violated, not_applicable]: [u32; 3]) -> String {
    let all = u64::from(passed) + u64::from(violated) + u64::from(not_applicable);
    let noun = if all == 1 { "rule" } else { "rules" };
    format!("{all} {noun}: {passed} passed, {violated} violated, {not_applicable} not applicable.")
}
