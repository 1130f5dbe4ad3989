//! Trees of the transparency log. They belong to no tenant.

use sea_orm::entity::prelude::*;

/// A tree, and the lease of its sequencer.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "log_trees")]
pub struct Model {
    /// The number, from 1.
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i16,
    /// The origin of its checkpoints.
    pub origin: String,
    /// The first 16 hexadecimal characters of the SHA-256 of the origin.
    pub tree_id: String,
    /// The verifier key of its checkpoints.
    pub vkey: String,
    /// The number of entries.
    pub size: i64,
    /// The root hash, as hexadecimal characters.
    pub root: String,
    /// When it began.
    pub began_at: DateTimeUtc,
    /// When it was frozen; a frozen tree takes no further entry.
    pub frozen_at: Option<DateTimeUtc>,
    /// Whether a checkpoint is known that the database does not contain.
    pub is_doubted: bool,
    /// The fencing epoch of the lease.
    pub epoch: i64,
    /// The process that holds the lease.
    pub holder: Option<Uuid>,
    /// Until when the lease is valid.
    pub held_until: Option<DateTimeUtc>,
    /// The batch that is being written, by the ids of its pending entries.
    pub planned: Option<Vec<i64>>,
}

table!();
