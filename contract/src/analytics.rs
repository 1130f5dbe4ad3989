//! How the rules of a policy fare over time.

use std::{collections::BTreeMap, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{evaluation::Verdict, id::PolicyId, time::Timestamp};

/// How long the parts are that a span of time is counted in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum BucketSize {
    /// Whole hours.
    Hour,
    /// Whole days, UTC.
    #[default]
    Day,
}

impl BucketSize {
    /// The length of a part, in milliseconds.
    pub const fn millis(self) -> i64 {
        match self {
            Self::Hour => 3_600_000,
            Self::Day => 86_400_000,
        }
    }
}

impl FromStr for BucketSize {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "hour" => Ok(Self::Hour),
            "day" => Ok(Self::Day),
            _ => Err(()),
        }
    }
}

/// How a policy and its rules fared, over all of its versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Analytics {
    /// The policy.
    pub policy_id: PolicyId,
    /// Where the span starts: at a whole hour or day.
    pub from: Timestamp,
    /// Where it ends, at a whole hour or day too; not in it.
    pub to: Timestamp,
    /// How long its parts are.
    pub bucket: BucketSize,
    /// Whether everything that was recorded before the call is counted.
    pub is_complete: bool,
    /// The parts of the span in order, those without decisions too.
    pub buckets: Vec<VerdictBucket>,
    /// The rules that were looked at, by code.
    pub rules: Vec<RuleAnalytics>,
}

/// The decisions of one part of a span that looked at the policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VerdictBucket {
    /// Where it starts.
    pub from: Timestamp,
    /// Where it ends; not in it.
    pub to: Timestamp,
    /// How many decisions.
    pub decisions: i64,
    /// How many of each verdict: `ALLOW`, `ALERT`, `REVIEW` and `DENY`.
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, i64>))]
    pub verdicts: BTreeMap<Verdict, i64>,
}

/// How one rule fared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RuleAnalytics {
    /// The rule.
    pub rule_code: String,
    /// How many decisions it applied to.
    pub evaluated: i64,
    /// How many of these violated it.
    pub violated: i64,
    /// To how many decisions it did not apply.
    pub na: i64,
    /// How many of the decisions that violated it have an outcome.
    pub outcomes: i64,
    /// How many of these were overridden.
    pub overridden: i64,
}
