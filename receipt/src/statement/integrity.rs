//! The preimage of `integrity_hash` (receipts, section 3.5). Free of ids, tenant and times, so that
//! evaluating and recording give the same hash.

use contract::{
    evaluation::{NaRule, Verdict, Violation},
    time::Timestamp,
};

use super::RECEIPT_SCHEMA_VERSION;
use crate::{
    canon::{Canonical, Members, Part},
    digest::Digest,
};

/// What a decision rests on, and what it says.
#[derive(Clone, Copy, Debug)]
pub struct Integrity<'a> {
    /// What kind of decision it is.
    pub decision_type: &'a str,
    /// The verdict.
    pub decision: Verdict,
    /// Digest of [`context`](super::context).
    pub context_digest: Digest,
    /// Digest of [`snapshot`](super::snapshot).
    pub policy_snapshot_digest: Digest,
    /// Digest of [`evaluated_rules`](super::evaluated_rules).
    pub evaluated_rules_hash: Digest,
    /// Digest of [`evidence_manifest`](super::evidence_manifest), if there is one.
    pub evidence_manifest_digest: Option<Digest>,
    /// In the order of the result.
    pub violations: &'a [Violation],
    /// In the order of the result.
    pub na_rules: &'a [NaRule],
    /// As in the result; absent there is false.
    pub is_shadow: bool,
    /// As in the result; absent there is false.
    pub shadow_converted: bool,
    /// As in the result.
    pub original_decision: Option<Verdict>,
    /// `actor.id` of the request, else `metadata.actor_id` of the context.
    pub actor_id: Option<&'a str>,
    /// The evaluation instant, only when a temporal rule that applied consulted it.
    pub as_of: Option<Timestamp>,
}

/// The preimage, and `integrity_hash`.
pub fn integrity(decided: &Integrity<'_>) -> Canonical {
    let violations: Vec<_> = decided.violations.iter().map(violation).collect();
    let na_rules: Vec<_> = decided.na_rules.iter().map(na_rule).collect();
    Members::schema("service-decision-integrity/v2")
        .with("receipt_schema_version", RECEIPT_SCHEMA_VERSION)
        .with("decision_type", decided.decision_type)
        .with("decision", decided.decision.as_str())
        .with("context_digest", decided.context_digest)
        .with("policy_snapshot_digest", decided.policy_snapshot_digest)
        .with("evaluated_rules_hash", decided.evaluated_rules_hash)
        .maybe("evidence_manifest_digest", decided.evidence_manifest_digest)
        .with("violations", violations)
        .with("na_rules", na_rules)
        .with("is_shadow", decided.is_shadow)
        .with("shadow_converted", decided.shadow_converted)
        .maybe("original_decision", decided.original_decision.map(Verdict::as_str))
        .maybe("actor_id", decided.actor_id)
        .maybe("as_of", decided.as_of.map(|instant| instant.to_string()))
        .canonical()
}

fn violation(violation: &Violation) -> Part<'_> {
    Members::default()
        .with("rule_code", violation.rule_code.as_str())
        .with("severity", violation.severity.as_str())
        .with("reason_code", violation.reason_code.as_str())
        .maybe("field", violation.field.as_deref())
        .maybe("actual_value", violation.actual_value.as_ref())
        .maybe("expected_value", violation.expected_value.as_ref())
        .with("policy_id", violation.policy_id.to_string())
        .with("is_shadow", violation.is_shadow)
        .into()
}

fn na_rule(rule: &NaRule) -> Part<'_> {
    Members::default()
        .with("policy_id", rule.policy_id.to_string())
        .with("rule_code", &*rule.rule_code)
        .into()
}
