//! The counts of open work that every page of a tenant shows, read with one statement.

use contract::{capability::CapabilityAction, policy::VersionStage, scope::Right, time::Timestamp};
use entity::column::from_column;
use sea_orm::{QueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::{
    WAITING_MAX, WaitingVersion, facts, load_waiting,
    requested_action::{InboxUser, VersionFacts},
    select_open,
};
use crate::{
    access::permission,
    authoring::policy::version::StageFacts,
    base::{
        cx::Cx,
        error::{Error, Result},
        tenancy::timestamp_value,
    },
    deciding::decision::{ActivityMark, select_mark},
};

/// The open work of a tenant, as a user sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Since when each item needs the user: versions with an action that the user can perform now, threads
    /// that mention the user, and open alerts assigned to the user. Empty for roles that cannot act.
    pub actionable_since: Vec<Timestamp>,
    /// The versions that need an action of any user, in the order of their policies.
    pub waiting: Vec<WaitingVersion>,
    /// The number of versions that wait for ratification.
    pub waiting_versions: u64,
    pub open_alerts: u64,
    pub snoozed_alerts: u64,
    /// The number of dead deliveries of existing subscriptions; `None` if the user cannot read deliveries.
    pub dead_deliveries: Option<u64>,
    /// The mark of a page whose rows are read after the counts.
    pub mark: ActivityMark,
}

// SQL: one round trip. Each row has an open version and the same counts; without open versions, there is one row.
const SELECT_COUNTS: &str = concat!(
    "SELECT v.*, t.maker_checker_enabled, t.review_required, \
       ARRAY(SELECT DISTINCT ON (coalesce(c.in_reply_to, c.id)) c.created_at \
         FROM comment_mentions m \
         JOIN version_comments c ON c.tenant_id = $1 AND c.id = m.comment_id \
         JOIN version_comments f ON f.tenant_id = $1 AND f.id = coalesce(c.in_reply_to, c.id) \
         WHERE m.tenant_id = $1 AND m.user_id = $4 AND f.resolved_at IS NULL \
           AND NOT EXISTS (SELECT FROM version_comments r WHERE r.tenant_id = $1 \
             AND r.in_reply_to = f.id AND r.author = $4 AND r.sequence > c.sequence) \
         ORDER BY coalesce(c.in_reply_to, c.id), c.sequence LIMIT $2), \
       ARRAY(SELECT coalesce((SELECT e.occurred_at FROM audit_events e \
           WHERE e.tenant_id = $1 AND e.object_id = a.id::text AND e.action = 'alert.assign' \
           ORDER BY e.seq DESC LIMIT 1), a.created_at) \
         FROM alerts a WHERE a.tenant_id = $1 AND a.assigned_to = $4 AND a.acknowledged_at IS NULL \
           AND (a.snoozed_until IS NULL OR a.snoozed_until <= $5) LIMIT $2), \
       (SELECT count(*) FROM alerts a WHERE a.tenant_id = $1 AND a.acknowledged_at IS NULL \
         AND (a.snoozed_until IS NULL OR a.snoozed_until <= $5)), \
       (SELECT count(*) FROM webhook_deliveries d JOIN webhook_subscriptions s \
         ON s.tenant_id = d.tenant_id AND s.id = d.subscription_id \
         WHERE d.tenant_id = $1 AND d.status = 'dead' AND $6), \
       (SELECT count(*) FROM alerts a WHERE a.tenant_id = $1 AND a.acknowledged_at IS NULL \
         AND a.snoozed_until > $5), ",
    select_mark!(),
    " FROM settings t LEFT JOIN LATERAL (",
    select_open!(),
    ") v ON true WHERE t.tenant_id = $1"
);

/// The index of the first column after those of an open version.
const COUNTS: usize = 22;

/// Returns the counts of open work for the signed-in user.
///
/// # Errors
/// `HUMAN_REQUIRED` for an API key.
pub async fn counts(cx: &Cx) -> Result<Counts> {
    let human = cx.human()?;
    cx.tenant(permission::READ_ALERTS)?;
    let reads_deliveries = cx.tenant(permission::READ_DELIVERIES).is_ok();
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let values = [
        WAITING_MAX.into(),
        CapabilityAction::writing_names().into(),
        human.user_id.0.into(),
        timestamp_value(cx.now),
        reads_deliveries.into(),
    ];
    let rows = tx.all(SELECT_COUNTS, values).await?;
    tx.finish_read().await?;
    let first = rows.first().ok_or_else(|| Error::bug("a tenant without settings"))?;
    let user = InboxUser {
        user_id: human.user_id,
        role: human.role,
        is_maker_checked: first.try_get_by_index(COUNTS)?,
    };
    let review_required = first.try_get_by_index(COUNTS + 1)?;
    let mut counts = Counts {
        open_alerts: count(first, COUNTS + 4)?,
        snoozed_alerts: count(first, COUNTS + 6)?,
        dead_deliveries: if reads_deliveries { Some(count(first, COUNTS + 5)?) } else { None },
        mark: ActivityMark::from_column(first, COUNTS + 7)?,
        ..Counts::default()
    };
    let has_versions = first.try_get_by_index::<Option<Uuid>>(0)?.is_some();
    for row in rows.iter().filter(|_| has_versions) {
        counts.waiting_versions += u64::from(waits_for_ratification(&facts(row)?));
        counts.waiting.extend(load_waiting(row, user, review_required)?);
    }
    if human.role.has(Right::Operate) {
        let actionable = counts.waiting.iter().filter(|waiting| waiting.is_actionable);
        counts.actionable_since = actionable.map(|waiting| waiting.since).collect();
        counts.actionable_since.extend(times(first, COUNTS + 2)?);
        counts.actionable_since.extend(times(first, COUNTS + 3)?);
    }
    Ok(counts)
}

fn waits_for_ratification(facts: &VersionFacts) -> bool {
    let stage = StageFacts {
        status: facts.status,
        is_active: false,
        was_active: false,
        revision: facts.revision,
        submitted_at: facts.submitted.as_ref().map(|event| event.at),
        sealed: facts.sealed.as_ref().map(|sealed| (sealed.revision, sealed.event.at)),
        verdict: facts.record.as_ref().map(|(verdict, _)| *verdict),
    };
    stage.stage() == VersionStage::WaitingForRatification
}

fn count(row: &QueryResult, index: usize) -> Result<u64> {
    Ok(row.try_get_by_index::<i64>(index)?.unsigned_abs())
}

fn times(row: &QueryResult, index: usize) -> Result<impl Iterator<Item = Timestamp> + use<>> {
    let times: Vec<DateTimeUtc> = row.try_get_by_index(index)?;
    Ok(times.into_iter().map(from_column))
}
