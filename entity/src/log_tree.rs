//! Trees of the transparency log. They belong to no tenant.

use sea_orm::entity::prelude::*;

table! {
    /// A tree and the lease of its sequencer.
    "log_trees" [
        /// From 1.
        number: i16,
    ] {
        /// The origin of its checkpoints.
        pub origin: String,
        /// The first 16 hexadecimal characters of the SHA-256 of the origin.
        pub tree_id: String,
        /// The verifier key of its checkpoints.
        pub vkey: String,
        /// The number of entries.
        pub size: i64,
        /// The root hash in hexadecimal characters.
        pub root: String,
        pub began_at: DateTimeUtc,
        /// The time of freezing. A frozen tree accepts no further entries.
        pub frozen_at: Option<DateTimeUtc>,
        /// Whether the tree is halted, because a checkpoint exists that the database does not contain.
        pub is_halted: bool,
        /// The fencing epoch of the lease.
        pub epoch: i64,
        /// The process that has the lease.
        pub holder: Option<Uuid>,
        /// The end of the lease.
        pub held_until: Option<DateTimeUtc>,
        /// The IDs of the pending entries in the batch that is being written.
        pub planned_ids: Option<Vec<i64>>,
    }
}
