//! Requests that evaluate or record decisions.

use super::DecisionContext;
#[cfg(feature = "openapi")]
use super::context::ContextMembers;
use crate::{
    chain::ChainRequest,
    id::PolicyId,
    json::{Object, Value},
    policy::LIST_MAX,
    read::{FieldErrors, FromJson, JsonPath, ObjectReader, code, list, text},
};

/// The actor of a decision: a person or a program.
#[wire(Default, Eq, FromJson)]
pub struct Actor {
    /// The ID of the actor. The integrity hash binds it.
    #[json(with = text(1, 255))]
    pub id: Option<String>,
    /// The kind of actor, such as `human`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none", default)]
    #[json(with = text(1, 100))]
    pub kind: Option<String>,
    /// The role of the actor.
    #[json(with = text(1, 200))]
    pub role: Option<String>,
    /// The authority under which the actor acts.
    #[json(with = text(1, 200))]
    pub authority: Option<String>,
    /// The display name of the actor.
    #[json(with = text(1, 200))]
    pub display_name: Option<String>,
    /// The ID that a respondent of a public form declares. It is not verified and is not an identity.
    /// Requests cannot contain it.
    #[json(skip)]
    pub declared_id: Option<String>,
}

/// The action that the caller takes if the verdict permits it.
#[wire(FromJson)]
pub struct Action {
    /// The kind of action, such as `payment`.
    #[serde(rename = "type")]
    #[json(with = text(1, 100))]
    pub kind: String,
    /// The caller's ID of the action.
    #[json(with = text(1, 255))]
    pub reference_id: Option<String>,
    /// Any further facts about the action.
    #[json(with = metadata)]
    pub metadata: Option<Value>,
}

fn metadata(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Value> {
    Object::from_json(value, at, errors).map(Value::Object)
}

/// The body of `POST /v1/decisions/evaluate`.
#[body]
pub struct EvaluateRequest {
    /// The input of the decision.
    #[cfg_attr(feature = "openapi", schema(value_type = ContextMembers))]
    pub context: DecisionContext,
    /// The actor of the decision.
    pub actor: Option<Actor>,
    /// The code of a policy group. Limits the tenant's own policies to those of the group. Inherited policies
    /// always apply.
    #[json(with = code)]
    pub policy_group_code: Option<String>,
    /// Limits the tenant's own policies to these. Inherited policies always apply.
    #[json(with = list(LIST_MAX, PolicyId::from_json))]
    pub policy_ids: Option<Vec<PolicyId>>,
    /// Whether the response contains the status of every rule; absent means false.
    pub explain: Option<bool>,
}

/// The maximum number of contexts of a batch.
pub const BATCH_MAX: usize = 100;

/// The body of `POST /v1/decisions/evaluate-batch`.
#[body]
pub struct BatchRequest {
    /// At most 100 contexts. All are evaluated with the same policies.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<ContextMembers>))]
    #[json(with = list(BATCH_MAX, DecisionContext::from_json))]
    pub contexts: Vec<DecisionContext>,
}

/// The body of `POST /v1/decisions/record`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecordRequest {
    /// The input of the decision.
    #[cfg_attr(feature = "openapi", schema(value_type = ContextMembers))]
    pub context: DecisionContext,
    /// The idempotency key: 1 to 255 characters, unique in the tenant.
    pub idempotency_key: String,
    /// The actor of the decision.
    pub actor: Option<Actor>,
    /// The position of the decision in a chain. Its members can also be at the top level of the
    /// request.
    pub chain: Option<ChainRequest>,
    /// The action that the caller takes if the verdict permits it.
    pub action: Option<Action>,
    /// The code of a policy group. Limits the tenant's own policies to those of the group. Inherited policies
    /// always apply.
    pub policy_group_code: Option<String>,
    /// Limits the tenant's own policies to these. Inherited policies always apply.
    pub policy_ids: Option<Vec<PolicyId>>,
}

impl FromJson for RecordRequest {
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let mut members = ObjectReader::new(value, at, errors)?;
        let context = members.required("context", DecisionContext::from_json);
        let idempotency_key = members.required("idempotency_key", text(1, 255));
        let actor = members.optional("actor", Actor::from_json);
        let chain = members.optional("chain", ChainRequest::from_json);
        let flat = ChainRequest::read_flat(&mut members);
        let action = members.optional("action", Action::from_json);
        let policy_group_code = members.optional("policy_group_code", code);
        let policy_ids = members.optional("policy_ids", list(LIST_MAX, PolicyId::from_json));
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
