//! Policy groups: named sets of policies that requests can select.

use crate::{
    id::{PolicyGroupId, TenantId},
    read::{FieldPatch, code, long_text, name},
    time::Timestamp,
};

/// A policy group.
#[wire(Eq)]
pub struct PolicyGroup {
    /// The ID of the group.
    pub id: PolicyGroupId,
    /// The tenant of the group.
    pub tenant_id: TenantId,
    /// The code, unique among the groups of the tenant without regard to case.
    pub code: String,
    /// The name of the group.
    pub name: String,
    /// The description of the group.
    pub description: Option<String>,
    /// The time at which the group was created.
    pub created_at: Timestamp,
    /// The time of the last change.
    pub updated_at: Timestamp,
}

/// The body of `POST /v1/policy-groups`.
#[body]
pub struct GroupDraft {
    /// The code: 1 to 100 characters that match `[A-Za-z0-9][A-Za-z0-9._-]*`.
    #[json(with = code)]
    pub code: String,
    /// The name, 1 to 200 characters.
    #[json(with = name)]
    pub name: String,
    /// The description of the group.
    #[json(with = long_text)]
    pub description: Option<String>,
}

/// The body of `PATCH /v1/policy-groups/:id`. Absent members are unchanged.
#[body]
#[json(nulls)]
pub struct GroupPatch {
    /// The new code. Requests that select the group must then use it.
    #[json(with = code)]
    pub code: Option<String>,
    /// The name, 1 to 200 characters.
    #[json(with = name)]
    pub name: Option<String>,
    /// The description; `null` clears it.
    #[json(with = long_text)]
    pub description: FieldPatch<String>,
}
