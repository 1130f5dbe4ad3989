//! Texts of `/t/{tenant}/decisions/{decision}`.

use contract::{evaluation::Verdict, text::isolated, time::Timestamp};

use crate::{
    receipt::words as receipt_words,
    text::{number::count, time},
};

pub(crate) const REPLAY: &str = "Replay";
pub(crate) const REPLAY_EQUAL: &str = "The replay matches the recorded decision.";
pub(crate) const REPLAY_DIFFERS: &str = "The replay differs from the record.";
pub(crate) const REPLAY_NOTE: &str = "The stored context was re-evaluated against the stored snapshot. Nothing was recorded. Dates were evaluated as of";
pub(crate) const REPLAY_HEAD: [&str; 3] = ["Where", "Recorded", "Replayed"];
pub(crate) const INTEGRITY_RECORDED: &str = "Integrity hash recorded";
pub(crate) const INTEGRITY_REPLAYED: &str = "Integrity hash replayed";
pub(crate) const TRY_AGAIN: &str = "Try again";
pub(crate) const BUNDLE: &str = "Bundle";
pub(crate) const RULES: &str = "Rules";
pub(crate) const ALL: &str = "All";
pub(crate) const VIOLATIONS: &str = "Violations";
pub(crate) const NOT_APPLICABLE: &str = "Not applicable";
pub(crate) const PASSED: &str = "Passed";
pub(crate) const VIOLATION: &str = "Violation:";
pub(crate) const NO_MATCHING_RULE: &str = "No rule of this policy.";
pub(crate) const FROM_POLICY: &str = "from";
pub(crate) const NOT_COUNTED: &str = "Shadow mode: not counted.";
pub(crate) const WHY_APPLIES: &str = "Why this rule applies";
pub(crate) const NO_GATE: &str = "This rule has no gate. It applies to every decision.";
pub(crate) const ALL_OF: &str = "All of";
pub(crate) const ANY_OF: &str = "Any of";
pub(crate) const MET: &str = "Met:";
pub(crate) const NOT_MET: &str = "Not met:";
pub(crate) const ACTUAL_VALUE: &str = "Actual:";
pub(crate) const NOT_GIVEN: &str = "not given";
pub(crate) const INPUTS: &str = "Inputs";
pub(crate) const CONTEXT: &str = "Context";
pub(crate) const EVIDENCE: &str = "Evidence";
pub(crate) const RAW: &str = "Raw JSON";
pub(crate) const NO_EVIDENCE: &str = "The context has no evidence.";
pub(crate) const SNAPSHOT_ID: &str = "Snapshot";
pub(crate) const SNAPSHOT_DIGEST: &str = "Snapshot digest";
pub(crate) const RULES_HASH: &str = "Evaluated rules hash";
pub(crate) const ABOUT: &str = "About";
pub(crate) const MORE: &str = "More";
pub(crate) const PROOF: &str = "Proof";
pub(crate) const EVALUATED: &str = "Evaluated";
pub(crate) const RECORDED: &str = "Recorded";
pub(crate) const SIGNED: &str = "Signed";
pub(crate) const ANCHORED: &str = "Anchored";
pub(crate) const CHAINED: &str = "In a chain";
pub(crate) const NOT_CHAINED: &str = "Not part of a chain";
pub(crate) const OPEN_CHAIN: &str = "Open the chain";
pub(crate) const SHADOW: &str = "Shadow mode";
pub(crate) const FIELDS: &str = "Fields";
pub(crate) const IN_VIOLATED: &str = "In violated rules";
pub(crate) const OTHER_FIELDS: &str = "Other fields";
pub(crate) const NO_FIELDS: &str = "The context has no fields.";
pub(crate) const EXPECTED_VALUE: &str = "expected:";
pub(crate) const FULL_VALUES: &str = "Full values";
pub(crate) const HASH: &str = "Hash";
pub(crate) const NO_OUTCOME: &str =
    "No outcome yet. It can be recorded once and cannot be changed.";
pub(crate) const ID: &str = "Decision";
pub(crate) const ACTOR: &str = "Actor";
pub(crate) const RECORDED_WITH: &str = "Recorded with key";
pub(crate) const INHERITED: &str = "Policy inherited from";
pub(crate) const NARROWED: &str = "Narrowed to";
pub(crate) const EVALUATED_AT: &str = "Evaluated at";
pub(crate) const IDEMPOTENCY: &str = "Idempotency key";
pub(crate) const RECEIPT: &str = "Receipt";
pub(crate) const INTEGRITY: &str = "Integrity hash";
pub(crate) const EVIDENCE_DIGEST: &str = "Evidence manifest digest";
pub(crate) const SIGNATURE: &str = "Signature (Ed25519)";
pub(crate) const KEY: &str = "Key ID";
pub(crate) const UNSIGNED: &str = "Unsigned. Signing was not configured.";

pub(crate) const CHAIN: &str = "Chain";
pub(crate) const STEP: &str = "Step";
pub(crate) const PREVIOUS_STEP: &str = "Previous step";
pub(crate) const NEXT_STEP: &str = "Next step";
pub(crate) const FOLLOWS: &str = "Follows decision";
pub(crate) const NO_NEXT_STEP: &str = "None";

pub(crate) fn anchored_since(since: Option<Timestamp>) -> String {
    since.map_or(receipt_words::NOT_ANCHORED.to_owned(), |at| format!("Since {}", time::exact(at)))
}

pub(crate) fn title(verdict: Verdict, decision_type: &str) -> String {
    format!("{verdict} {}", isolated(decision_type))
}

/// Returns, for example, "16 rules of 2 policies".
pub(crate) fn evaluated_rules(rules: usize, policies: usize) -> String {
    let policies = count(policies, "policy", "policies");
    format!("{} of {policies}", count(rules, "rule", "rules"))
}

pub(crate) fn passed_rules(number: usize) -> String {
    format!("{} passed", count(number, "rule", "rules"))
}

pub(crate) fn not_applicable_rules(number: usize) -> String {
    format!("{} not applicable", count(number, "rule", "rules"))
}

pub(crate) fn step(number: &str) -> String {
    format!("Step {number}")
}

pub(crate) fn duration(duration: &str) -> String {
    format!("in {duration}")
}

/// Returns, for example, "policy group PAY: Spending limits, Large payments".
pub(crate) fn narrowed_to(group: Option<&str>, policies: Option<&[String]>) -> String {
    let policies = policies.map(|names| match names {
        [] => "no policy".to_owned(),
        names => names.join(", "),
    });
    match (group, policies) {
        (Some(group), Some(policies)) => format!("policy group {group}: {policies}"),
        (Some(group), None) => format!("policy group {group}"),
        (None, policies) => policies.unwrap_or_default(),
    }
}
