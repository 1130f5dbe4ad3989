//! Filters of decision lists.

use crate::{
    evaluation::Verdict,
    filter::ListFilter,
    id::{ChainId, PolicyId},
    outcome::OutcomeStatus,
    rule::Severity,
    string_enum::StringEnum as _,
    time::Timestamp,
};

/// The filters of `GET /v1/decisions`. The page of decisions has its own time range.
#[derive(Clone, Debug, Default, PartialEq, Eq, ListFilter)]
pub struct DecisionFilter {
    /// Only decisions of this type.
    #[filter(page = "type", max = 100)]
    pub decision_type: Option<String>,
    /// Only decisions with this verdict.
    #[filter(page = "verdict")]
    pub decision: Option<Verdict>,
    /// Only decisions with this correlation ID.
    #[filter(page = "correlation", max = 255)]
    pub correlation_id: Option<String>,
    /// Only decisions of this chain, by step.
    #[filter(page = "chain")]
    pub chain_id: Option<ChainId>,
    /// Only the decision with this idempotency key.
    #[filter(page = "key", max = 255)]
    pub idempotency_key: Option<String>,
    /// Only decisions that evaluated this policy.
    #[filter(page = "policy")]
    pub policy_id: Option<PolicyId>,
    /// Only decisions that evaluated this version of the policy. Ignored without a policy.
    #[filter(page_only)]
    pub version: Option<u32>,
    /// Only decisions that violate this rule.
    #[filter(page = "rule", max = 100)]
    pub rule_code: Option<String>,
    /// Only decisions of this actor.
    #[filter(page = "actor", max = 255)]
    pub actor_id: Option<String>,
    /// Only decisions whose violations have this highest severity.
    pub severity: Option<Severity>,
    /// Only decisions with this outcome, or without one (`none`).
    pub outcome: Option<OutcomeFilter>,
    /// Only decisions with a milder verdict because of shadow mode (`true`), or all others (`false`).
    #[filter(page = "shadow")]
    pub shadow_converted: Option<bool>,
    /// Start of the time range, RFC 3339, inclusive.
    #[filter(from)]
    pub recorded_from: Option<Timestamp>,
    /// End of the time range, RFC 3339, inclusive.
    #[filter(to)]
    pub recorded_to: Option<Timestamp>,
}

string_enum! {
    /// The outcome of the decisions in a list.
    pub enum OutcomeFilter {
        /// No outcome is recorded.
        None = "none",
        /// The verdict was followed.
        Accepted = "accepted",
        /// A person decided differently.
        Overridden = "overridden",
        /// The decision was escalated to a higher authority.
        Escalated = "escalated",
        /// The decision expired before anyone acted.
        Expired = "expired",
        /// The underlying matter was abandoned.
        Abandoned = "abandoned",
    }
}

impl OutcomeFilter {
    /// Returns the status of the outcome, or `None` if no outcome is recorded.
    pub fn status(self) -> Option<OutcomeStatus> {
        OutcomeStatus::from_name(self.as_str())
    }
}

/// The filters of `GET /v1/policies/{id}/decisions`.
#[derive(Clone, Debug, Default, PartialEq, Eq, ListFilter)]
pub struct PolicyDecisionFilter {
    /// The number of the version (default: the active version).
    pub version: Option<u32>,
    /// Only decisions that violate this rule.
    #[filter(max = 100)]
    pub rule_code: Option<String>,
    /// Only decisions with this verdict.
    pub decision: Option<Verdict>,
    /// Start of the time range, RFC 3339, inclusive.
    #[filter(from)]
    pub recorded_from: Option<Timestamp>,
    /// End of the time range, RFC 3339, inclusive.
    #[filter(to)]
    pub recorded_to: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_exists_for_each_status_and_for_decisions_without_an_outcome() {
        let statuses = OutcomeFilter::ALL.into_iter().filter_map(OutcomeFilter::status);
        assert_eq!(statuses.collect::<Vec<_>>(), OutcomeStatus::ALL);
        assert_eq!(OutcomeFilter::None.status(), None);
    }
}
