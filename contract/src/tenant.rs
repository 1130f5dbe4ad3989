//! Tenants, as whoever operates the service sees them.

use serde::{Deserialize, Serialize};

use crate::{
    id::TenantId,
    json::Value,
    read::{At, Errors, Members, Read, id, name},
    time::Timestamp,
};

/// How many ancestors a tenant has at the most (contract, section 4).
pub const ANCESTORS_MAX: u32 = 8;

/// A tenant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Tenant {
    /// The id.
    pub tenant_id: TenantId,
    /// What people call it.
    pub name: String,
    /// The tenant whose inheritable policies govern this one too.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub parent_tenant_id: Option<TenantId>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// The body of `POST /v1/admin/tenants`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TenantDraft {
    /// 1 to 200 characters.
    pub name: String,
    /// The tenant whose inheritable policies shall govern the new one too; it has at most seven
    /// ancestors itself.
    pub parent_tenant_id: Option<TenantId>,
}

impl Read for TenantDraft {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let name = members.required("name", name);
        let parent_tenant_id = members.optional("parent_tenant_id", id);
        members.finish()?;
        Some(Self { name: name?, parent_tenant_id })
    }
}
