//! Decisions: what is asked, and what is recorded.

#[cfg(feature = "openapi")]
mod shape;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{
    chain::{ChainPlace, Chained},
    error::Problem,
    evaluation::{EvaluationResult, Verdict},
    id::{ChainId, DecisionId, PolicyGroupId, PolicyId, SnapshotId, TenantId},
    json::{Object, Value},
    outcome::DecisionOutcome,
    policy::LIST_MAX,
    read::{At, Errors, Members, Read, boolean, code, id, instant, list, object, text},
    time::Timestamp,
};

/// How many evidence items one context holds.
pub const EVIDENCE_MAX: usize = 1_000;

/// A decision context, checked, and kept as the tree that was received: what is evaluated is what
/// is hashed and stored.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionContext {
    value: Value,
    timestamp: Option<Timestamp>,
}

impl DecisionContext {
    /// A context that was checked when it was recorded, as it is kept: without facts of the
    /// transport, and with digests in place of the evidence's data.
    pub fn kept(value: Value) -> Self {
        let timestamp = timestamp(&value);
        Self { value, timestamp }
    }

    /// The context as received.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// What kind of decision this is.
    pub fn decision_type(&self) -> &str {
        self.value.get("decision_type").and_then(Value::as_str).unwrap_or_default()
    }

    /// The fields that rules read.
    pub fn fields(&self) -> Option<&Object> {
        self.value.get("fields").and_then(Value::as_object)
    }

    /// The evidence items.
    pub fn evidence(&self) -> &[Value] {
        self.value.get("evidence").and_then(Value::as_array).unwrap_or_default()
    }

    /// A text of the metadata.
    pub fn metadata(&self, name: &str) -> Option<&str> {
        self.value.get("metadata")?.get(name)?.as_str()
    }

    /// The caller's own evaluation instant.
    pub fn timestamp(&self) -> Option<Timestamp> {
        self.timestamp
    }

    /// The same context with `metadata.correlation_id` set, if the caller gave none.
    #[must_use]
    pub fn correlated(mut self, correlation_id: &str) -> Self {
        if self.metadata("correlation_id").is_none()
            && let Value::Object(members) = &mut self.value
        {
            let mut metadata = members.remove("metadata").unwrap_or(Value::Object(Object::new()));
            if let Value::Object(metadata) = &mut metadata {
                metadata.insert("correlation_id", Value::from(correlation_id));
            }
            members.insert("metadata", metadata);
        }
        self
    }
}

impl Read for DecisionContext {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        members.required("decision_type", text(1, 100));
        members.required("fields", fields);
        members.optional("evidence", list(EVIDENCE_MAX, evidence));
        members.optional("metadata", metadata);
        members.optional("source_artifact", source_artifact);
        members.finish()?;
        Some(Self { value: value.clone(), timestamp: timestamp(value) })
    }
}

/// The caller's own evaluation instant, when the context names one.
fn timestamp(context: &Value) -> Option<Timestamp> {
    context.get("metadata")?.get("timestamp")?.as_str()?.parse().ok()
}

/// The most bytes of one text among the fields. An answer repeats a text for every rule that it
/// fails, so texts without a bound would make answers without one.
const FIELD_TEXT_BYTES_MAX: usize = 65_536;

fn fields(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<()> {
    if value.as_object().is_none() {
        errors.push(at, "type", "must be an object");
        return None;
    }
    bounded(value, at, errors);
    Some(())
}

/// Refuses every text beyond the bound. The reader has limited how deep a value goes.
fn bounded(value: &Value, at: &At<'_>, errors: &mut Errors) {
    match value {
        Value::String(text) if text.len() > FIELD_TEXT_BYTES_MAX => {
            errors.push(at, "too_long", "must have at most 65536 bytes");
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                bounded(element, &at.index(index), errors);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                bounded(member, &at.name(name), errors);
            }
        }
        _ => {}
    }
}

