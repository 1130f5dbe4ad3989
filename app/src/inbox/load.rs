//! Data of the inbox page.

use std::collections::BTreeMap;

use contract::{
    id::{PolicyId, TenantId},
    scope::{Right, Role},
    time::{DAY_MS, Timestamp},
};
use governance::{
    Cx,
    base::error::role_lacks_permission,
    insight::{
        inbox::{self, AssignedAlert},
        rollup::{self, Span},
    },
};

use super::view::{
    AlertRow, Attention, Cause, DoneRow, InboxItem, InboxPage, InboxQuery, RequestedAction,
    RuleAlerts, RuleChanges, WaitingRow,
};
use crate::{
    decision::counts::bars,
    member::names::{Names, known},
    problem::Problem,
    request::{counts, directory, into_problem},
};

/// Returns the inbox of a user whose role can act in the tenant. Read-only roles have no inbox.
pub(crate) async fn page(
    cx: &Cx,
    tenant: TenantId,
    query: &InboxQuery,
) -> Result<InboxPage, Problem> {
    let role = cx.role().unwrap_or(Role::Viewer);
    if !role.has(Right::Operate) {
        return into_problem(Err(role_lacks_permission("the inbox", Right::Operate, role).into()));
    }
    let names = &directory(cx).await?.names;
    let counts = counts(cx).await?;
    let waiting = counts.waiting_or_mentioned().into_iter();
    let (own, others): (Vec<_>, Vec<_>) = waiting.partition(|version| version.is_actionable);
    let alerts = counts.assigned_alerts.iter().cloned();
    let alerts = alerts.map(|alert| InboxItem::Alert(alert_row(alert, names)));
    let is_main = query.is_main();
    let changes = if is_main { changes(cx, &own).await? } else { BTreeMap::new() };
    let items = |waiting: Vec<inbox::WaitingVersion>| -> Vec<InboxItem> {
        let row = |version: inbox::WaitingVersion| {
            let changes = changes.get(&(version.policy_id, version.version)).copied();
            InboxItem::Version(WaitingRow { changes, ..row(version, names) })
        };
        waiting.into_iter().map(row).collect()
    };
    let mut mine = items(own);
    mine.extend(alerts);
    mine.sort_by_key(InboxItem::since);
    let oldest = mine.first().map(InboxItem::since);
    let attention = if is_main { Some(attention(cx, oldest).await?) } else { None };
    let others = items(others);
    let totals = [mine.len(), others.len()];
    let matching = |items: Vec<InboxItem>| {
        items.into_iter().filter(|item| query.matches(item)).collect::<Vec<_>>()
    };
    let done = into_problem(inbox::completed_actions(cx).await)?.into_iter();
    Ok(InboxPage {
        tenant,
        now: cx.now,
        totals,
        mine: matching(mine),
        others: matching(others),
        done: done
            .map(|done| DoneRow {
                action: done.action,
                policy: done.policy_id,
                name: done.policy_name,
                version: done.version,
                at: done.at,
            })
            .filter(|row| query.matches_text([Some(&*row.name)]))
            .collect(),
        attention,
    })
}

/// The maximum number of versions whose rules are compared.
const COMPARED_MAX: usize = 50;

/// Returns how the rules of the first versions differ from those of the active versions.
async fn changes(
    cx: &Cx,
    waiting: &[inbox::WaitingVersion],
) -> Result<BTreeMap<(PolicyId, u32), RuleChanges>, Problem> {
    let versions: Vec<_> = waiting
        .iter()
        .take(COMPARED_MAX)
        .map(|version| (version.policy_id, version.version))
        .collect();
    if versions.is_empty() {
        return Ok(BTreeMap::new());
    }
    let changes = into_problem(inbox::rule_changes(cx, &versions).await)?.into_iter();
    let changes = changes.map(|(version, inbox::RuleChanges { rules, changed, removed })| {
        (version, RuleChanges { rules, changed, removed })
    });
    Ok(changes.collect())
}

/// Returns the figures of the last 24 hours, and the open alerts by rule. `oldest` is the start of the waiting time of
/// the first item.
async fn attention(cx: &Cx, oldest: Option<Timestamp>) -> Result<Attention, Problem> {
    let counts = crate::request::counts(cx).await?;
    let inbox::Attention { critical_alerts, dead_since, rules } =
        into_problem(inbox::attention(cx).await)?;
    let span = Span::new(cx.now.plus_millis(-DAY_MS), cx.now);
    let recent = into_problem(rollup::recent(cx, span).await)?;
    let rule = |rule: inbox::RuleAlerts| RuleAlerts {
        name: rule.name,
        code: rule.rule_code,
        severity: rule.severity,
        open: rule.open,
        newest: rule.newest,
    };
    Ok(Attention {
        oldest,
        open_alerts: counts.open_alerts,
        critical_alerts,
        span: [span.from, span.to],
        previous_decisions: recent.previous,
        bars: bars(span, &recent.verdicts),
        step_ms: span.step_ms,
        dead_deliveries: counts.dead_deliveries.unwrap_or_default(),
        dead_since,
        rules: rules.into_iter().map(rule).collect(),
    })
}

pub(crate) fn row(waiting: inbox::WaitingVersion, names: &Names) -> WaitingRow {
    WaitingRow {
        requested_action: match waiting.action {
            inbox::RequestedAction::Review => RequestedAction::Review,
            inbox::RequestedAction::Ratify => RequestedAction::Ratify,
            inbox::RequestedAction::Activate => RequestedAction::Activate,
            inbox::RequestedAction::Answer => RequestedAction::Answer,
            inbox::RequestedAction::Reply => RequestedAction::Reply,
        },
        cause: match waiting.cause {
            inbox::Cause::Submitted => Cause::Submitted,
            inbox::Cause::Accepted => Cause::Accepted,
            inbox::Cause::ChangesRequested => Cause::ChangesRequested,
            inbox::Cause::Rejected => Cause::Rejected,
            inbox::Cause::Ratified => Cause::Ratified,
            inbox::Cause::Mentioned => Cause::Mentioned,
        },
        policy: waiting.policy_id,
        name: waiting.policy_name,
        version: waiting.version,
        revision: waiting.revision,
        sealed: waiting.sealed_revision,
        since: waiting.since,
        by: known(waiting.by, names),
        changes: None,
        comments: waiting.comments,
        open_comments: waiting.open_comments,
    }
}

fn alert_row(alert: AssignedAlert, names: &Names) -> AlertRow {
    AlertRow {
        id: alert.id,
        severity: alert.severity,
        message: alert.message,
        since: alert.since,
        by: known(alert.by, names),
    }
}
