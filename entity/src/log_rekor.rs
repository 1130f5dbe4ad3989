//! Checkpoints that are recorded at an instance of Rekor.

use sea_orm::entity::prelude::*;

/// A checkpoint on its way to Rekor.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "log_rekor")]
pub struct Model {
    /// The tree.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tree: i16,
    /// The size of the checkpoint.
    #[sea_orm(primary_key, auto_increment = false)]
    pub size: i64,
    /// The version of the API: `v1` or `v2`.
    pub dialect: String,
    /// When the first attempt began.
    pub begun_at: DateTimeUtc,
    /// How many attempts failed.
    pub attempts: i32,
    /// When the next attempt is due.
    pub due_at: DateTimeUtc,
    /// Why the last attempt failed.
    pub failure: Option<String>,
    /// The proof of inclusion.
    pub proof: Option<String>,
    /// When it was recorded.
    pub recorded_at: Option<DateTimeUtc>,
}

table!();
