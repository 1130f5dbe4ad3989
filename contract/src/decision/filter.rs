//! Filters of decision lists.

use crate::{
    evaluation::Verdict,
    id::{ChainId, PolicyId},
    outcome::OutcomeStatus,
    rule::Severity,
    string_enum::StringEnum as _,
    time::Timestamp,
};

/// The filters of `GET /v1/decisions`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DecisionFilter {
    /// Decisions of this type.
    pub decision_type: Option<String>,
    /// Decisions with this verdict.
    pub decision: Option<Verdict>,
    /// Decisions with this correlation ID.
    pub correlation_id: Option<String>,
    /// Decisions of this chain. The list is then in the order of its steps, first step first.
    pub chain_id: Option<ChainId>,
    /// The decision with this idempotency key.
    pub idempotency_key: Option<String>,
    /// Decisions for which this policy was evaluated.
    pub policy_id: Option<PolicyId>,
    /// Decisions for which this version of the policy was evaluated. Ignored without a policy.
    pub version: Option<u32>,
    /// Decisions that violate this rule.
    pub rule_code: Option<String>,
    /// Decisions of this actor.
    pub actor_id: Option<String>,
    /// Decisions whose violations have this highest severity.
    pub severity: Option<Severity>,
    /// Decisions with this outcome.
    pub outcome: Option<OutcomeFilter>,
    /// Decisions with a milder verdict because of shadow mode, or all others.
    pub shadow_converted: Option<bool>,
    /// Decisions recorded at or after this time.
    pub recorded_from: Option<Timestamp>,
    /// Decisions recorded at or before this time.
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyDecisionFilter {
    /// Decisions that violate this rule.
    pub rule_code: Option<String>,
    /// Decisions with this verdict.
    pub decision: Option<Verdict>,
    /// Decisions recorded at or after this time.
    pub recorded_from: Option<Timestamp>,
    /// Decisions recorded at or before this time.
    pub recorded_to: Option<Timestamp>,
    /// Decisions for which this version was evaluated; absent means the active version.
    pub version: Option<u32>,
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
