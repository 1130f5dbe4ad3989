//! What is answered and kept.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Actor;
use crate::{
    chain::Chained,
    error::Problem,
    evaluation::{EvaluationResult, Verdict},
    id::{DecisionId, PolicyGroupId, PolicyId, SnapshotId, TenantId},
    json::Value,
    outcome::DecisionOutcome,
    time::Timestamp,
};

/// The answer to an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Evaluated {
    /// Verdict and violations.
    pub result: EvaluationResult,
    /// The policies that were looked at: the same for all decisions on one snapshot.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<EvaluatedPolicy>))]
    pub evaluated_policies: Arc<Vec<EvaluatedPolicy>>,
}

/// The answer to a batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BatchEvaluated {
    /// One for each context, in the same order.
    pub items: Vec<BatchItem>,
}

/// What became of one context of a batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum BatchItem {
    /// Verdict and violations.
    Result(Box<EvaluationResult>),
    /// Why it could not be decided.
    Error(Problem),
}

/// A policy as an evaluation saw it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EvaluatedPolicy {
    /// The policy.
    pub policy_id: PolicyId,
    /// Its code.
    pub policy_code: String,
    /// Its name.
    pub policy_name: String,
    /// The version that decided.
    pub version: u32,
    /// Whether it only watched.
    pub shadow_mode: bool,
    /// Its group.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub policy_group_id: Option<PolicyGroupId>,
    /// The group's code.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub policy_group_code: Option<String>,
    /// Its active rules.
    pub rules: Vec<EvaluatedRule>,
    /// The laws and standards that it serves.
    pub regulatory_refs: Vec<String>,
}

/// A rule as an evaluation saw it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EvaluatedRule {
    /// The rule's code.
    pub code: String,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// Its gate.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub when: Option<Value>,
}

/// Whose policy gave the verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GovernanceSource {
    /// The tenant.
    pub tenant_id: TenantId,
    /// Its name.
    pub tenant_name: String,
    /// 0 for the own tenant, 1 for its parent, and so on.
    pub level: u32,
}

/// The policy that gave the verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DecidingPolicy {
    /// The policy.
    pub id: PolicyId,
    /// Its code.
    pub code: String,
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: u32,
}

/// A recorded decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DecisionRecord {
    /// The id.
    pub id: DecisionId,
    /// Its tenant.
    pub tenant_id: TenantId,
    /// The caller's name for the request.
    pub idempotency_key: String,
    /// What kind of decision it is.
    pub decision_type: String,
    /// The verdict.
    pub decision: Verdict,
    /// The context, with the correlation id when the caller gave none.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub context: Value,
    /// Verdict and violations in full.
    pub result: EvaluationResult,
    /// The snapshot of the policies.
    pub policy_snapshot_id: SnapshotId,
    /// The correlation id.
    pub correlation_id: String,
    /// Its chain, and its link there; absent outside of chains.
    #[serde(flatten, skip_serializing_if = "Option::is_none", default)]
    pub chain: Option<Chained>,
    /// When it was recorded.
    pub recorded_at: Timestamp,
    /// The same instant.
    pub created_at: Timestamp,
    /// Whose policy gave the verdict.
    pub governance_source: GovernanceSource,
    /// The deciding policy's group.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub policy_group_id: Option<PolicyGroupId>,
    /// The group's code.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub policy_group_code: Option<String>,
    /// The policy that gave the verdict.
    pub policy: DecidingPolicy,
    /// The policies that were looked at: the same for all decisions on one snapshot.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<EvaluatedPolicy>))]
    pub evaluated_policies: Arc<Vec<EvaluatedPolicy>>,
    /// Who acted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub actor: Option<Actor>,
    /// The key that recorded it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub api_key_id: Option<String>,
    /// That key's name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub api_key_name: Option<String>,
    /// What happened after the verdict; only where one decision is read, and once it is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub outcome: Option<DecisionOutcome>,
}

/// The answer to a record call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Recorded {
    /// The decision.
    pub decision: DecisionRecord,
    /// Whether this very call recorded it.
    pub is_new: bool,
}
