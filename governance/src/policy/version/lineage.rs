//! The lineage of drafts: which one corrects which, and what the next seal answers.

use std::collections::BTreeMap;

use contract::{
    id::{PolicyId, PolicyVersionId, ReviewRecordId, SubmissionId},
    policy::{PolicyVersion, ReviewVerdict, VersionStatus},
};
use entity::{column::number, policy_version as table};
use sea_orm::{ColumnTrait, QueryFilter, QueryResult, QuerySelect};
use uuid::Uuid;

use super::{Previous, find, seal};
use crate::{
    error::{
        Error, Refusal, Result, answers_record_mismatch, answers_record_required,
        lineage_unresolved, prior_not_returned,
    },
    policy::lifecycle::{self, Move},
    tenancy::TenantTx,
};

/// How far a lineage is followed; more links count as unresolved (specification, "Limits").
pub(crate) const LINKS_MAX: i32 = 64;

/// A draft and those that it corrects, nearest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lineage {
    /// The draft itself, then those before it.
    pub(crate) drafts: Vec<Draft>,
    /// Whether the last of them corrects none. Otherwise the lineage goes round, leads to nothing, or
    /// has more than 64 links.
    pub(crate) is_resolved: bool,
}

/// One draft of a lineage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Draft {
    /// The version, by id.
    pub(crate) id: PolicyVersionId,
    /// What was sealed of it last.
    pub(crate) sealed: Option<LastSealed>,
}

/// The last submission of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LastSealed {
    /// The submission.
    pub(crate) submission_id: SubmissionId,
    /// The revision that was sealed.
    pub(crate) candidate_revision: u32,
    /// The return that it answers.
    pub(crate) answers_record_id: Option<ReviewRecordId>,
    /// What was recorded about it.
    pub(crate) record: Option<(ReviewRecordId, ReviewVerdict)>,
}

impl LastSealed {
    /// The record that returned it.
    pub(crate) fn returned(&self) -> Option<ReviewRecordId> {
        let (id, verdict) = self.record?;
        (verdict == ReviewVerdict::Return).then_some(id)
    }
}

impl Lineage {
    /// The submission that the next seal of the draft follows: its own last one, else that of the
    /// nearest draft before it that was sealed.
    pub(crate) fn prior(&self) -> Option<&LastSealed> {
        self.drafts.iter().find_map(|draft| draft.sealed.as_ref())
    }

    /// The submission of this very revision of the draft.
    pub(crate) fn same_revision(&self, revision: u32) -> Option<&LastSealed> {
        let own = self.drafts.first()?.sealed.as_ref();
        own.filter(|sealed| sealed.candidate_revision == revision)
    }
}

// SQL: it follows each draft to the one before.
const WALK: &str = "WITH RECURSIVE lineage AS ( \
       SELECT v.version, v.id, v.lineage_previous, 0 AS links FROM policy_versions v \
         WHERE v.tenant_id = $1 AND v.policy_id = $2 AND v.version = $3 \
       UNION ALL \
       SELECT p.version, p.id, p.lineage_previous, l.links + 1 FROM lineage l \
         JOIN policy_versions p ON p.tenant_id = $1 AND p.policy_id = $2 \
           AND p.version = l.lineage_previous \
         WHERE l.links < $4) \
     SELECT l.id, l.lineage_previous, s.id, s.candidate_revision, s.answers_record_id, \
       r.id, r.verdict \
     FROM lineage l \
     LEFT JOIN LATERAL ( \
       SELECT * FROM review_submissions s \
         WHERE s.tenant_id = $1 AND s.policy_version_id = l.id \
         ORDER BY s.sequence DESC LIMIT 1) s ON true \
     LEFT JOIN review_records r ON r.tenant_id = $1 AND r.submission_id = s.id \
     ORDER BY l.links";

