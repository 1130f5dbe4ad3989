//! Policy groups: policies kept together, for people and for requests that narrow to them.

use serde::{Deserialize, Serialize};

use crate::{
    id::{PolicyGroupId, TenantId},
    json::Value,
    read::{At, Change, Errors, Members, Read, code, name, prose},
    time::Timestamp,
};

/// A policy group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PolicyGroup {
    /// The id.
    pub id: PolicyGroupId,
    /// Its tenant.
    pub tenant_id: TenantId,
    /// Unique among the tenant's groups, whatever the case of its letters.
    pub code: String,
    /// What people call it.
    pub name: String,
    /// Longer words about it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub description: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// The body of `POST /v1/policy-groups`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GroupDraft {
    /// 1 to 100 of `[A-Za-z0-9][A-Za-z0-9._-]*`.
    pub code: String,
    /// 1 to 200 characters.
    pub name: String,
    /// Longer words about it.
    pub description: Option<String>,
}

impl Read for GroupDraft {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let code = members.required("code", code);
        let name = members.required("name", name);
        let description = members.optional("description", prose);
        members.finish()?;
        Some(Self { code: code?, name: name?, description })
    }
}

/// The body of `PATCH /v1/policy-groups/:id`. Absent members stay as they are.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GroupPatch {
    /// The new code; requests that narrow to the group must name it from now on.
    pub code: Option<String>,
    /// 1 to 200 characters.
    pub name: Option<String>,
    /// Longer words about it; `null` takes them away.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub description: Change<String>,
}

impl Read for GroupPatch {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::exact(value, at, errors)?;
        let code = members.optional("code", code);
        let name = members.optional("name", name);
        let description = members.clearable("description", prose);
        members.finish()?;
        Some(Self { code, name, description: description? })
    }
}
