//! What waits for a person, what waits for others, and what the person has done.

mod asked;

use contract::{
    capability::CapabilityAction,
    id::PolicyId,
    policy::{ReviewVerdict, VersionStatus},
    time::Timestamp,
};
use entity::column::{instant, number};
use sea_orm::{QueryResult, prelude::DateTimeUtc};

pub use self::asked::Asked;
use self::asked::{Facts, Person};
use crate::{
    cx::Cx,
    error::{Error, Result},
    permission, settings,
};

/// A version that waits for an act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The act.
    pub asked: Asked,
    /// The policy.
    pub policy_id: PolicyId,
    /// Its name.
    pub policy_name: String,
    /// The version.
    pub version: u32,
    /// The revision of now.
    pub revision: u32,
    /// The revision that was last sealed for review.
    pub sealed_revision: Option<u32>,
    /// Since when it waits.
    pub since: Timestamp,
    /// Whose act made it wait: a person or a key.
    pub by: Option<String>,
    /// Whether the caller could do the act now, and not only others.
    pub is_mine: bool,
}

/// Something that the caller has done with a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// What, in the audit log's word.
    pub action: String,
    /// The policy.
    pub policy_id: PolicyId,
    /// Its name.
    pub policy_name: String,
    /// The version.
    pub version: u32,
    /// When.
    pub at: Timestamp,
}

/// How many versions are looked at, and how many acts are told.
const WAITING_MAX: i64 = 500;
const DONE_MAX: i64 = 50;

// SQL: the last submission of each version, and an array that a subquery makes longer.
const OPEN: &str = "SELECT p.id, p.name, v.version, v.draft_revision, v.status, \
       v.makers || ARRAY(SELECT g.issued_by FROM capability_grants g \
         WHERE g.tenant_id = $1 AND g.policy_version_id = v.id AND g.actions && $3), \
       v.submitted_at, v.submitted_by, v.rejected_at, v.rejected_by, v.ratified_at, v.ratified_by, \
       s.candidate_revision, s.sealed_at, s.sealed_by, s.sealer, \
       r.verdict, r.recorded_at, r.recorded_by, v.has_unknown_maker \
     FROM policy_versions v \
     JOIN policies p ON p.tenant_id = v.tenant_id AND p.id = v.policy_id \
     LEFT JOIN LATERAL ( \
       SELECT * FROM review_submissions s \
         WHERE s.tenant_id = $1 AND s.policy_version_id = v.id \
         ORDER BY s.sequence DESC LIMIT 1) s ON true \
     LEFT JOIN review_records r ON r.tenant_id = $1 AND r.submission_id = s.id \
     WHERE v.tenant_id = $1 AND (v.status IN ('draft', 'submitted') \
       OR (v.status = 'ratified' AND v.activated_at IS NULL \
           AND v.version > coalesce(p.active_version, 0))) \
     ORDER BY p.sequence, v.version LIMIT $2";

/// The versions that wait for an act of somebody, longest first.
///
/// # Errors
/// `HUMAN_REQUIRED`: a program reads its pending work elsewhere.
pub async fn waiting(cx: &Cx) -> Result<Vec<Waiting>> {
    let human = cx.human()?;
    let (user_id, role) = (human.user_id, human.role);
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let settings = settings::of(&tx).await?;
    let writing = CapabilityAction::writing_words();
    let rows = tx.all(OPEN, [WAITING_MAX.into(), writing.into()]).await?;
    tx.end().await?;
    let person = Person { user_id, role, is_maker_checked: settings.maker_checker_enabled };
    let row = |row: &QueryResult| waits(row, person, settings.review_required).transpose();
    let mut waiting = rows.iter().filter_map(row).collect::<Result<Vec<_>>>()?;
    waiting.sort_by_key(|waiting| waiting.since);
    Ok(waiting)
}

