//! Filters of decision lists.

use crate::{
    evaluation::Verdict,
    id::{ChainId, PolicyId},
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
    /// Decisions recorded at or after this time.
    pub recorded_from: Option<Timestamp>,
    /// Decisions recorded at or before this time.
    pub recorded_to: Option<Timestamp>,
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
