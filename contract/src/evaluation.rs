//! Evaluation results: verdict, violations, and rules that were not applicable.

mod limit;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use self::limit::{Limit, LimitOperator};
use crate::{
    decision::Action,
    id::{PolicyId, SnapshotId},
    json::Value,
    rule::Severity,
    time::Timestamp,
};

string_enum! {
    /// The verdict of a decision. Ordered by strictness: `Allow < Alert < Review < Deny`.
    pub enum Verdict {
        /// Allowed.
        Allow = "ALLOW",
        /// Allowed, but a policy in shadow mode found violations that affect a verdict.
        Alert = "ALERT",
        /// A person must review the decision first.
        Review = "REVIEW",
        /// Denied.
        Deny = "DENY",
    }
}

string_enum! {
    /// The reason code of a violation: the seventeen codes of the contract, section 3.
    pub enum ReasonCode {
        /// A required field is missing.
        FieldMissing = "FIELD_MISSING",
        /// A forbidden field is present.
        FieldForbidden = "FIELD_FORBIDDEN",
        /// A string or list is too short.
        FieldTooShort = "FIELD_TOO_SHORT",
        /// A date has passed, is too old, or is after its limit.
        DateExpired = "DATE_EXPIRED",
        /// A value is not a date.
        DateInvalid = "DATE_INVALID",
        /// A date is in the future, or before its limit.
        DateNotYetValid = "DATE_NOT_YET_VALID",
        /// A number is above the maximum.
        ValueAboveMax = "VALUE_ABOVE_MAX",
        /// A number is below the minimum.
        ValueBelowMin = "VALUE_BELOW_MIN",
        /// A value is not a number.
        ValueNotNumeric = "VALUE_NOT_NUMERIC",
        /// A value is not in the list of allowed values.
        ValueNotAllowed = "VALUE_NOT_ALLOWED",
        /// A value is in the list of forbidden values.
        ValueForbidden = "VALUE_FORBIDDEN",
        /// A string does not match the required pattern.
        PatternMismatch = "PATTERN_MISMATCH",
        /// A string matches a forbidden pattern.
        PatternForbidden = "PATTERN_FORBIDDEN",
        /// A comparison is false.
        ComparisonFailed = "COMPARISON_FAILED",
        /// Evidence of a required kind is missing.
        EvidenceMissing = "EVIDENCE_MISSING",
        /// Evidence data does not match its hash.
        EvidenceHashMismatch = "EVIDENCE_HASH_MISMATCH",
        /// Two values that must differ are equal.
        ValuesNotDistinct = "VALUES_NOT_DISTINCT",
    }
}

/// A failed check of a rule.
#[wire]
pub struct Violation {
    /// The code of the rule.
    pub rule_code: String,
    /// The severity of the rule.
    pub severity: Severity,
    /// A message for people.
    pub reason: String,
    /// The reason code for programs.
    pub reason_code: ReasonCode,
    /// The field that failed the check; absent if the check concerns several fields.
    pub field: Option<String>,
    /// The value in the context; absent if the field is missing.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub actual_value: Option<Value>,
    /// The value that the rule requires.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub expected_value: Option<Value>,
    /// Further facts about the violation.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub details: Option<Value>,
    /// The ID of the policy that contains the rule.
    pub policy_id: PolicyId,
    /// Whether that policy is in shadow mode.
    pub is_shadow: bool,
}

/// Deserializes `null` as a value of the context instead of an absent value.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// A rule that was not applicable because its gate did not match.
#[wire]
pub struct NaRule {
    /// The code of the rule.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub rule_code: Arc<str>,
    /// The ID of the policy.
    pub policy_id: PolicyId,
    /// The gate of the rule.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub when: Arc<Value>,
    /// The reason why the gate did not match.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub reason: Arc<str>,
}

/// The status of one rule, for `explain`.
#[wire(Eq)]
pub struct RuleResult {
    /// The code of the rule.
    pub rule_code: String,
    /// The ID of the policy.
    pub policy_id: PolicyId,
    /// The status of the rule.
    pub outcome: RuleStatus,
}

/// The status of a rule in an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum RuleStatus {
    /// All checks passed.
    Pass,
    /// At least one check failed.
    Violation,
    /// The gate did not match.
    NotApplicable,
}

/// The members of a signature, which are all present or all absent.
#[wire(Eq)]
pub struct Signature {
    /// The signature in base64url without padding, 86 characters.
    pub signature: String,
    /// The RFC 7638 thumbprint of the signing key.
    pub signature_kid: String,
    /// Always `Ed25519`.
    pub signature_algorithm: String,
}

