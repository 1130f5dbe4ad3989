//! The preimage of `integrity_hash` (receipts, section 3.5). It contains no IDs, tenant or
//! recording times, so that evaluating and recording give the same hash.

use contract::{
    evaluation::{NaRule, Narrowing, Verdict, Violation},
    json::Value,
    time::Timestamp,
};

use super::RECEIPT_SCHEMA_VERSION;
use crate::{
    canonical_json::{CanonicalJson, JsonPart, ObjectBuilder},
    digest::Digest,
    object_reader::SignedObjectReader,
};

/// The inputs and the result of a decision.
#[derive(Clone, Copy, Debug)]
pub struct Integrity<'a> {
    /// The decision type.
    pub decision_type: &'a str,
    /// The verdict of the decision.
    pub decision: Verdict,
    /// Digest of [`context`](super::context).
    pub context_digest: Digest,
    /// Digest of [`snapshot`](super::snapshot).
    pub policy_snapshot_digest: Digest,
    /// Digest of [`evaluated_rules`](super::evaluated_rules).
    pub evaluated_rules_hash: Digest,
    /// Digest of [`evidence_manifest`](super::evidence_manifest), if there is one.
    pub evidence_manifest_digest: Option<Digest>,
    /// The violations, in the order of the result.
    pub violations: &'a [Violation],
    /// The rules that do not apply, in the order of the result.
    pub na_rules: &'a [NaRule],
    /// As in the result; false if absent there.
    pub is_shadow: bool,
    /// As in the result; false if absent there.
    pub shadow_converted: bool,
    /// As in the result.
    pub original_decision: Option<Verdict>,
    /// `actor.id` of the request, else `metadata.actor_id` of the context.
    pub actor_id: Option<&'a str>,
    /// The evaluation time, present only when an applicable temporal rule used it.
    pub as_of: Option<Timestamp>,
    /// The selection of the tenant's own policies in the request; absent when all were selected.
    pub narrowing: Option<&'a Narrowing>,
}

/// Returns the preimage with the `integrity_hash`.
pub fn integrity(decision: &Integrity<'_>) -> CanonicalJson {
    let violations: Vec<_> = decision.violations.iter().map(violation).collect();
    let na_rules: Vec<_> = decision.na_rules.iter().map(na_rule).collect();
    ObjectBuilder::with_schema("service-decision-integrity/v2")
        .member("receipt_schema_version", RECEIPT_SCHEMA_VERSION)
        .member("decision_type", decision.decision_type)
        .member("decision", decision.decision.as_str())
        .member("context_digest", decision.context_digest)
        .member("policy_snapshot_digest", decision.policy_snapshot_digest)
        .member("evaluated_rules_hash", decision.evaluated_rules_hash)
        .optional("evidence_manifest_digest", decision.evidence_manifest_digest)
        .member("violations", violations)
        .member("na_rules", na_rules)
        .member("is_shadow", decision.is_shadow)
        .member("shadow_converted", decision.shadow_converted)
        .optional("original_decision", decision.original_decision.map(Verdict::as_str))
        .optional("actor_id", decision.actor_id)
        .optional("as_of", decision.as_of.map(|time| time.to_string()))
        .optional("narrowing", decision.narrowing.map(narrowing))
        .canonical()
}

fn violation(violation: &Violation) -> JsonPart<'_> {
    ObjectBuilder::default()
        .member("rule_code", violation.rule_code.as_str())
        .member("severity", violation.severity.as_str())
        .member("reason_code", violation.reason_code.as_str())
        .optional("field", violation.field.as_deref())
        .optional("actual_value", violation.actual_value.as_ref())
        .optional("expected_value", violation.expected_value.as_ref())
        .member("policy_id", violation.policy_id.to_string())
        .member("is_shadow", violation.is_shadow)
        .into()
}

fn na_rule(rule: &NaRule) -> JsonPart<'_> {
    ObjectBuilder::default()
        .member("policy_id", rule.policy_id.to_string())
        .member("rule_code", &*rule.rule_code)
        .into()
}

fn narrowing(narrowing: &Narrowing) -> JsonPart<'_> {
    let ids = narrowing.policy_ids.as_ref();
    let ids =
        ids.map(|ids| ids.iter().map(|id| id.to_string().into()).collect::<Vec<JsonPart<'_>>>());
    ObjectBuilder::default()
        .optional("policy_group_code", narrowing.policy_group_code.as_deref())
        .optional("policy_ids", ids)
        .into()
}

/// Parses the narrowing of a preimage. Returns `None` if it is absent or was not written by
/// [`integrity`].
pub fn read_narrowing(preimage: &Value) -> Option<Narrowing> {
    let members = SignedObjectReader::new(preimage.get("narrowing")?, "narrowing").ok()?;
    Some(Narrowing {
        policy_group_code: members.member("policy_group_code").ok()?,
        policy_ids: members.member("policy_ids").ok()?,
    })
}

#[cfg(test)]
mod tests {
    use contract::json::Limits;

    use super::*;

    fn with(narrowing: Option<&Narrowing>) -> CanonicalJson {
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
    fn preimage_binds_the_narrowing_of_the_request() {
        let ids = ["a0000000-0000-4000-8000-000000000001".parse().unwrap()];
        let narrowings = [
            Narrowing::new(None, None),
            Narrowing::new(Some("PAY"), None),
            Narrowing::new(None, Some(&ids)),
            Narrowing::new(None, Some(&[])),
            Narrowing::new(Some("PAY"), Some(&ids)),
        ];
        let preimages = narrowings.each_ref().map(|narrowing| with(narrowing.as_ref()));
        for (index, preimage) in preimages.iter().enumerate() {
            assert!(preimages.iter().skip(index + 1).all(|other| other.digest != preimage.digest));
        }
        for (narrowing, canonical) in narrowings.iter().zip(&preimages) {
            let preimage = Value::parse(canonical.text.as_bytes(), &Limits::BUNDLE_FILE).unwrap();
            assert_eq!(&read_narrowing(&preimage), narrowing);
        }
        let text = r#""narrowing":{"policy_group_code":"PAY","policy_ids":["a0000000-0000-4000-8000-000000000001"]}"#;
        assert!(preimages[4].text.contains(text));
        assert!(!preimages[0].text.contains("narrowing"));
    }
}