/// Follows the lineage of a draft. It is data, so it may go round or break off in a restored store:
/// then it ends as unresolved, not as a request that hangs.
pub(crate) async fn walk(tx: &TenantTx, head: &table::Model) -> Result<Lineage> {
    let values = [head.policy_id.into(), head.version.into(), LINKS_MAX.into()];
    let rows = tx.all(WALK, values).await?;
    let last = rows.last().ok_or_else(|| Error::bug("a version without a lineage of its own"))?;
    let is_resolved = last.try_get_by_index::<Option<i32>>(1)?.is_none();
    let drafts = rows.iter().map(draft).collect::<Result<_>>()?;
    Ok(Lineage { drafts, is_resolved })
}

fn draft(row: &QueryResult) -> Result<Draft> {
    Ok(Draft { id: PolicyVersionId(row.try_get_by_index(0)?), sealed: sealed(row)? })
}

fn sealed(row: &QueryResult) -> Result<Option<LastSealed>> {
    let Some(submission_id) = row.try_get_by_index::<Option<Uuid>>(2)? else { return Ok(None) };
    let revision: i32 = row.try_get_by_index(3)?;
    let answers: Option<Uuid> = row.try_get_by_index(4)?;
    let record: Option<Uuid> = row.try_get_by_index(5)?;
    let verdict: Option<String> = row.try_get_by_index(6)?;
    let verdict = verdict.map(|word| word.parse::<ReviewVerdict>()).transpose();
    let verdict = verdict.map_err(|()| Error::bug("a review record without a verdict"))?;
    Ok(Some(LastSealed {
        submission_id: SubmissionId(submission_id),
        candidate_revision: number(revision),
        answers_record_id: answers.map(ReviewRecordId),
        record: record.map(ReviewRecordId).zip(verdict),
    }))
}

/// Refuses a seal that the version's state does not allow, or that does not answer what it must
/// (specification, "Pending work" and "Errors"; contract, section 9).
pub(crate) fn admit(
    head: &table::Model,
    lineage: &Lineage,
    named: Option<ReviewRecordId>,
) -> Result<(), Refusal> {
    let owed = lineage.prior().and_then(LastSealed::returned);
    // On a version that cannot be sealed, an answer that is owed and not named is asked for first.
    if named.is_some() || owed.is_none() {
        lifecycle::allow(head, Move::Seal)?;
    }
    if lineage.prior().is_none() && !lineage.is_resolved {
        return Err(lineage_unresolved());
    }
    match (owed, named) {
        (Some(owed), None) => Err(answers_record_required(owed)),
        (Some(owed), Some(named)) if owed != named => Err(answers_record_mismatch(owed)),
        // The same call again: this revision was sealed with this very answer.
        (None, Some(named)) => {
            let same = lineage.same_revision(number(head.draft_revision));
            let is_repeat = same.is_some_and(|same| same.answers_record_id == Some(named));
            if is_repeat { Ok(()) } else { Err(prior_not_returned()) }
        }
        _ => Ok(()),
    }
}

/// The draft whose lineage a draft based on `based` goes on with: a draft that was set aside, if it or a
/// draft before it was sealed. An answer that is owed stays owed.
pub(crate) async fn continued(
    tx: &TenantTx,
    id: PolicyId,
    based: Option<u32>,
) -> Result<Option<Previous>> {
    let Some(based) = based else { return Ok(None) };
    let row = find(tx, id, based).one(tx.connection()).await?;
    let set_aside =
        |row: &table::Model| row.status.0 == VersionStatus::SetAside && row.ratified_at.is_none();
    let Some(row) = row.filter(set_aside) else { return Ok(None) };
    let has_lineage = row.lineage_previous.is_some() || seal::was_sealed(tx, &row).await?;
    Ok(has_lineage.then_some(Previous { version: row.version, was_set_aside: true }))
}

/// Says of each replaced version of a policy which draft corrects it.
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
        successors.into_iter().map(|(old, new)| (number(old), number(new))).collect();
    for version in versions {
        version.superseded_by_version = successors.get(&version.version).copied();
    }
    Ok(())
}
