//! Entries of the transparency log. Append-only.

use sea_orm::entity::prelude::*;

table! {
    "log_entries" [
        tree: i16,
        /// The index in the tree, from 0.
        index: i64,
    ] {
        /// The leaf data as canonical JSON.
        pub data: String,
        /// The leaf hash, 32 bytes.
        pub leaf_hash: Vec<u8>,
    }
}
