//! Seals of decision chains. Append-only.

use sea_orm::entity::prelude::*;

/// The seal of a chain.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "chain_seals")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The chain.
    #[sea_orm(primary_key, auto_increment = false)]
    pub chain_id: Uuid,
    /// The signed seal, as canonical JSON.
    pub seal: String,
    /// Its digest.
    pub digest: String,
    /// The signature; absent where the service does not sign.
    pub signature: Option<String>,
    /// The signing key.
    pub kid: Option<String>,
    /// When the chain was sealed.
    pub sealed_at: DateTimeUtc,
}

table!(TenantOwned);
