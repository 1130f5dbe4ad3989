//! What may change about a policy without a new version.

use super::{LIST_MAX, name_of_law};
use crate::{
    id::PolicyGroupId,
    json::Value,
    read::{At, Change, Errors, Members, Read, boolean, id, list, name, prose, text},
};

/// The body of `PATCH /v1/policies/:id`. Absent members stay as they are.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PolicyPatch {
    /// 1 to 200 characters.
    pub name: Option<String>,
    /// Longer words about it; `null` takes them away.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub description: Change<String>,
    /// The decision types that it governs; empty means every type.
    pub decision_types: Option<Vec<String>>,
    /// Its group; `null` takes it out of its group.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<PolicyGroupId>))]
    pub policy_group_id: Change<PolicyGroupId>,
    /// In shadow mode it contributes at most `ALERT`.
    pub shadow_mode: Option<bool>,
    /// Whether it also governs child tenants.
    pub inheritable: Option<bool>,
    /// The laws and standards that it serves.
    pub regulatory_refs: Option<Vec<String>>,
}

impl Read for PolicyPatch {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::exact(value, at, errors)?;
        let name = members.optional("name", name);
        let description = members.clearable("description", prose);
        let decision_types = members.optional("decision_types", list(LIST_MAX, text(1, 100)));
        let policy_group_id = members.clearable("policy_group_id", id);
        let shadow_mode = members.optional("shadow_mode", boolean);
        let inheritable = members.optional("inheritable", boolean);
        let regulatory_refs = members.optional("regulatory_refs", list(LIST_MAX, name_of_law));
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