/// How many versions wait for an act that the caller could do now.
///
/// # Errors
/// As [`waiting`].
pub async fn needs_me(cx: &Cx) -> Result<usize> {
    Ok(waiting(cx).await?.iter().filter(|waiting| waiting.is_mine).count())
}

fn waits(row: &QueryResult, person: Person, review_required: bool) -> Result<Option<Waiting>> {
    let facts = facts(row)?;
    let Some(due) = facts.due(review_required) else { return Ok(None) };
    Ok(Some(Waiting {
        asked: due.asked,
        policy_id: PolicyId(row.try_get_by_index(0)?),
        policy_name: row.try_get_by_index(1)?,
        version: number(row.try_get_by_index(2)?),
        revision: facts.revision,
        sealed_revision: facts.sealed.as_ref().map(|sealed| sealed.revision),
        since: due.since,
        is_mine: facts.is_for(due.asked, person),
        by: due.by,
    }))
}

/// Reads a column as the instant that it holds.
fn at(row: &QueryResult, index: usize) -> Result<Option<Timestamp>> {
    Ok(row.try_get_by_index::<Option<DateTimeUtc>>(index)?.map(instant))
}

fn facts(row: &QueryResult) -> Result<Facts> {
    let status: String = row.try_get_by_index(4)?;
    let event = |at_index: usize, by_index: usize| -> Result<Option<asked::Event>> {
        let by = row.try_get_by_index(by_index)?;
        Ok(at(row, at_index)?.map(|at| asked::Event { at, by }))
    };
    let sealed = match (row.try_get_by_index::<Option<i32>>(12)?, event(13, 14)?) {
        (Some(revision), Some(event)) => {
            let sealer = row.try_get_by_index(15)?;
            Some(asked::Sealed { revision: number(revision), sealer, event })
        }
        _ => None,
    };
    let verdict: Option<String> = row.try_get_by_index(16)?;
    let verdict = verdict.map(|word| word.parse::<ReviewVerdict>()).transpose();
    let verdict = verdict.map_err(|()| Error::bug("a review record without a verdict"))?;
    Ok(Facts {
        status: status
            .parse::<VersionStatus>()
            .map_err(|()| Error::bug("a version without a state"))?,
        revision: number(row.try_get_by_index(3)?),
        makers: row.try_get_by_index(5)?,
        has_unknown_maker: row.try_get_by_index(19)?,
        submitted: event(6, 7)?,
        rejected: event(8, 9)?,
        ratified: event(10, 11)?,
        sealed,
        record: verdict.zip(event(17, 18)?),
    })
}

// SQL: events name versions by text.
const DONE: &str = "SELECT e.action, p.id, p.name, v.version, e.occurred_at \
     FROM audit_events e \
     JOIN policy_versions v ON v.tenant_id = $1 AND v.id::text = e.object_id \
     JOIN policies p ON p.tenant_id = $1 AND p.id = v.policy_id \
     WHERE e.tenant_id = $1 AND e.actor_id = $2 AND e.object_type = 'policy_version' \
       AND e.action <> 'policy_version.edit' \
     ORDER BY e.seq DESC LIMIT $3";

/// What the caller has done with versions, newest first; edits of drafts aside.
///
/// # Errors
/// `HUMAN_REQUIRED`.
pub async fn done(cx: &Cx) -> Result<Vec<Done>> {
    let user_id = cx.human()?.user_id;
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let rows = tx.all(DONE, [user_id.to_string().into(), DONE_MAX.into()]).await?;
    tx.end().await?;
    let done = |row: &QueryResult| {
        let version: i32 = row.try_get_by_index(3)?;
        Ok(Done {
            action: row.try_get_by_index(0)?,
            policy_id: PolicyId(row.try_get_by_index(1)?),
            policy_name: row.try_get_by_index(2)?,
            version: number(version),
            at: instant(row.try_get_by_index::<DateTimeUtc>(4)?),
        })
    };
    rows.iter().map(done).collect()
}
