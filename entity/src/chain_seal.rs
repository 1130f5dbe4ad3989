//! Seals of decision chains. Append-only.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "chain_seals")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub chain_id: Uuid,
    /// The signed seal as canonical JSON.
    pub seal: String,
    /// The digest of `seal`.
    pub digest: String,
    /// Absent if the service does not sign.
    pub signature: Option<String>,
    pub kid: Option<String>,
    pub sealed_at: DateTimeUtc,
}

table!(TenantOwned);
