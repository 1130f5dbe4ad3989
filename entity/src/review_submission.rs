//! What was sealed for review. Append-only.

use contract::policy::Submission;
use sea_orm::entity::prelude::*;

use crate::column::{instant, number};

/// A revision of a version, as reviewers were given it.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "review_submissions")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The policy.
    pub policy_id: Uuid,
    /// The version, by id.
    pub policy_version_id: Uuid,
    /// The version, by number.
    pub version: i32,
    /// Its number among those of the version, from 1.
    pub sequence: i32,
    /// The revision of the draft that was sealed.
    pub candidate_revision: i32,
    /// Digest of the sealed rules (receipts, section 3).
    pub rules_digest: String,
    /// The canonical object that was sealed, with its rules.
    pub sealed: String,
    /// Digest of `sealed`.
    pub digest: String,
    /// When it was sealed.
    pub sealed_at: DateTimeUtc,
    /// By whom: a person or a key.
    pub sealed_by: String,
    /// The person behind it.
    pub sealer: Option<Uuid>,
    /// The return that it answers.
    pub answers_record_id: Option<Uuid>,
}

table!(TenantOwned, Identified);

impl From<Model> for Submission {
    /// Without its records: those are other rows.
    fn from(row: Model) -> Self {
        Self {
            id: row.id.into(),
            policy_version_id: row.policy_version_id.into(),
            version: number(row.version),
            sequence: number(row.sequence),
            candidate_revision: number(row.candidate_revision),
            rules_digest: row.rules_digest,
            submission_digest: row.digest,
            sealed_by: row.sealed_by,
            sealed_at: instant(row.sealed_at),
            answers_record_id: row.answers_record_id.map(Into::into),
            records: None,
        }
    }
}
