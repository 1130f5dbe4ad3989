//! The record of an API key. The digest of its secret stands in `key_digest`.

use sea_orm::entity::prelude::*;

use crate::tenant::{Identified, TenantOwned};

/// An API key, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "api_keys")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// What people call it.
    pub name: String,
    /// Its first and last characters.
    pub key_preview: String,
    /// What it may do.
    pub scopes: Vec<String>,
    /// From then on it is refused.
    pub expires_at: Option<DateTimeUtc>,
    /// When it was last seen; written in the background.
    pub last_used_at: Option<DateTimeUtc>,
    /// Whether it has not been revoked.
    pub is_active: bool,
    /// When it was made.
    pub created_at: DateTimeUtc,
    /// By whom.
    pub created_by: Option<String>,
    /// When it was revoked.
    pub revoked_at: Option<DateTimeUtc>,
    /// By whom.
    pub revoked_by: Option<String>,
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
