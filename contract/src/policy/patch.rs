//! Changes to a policy that do not need a new version.

use super::{LIST_MAX, regulatory_ref};
use crate::{
    id::PolicyGroupId,
    json::Value,
    read::{
        FieldErrors, FieldPatch, FromJson, JsonPath, ObjectReader, boolean, id, list, long_text,
        name, text,
    },
};

/// The body of `PATCH /v1/policies/:id`. Absent members are unchanged.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PolicyPatch {
    /// The name, 1 to 200 characters.
    pub name: Option<String>,
    /// The description; `null` clears it.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub description: FieldPatch<String>,
    /// The decision types that the policy governs; empty means all types.
    pub decision_types: Option<Vec<String>>,
    /// The ID of the group; `null` removes the policy from its group.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<PolicyGroupId>))]
    pub policy_group_id: FieldPatch<PolicyGroupId>,
    /// Whether the policy is in shadow mode, in which it contributes at most `ALERT`.
    pub shadow_mode: Option<bool>,
    /// Whether the policy also applies to descendant tenants.
    pub inheritable: Option<bool>,
    /// The laws and standards that the policy implements.
    pub regulatory_refs: Option<Vec<String>>,
}

impl FromJson for PolicyPatch {
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let mut members = ObjectReader::with_nulls(value, at, errors)?;
        let name = members.optional("name", name);
        let description = members.nullable("description", long_text);
        let decision_types = members.optional("decision_types", list(LIST_MAX, text(1, 100)));
        let policy_group_id = members.nullable("policy_group_id", id);
        let shadow_mode = members.optional("shadow_mode", boolean);
        let inheritable = members.optional("inheritable", boolean);
        let regulatory_refs = members.optional("regulatory_refs", list(LIST_MAX, regulatory_ref));
        members.finish()?;
        Some(Self {
            name,
            description: description?,
            decision_types,
            policy_group_id: policy_group_id?,
            shadow_mode,
            inheritable,
            regulatory_refs,
        })
    }
}
