//! Reviews: a reviewer records a verdict on a submission.

use contract::policy::{ReviewDraft, ReviewRecord, ReviewSubmission, ReviewVerdict};
use entity::{policy_version, review_record as records, review_submission as table};
use receipt::statement;
use sea_orm::{Iterable, SelectTwo};

use super::{
    Subject, comment, draft_lineage, event, find, saved_review, submission, to_wire_with_lineage,
    transition::VersionTransition,
};
use crate::{
    access::permission,
    authoring::{
        policy::lifecycle::{self, Transition},
        settings,
    },
    base::{
        error::{review_exists, reviewer_sealed, stale_draft},
        prelude::*,
    },
};

/// Returns a page of the submissions of a version, newest first, each with its review records.
///
/// # Errors
/// `NOT_FOUND`; `VALIDATION_ERROR` for a cursor of another list.
pub async fn submissions(
    cx: &Cx,
    id: PolicyId,
    version: u32,
    page: &PageRequest,
) -> Result<Page<ReviewSubmission>> {
    let tenant = cx.tenant_of_version(permission::READ_SUBMISSIONS, id, version)?;
    let tx = tenant.begin().await?;
    let row = find(&tx, id, version).one(tx.connection()).await?;
    let row = row.or_not_found(ResourceKind::Version)?;
    let list = Cursor::new(&tenant, "review_submissions", row.id.to_string());
    let before = i32::try_from(list.before(page)?).unwrap_or(i32::MAX);
    let rows = submission::of_version(&tx, &row)
        .filter(table::Column::Sequence.lt(before))
        .order_by_desc(table::Column::Sequence)
        .limit(page.fetched());
    let rows = with_record(rows).all(tx.connection()).await?;
    tx.finish_read().await?;
    let Page { items, next_cursor } = list.page(rows, page.limit, |(row, _)| row.sequence.into());
    let items = items.into_iter().map(to_wire).collect::<Result<_>>()?;
    Ok(Page { items, next_cursor })
}

/// Returns the submissions of these versions with their review records: those of the first version first, newest
/// first. It does not load the sealed rules, which can be large.
pub(super) async fn of_versions(tx: &TenantTx, versions: &[Uuid]) -> Result<Vec<ReviewSubmission>> {
    let columns = table::Column::iter().filter(|column| !matches!(column, table::Column::Sealed));
    let rows = tx
        .find::<table::Entity>()
        .filter(table::Column::PolicyVersionId.is_in(versions.iter().copied()))
        .order_by_desc(table::Column::Sequence)
        .select_only()
        .columns(columns)
        .column_as(Expr::value(""), table::Column::Sealed);
    let rows = with_record(rows).all(tx.connection()).await?;
    let mut submissions = rows.into_iter().map(to_wire).collect::<Result<Vec<_>>>()?;
    submissions.sort_by_key(|submission| {
        versions.iter().position(|id| *id == submission.policy_version_id.0)
    });
    Ok(submissions)
}

fn with_record(rows: Select<table::Entity>) -> SelectTwo<table::Entity, records::Entity> {
    let record = related(table::Column::Id, records::Column::SubmissionId);
    rows.join(JoinType::LeftJoin, record).select_also(records::Entity)
}

fn to_wire(row: (table::Model, Option<records::Model>)) -> Result<ReviewSubmission> {
    let (submission, record) = row;
    let record = record.map(submission::record_to_wire).transpose()?;
    Ok(ReviewSubmission { records: Some(record.into_iter().collect()), ..submission.into() })
}

/// Returns the submission whose requested changes the next seal of a version must address.
pub(super) async fn returned_submission(
    tx: &TenantTx,
    version: &policy_version::Model,
) -> Result<Option<table::Model>> {
    let lineage = draft_lineage::load(tx, version).await?;
    let returned = lineage.previous_submission().filter(|last| last.returned().is_some());
    let Some(returned) = returned else { return Ok(None) };
    let rows = tx.find_by_id::<table::Entity>(returned.submission_id);
    Ok(rows.one(tx.connection()).await?)
}

