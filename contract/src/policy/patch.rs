//! Changes to a policy that do not need a new version.

use super::LIST_MAX;
use crate::{
    id::PolicyGroupId,
    read::{FieldPatch, list, long_text, name, text},
};

/// The body of `PATCH /v1/policies/:id`. Absent members are unchanged.
#[body]
#[json(nulls)]
pub struct PolicyPatch {
    /// The name, 1 to 200 characters.
    #[json(with = name)]
    pub name: Option<String>,
    /// The description; `null` clears it.
    #[json(with = long_text)]
    pub description: FieldPatch<String>,
    /// The decision types that the policy governs; empty means all types.
    #[json(with = list(LIST_MAX, text(1, 100)))]
    pub decision_types: Option<Vec<String>>,
    /// The ID of the group; `null` removes the policy from its group.
    pub policy_group_id: FieldPatch<PolicyGroupId>,
    /// Whether the policy is in shadow mode, in which it contributes at most `ALERT`.
    pub shadow_mode: Option<bool>,
    /// Whether the policy also applies to descendant tenants.
    pub inheritable: Option<bool>,
    /// The laws and standards that the policy implements.
    #[json(with = list(LIST_MAX, name))]
    pub regulatory_refs: Option<Vec<String>>,
}
