//! Tenants, and what it means for a row to belong to one.

use sea_orm::entity::prelude::*;

/// A tenant.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tenants")]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// What people call it.
    pub name: String,
    /// The tenant whose inheritable policies govern this one too.
    pub parent_tenant_id: Option<Uuid>,
    /// When it was made.
    pub created_at: DateTimeUtc,
    /// Its place in the list of tenants; the database gives it out.
    pub sequence: i64,
}

table!(TenantOwned);

/// A table whose rows belong to a tenant each: only reached through a tenant.
pub trait TenantOwned: EntityTrait {
    /// The column that says whose a row is.
    const TENANT_ID: Self::Column;
}

/// A table of tenants whose rows are named by an id.
pub trait Identified: TenantOwned {
    /// The column of that id; unique in the tenant.
    const ID: Self::Column;
}

/// A table of tenants that is listed in the order in which its rows were made.
pub trait Sequenced: TenantOwned {
    /// The column of that order; unique in the tenant.
    const SEQUENCE: Self::Column;

    /// The place of a row.
    fn sequence(row: &Self::Model) -> i64;
}

impl From<Model> for contract::tenant::Tenant {
    fn from(row: Model) -> Self {
        Self {
            tenant_id: row.tenant_id.into(),
            name: row.name,
            parent_tenant_id: row.parent_tenant_id.map(Into::into),
            created_at: crate::column::instant(row.created_at),
        }
    }
}
