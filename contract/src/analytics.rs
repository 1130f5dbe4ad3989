//! Per-policy analytics: rule results over time.

use std::collections::BTreeMap;

use crate::{evaluation::Verdict, id::PolicyId, time::Timestamp};

string_enum! {
    /// The length of the buckets of a time range.
    #[derive(Default)]
    pub enum BucketSize {
        /// Whole hours.
        Hour = "hour",
        /// Whole days in UTC.
        #[default]
        Day = "day",
    }
}

impl BucketSize {
    /// Returns the length of a bucket in milliseconds.
    pub const fn millis(self) -> i64 {
        match self {
            Self::Hour => 3_600_000,
            Self::Day => 86_400_000,
        }
    }
}

/// The results of a policy and its rules over all versions.
#[wire(Eq)]
pub struct Analytics {
    /// The ID of the policy.
    pub policy_id: PolicyId,
    /// The start of the time range, at a whole hour or day.
    pub from: Timestamp,
    /// The exclusive end of the time range, at a whole hour or day.
    pub to: Timestamp,
    /// The length of the buckets.
    pub bucket: BucketSize,
    /// Whether all decisions recorded before the request are counted.
    pub is_complete: bool,
    /// The buckets in order, including those without decisions.
    pub buckets: Vec<VerdictBucket>,
    /// The evaluated rules, sorted by code.
    pub rules: Vec<RuleAnalytics>,
}

/// The decisions of one bucket for which the policy was evaluated.
#[wire(Eq)]
pub struct VerdictBucket {
    /// The start of the bucket.
    pub from: Timestamp,
    /// The exclusive end of the bucket.
    pub to: Timestamp,
    /// The number of decisions.
    pub decisions: i64,
    /// The number of decisions by verdict: `ALLOW`, `ALERT`, `REVIEW` and `DENY`.
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, i64>))]
    pub verdicts: BTreeMap<Verdict, i64>,
}

/// The results of a rule.
#[wire(Eq)]
pub struct RuleAnalytics {
    /// The code of the rule.
    pub rule_code: String,
    /// The number of decisions to which the rule applied.
    pub evaluated: i64,
    /// The number of these decisions that violated the rule.
    pub violated: i64,
    /// The number of decisions to which the rule did not apply.
    pub na: i64,
    /// The number of decisions that violated the rule and have an outcome.
    pub outcomes: i64,
    /// The number of these decisions that were overridden.
    pub overridden: i64,
}
