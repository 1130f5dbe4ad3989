//! Filters that people keep.

use sea_orm::entity::prelude::*;

/// A filter of the log, under a name of its person's own.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "saved_filters")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// Whose it is.
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    /// The filter.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// What its person calls it.
    pub name: String,
    /// The filters, as they stand in the address of the log.
    pub query: String,
    /// When it was kept.
    pub created_at: DateTimeUtc,
}

table!(TenantOwned);
