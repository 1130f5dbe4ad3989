//! Hashes of complete subtrees of 256 entries and more. Append-only.

use sea_orm::entity::prelude::*;

table! {
    "log_nodes" [
        tree: i16,
        /// The tile level, 1 to 7.
        level: i16,
        /// The index on the level, from 0.
        index: i64,
    ] {
        /// The hash, 32 bytes.
        pub hash: Vec<u8>,
    }
}
