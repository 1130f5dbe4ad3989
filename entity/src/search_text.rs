//! The folded texts that searches find: of policies, forms and rules of active versions. Written by database triggers, and read
//! by functions of the database that use its index.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "search_texts")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// `policy`, `form` or `rule`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: String,
    /// The policy of rules.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The order of results.
    pub name: String,
    pub parts: String,
}

table!(TenantOwned);
