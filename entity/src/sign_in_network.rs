//! Networks from which users have signed in.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sign_in_networks")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    /// The keyed digest of the network block.
    #[sea_orm(primary_key, auto_increment = false)]
    pub network: Vec<u8>,
    /// The time of the last sign-in from it.
    pub seen_at: DateTimeUtc,
}

table!();
