//! Policy groups: named sets of policies that requests can select.

use serde::{Deserialize, Serialize};

use crate::{
    id::{PolicyGroupId, TenantId},
    json::Value,
    read::{FieldErrors, FieldPatch, FromJson, JsonPath, ObjectReader, code, long_text, name},
    time::Timestamp,
};

/// A policy group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub description: Option<String>,
    /// The time at which the group was created.
    pub created_at: Timestamp,
    /// The time of the last change.
    pub updated_at: Timestamp,
}

/// The body of `POST /v1/policy-groups`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GroupDraft {
    /// The code: 1 to 100 characters that match `[A-Za-z0-9][A-Za-z0-9._-]*`.
    pub code: String,
    /// The name, 1 to 200 characters.
    pub name: String,
    /// The description of the group.
    pub description: Option<String>,
}

impl FromJson for GroupDraft {
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let mut members = ObjectReader::new(value, at, errors)?;
        let code = members.required("code", code);
        let name = members.required("name", name);
        let description = members.optional("description", long_text);
        members.finish()?;
        Some(Self { code: code?, name: name?, description })
    }
}

/// The body of `PATCH /v1/policy-groups/:id`. Absent members are unchanged.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GroupPatch {
    /// The new code. Requests that select the group must then use it.
    pub code: Option<String>,
    /// The name, 1 to 200 characters.
    pub name: Option<String>,
    /// The description; `null` clears it.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub description: FieldPatch<String>,
}

impl FromJson for GroupPatch {
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let mut members = ObjectReader::with_nulls(value, at, errors)?;
        let code = members.optional("code", code);
        let name = members.optional("name", name);
        let description = members.nullable("description", long_text);
        members.finish()?;
        Some(Self { code, name, description: description? })
    }
}