/// Creates the permanent review record of a submission, and deletes the caller's review draft. If the caller
/// has read a revision of the version, the submission must be of that revision.
///
/// # Errors
/// `HUMAN_REQUIRED`; `FORBIDDEN`; `CONFIRMATION_REQUIRED`; `NOT_FOUND`; `INVALID_TRANSITION` with
/// `VERSION_NOT_REVIEWABLE`; `STALE_DRAFT_REVISION`; `MAKER_CHECKER_VIOLATION` for the sealer;
/// `CONFLICT` when the submission already has a record.
pub async fn record(
    cx: &Cx,
    id: PolicyId,
    version: impl Into<Subject>,
    submission: SubmissionId,
    draft: ReviewDraft,
) -> Result<ReviewRecord> {
    let subject = version.into();
    let revision = subject.revision;
    let change = VersionTransition::open(cx, permission::REVIEW, id, subject).await?;
    let submission = submission::by_id(&change.tx, &change.before, submission).await?;
    change.check(Transition::Record).await?;
    if revision.is_some_and(|read| read != unsigned(submission.candidate_revision)) {
        return Err(stale_draft(&to_wire_with_lineage(&change.tx, change.before).await?).into());
    }
    let reviewer = cx.human()?.user_id;
    let settings = settings::load_locked(&change.tx).await?;
    let sealer = submission.sealer.as_slice();
    if !lifecycle::is_independent(sealer, reviewer, settings.maker_checker_enabled) {
        return Err(reviewer_sealed().into());
    }
    if submission::record_of(&change.tx, submission.id).await?.is_some() {
        return Err(review_exists().into());
    }
    let record = record_row(cx, &submission, reviewer.to_string(), &draft);
    let record = record.insert(change.tx.connection()).await?;
    let (tx, comments) = (&change.tx, &draft.comments);
    saved_review::delete(tx, cx, &change.before).await?;
    comment::store_of_record(tx, cx, &submission, &record, comments).await?;
    let event = event("policy_version.review", &change.before)
        .with("submission_id", submission.id.to_string())
        .with("record_id", record.id.to_string())
        .with("verdict", record.verdict.0.as_str())
        .with("record_digest", record.digest.as_str());
    change.tx.commit(cx, event).await?;
    submission::record_to_wire(record)
}

fn record_row(
    cx: &Cx,
    submission: &table::Model,
    recorded_by: String,
    draft: &ReviewDraft,
) -> records::ActiveModel {
    let id: ReviewRecordId = cx.governance.entropy().id();
    let canonical = statement::review_record(&statement::ReviewRecord {
        tenant_id: submission.tenant_id.into(),
        record_id: id,
        submission_id: submission.id.into(),
        submission_digest: &submission.digest,
        verdict: draft.verdict,
        comments: &draft.comments,
        note: draft.note.as_deref(),
        recorded_by: &recorded_by,
        recorded_at: cx.now,
    });
    records::ActiveModel {
        tenant_id: Set(submission.tenant_id),
        id: Set(id.0),
        submission_id: Set(submission.id),
        verdict: Set(TextEnum(draft.verdict)),
        recorded_at: Set(to_column(cx.now)),
        recorded_by: Set(recorded_by),
        record: Set(canonical.text),
        digest: Set(canonical.digest.to_string()),
    }
}

/// The submission of a version's current revision, and its review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReviewStatus {
    pub(super) submission_id: SubmissionId,
    pub(super) accept_record_id: Option<ReviewRecordId>,
    pub(super) verdict: Option<ReviewVerdict>,
}

/// Returns the review status of a version's current revision, if that revision was sealed.
pub(super) async fn status_of_revision(
    tx: &TenantTx,
    version: &policy_version::Model,
) -> Result<Option<ReviewStatus>> {
    let row = submission::of_version(tx, version)
        .filter(table::Column::CandidateRevision.eq(version.draft_revision))
        .one(tx.connection())
        .await?;
    let Some(submission) = row else { return Ok(None) };
    let record = submission::record_of(tx, submission.id).await?;
    let verdict = record.as_ref().map(|record| record.verdict.0);
    let accepted = record.filter(|record| record.verdict.0 == ReviewVerdict::Accept);
    Ok(Some(ReviewStatus {
        submission_id: submission.id.into(),
        accept_record_id: accepted.map(|record| record.id.into()),
        verdict,
    }))
}
