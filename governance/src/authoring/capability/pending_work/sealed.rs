//! The submissions of visible versions, and the requested changes that no seal can address.

use contract::{
    capability::pending_work::{NotAnswerableReason, ReturnedSubmission, UnanswerableReturn},
    policy::ReviewVerdict,
};
use entity::{review_record as records, review_submission as submissions};

use crate::base::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct SealedSubmission {
    pub(super) submission: submissions::Model,
    pub(super) record: Option<records::Model>,
}

impl SealedSubmission {
    /// Returns the requested changes, if the submission was returned.
    pub(super) fn returned(&self) -> Option<ReturnedSubmission> {
        let record = self.record.as_ref()?;
        (record.verdict.0 == ReviewVerdict::Return).then(|| ReturnedSubmission {
            policy_version_id: self.submission.policy_version_id.into(),
            version: unsigned(self.submission.version),
            submission_id: self.submission.id.into(),
            review_record_id: record.id.into(),
            returned_by: record.recorded_by.clone(),
            returned_at: from_column(record.recorded_at),
        })
    }
}

/// Returns all submissions of some versions of a policy, newest version and submission first.
pub(super) async fn of_versions(
    tx: &TenantTx,
    policy: PolicyId,
    versions: Vec<Uuid>,
) -> Result<Vec<SealedSubmission>> {
    let rows = tx
        .find::<submissions::Entity>()
        .filter(submissions::Column::PolicyId.eq(policy.0))
        .filter(submissions::Column::PolicyVersionId.is_in(versions))
        .order_by_desc(submissions::Column::Version)
        .order_by_desc(submissions::Column::Sequence)
        .all(tx.connection())
        .await?;
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let records = tx
        .find::<records::Entity>()
        .filter(records::Column::SubmissionId.is_in(ids))
        .all(tx.connection())
        .await?;
    let with_record = |submission: submissions::Model| {
        let record = records.iter().find(|record| record.submission_id == submission.id).cloned();
        SealedSubmission { submission, record }
    };
    Ok(rows.into_iter().map(with_record).collect())
}

/// Returns the requested changes that the next seal does not address: those on submissions other than
/// `previous`, the one that the next seal follows, and those on `previous` when the head cannot be sealed.
pub(super) fn unanswerable_returns(
    sealed: &[SealedSubmission],
    previous: Option<&SealedSubmission>,
    is_sealable: bool,
) -> Vec<UnanswerableReturn> {
    let reason = |sealed_submission: &SealedSubmission| {
        if previous.is_none_or(|previous| previous.submission.id != sealed_submission.submission.id)
        {
            Some(NotAnswerableReason::NotLineagePrevious)
        } else if is_sealable {
            None
        } else {
            Some(NotAnswerableReason::HeadNotSealable)
        }
    };
    let entry = |sealed_submission| {
        Some(UnanswerableReturn {
            returned: SealedSubmission::returned(sealed_submission)?,
            reason: reason(sealed_submission)?,
        })
    };
    sealed.iter().filter_map(entry).collect()
}
