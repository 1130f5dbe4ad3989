//! The counts of open work that every page of a tenant shows, read with one statement.

use std::sync::LazyLock;

use contract::{alert::COUNT_MAX, capability::CapabilityAction, policy::VersionStage};
use serde::de::DeserializeOwned;

use super::{
    Cause, RequestedAction, WAITING_MAX, WaitingVersion, facts, load_waiting,
    requested_action::{InboxUser, VersionFacts},
    time,
};
use crate::{
    access::permission,
    authoring::policy::version::StageFacts,
    base::{prelude::*, sql::assemble},
    deciding::decision::{ActivityMark, MARK},
};

/// The open work of a tenant, as a user sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Since when each item needs the user: versions with an action that the user can perform now, threads
    /// that mention the user, and open alerts assigned to the user. Empty for roles that cannot act.
    pub actionable_since: Vec<Timestamp>,
    /// The versions that need an action of any user, in the order of their policies.
    pub waiting: Vec<WaitingVersion>,
    /// The versions with a thread in which a comment mentions the user.
    pub mentions: Vec<WaitingVersion>,
    /// The open alerts that are assigned to the user, longest waiting first.
    pub assigned_alerts: Vec<AssignedAlert>,
    /// The number of versions that wait for ratification.
    pub waiting_versions: u64,
    /// The number of open alerts, like the next two up to [`COUNT_MAX`].
    pub open_alerts: u64,
    pub snoozed_alerts: u64,
    /// The number of dead deliveries of existing subscriptions; `None` if the user cannot read deliveries.
    pub dead_deliveries: Option<u64>,
    /// The mark of a page whose rows are read after the counts.
    pub mark: ActivityMark,
}

/// An open alert that is assigned to the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignedAlert {
    pub id: AlertId,
    pub severity: Severity,
    /// A message for people.
    pub message: String,
    /// The time of the assignment.
    pub since: Timestamp,
    /// The user or API key that assigned the alert.
    pub by: Option<String>,
}

static SELECT_COUNTS: LazyLock<String> = LazyLock::new(|| {
    assemble(
        include_str!("counts.sql"),
        &[
            ("mentions", include_str!("counts/mentions.sql")),
            ("assigned", include_str!("counts/assigned.sql")),
            ("mark", MARK),
            ("open", include_str!("counts/open.sql")),
        ],
    )
});

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
        i64::from(COUNT_MAX).into(),
    ];
    let rows = tx.all(&SELECT_COUNTS, values).await?;
    tx.finish_read().await?;
    let first = rows.first().or_bug("a tenant without settings")?;
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
        mark: ActivityMark::from_column(&first.try_get_by_index::<String>(COUNTS + 7)?)?,
        ..Counts::default()
    };
    let has_versions = first.try_get_by_index::<Option<Uuid>>(0)?.is_some();
    for row in rows.iter().filter(|_| has_versions) {
        counts.waiting_versions += u64::from(waits_for_ratification(&facts(row)?));
        counts.waiting.extend(load_waiting(row, user, review_required)?);
    }
    for mention in json(&rows, COUNTS + 2)? {
        counts.mentions.push(mention_to_waiting(mention)?);
    }
    for assigned in json(&rows, COUNTS + 3)? {
        counts.assigned_alerts.push(assigned_alert(assigned)?);
    }
    if human.role.has(Right::Operate) {
        let versions = counts.waiting.iter().chain(&counts.mentions);
        let actionable = versions.filter(|waiting| waiting.is_actionable);
        let alerts = counts.assigned_alerts.iter().map(|alert| alert.since);
        counts.actionable_since = actionable.map(|waiting| waiting.since).chain(alerts).collect();
    }
    Ok(counts)
}

impl Counts {
    /// Returns the versions that need an action of any user, and those with a thread that mentions the user, longest
    /// waiting first.
    pub fn waiting_or_mentioned(&self) -> Vec<WaitingVersion> {
        let mut waiting = [&*self.waiting, &self.mentions].concat();
        waiting.sort_by_key(|waiting| waiting.since);
        waiting
    }
}

/// The members of an assigned alert, with its time in milliseconds.
type AssignedRow = (AlertId, Severity, String, i64, Option<String>);

fn assigned_alert((id, severity, message, at, by): AssignedRow) -> Result<AssignedAlert> {
    Ok(AssignedAlert { id, severity, message, since: time(at)?, by })
}

/// A mention: the ID and the name of the policy, the version and its draft revision, the time and the author of the
/// comment, and the numbers of threads and of open threads.
type MentionRow = (PolicyId, String, u32, u32, i64, String, u64, u64);

/// Converts a mention to a version that waits until the user replies or the thread is resolved.
fn mention_to_waiting(row: MentionRow) -> Result<WaitingVersion> {
    let (policy_id, policy_name, version, revision, at, author, comments, open_comments) = row;
    Ok(WaitingVersion {
        action: RequestedAction::Reply,
        cause: Cause::Mentioned,
        policy_id,
        policy_name,
        version,
        revision,
        sealed_revision: None,
        since: time(at)?,
        by: Some(author),
        is_actionable: true,
        comments,
        open_comments,
    })
}

/// Reads the JSON of the row that has a value.
fn json<T: DeserializeOwned>(rows: &[QueryResult], index: usize) -> Result<Vec<T>> {
    let text = |row: &QueryResult| row.try_get_by_index::<Option<String>>(index).transpose();
    let Some(text) = rows.iter().find_map(text).transpose()? else { return Ok(Vec::new()) };
    Ok(serde_json::from_str(&text)?)
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
