//! Signed checkpoints of the transparency log. Append-only.

use sea_orm::entity::prelude::*;

table! {
    "log_checkpoints" [
        tree: i16,
        /// The number of entries of the tree.
        size: i64,
    ] {
        /// The fencing epoch of the sequencer that signed the checkpoint.
        pub epoch: i64,
        /// The signed note.
        pub note: String,
        pub signed_at: DateTimeUtc,
    }
}
