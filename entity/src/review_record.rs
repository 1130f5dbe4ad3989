//! What reviewers found. Append-only.

use contract::policy::ReviewVerdict;
use sea_orm::entity::prelude::*;

use crate::column::Word;

/// The one record of a submission.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "review_records")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// What was reviewed.
    pub submission_id: Uuid,
    /// What was found.
    pub verdict: Word<ReviewVerdict>,
    /// When.
    pub recorded_at: DateTimeUtc,
    /// By whom.
    pub recorded_by: String,
    /// The canonical record, with its comments.
    pub record: String,
    /// Digest of `record`.
    pub digest: String,
}

table!(TenantOwned, Identified);
