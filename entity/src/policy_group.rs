//! Policy groups.

use contract::group::PolicyGroup;
use sea_orm::entity::prelude::*;

use crate::column::instant;

/// A policy group.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "policy_groups")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Its place in the tenant's sequence: the number of its audit event.
    pub sequence: i64,
    /// Unique among the tenant's groups, whatever the case of its letters.
    pub code: String,
    /// `code` in lower case: what is unique.
    pub code_key: String,
    /// What people call it.
    pub name: String,
    /// Longer words about it.
    pub description: Option<String>,
    /// When it was made.
    pub created_at: DateTimeUtc,
    /// When it last changed.
    pub updated_at: DateTimeUtc,
}

table!(TenantOwned, Identified, Sequenced);

impl From<Model> for PolicyGroup {
    fn from(row: Model) -> Self {
        Self {
            id: row.id.into(),
            tenant_id: row.tenant_id.into(),
            code: row.code,
            name: row.name,
            description: row.description,
            created_at: instant(row.created_at),
            updated_at: instant(row.updated_at),
        }
    }
}
