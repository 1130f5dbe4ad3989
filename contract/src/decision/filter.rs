//! Which decisions a list holds.

use crate::{
    evaluation::Verdict,
    id::{ChainId, PolicyId},
    time::Timestamp,
};

/// The filters of `GET /v1/decisions`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DecisionFilter {
    /// Of this type.
    pub decision_type: Option<String>,
    /// With this verdict.
    pub decision: Option<Verdict>,
    /// With this correlation id.
    pub correlation_id: Option<String>,
    /// Of this chain; the list is then in the order of its steps, first step first.
    pub chain_id: Option<ChainId>,
    /// With this idempotency key.
    pub idempotency_key: Option<String>,
    /// That looked at this policy.
    pub policy_id: Option<PolicyId>,
    /// With a violation of this rule.
    pub rule_code: Option<String>,
    /// By this actor.
    pub actor_id: Option<String>,
    /// Recorded at or after.
    pub recorded_from: Option<Timestamp>,
    /// Recorded at or before.
    pub recorded_to: Option<Timestamp>,
}

/// The filters of `GET /v1/policies/{id}/decisions`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyDecisionFilter {
    /// With a violation of this rule.
    pub rule_code: Option<String>,
    /// With this verdict.
    pub decision: Option<Verdict>,
    /// Recorded at or after.
    pub recorded_from: Option<Timestamp>,
    /// Recorded at or before.
    pub recorded_to: Option<Timestamp>,
    /// That looked at this version; the active one when absent.
    pub version: Option<u32>,
}
