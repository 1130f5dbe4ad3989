//! Signed checkpoints of the transparency log. Append-only.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "log_checkpoints")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tree: i16,
    /// The number of entries of the tree.
    #[sea_orm(primary_key, auto_increment = false)]
    pub size: i64,
    /// The fencing epoch of the sequencer that signed the checkpoint.
    pub epoch: i64,
    /// The signed note.
    pub note: String,
    pub signed_at: DateTimeUtc,
}

table!();
