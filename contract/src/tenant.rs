//! Tenants, as managed by the operator.

use crate::{id::TenantId, read::name, time::Timestamp};

/// The maximum number of ancestors of a tenant (contract, section 4).
pub const ANCESTORS_MAX: u32 = 8;

/// A tenant.
#[wire(Eq)]
pub struct Tenant {
    /// The ID of the tenant.
    pub tenant_id: TenantId,
    /// The name of the tenant.
    pub name: String,
    /// The ID of the parent tenant, whose inheritable policies also apply to this tenant.
    pub parent_tenant_id: Option<TenantId>,
    /// The time at which the tenant was created.
    pub created_at: Timestamp,
}

/// The body of `POST /v1/admin/tenants`.
#[body(Eq)]
pub struct TenantDraft {
    /// The name, 1 to 200 characters.
    #[json(with = name)]
    pub name: String,
    /// The ID of the parent tenant, whose inheritable policies also apply to the new tenant. It can have at
    /// most seven ancestors.
    pub parent_tenant_id: Option<TenantId>,
}
