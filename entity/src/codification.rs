//! Codification blocks and their records, for each revision of a draft that changes them. Append-only.

use sea_orm::entity::prelude::*;

/// What a revision of a draft says about its clauses.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "codifications")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The policy.
    #[sea_orm(primary_key, auto_increment = false)]
    pub policy_id: Uuid,
    /// The version.
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i32,
    /// The revision.
    #[sea_orm(primary_key, auto_increment = false)]
    pub draft_revision: i32,
    /// The block as it was submitted; absent when the revision removed it.
    pub block: Option<String>,
    /// The record that was made of it.
    pub record: Option<String>,
    /// When the revision was saved.
    pub created_at: DateTimeUtc,
}

table!(TenantOwned);
