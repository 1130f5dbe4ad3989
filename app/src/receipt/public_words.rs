//! Texts of `/r/{decision}`.

use contract::evaluation::Verdict;

pub(crate) const TITLE: &str = "Receipt";
pub(crate) const DOCUMENT: &str = "Decision receipt";
pub(crate) const ISSUED_BY: &str = "Issued by";
pub(crate) const POLICY: &str = "Policy";
pub(crate) const WHY: &str = "Why";
pub(crate) const NO_VIOLATIONS: &str = "No rule is violated.";
pub(crate) const REDACTED: &str = "Values are redacted in this public receipt.";
pub(crate) const UNSIGNED: &str =
    "This receipt is not signed. No signing key was configured when the decision was recorded.";
pub(crate) const ANCHOR_PENDING: &str =
    "Anchor pending. The receipt is not in the transparency log yet.";
pub(crate) const HISTORY: &str = "History";
pub(crate) const RATIFIED: &str = "Rules ratified";
pub(crate) const NO_APPROVAL: &str = "The receipt names no approval.";
pub(crate) const DECIDED: &str = "Decided";
pub(crate) const SIGNED: &str = "Signed";
pub(crate) const NOT_SIGNED: &str = "Not signed";
pub(crate) const ANCHORED: &str = "Anchored";
pub(crate) const PENDING: &str = "Pending";
pub(crate) const EXCLUDED_NOTE: &str =
    "Public receipts do not include clauses, ratifiers or outcomes.";
pub(crate) const PROOF: &str = "Proof";
pub(crate) const CONTEXT_DIGEST: &str = "Context digest";
pub(crate) const RECEIPT_DIGEST: &str = "Receipt digest";
pub(crate) const CHAIN: &str = "Chain";
pub(crate) const LINK_HASH: &str = "Hash of the link";
pub(crate) const IN_LOG: &str = "Show in the transparency log";
pub(crate) const STATEMENT: &str = "Signed statement";
pub(crate) const RETRIEVED: &str = "Retrieved from the service";
pub(crate) const CODE: &str = "QR code of this receipt's link";
pub(crate) const BUNDLE: &str = "Download the bundle";
pub(crate) const PRINT: &str = "Print";
pub(crate) const SAVE_LINK: &str = "Save this link";
pub(crate) const LINK_NOTE: &str = "Anyone with this link can read this page.";

/// Returns the title of the tab.
pub(crate) fn title(verdict: Verdict) -> String {
    format!("{TITLE}: {verdict}")
}

/// Returns the rest of the sentence that begins with the subject of the decision.
pub(crate) fn sentence(verdict: Verdict, [passed, violated, _]: [u32; 3]) -> String {
    let reason = match (verdict, violated) {
        (_, 0) => "no rule is violated".to_owned(),
        (Verdict::Alert, _) => "only rules of policies in shadow mode are violated".to_owned(),
        (_, violated) => {
            let applied = passed.saturating_add(violated);
            let verb = if violated == 1 { "is" } else { "are" };
            let noun = if applied == 1 { "rule" } else { "rules" };
            format!("{violated} of {applied} applicable {noun} {verb} violated")
        }
    };
    format!(": {verdict}, because {reason}.")
}

/// Returns, for example, "16 rules: 12 passed, 2 violated, 2 not applicable."
pub(crate) fn counts([passed, violated, not_applicable]: [u32; 3]) -> String {
    let all = u64::from(passed) + u64::from(violated) + u64::from(not_applicable);
    let noun = if all == 1 { "rule" } else { "rules" };
    format!("{all} {noun}: {passed} passed, {violated} violated, {not_applicable} not applicable.")
}

/// Returns the place of the receipt in the log, for example "Anchored as entry 17 of 147".
pub(crate) fn anchored(index: &str, size: Option<&str>) -> String {
    let size = size.map(|size| format!(" of {size}")).unwrap_or_default();
    format!("{ANCHORED} as entry {index}{size}")
}

/// Returns the words of the stamp: only what is the case.
pub(crate) fn stamp(is_signed: bool, is_anchored: bool) -> String {
    let parts =
        [Some("RECORDED"), is_signed.then_some("SIGNED"), is_anchored.then_some("ANCHORED")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// Returns the description of the stamp for screen readers.
pub(crate) fn stamp_label(is_signed: bool, is_anchored: bool) -> &'static str {
    match (is_signed, is_anchored) {
        (true, true) => "Stamp: recorded, signed and anchored",
        (true, false) => "Stamp: recorded and signed",
        (false, true) => "Stamp: recorded and anchored",
        (false, false) => "Stamp: recorded",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_gives_the_reason_for_the_verdict() {
        let text = |verdict, counts| sentence(verdict, counts);
        assert_eq!(text(Verdict::Allow, [4, 0, 1]), ": ALLOW, because no rule is violated.");
        assert_eq!(
            text(Verdict::Deny, [9, 2, 5]),
            ": DENY, because 2 of 11 applicable rules are violated."
        );
        assert_eq!(
            text(Verdict::Review, [0, 1, 0]),
            ": REVIEW, because 1 of 1 applicable rule is violated."
        );
        assert_eq!(
            text(Verdict::Alert, [0, 1, 0]),
            ": ALERT, because only rules of policies in shadow mode are violated."
        );
    }

    #[test]
    fn the_stamp_states_only_what_is_the_case() {
        assert_eq!(stamp(true, true), "RECORDED · SIGNED · ANCHORED");
        assert_eq!(stamp(false, false), "RECORDED");
        assert_eq!(anchored("17", Some("147")), "Anchored as entry 17 of 147");
    }
}
