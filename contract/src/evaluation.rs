//! What an evaluation answers: verdict, violations, and rules that did not apply.

use std::{fmt, str::FromStr, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::{
    decision::Action,
    id::{PolicyId, SnapshotId},
    json::Value,
    rule::Severity,
    time::Timestamp,
};

/// A verdict. Ordered by strictness: `Allow < Alert < Review < Deny`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    /// Go ahead.
    Allow,
    /// Go ahead; a policy in shadow mode would have said more.
    Alert,
    /// A person must look first.
    Review,
    /// Do not.
    Deny,
}

impl Verdict {
    /// All verdicts, mildest first.
    pub const ALL: [Self; 4] = [Self::Allow, Self::Alert, Self::Review, Self::Deny];

    /// The word of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "ALLOW",
            Self::Alert => "ALERT",
            Self::Review => "REVIEW",
            Self::Deny => "DENY",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Verdict {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|verdict| verdict.as_str() == text).ok_or(())
    }
}

macro_rules! reason_codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal),+ $(,)?) => {
        /// Why a rule is violated: the seventeen codes of the contract, section 3.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum ReasonCode {
            $($(#[$doc])* #[serde(rename = $text)] $name,)+
        }

        impl ReasonCode {
            /// All codes, in the order of the contract.
            pub const ALL: [Self; 17] = [$(Self::$name),+];

            /// The word of the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }
        }

        #[cfg(feature = "openapi")]
        crate::schema::words!(ReasonCode, [$($text),+]);
    };
}

reason_codes! {
    /// A field is missing.
    FieldMissing = "FIELD_MISSING",
    /// A field is there that must not be.
    FieldForbidden = "FIELD_FORBIDDEN",
    /// A text or list is too short.
    FieldTooShort = "FIELD_TOO_SHORT",
    /// A date has passed.
    DateExpired = "DATE_EXPIRED",
    /// A value is no date.
    DateInvalid = "DATE_INVALID",
    /// A date has not come yet.
    DateNotYetValid = "DATE_NOT_YET_VALID",
    /// A number is too big.
    ValueAboveMax = "VALUE_ABOVE_MAX",
    /// A number is too small.
    ValueBelowMin = "VALUE_BELOW_MIN",
    /// A value is no number.
    ValueNotNumeric = "VALUE_NOT_NUMERIC",
    /// A value is not among the allowed ones.
    ValueNotAllowed = "VALUE_NOT_ALLOWED",
    /// A value is among the forbidden ones.
    ValueForbidden = "VALUE_FORBIDDEN",
    /// A text does not match.
    PatternMismatch = "PATTERN_MISMATCH",
    /// A text matches what it must not.
    PatternForbidden = "PATTERN_FORBIDDEN",
    /// A comparison does not hold.
    ComparisonFailed = "COMPARISON_FAILED",
    /// Evidence of a required kind is missing.
    EvidenceMissing = "EVIDENCE_MISSING",
    /// Evidence data do not match their hash.
    EvidenceHashMismatch = "EVIDENCE_HASH_MISMATCH",
    /// Two values that must differ are equal.
    ValuesNotDistinct = "VALUES_NOT_DISTINCT",
}

impl fmt::Display for ReasonCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One failing check of one rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Violation {
    /// The rule.
    pub rule_code: String,
    /// Its severity.
    pub severity: Severity,
    /// A sentence for people.
    pub reason: String,
    /// The code for programs.
    pub reason_code: ReasonCode,
    /// The field that failed; absent for rules about several things at once.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub field: Option<String>,
    /// What the context had; absent when the field is missing.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub actual_value: Option<Value>,
    /// What the rule asks for.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub expected_value: Option<Value>,
    /// Further facts about the failure.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub details: Option<Value>,
    /// The policy that the rule belongs to.
    pub policy_id: PolicyId,
    /// Whether that policy is in shadow mode.
    pub is_shadow: bool,
}

/// Keeps a `null` that is there: it is a value of the context, not an absent one.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// A rule whose gate did not match. There may be thousands in one result: what the policies say is
/// shared with them, and a reason with all rules that have it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NaRule {
    /// The rule.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub rule_code: Arc<str>,
    /// Its policy.
    pub policy_id: PolicyId,
    /// Its gate.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub when: Arc<Value>,
    /// Why the gate did not match.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub reason: Arc<str>,
}

/// How one rule fared, for `explain`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RuleOutcome {
    /// The rule.
    pub rule_code: String,
    /// Its policy.
    pub policy_id: PolicyId,
    /// How it fared.
    pub outcome: Outcome,
}

