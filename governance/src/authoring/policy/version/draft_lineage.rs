//! Draft lineage: the drafts that a draft corrects, and the requested changes that its next seal must
//! address.

use contract::policy::ReviewVerdict;
use entity::policy_version as table;

use super::{Previous, find, submission};
use crate::{
    authoring::policy::lifecycle::{self, Transition},
    base::{
        error::{
            answers_record_mismatch, answers_record_required, lineage_unresolved,
            prior_not_returned,
        },
        prelude::*,
    },
};

/// The maximum number of links in a lineage; longer ones count as unresolved (specification, "Limits").
pub(crate) const LINKS_MAX: i32 = 64;

/// A draft and the drafts that it corrects, nearest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DraftLineage {
    /// The draft itself, followed by the drafts before it.
    pub(crate) drafts: Vec<LineageDraft>,
    /// Whether the last draft corrects no other draft. Otherwise the lineage contains a cycle or a
    /// missing draft, or has more than 64 links.
    pub(crate) is_resolved: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LineageDraft {
    pub(crate) id: PolicyVersionId,
    pub(crate) sealed: Option<LastSubmission>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LastSubmission {
    pub(crate) submission_id: SubmissionId,
    /// The sealed revision.
    pub(crate) candidate_revision: u32,
    /// The requested changes that the submission addresses.
    pub(crate) answers_record_id: Option<ReviewRecordId>,
    pub(crate) record: Option<(ReviewRecordId, ReviewVerdict)>,
}

impl LastSubmission {
    /// Returns the ID of the review record that requests changes, if there is one.
    pub(crate) fn returned(&self) -> Option<ReviewRecordId> {
        let (id, verdict) = self.record?;
        (verdict == ReviewVerdict::Return).then_some(id)
    }
}

impl DraftLineage {
    /// Returns the submission that the next seal of the draft follows: its own last submission or,
    /// without one, the last submission of the nearest earlier draft.
    pub(crate) fn previous_submission(&self) -> Option<&LastSubmission> {
        self.drafts.iter().find_map(|draft| draft.sealed.as_ref())
    }

    /// Returns the submission of exactly this revision of the draft.
    pub(crate) fn same_revision(&self, revision: u32) -> Option<&LastSubmission> {
        let submission = self.drafts.first()?.sealed.as_ref();
        submission.filter(|submission| submission.candidate_revision == revision)
    }
}

const SELECT_LINEAGE: &str = include_str!("draft_lineage.sql");

/// Loads the lineage of a draft. Lineage is stored data and may contain a cycle or a missing draft in a
/// restored database. The limit ends the query, and the lineage counts as unresolved.
pub(crate) async fn load(tx: &TenantTx, head: &table::Model) -> Result<DraftLineage> {
    let values = [head.policy_id.into(), head.version.into(), LINKS_MAX.into()];
    let rows: Vec<Row> = tx.tuples(SELECT_LINEAGE, values).await?;
    let (_, successor, ..) = rows.last().or_bug("a version without a lineage of its own")?;
    let is_resolved = successor.is_none();
    Ok(DraftLineage { drafts: rows.into_iter().map(draft).collect(), is_resolved })
}

/// A draft, the draft that it succeeds if there is one, and the submission, revision, answered record, review record
/// and verdict of its last seal.
type Row = (
    Uuid,
    Option<i32>,
    Option<Uuid>,
    Option<i32>,
    Option<Uuid>,
    Option<Uuid>,
    Option<TextEnum<ReviewVerdict>>,
);

fn draft((id, _, submission, revision, answers, record, verdict): Row) -> LineageDraft {
    let sealed = submission.zip(revision).map(|(submission, revision)| LastSubmission {
        submission_id: SubmissionId(submission),
        candidate_revision: unsigned(revision),
        answers_record_id: answers.map(ReviewRecordId),
        record: record.map(ReviewRecordId).zip(verdict.map(|verdict| verdict.0)),
    });
    LineageDraft { id: PolicyVersionId(id), sealed }
}

/// Checks that the version's state allows the seal, and that the seal addresses the requested changes
/// (specification, "Pending work" and "Errors"; contract, section 9).
pub(crate) fn check_seal(
    head: &table::Model,
    lineage: &DraftLineage,
    answers: Option<ReviewRecordId>,
) -> Result<(), Refusal> {
    let returned = lineage.previous_submission().and_then(LastSubmission::returned);
    // For a version that cannot be sealed, a missing reference to requested changes is reported first.
    if answers.is_some() || returned.is_none() {
        lifecycle::check_transition(head, Transition::Seal)?;
    }
    if lineage.previous_submission().is_none() && !lineage.is_resolved {
        return Err(lineage_unresolved());
    }
    match (returned, answers) {
        (Some(returned), None) => Err(answers_record_required(returned)),
        (Some(returned), Some(answers)) if returned != answers => {
            Err(answers_record_mismatch(returned))
        }
        // A repeated call: this revision was sealed with the same reference.
        (None, Some(answers)) => {
            let same = lineage.same_revision(unsigned(head.draft_revision));
            let is_repeat = same.is_some_and(|same| same.answers_record_id == Some(answers));
            if is_repeat { Ok(()) } else { Err(prior_not_returned()) }
        }
        _ => Ok(()),
    }
}

/// Returns the draft whose lineage a new draft based on `based` continues: a draft that was set aside,
/// if it or an earlier draft was sealed. Requested changes must still be addressed.
///
/// # Errors
/// `VALIDATION_ERROR` at `/based_on_version` for a version that does not exist.
pub(crate) async fn continued(
    tx: &TenantTx,
    id: PolicyId,
    based: Option<u32>,
) -> Result<Option<Previous>> {
    let Some(based) = based else { return Ok(None) };
    let row = find(tx, id, based).one(tx.connection()).await?;
    let row = row.ok_or_else(|| {
        invalid_field("/based_on_version", "unknown", "is not a version of this policy")
    })?;
    if row.status.0 != VersionStatus::SetAside || row.ratified_at.is_some() {
        return Ok(None);
    }
    let has_lineage = row.lineage_previous.is_some() || submission::exists(tx, &row).await?;
    Ok(has_lineage.then_some(Previous { version: row.version, was_set_aside: true }))
}

/// Returns the IDs of a draft and of the earlier drafts of its lineage, nearest first. `versions` are all versions of
/// the policy.
pub(super) fn ids(versions: &[&table::Model], head: &table::Model) -> Vec<Uuid> {
    let previous = |draft: &&table::Model| {
        versions.iter().find(|other| Some(other.version) == draft.lineage_previous).copied()
    };
    let drafts = std::iter::successors(Some(head), previous);
    let drafts_max = usize::try_from(LINKS_MAX).unwrap_or_default() + 1;
    drafts.take(drafts_max).map(|draft| draft.id).collect()
}

/// Sets the successor of each replaced version of a policy.
pub(crate) async fn name_successors(
    tx: &TenantTx,
    id: PolicyId,
    versions: &mut [PolicyVersion],
) -> Result<()> {
    let is_replaced = |version: &&PolicyVersion| version.status == VersionStatus::Replaced;
    let replaced = versions.iter().filter(is_replaced);
    let replaced: Vec<i32> = replaced.filter_map(|v| i32::try_from(v.version).ok()).collect();
    if replaced.is_empty() {
        return Ok(());
    }
    let successors = tx
        .find::<table::Entity>()
        .filter(table::Column::PolicyId.eq(id.0))
        .filter(table::Column::LineagePrevious.eq_any(replaced))
        .filter(table::Column::LineageSetAside.eq(false))
        .select_only()
        .columns([table::Column::LineagePrevious, table::Column::Version])
        .into_tuple::<(i32, i32)>()
        .all(tx.connection())
        .await?;
    let successors: BTreeMap<u32, u32> =
        successors.into_iter().map(|(old, new)| (unsigned(old), unsigned(new))).collect();
    for version in versions {
        version.superseded_by_version = successors.get(&version.version).copied();
    }
    Ok(())
}
