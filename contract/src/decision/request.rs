//! What is asked: to evaluate, to evaluate many, to record.

use serde::{Deserialize, Serialize};

use super::DecisionContext;
#[cfg(feature = "openapi")]
use super::shape;
use crate::{
    chain::ChainPlace,
    id::PolicyId,
    json::Value,
    policy::LIST_MAX,
    read::{At, Errors, Members, Read, boolean, code, id, list, object, text},
};

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
    /// The id that a respondent of a public form declares. It is not verified and is not an identity.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub declared_id: Option<String>,
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
            declared_id: members.optional("declared_id", text(1, 255)),
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
    /// Of the tenant's own policies only those of this group. Inherited policies always apply.
    pub policy_group_code: Option<String>,
    /// Of the tenant's own policies only these. Inherited policies always apply.
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
    /// The chain that the decision continues, or begins. Its members may also be given beside
    /// `context` instead.
    pub chain: Option<ChainPlace>,
    /// What the caller means to do.
    pub action: Option<Action>,
    /// Of the tenant's own policies only those of this group. Inherited policies always apply.
    pub policy_group_code: Option<String>,
    /// Of the tenant's own policies only these. Inherited policies always apply.
    pub policy_ids: Option<Vec<PolicyId>>,
}

impl Read for RecordRequest {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let context = members.required("context", DecisionContext::read);
        let idempotency_key = members.required("idempotency_key", text(1, 255));
        let actor = members.optional("actor", Actor::read);
        let chain = members.optional("chain", ChainPlace::read);
        let flat = ChainPlace::read_flat(&mut members);
        let action = members.optional("action", Action::read);
        let policy_group_code = members.optional("policy_group_code", code);
        let policy_ids = members.optional("policy_ids", list(LIST_MAX, id));
        members.finish()?;
        Some(Self {
            context: context?,
            idempotency_key: idempotency_key?,
            actor,
            chain: chain.or(flat),
            action,
            policy_group_code,
            policy_ids,
        })
    }
}
