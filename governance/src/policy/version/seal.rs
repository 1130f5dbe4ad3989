//! Sealing: a revision is kept for review as it is, whatever becomes of the draft.

use contract::{
    id::{PolicyId, SubmissionId},
    json::Value,
    policy::{Seal, Submission},
};
use entity::{
    column::{at, number},
    policy_version, review_submission as table,
};
use receipt::statement;
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ColumnTrait, QueryFilter, QuerySelect, Select};

use super::{change::Change, event, lineage, review};
use crate::{
    audit::Event,
    cx::Cx,
    error::{Result, unauthorized},
    permission, snapshot,
    tenancy::TenantTx,
};

/// A submission, and whether this call made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// What was sealed.
    pub submission: Submission,
    /// False when this revision had been sealed before.
    pub is_new: bool,
}

/// Seals the current revision of a version for review. The same revision is sealed once; whoever asks
/// again is shown the same submission.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_TRANSITION` with `VERSION_NOT_SEALABLE`; `LINEAGE_UNRESOLVED`;
/// `RESUBMISSION_ANSWERS_RECORD_REQUIRED`, `RESUBMISSION_PRIOR_NOT_RETURNED` or
/// `RESUBMISSION_ANSWERS_RECORD_MISMATCH` for a seal that does not answer what it must.
pub async fn seal(cx: &Cx, id: PolicyId, version: u32, seal: Seal) -> Result<Sealed> {
    let mut change = Change::open(cx, permission::SEAL, id, version).await?;
    let (submission, sealing) = stored(cx, &mut change, seal).await?;
    let is_new = sealing.is_some();
    match sealing {
        Some(event) => change.commit_with(cx, |_| event).await.map(drop)?,
        None => change.tx.end().await?,
    }
    Ok(Sealed { submission: submission.into(), is_new })
}

/// Stores the current revision as sealed, and returns the event of it; without an event when this
/// revision had been sealed before.
///
/// # Errors
/// As [`seal`].
pub(super) async fn stored(
    cx: &Cx,
    change: &mut Change,
    seal: Seal,
) -> Result<(table::Model, Option<Event>)> {
    let lineage = lineage::walk(&change.tx, &change.before).await?;
    lineage::admit(&change.before, &lineage, seal.answers_record_id)?;
    if let Some(same) = lineage.same_revision(number(change.before.draft_revision)) {
        let submission = review::by_id(&change.tx, &change.before, same.submission_id).await?;
        return Ok((submission, None));
    }
    let row = sealed(cx, &change.before, sequence(&change.tx, &change.before).await?, seal)?;
    let submission = row.insert(change.tx.connection()).await?;
    change.add_maker(cx);
    let sealed = event("policy_version.seal", &change.before)
        .with("submission_id", submission.id.to_string())
        .with("sequence", number(submission.sequence))
        .with("submission_digest", submission.digest.as_str());
    Ok((submission, Some(sealed)))
}

/// The number of the next submission of a version.
async fn sequence(tx: &TenantTx, version: &policy_version::Model) -> Result<i32> {
    let highest = submissions(tx, version)
        .select_only()
        .column_as(table::Column::Sequence.max(), "highest")
        .into_tuple::<Option<i32>>()
        .one(tx.connection())
        .await?;
    Ok(highest.flatten().unwrap_or(0).saturating_add(1))
}

fn submissions(tx: &TenantTx, version: &policy_version::Model) -> Select<table::Entity> {
    tx.find::<table::Entity>().filter(table::Column::PolicyVersionId.eq(version.id))
}

/// The row of a revision as it is sealed now.
fn sealed(
    cx: &Cx,
    version: &policy_version::Model,
    sequence: i32,
    seal: Seal,
) -> Result<table::ActiveModel> {
    let id: SubmissionId = cx.governance.chance().id();
    let sealed_by = cx.caller.principal().ok_or_else(unauthorized)?;
    let (rules, _) = snapshot::read_rules(&version.rules)?;
    let canonical = statement::submission(&statement::Submission {
        tenant_id: version.tenant_id.into(),
        policy_id: version.policy_id.into(),
        policy_version_id: version.id.into(),
        version: number(version.version),
        submission_id: id,
        sequence: number(sequence),
        candidate_revision: number(version.draft_revision),
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
        sealed_at: Set(at(cx.now)),
        sealed_by: Set(sealed_by),
        sealer: Set(cx.caller.person().map(Into::into)),
        answers_record_id: Set(seal.answers_record_id.map(Into::into)),
    })
}

/// Whether any revision of a version was sealed.
pub(super) async fn was_sealed(tx: &TenantTx, version: &policy_version::Model) -> Result<bool> {
    Ok(submissions(tx, version).one(tx.connection()).await?.is_some())
}