/// The tenant's own policies that a request selected. Inherited policies always apply.
#[wire(Eq)]
#[serde(deny_unknown_fields)]
pub struct Narrowing {
    /// The code of the policy group in the request.
    pub policy_group_code: Option<String>,
    /// The IDs of the policies, sorted and without duplicates.
    pub policy_ids: Option<Vec<PolicyId>>,
}

impl Narrowing {
    /// Returns the narrowing of a request with these members, or `None` if it has neither.
    pub fn new(policy_group_code: Option<&str>, policy_ids: Option<&[PolicyId]>) -> Option<Self> {
        if policy_group_code.is_none() && policy_ids.is_none() {
            return None;
        }
        let sorted = |ids: &[PolicyId]| {
            let mut ids = ids.to_vec();
            ids.sort_unstable();
            ids.dedup();
            ids
        };
        Some(Self {
            policy_group_code: policy_group_code.map(str::to_owned),
            policy_ids: policy_ids.map(sorted),
        })
    }
}

/// The result of an evaluation.
#[wire]
pub struct EvaluationResult {
    /// The verdict.
    pub decision: Verdict,
    /// The failed checks, in the order of the rules.
    pub violations: Vec<Violation>,
    /// The number of rules that applied.
    pub rules_evaluated: u32,
    /// The number of rules that were not applicable.
    pub rules_na: u32,
    /// The rules that were not applicable, with reasons.
    pub na_rules: Vec<NaRule>,
    /// The duration of the evaluation in milliseconds.
    pub evaluation_time_ms: f64,
    /// The server time of the evaluation. It is independent of `metadata.timestamp`, which the rules use.
    pub timestamp: Timestamp,
    /// The ID of the policy snapshot. The snapshot can be read once a decision that uses it was recorded.
    pub policy_snapshot_id: SnapshotId,
    /// The digest of that snapshot; absent only in receipts of schema version 1.
    pub policy_snapshot_digest: Option<String>,
    /// The digest of the active rules that were evaluated.
    pub evaluated_rules_hash: String,
    /// The digest of context, snapshot and verdict (receipts, section 3.5).
    pub integrity_hash: String,
    /// The digest of the evidence manifest, if there is evidence.
    pub evidence_manifest_digest: Option<String>,
    /// The receipt schema version: 2, or 1 for decisions that were recorded before version 2 existed.
    #[serde(default = "first_schema")]
    pub receipt_schema_version: u32,
    /// Present and true if shadow mode made the verdict less strict.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub shadow_converted: bool,
    /// The verdict without shadow mode; present only with `shadow_converted`.
    pub original_decision: Option<Verdict>,
    /// Whether every evaluated policy is in shadow mode.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub is_shadow: bool,
    /// The tenant's own policies that the request selected; absent if it selected all.
    pub narrowing: Option<Narrowing>,
    /// The action of the request.
    pub action: Option<Action>,
    /// The signature over the receipt statement; absent in a dry run.
    #[serde(flatten, skip_serializing_if = "Option::is_none", default)]
    pub signature: Option<Signature>,
    /// The anchor of the receipt in the transparency log; absent while pending.
    pub transparency_anchor: Option<Value>,
    /// Present and true if the decision was not recorded.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub dry_run: bool,
    /// The status of every rule; only with `explain`.
    pub rules: Option<Vec<RuleResult>>,
}

/// The schema version of a result without one.
fn first_schema() -> u32 {
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrowing_sorts_and_deduplicates_policies() {
        let id = |last: char| format!("a0000000-0000-4000-8000-00000000000{last}").parse().unwrap();
        let [one, two]: [PolicyId; 2] = [id('1'), id('2')];
        assert_eq!(Narrowing::new(None, None), None);
        let narrowing = Narrowing::new(None, Some(&[two, one, two])).unwrap();
        assert_eq!(narrowing.policy_ids, Some(vec![one, two]));
        let text = serde_json::to_string(&Narrowing::new(Some("PAY"), None)).unwrap();
        assert_eq!(text, r#"{"policy_group_code":"PAY"}"#);
    }

    #[test]
    fn null_actual_value_round_trips() {
        let text = r#"{"rule_code":"L","severity":"low","reason":"r","reason_code":"VALUE_NOT_ALLOWED","field":"f","actual_value":null,"policy_id":"a0000000-0000-4000-8000-000000000001","is_shadow":false}"#;
        let violation: Violation = serde_json::from_str(text).unwrap();
        assert_eq!(violation.actual_value, Some(Value::Null));
        assert_eq!(violation.expected_value, None);
        assert_eq!(serde_json::to_string(&violation).unwrap(), text);
    }
}
