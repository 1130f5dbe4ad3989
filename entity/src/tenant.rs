//! Tenants, and the traits of tables whose rows belong to a tenant.

use sea_orm::entity::prelude::*;

table! {
    "tenants" [tenant_id: Uuid] TenantOwned {
        pub name: String,
        /// The parent tenant, whose inheritable policies also apply to this tenant.
        pub parent_tenant_id: Option<Uuid>,
        pub created_at: DateTimeUtc,
        /// The position in the list of tenants, allocated by the database.
        pub sequence: i64,
    }
}

/// A table whose rows each belong to a tenant and are accessible only through it.
pub trait TenantOwned: EntityTrait {
    /// The column with the tenant ID.
    const TENANT_ID: Self::Column;
}

/// A tenant-owned table whose rows have an ID.
pub trait HasId: TenantOwned {
    /// The ID column; unique in the tenant.
    const ID: Self::Column;
}

/// A tenant-owned table that is listed in order of creation.
pub trait HasSequence: TenantOwned {
    /// The column of that order; unique in the tenant.
    const SEQUENCE: Self::Column;

    /// Returns the sequence number of a row.
    fn sequence(row: &Self::Model) -> i64;
}

impl From<Model> for contract::tenant::Tenant {
    fn from(row: Model) -> Self {
        Self {
            tenant_id: row.tenant_id.into(),
            name: row.name,
            parent_tenant_id: row.parent_tenant_id.map(Into::into),
            created_at: crate::column::from_column(row.created_at),
        }
    }
}
