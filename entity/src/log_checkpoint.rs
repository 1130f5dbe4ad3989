//! Signed checkpoints of the transparency log. Append-only.

use sea_orm::entity::prelude::*;

/// A checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "log_checkpoints")]
pub struct Model {
    /// The tree.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tree: i16,
    /// The number of entries.
    #[sea_orm(primary_key, auto_increment = false)]
    pub size: i64,
    /// The fencing epoch of the sequencer that signed it.
    pub epoch: i64,
    /// The signed note.
    pub note: String,
    /// When it was signed.
    pub signed_at: DateTimeUtc,
}

table!();
