//! The record of an API key. The digest of its secret stands in `key_digest`.

use contract::api_key::ApiKey;
use sea_orm::entity::prelude::*;

use crate::column::instant;

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
    /// Its place in the tenant's list of keys.
    pub sequence: i64,
    /// The person for whom it acts; absent for a key that was made on the command line before owners
    /// were required.
    pub owner: Option<Uuid>,
    /// The key that made it.
    pub parent_key_id: Option<Uuid>,
}

table!(TenantOwned, Identified, Sequenced);

impl From<Model> for ApiKey {
    fn from(row: Model) -> Self {
        Self {
            id: row.id.into(),
            tenant_id: row.tenant_id.into(),
            name: row.name,
            key_preview: row.key_preview,
            scopes: row.scopes.iter().filter_map(|scope| scope.parse().ok()).collect(),
            expires_at: row.expires_at.map(instant),
            last_used_at: row.last_used_at.map(instant),
            is_active: row.is_active,
            created_at: instant(row.created_at),
            created_by: row.created_by,
            revoked_at: row.revoked_at.map(instant),
            revoked_by: row.revoked_by,
        }
    }
}
