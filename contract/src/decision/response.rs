//! Responses to decision requests, and recorded decisions.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Actor;
use crate::{
    chain::ChainLinkInfo,
    error::Problem,
    evaluation::{EvaluationResult, Verdict},
    id::{DecisionId, PolicyGroupId, PolicyId, SnapshotId, TenantId},
    json::Value,
    outcome::DecisionOutcome,
    time::Timestamp,
};

/// The response to an evaluation.
#[wire]
pub struct EvaluateResponse {
    /// The verdict and the violations.
    pub result: EvaluationResult,
    /// The evaluated policies. Decisions with the same snapshot have the same list.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<EvaluatedPolicy>))]
    pub evaluated_policies: Arc<Vec<EvaluatedPolicy>>,
}

/// The response to a batch evaluation.
#[wire]
pub struct EvaluateBatchResponse {
    /// One item per context, in the same order.
    pub items: Vec<BatchItem>,
}

/// The result of one context of a batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum BatchItem {
    /// The verdict and the violations.
    Result(Box<EvaluationResult>),
    /// The reason why the context could not be evaluated.
    Error(Problem),
}

/// A policy as it was evaluated.
#[wire]
pub struct EvaluatedPolicy {
    /// The ID of the policy.
    pub policy_id: PolicyId,
    /// The code of the policy.
    pub policy_code: String,
    /// The name of the policy.
    pub policy_name: String,
    /// The version that was active.
    pub version: u32,
    /// Whether the policy was in shadow mode.
    pub shadow_mode: bool,
    /// The group of the policy.
    pub policy_group_id: Option<PolicyGroupId>,
    /// The code of the group.
    pub policy_group_code: Option<String>,
    /// The active rules of the version.
    pub rules: Vec<EvaluatedRule>,
    /// The laws and standards that the policy implements.
    pub regulatory_refs: Vec<String>,
}

/// A rule as it was evaluated.
#[wire]
pub struct EvaluatedRule {
    /// The code of the rule.
    pub code: String,
    /// The name of the rule.
    pub name: Option<String>,
    /// The gate of the rule.
    pub when: Option<Value>,
}

/// The tenant whose policy determined the verdict.
#[wire(Eq)]
pub struct GovernanceSource {
    /// The ID of the tenant.
    pub tenant_id: TenantId,
    /// The name of the tenant.
    pub tenant_name: String,
    /// The distance in the tenant hierarchy: 0 for the tenant itself, 1 for its parent, and so on.
    pub level: u32,
}

/// The policy that determined the verdict.
#[wire(Eq)]
pub struct DecidingPolicy {
    /// The ID of the policy.
    pub id: PolicyId,
    /// The code of the policy.
    pub code: String,
    /// The name of the policy.
    pub name: String,
    /// The version number.
    pub version: u32,
}

/// A recorded decision.
#[wire]
pub struct DecisionRecord {
    /// The ID of the decision.
    pub id: DecisionId,
    /// The tenant of the decision.
    pub tenant_id: TenantId,
    /// The idempotency key of the request.
    pub idempotency_key: String,
    /// The decision type.
    pub decision_type: String,
    /// The verdict of the decision.
    pub decision: Verdict,
    /// The context. It contains a generated correlation ID if the caller set none.
    pub context: Value,
    /// The full result: verdict and violations.
    pub result: EvaluationResult,
    /// The policy snapshot.
    pub policy_snapshot_id: SnapshotId,
    /// The correlation ID of the request.
    pub correlation_id: String,
    /// The chain and the link of the decision; absent if it is not in a chain.
    #[serde(flatten, skip_serializing_if = "Option::is_none", default)]
    pub chain: Option<ChainLinkInfo>,
    /// The time at which the decision was recorded.
    pub recorded_at: Timestamp,
    /// The same time as `recorded_at`.
    pub created_at: Timestamp,
    /// The tenant whose policy determined the verdict.
    pub governance_source: GovernanceSource,
    /// The group of the policy that determined the verdict.
    pub policy_group_id: Option<PolicyGroupId>,
    /// The code of that group.
    pub policy_group_code: Option<String>,
    /// The policy that determined the verdict.
    pub policy: DecidingPolicy,
    /// The evaluated policies. Decisions with the same snapshot have the same list.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<EvaluatedPolicy>))]
    pub evaluated_policies: Arc<Vec<EvaluatedPolicy>>,
    /// The actor of the decision.
    pub actor: Option<Actor>,
    /// The ID of the API key that recorded the decision.
    pub api_key_id: Option<String>,
    /// The name of that API key.
    pub api_key_name: Option<String>,
    /// The outcome of the decision. Present only when a single decision is read and its outcome was recorded.
    pub outcome: Option<DecisionOutcome>,
}

/// The response to a record request.
#[wire]
pub struct RecordResponse {
    /// The recorded decision.
    pub decision: DecisionRecord,
    /// Whether this request recorded the decision. False if an earlier request with the same idempotency key
    /// did.
    pub is_new: bool,
}
