//! Grants under which a key works on one version.

use sea_orm::entity::prelude::*;

use crate::tenant::{Identified, TenantOwned};

/// A grant: a signed statement, and the state beside it.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "capability_grants")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Its place in the list of grants.
    pub sequence: i64,
    /// Where its chain starts.
    pub root_id: Uuid,
    /// The grant that was carried to this one.
    pub parent_id: Option<Uuid>,
    /// Its place in the chain, from 1.
    pub depth: i32,
    /// The key that it governs.
    pub api_key_id: Uuid,
    /// The policy.
    pub policy_id: Uuid,
    /// The version, by id.
    pub policy_version_id: Uuid,
    /// The version, by number.
    pub version: i32,
    /// What it allows, sorted.
    pub actions: Vec<String>,
    /// From when.
    pub not_before: Option<DateTimeUtc>,
    /// Until when.
    pub expires_at: Option<DateTimeUtc>,
    /// How many writes it allows.
    pub max_uses: Option<i32>,
    /// The person who issued it.
    pub issued_by: Uuid,
    /// When.
    pub issued_at: DateTimeUtc,
    /// The canonical statement (receipts, section 9.2).
    pub statement: String,
    /// Its digest.
    pub digest: String,
    /// Over the statement; absent when the service has no key.
    pub signature: Option<String>,
    /// The key that signed.
    pub signature_kid: Option<String>,
    /// How many writes were made with it.
    pub uses: i32,
    /// When it was revoked.
    pub revoked_at: Option<DateTimeUtc>,
    /// By whom.
    pub revoked_by: Option<String>,
    /// The grant that it was carried to.
    pub carried_to: Option<Uuid>,
    /// When.
    pub carried_at: Option<DateTimeUtc>,
}

/// None: rows meet in SQL.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl TenantOwned for Entity {
    const TENANT_ID: Column = Column::TenantId;
}

impl Identified for Entity {
    const ID: Column = Column::Id;
}
