//! The logout tokens of identity providers that were already used.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "logout_tokens")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub provider_id: Uuid,
    /// The `jti` claim.
    #[sea_orm(primary_key, auto_increment = false)]
    pub token_id: String,
    pub expires_at: DateTimeUtc,
}

table!(TenantOwned);
