//! The preimage of `integrity_hash` (receipts, section 3.5). Free of ids, tenant and times, so that
//! evaluating and recording give the same hash.

use contract::{
    evaluation::{NaRule, Narrowing, Verdict, Violation},
    json::Value,
    time::Timestamp,
};

use super::RECEIPT_SCHEMA_VERSION;
use crate::{
    canon::{Canonical, Members, Part},
    digest::Digest,
    fields::Fields,
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
    /// Which of the tenant's own policies the request asked for; absent when it asked for all.
    pub narrowing: Option<&'a Narrowing>,
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
        .maybe("narrowing", decided.narrowing.map(narrowing))
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

fn narrowing(narrowing: &Narrowing) -> Part<'_> {
    let ids = narrowing.policy_ids.as_ref();
    let ids = ids.map(|ids| ids.iter().map(|id| id.to_string().into()).collect::<Vec<Part<'_>>>());
    Members::default()
        .maybe("policy_group_code", narrowing.policy_group_code.as_deref())
        .maybe("policy_ids", ids)
        .into()
}

/// Reads the narrowing of a preimage; `None` when it has none or one that was not written by [`integrity`].
pub fn read_narrowing(preimage: &Value) -> Option<Narrowing> {
    let members = Fields::of(preimage.get("narrowing")?, "narrowing").ok()?;
    let ids =
        members.get("policy_ids").map(|_| members.exact_list("policy_ids")).transpose().ok()?;
    let code = members.maybe_text("policy_group_code").ok()?;
    Some(Narrowing { policy_group_code: code.map(str::to_owned), policy_ids: ids })
}

#[cfg(test)]
mod tests {
    use contract::json::Limits;

    use super::*;

    fn with(narrowing: Option<&Narrowing>) -> Canonical {
        let digest = Digest::from([1; 32]);
        integrity(&Integrity {
            decision_type: "payment",
            decision: Verdict::Allow,
            context_digest: digest,
            policy_snapshot_digest: digest,
            evaluated_rules_hash: digest,
            evidence_manifest_digest: None,
            violations: &[],
            na_rules: &[],
            is_shadow: false,
            shadow_converted: false,
            original_decision: None,
            actor_id: None,
            as_of: None,
            narrowing,
        })
    }

    #[test]
    fn the_preimage_binds_the_narrowing_of_the_request() {
        let ids = ["a0000000-0000-4000-8000-000000000001".parse().unwrap()];
        let narrowings = [
            Narrowing::of(None, None),
            Narrowing::of(Some("PAY"), None),
            Narrowing::of(None, Some(&ids)),
            Narrowing::of(None, Some(&[])),
            Narrowing::of(Some("PAY"), Some(&ids)),
        ];
        let made = narrowings.each_ref().map(|narrowing| with(narrowing.as_ref()));
        for (place, one) in made.iter().enumerate() {
            assert!(made.iter().skip(place + 1).all(|other| other.digest != one.digest));
        }
        for (narrowing, made) in narrowings.iter().zip(&made) {
            let preimage = Value::parse(made.text.as_bytes(), &Limits::BUNDLE_MEMBER).unwrap();
            assert_eq!(&read_narrowing(&preimage), narrowing);
        }
        let text = r#""narrowing":{"policy_group_code":"PAY","policy_ids":["a0000000-0000-4000-8000-000000000001"]}"#;
        assert!(made[4].text.contains(text));
        assert!(!made[0].text.contains("narrowing"));
    }
}
