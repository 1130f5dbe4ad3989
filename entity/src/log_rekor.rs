//! Checkpoints submitted to a Rekor instance.

use sea_orm::entity::prelude::*;

table! {
    /// A checkpoint and the state of its Rekor submission.
    "log_rekor" [
        tree: i16,
        /// The tree size of the checkpoint.
        size: i64,
    ] {
        /// The version of the Rekor API: `v1` or `v2`.
        pub dialect: String,
        /// The start of the first attempt.
        pub begun_at: DateTimeUtc,
        /// The number of failed attempts.
        pub attempts: i32,
        /// The time of the next attempt.
        pub due_at: DateTimeUtc,
        pub failure: Option<String>,
        /// The inclusion proof of the Rekor entry.
        pub proof: Option<String>,
        pub recorded_at: Option<DateTimeUtc>,
    }
}
