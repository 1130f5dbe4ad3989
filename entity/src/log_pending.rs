//! Digests to be appended to the transparency log.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "log_pending")]
pub struct Model {
    /// The order of arrival.
    #[sea_orm(primary_key)]
    pub id: i64,
    pub kind: String,
    /// The digest as 32 bytes.
    pub digest: Vec<u8>,
    pub due_since: DateTimeUtc,
}

table!();
