//! Digests that wait for the sequencer.

use sea_orm::entity::prelude::*;

/// A digest that is due to be logged.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "log_pending")]
pub struct Model {
    /// The order of arrival.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// The kind of the log entry.
    pub kind: String,
    /// The digest, as 64 hexadecimal characters.
    pub digest: String,
    /// When it was written.
    pub due_since: DateTimeUtc,
}

table!();
