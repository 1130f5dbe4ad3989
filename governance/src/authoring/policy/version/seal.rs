//! Sealing: stores an immutable copy of a draft revision for review.

use contract::policy::{ReviewSubmission, SealRequest};
use entity::{policy_version, review_submission as table};
use receipt::statement;

use super::{draft_lineage, event, submission, transition::VersionTransition};
use crate::{access::permission, authoring::policy::stored_rules, base::prelude::*};

/// A review submission, and whether this call created it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealResult {
    pub submission: ReviewSubmission,
    /// False when this revision was already sealed.
    pub is_new: bool,
}

/// Seals the current revision of a version for review. A revision is sealed once; repeated calls return
/// the same submission.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_SEALABLE`; `LINEAGE_UNRESOLVED`;
/// `RESUBMISSION_ANSWERS_RECORD_REQUIRED`, `RESUBMISSION_PRIOR_NOT_RETURNED` or
/// `RESUBMISSION_ANSWERS_RECORD_MISMATCH` for a missing or wrong reference to requested changes.
pub async fn seal(cx: &Cx, id: PolicyId, version: u32, request: SealRequest) -> Result<SealResult> {
    let mut change = VersionTransition::open(cx, permission::SEAL_VERSION, id, version).await?;
    let (submission, event) = store(cx, &mut change, request).await?;
    let is_new = event.is_some();
    match event {
        Some(event) => change.commit_with(cx, |_| event).await.map(drop)?,
        None => change.tx.finish_read().await?,
    }
    Ok(SealResult { submission: submission.into(), is_new })
}

/// Stores the current revision as sealed and returns the audit event, or no event when this revision
/// was already sealed.
pub(super) async fn store(
    cx: &Cx,
    change: &mut VersionTransition,
    seal: SealRequest,
) -> Result<(table::Model, Option<Event>)> {
    let lineage = draft_lineage::load(&change.tx, &change.before).await?;
    draft_lineage::check_seal(&change.before, &lineage, seal.answers_record_id)?;
    if let Some(existing) = lineage.same_revision(unsigned(change.before.draft_revision)) {
        let submission =
            submission::by_id(&change.tx, &change.before, existing.submission_id).await?;
        return Ok((submission, None));
    }
    let row =
        submission_row(cx, &change.before, next_sequence(&change.tx, &change.before).await?, seal)?;
    let submission = row.insert(change.tx.connection()).await?;
    change.add_maker(cx);
    let sealed_event = event("policy_version.seal", &change.before)
        .with("submission_id", submission.id.to_string())
        .with("sequence", unsigned(submission.sequence))
        .with("submission_digest", submission.digest.as_str());
    Ok((submission, Some(sealed_event)))
}

/// Returns the number of the next submission of a version.
async fn next_sequence(tx: &TenantTx, version: &policy_version::Model) -> Result<i32> {
    let highest = submission::of_version(tx, version)
        .select_only()
        .column_as(table::Column::Sequence.max(), "highest")
        .into_tuple::<Option<i32>>()
        .one(tx.connection())
        .await?;
    Ok(highest.flatten().unwrap_or(0).saturating_add(1))
}

fn submission_row(
    cx: &Cx,
    version: &policy_version::Model,
    sequence: i32,
    seal: SealRequest,
) -> Result<table::ActiveModel> {
    let id: SubmissionId = cx.governance.entropy().id();
    let sealed_by = cx.caller.principal().ok_or_else(unauthorized)?;
    let (rules, _) = stored_rules::parse(&version.rules)?;
    let canonical = statement::submission(&statement::Submission {
        tenant_id: version.tenant_id.into(),
        policy_id: version.policy_id.into(),
        policy_version_id: version.id.into(),
        version: unsigned(version.version),
        submission_id: id,
        sequence: unsigned(sequence),
        candidate_revision: unsigned(version.draft_revision),
        rules_digest: &version.rules_digest,
        rules: &Value::Array(rules),
        change_reason: version.change_reason.as_deref(),
        answers_record_id: seal.answers_record_id,
        sealed_by: &sealed_by,
        sealed_at: cx.now,
    });
    Ok(table::ActiveModel {
        tenant_id: Set(version.tenant_id),
        id: Set(id.0),
        policy_id: Set(version.policy_id),
        policy_version_id: Set(version.id),
        version: Set(version.version),
        sequence: Set(sequence),
        candidate_revision: Set(version.draft_revision),
        rules_digest: Set(version.rules_digest.clone()),
        sealed: Set(canonical.text),
        digest: Set(canonical.digest.to_string()),
        sealed_at: Set(to_column(cx.now)),
        sealed_by: Set(sealed_by),
        sealer: Set(cx.caller.person().map(Into::into)),
        answers_record_id: Set(seal.answers_record_id.map(Into::into)),
    })
}
