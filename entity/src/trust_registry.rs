//! Versions of the trust registry. Append-only; they belong to no tenant.

use sea_orm::entity::prelude::*;

table! {
    "trust_registries" [
        /// From 1.
        version: i32,
    ] {
        pub envelope: String,
        /// The digest of the payload of `envelope`.
        pub digest: String,
    }
}
