//! How far the hourly counts of a tenant reach.

use sea_orm::entity::prelude::*;

/// The mark of a tenant.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rollup_marks")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The sequence number up to which decisions are counted.
    pub sequence: i64,
}

table!(TenantOwned);
