//! Review submissions. Append-only.

use contract::policy::ReviewSubmission;
use sea_orm::entity::prelude::*;

use crate::column::{from_column, unsigned};

table! {
    /// A draft revision sealed for review.
    "review_submissions" [tenant_id: Uuid, id: Uuid] TenantOwned, HasId {
        pub policy_id: Uuid,
        pub policy_version_id: Uuid,
        pub version: i32,
        /// The number among the submissions of the version, from 1.
        pub sequence: i32,
        /// The sealed draft revision.
        pub candidate_revision: i32,
        /// Digest of the sealed rules (receipts, section 3).
        pub rules_digest: String,
        /// The canonical sealed object, including its rules.
        pub sealed: String,
        /// Digest of `sealed`.
        pub digest: String,
        pub sealed_at: DateTimeUtc,
        /// The user or API key that sealed the revision.
        pub sealed_by: String,
        /// The user behind `sealed_by`.
        pub sealer: Option<Uuid>,
        /// The review record whose requested changes the submission addresses.
        pub answers_record_id: Option<Uuid>,
    }
}

impl From<Model> for ReviewSubmission {
    /// The review records are not in the row and stay empty.
    fn from(row: Model) -> Self {
        Self {
            id: row.id.into(),
            policy_version_id: row.policy_version_id.into(),
            version: unsigned(row.version),
            sequence: unsigned(row.sequence),
            candidate_revision: unsigned(row.candidate_revision),
            rules_digest: row.rules_digest,
            submission_digest: row.digest,
            sealed_by: row.sealed_by,
            sealed_at: from_column(row.sealed_at),
            answers_record_id: row.answers_record_id.map(Into::into),
            records: None,
        }
    }
}