fn evidence(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<()> {
    let mut members = Members::of(value, at, errors)?;
    for name in ["kind", "ref", "hash"] {
        members.optional(name, text(0, 2_000));
    }
    members.raw("data");
    members.finish()
}

/// Checks the members that have a meaning here; others are kept as they are.
fn metadata(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<()> {
    let mut members = Members::of(value, at, errors)?;
    for name in ["actor_id", "correlation_id"] {
        members.optional(name, text(1, 255));
    }
    for name in ["ip_address", "user_agent"] {
        members.optional(name, text(0, 2_000));
    }
    members.optional("timestamp", instant);
    Some(())
}

fn source_artifact(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<()> {
    let mut members = Members::of(value, at, errors)?;
    for name in ["type", "hash", "hash_algorithm", "reference_id", "filename"] {
        members.optional(name, text(0, 2_000));
    }
    if let Some(size) = members.raw("byte_size")
        && !size.as_f64().is_some_and(|size| size >= 1.0 && size.fract() == 0.0)
    {
        members.refuse("byte_size", "range", "must be a whole number of at least 1");
    }
    members.finish()
}

/// Who acts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Actor {
    /// Bound into the integrity hash.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub id: Option<String>,
    /// Such as `human`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none", default)]
    pub kind: Option<String>,
    /// The role in which the actor acts.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub role: Option<String>,
    /// On whose authority.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub authority: Option<String>,
    /// The name to show.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub display_name: Option<String>,
}

impl Read for Actor {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let actor = Self {
            id: members.optional("id", text(1, 255)),
            kind: members.optional("type", text(1, 100)),
            role: members.optional("role", text(1, 200)),
            authority: members.optional("authority", text(1, 200)),
            display_name: members.optional("display_name", text(1, 200)),
        };
        members.finish()?;
        Some(actor)
    }
}

/// What the caller means to do with the verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Action {
    /// Such as `payment`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The caller's own id of it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reference_id: Option<String>,
    /// Free.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub metadata: Option<Value>,
}

impl Read for Action {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let kind = members.required("type", text(1, 100));
        let reference_id = members.optional("reference_id", text(1, 255));
        let metadata = members.optional("metadata", object).map(Value::Object);
        members.finish()?;
        Some(Self { kind: kind?, reference_id, metadata })
    }
}

/// The body of `POST /v1/decisions/evaluate`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EvaluateRequest {
    /// The context.
    #[cfg_attr(feature = "openapi", schema(value_type = shape::DecisionContext))]
    pub context: DecisionContext,
    /// Who acts.
    pub actor: Option<Actor>,
    /// Only policies of this group.
    pub policy_group_code: Option<String>,
    /// Only these policies.
    pub policy_ids: Option<Vec<PolicyId>>,
    /// Whether to tell how every rule fared; absent means false.
    pub explain: Option<bool>,
}

impl Read for EvaluateRequest {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let context = members.required("context", DecisionContext::read);
        let actor = members.optional("actor", Actor::read);
        let policy_group_code = members.optional("policy_group_code", code);
        let policy_ids = members.optional("policy_ids", list(LIST_MAX, id));
        let explain = members.optional("explain", boolean);
        members.finish()?;
        Some(Self { context: context?, actor, policy_group_code, policy_ids, explain })
    }
}

/// How many contexts one batch holds.
pub const BATCH_MAX: usize = 100;

/// The body of `POST /v1/decisions/evaluate-batch`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BatchRequest {
    /// At most 100 contexts, decided on the same policies.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<shape::DecisionContext>))]
    pub contexts: Vec<DecisionContext>,
}

impl Read for BatchRequest {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let contexts = members.required("contexts", list(BATCH_MAX, DecisionContext::read));
        members.finish()?;
        Some(Self { contexts: contexts? })
    }
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

/// The body of `POST /v1/decisions/record`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecordRequest {
    /// The context.
    #[cfg_attr(feature = "openapi", schema(value_type = shape::DecisionContext))]
    pub context: DecisionContext,
    /// The caller's name for this request: 1 to 255 characters, unique in the tenant.
    pub idempotency_key: String,
    /// Who acts.
    pub actor: Option<Actor>,
    /// The chain that the decision continues, or begins.
    pub chain: Option<ChainPlace>,
    /// What the caller means to do.
    pub action: Option<Action>,
    /// Only policies of this group.
    pub policy_group_code: Option<String>,
    /// Only these policies.
    pub policy_ids: Option<Vec<PolicyId>>,
}

impl Read for RecordRequest {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let context = members.required("context", DecisionContext::read);
        let idempotency_key = members.required("idempotency_key", text(1, 255));
        let actor = members.optional("actor", Actor::read);
        let chain = members.optional("chain", ChainPlace::read);
        let action = members.optional("action", Action::read);
        let policy_group_code = members.optional("policy_group_code", code);
        let policy_ids = members.optional("policy_ids", list(LIST_MAX, id));
        members.finish()?;
        Some(Self {
            context: context?,
            idempotency_key: idempotency_key?,
            actor,
            chain,
            action,
            policy_group_code,
            policy_ids,
        })
    }
}

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