/// Passed, violated, or not applicable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Every check held.
    Pass,
    /// At least one check failed.
    Violation,
    /// The gate did not match.
    NotApplicable,
}

/// A signature's three members: all or none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Signature {
    /// base64url without padding, 86 characters.
    pub signature: String,
    /// RFC 7638 thumbprint of the key.
    pub signature_kid: String,
    /// Always `Ed25519`.
    pub signature_algorithm: String,
}

/// The tenant's own policies that a request selected. Inherited policies always apply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Narrowing {
    /// The code of the policy group, as the request gave it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub policy_group_code: Option<String>,
    /// The policies, sorted and each once.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub policy_ids: Option<Vec<PolicyId>>,
}

impl Narrowing {
    /// Returns the narrowing of a request with these members, or `None` when it has neither.
    pub fn of(policy_group_code: Option<&str>, policy_ids: Option<&[PolicyId]>) -> Option<Self> {
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EvaluationResult {
    /// The verdict.
    pub decision: Verdict,
    /// Failing checks, in rule order.
    pub violations: Vec<Violation>,
    /// How many rules applied.
    pub rules_evaluated: u32,
    /// How many did not.
    pub rules_na: u32,
    /// Which, and why.
    pub na_rules: Vec<NaRule>,
    /// Milliseconds that the evaluation took.
    pub evaluation_time_ms: f64,
    /// When the server evaluated, whatever instant the context names for its rules.
    pub timestamp: Timestamp,
    /// The snapshot of the policies. It can be read once a decision that rests on it was recorded.
    pub policy_snapshot_id: SnapshotId,
    /// Digest of that snapshot; only receipts of schema version 1 have none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub policy_snapshot_digest: Option<String>,
    /// Digest of the active rules as evaluated.
    pub evaluated_rules_hash: String,
    /// Digest of context, snapshot and verdict (receipts, section 3.5).
    pub integrity_hash: String,
    /// Digest of the evidence manifest, when there is evidence.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub evidence_manifest_digest: Option<String>,
    /// The receipt format: 2, or 1 for what was recorded before there was a 2.
    #[serde(default = "first_schema")]
    pub receipt_schema_version: u32,
    /// Present and true when shadow mode made the verdict milder.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub shadow_converted: bool,
    /// What the verdict would be with every policy enforced; only beside `shadow_converted`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub original_decision: Option<Verdict>,
    /// Whether every evaluated policy is in shadow mode.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub is_shadow: bool,
    /// Which of the tenant's own policies the request asked for; absent when it asked for all.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub narrowing: Option<Narrowing>,
    /// The action that the caller named.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub action: Option<Action>,
    /// Signature over the receipt statement; absent on a dry run.
    #[serde(flatten, skip_serializing_if = "Option::is_none", default)]
    pub signature: Option<Signature>,
    /// Where the receipt stands in the transparency log; absent until it does.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub transparency_anchor: Option<Value>,
    /// Present and true when nothing was recorded.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub dry_run: bool,
    /// How every rule fared; only when `explain` was asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rules: Option<Vec<RuleOutcome>>,
}

/// A result that names no schema version is of the first.
fn first_schema() -> u32 {
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrowing_lists_each_policy_once_in_order() {
        let id = |last: char| format!("a0000000-0000-4000-8000-00000000000{last}").parse().unwrap();
        let [one, two]: [PolicyId; 2] = [id('1'), id('2')];
        assert_eq!(Narrowing::of(None, None), None);
        let narrowing = Narrowing::of(None, Some(&[two, one, two])).unwrap();
        assert_eq!(narrowing.policy_ids, Some(vec![one, two]));
        let text = serde_json::to_string(&Narrowing::of(Some("PAY"), None)).unwrap();
        assert_eq!(text, r#"{"policy_group_code":"PAY"}"#);
    }

    #[test]
    fn a_null_that_failed_a_check_is_read_back() {
        let text = r#"{"rule_code":"L","severity":"low","reason":"r","reason_code":"VALUE_NOT_ALLOWED","field":"f","actual_value":null,"policy_id":"a0000000-0000-4000-8000-000000000001","is_shadow":false}"#;
        let violation: Violation = serde_json::from_str(text).unwrap();
        assert_eq!(violation.actual_value, Some(Value::Null));
        assert_eq!(violation.expected_value, None);
        assert_eq!(serde_json::to_string(&violation).unwrap(), text);
    }
}
