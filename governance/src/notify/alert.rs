//! Alerts: created in the transaction that causes them, listed, and acknowledged, assigned and snoozed by users
//! and API keys.
//!
//! The schema creates alerts about decisions when it writes the decisions
//! (`migration/src/m0001_schema/record_group.sql`).

pub mod selection;
mod trail;

use contract::alert::{
    AcknowledgeRequest, AcknowledgeResponse, AcknowledgeResult, Alert, AlertFilter, AlertPage,
    AlertStatus, AlertType, AssignRequest, COUNT_MAX, SNOOZE_MAX_MS, SnoozeRequest,
};
use entity::alert as table;
use sea_orm::{
    ExprTrait,
    sea_query::{Asterisk, Func, Query, SelectStatement, extension::postgres::PgFunc},
};

pub use self::trail::{AlertDelivery, PastChange, Trail, trail};
use crate::{
    access::{membership, permission},
    base::{error::alert as refuse, prelude::*},
};

/// Returns a page of the tenant's alerts, newest first, and their total number up to [`COUNT_MAX`].
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key without `alerts:read`.
pub async fn list(cx: &Cx, filter: &AlertFilter) -> Result<AlertPage> {
    let tx = cx.tenant(permission::READ_ALERTS)?.begin_snapshot().await?;
    let matching = filtered(&tx, filter, cx.now);
    let total = count(matching.clone());
    let rows = matching
        .column_as(Expr::from(total.clone()), "total")
        .order_by_desc(table::Column::Sequence)
        .limit(u64::from(filter.limit))
        .offset(u64::from(filter.offset))
        .into_model::<CountedAlert>()
        .all(tx.connection())
        .await?;
    let total = match rows.first() {
        Some(row) => row.total.unsigned_abs(),
        // Without rows, the page is after the end of the list.
        None if filter.offset > 0 => {
            let row = tx.connection().query_one(&total).await?;
            let row = row.or_bug("a count without a row")?;
            row.try_get_by_index::<i64>(0)?.unsigned_abs()
        }
        None => 0,
    };
    tx.finish_read().await?;
    let items = rows.into_iter().map(|row| row.alert.into()).collect();
    Ok(AlertPage { items, total, limit: filter.limit, offset: filter.offset })
}

/// Counts alerts up to [`COUNT_MAX`].
fn count(matching: Select<table::Entity>) -> SelectStatement {
    let mut counted = matching.select_only().into_query();
    // With an order, an index is used even if the planner expects many rows.
    counted
        .expr(Expr::val(1))
        .order_by(table::Column::Sequence, Order::Desc)
        .limit(u64::from(COUNT_MAX));
    let count = Func::count(Expr::col(Asterisk));
    Query::select().expr(count).from_subquery(counted, "counted").to_owned()
}

/// An alert with the number of all alerts that match the filter.
#[derive(Debug, FromQueryResult)]
struct CountedAlert {
    #[sea_orm(nested)]
    alert: table::Model,
    total: i64,
}

fn filtered(tx: &TenantTx, filter: &AlertFilter, now: Timestamp) -> Select<table::Entity> {
    with_any_status(tx, filter)
        .apply_if(filter.status, |rows, status| rows.filter(has_status(status, now)))
}

/// Selects the alerts that match the filter, with any status.
fn with_any_status(tx: &TenantTx, filter: &AlertFilter) -> Select<table::Entity> {
    use table::Column;
    let one_of = |column: Column, value: Expr| value.eq(PgFunc::any(Expr::col(column)));
    let conditions = [
        filter.severity.map(|severity| Column::Severity.eq(TextEnum(severity))),
        filter.alert_type.map(|alert_type| Column::AlertType.eq(TextEnum(alert_type))),
        filter.rule_code.as_deref().map(|rule| one_of(Column::RuleCodes, Expr::val(rule))),
        filter.policy_id.map(|policy| one_of(Column::PolicyIds, Expr::val(policy.0))),
        filter.assigned_to.map(|user| Column::AssignedTo.eq(user.0)),
    ];
    conditions.into_iter().flatten().fold(tx.find::<table::Entity>(), QueryFilter::filter)
}

/// Returns the condition of rows with this status at `now`, as in [`Alert::status`].
fn has_status(status: AlertStatus, now: Timestamp) -> Condition {
    use table::Column::{AcknowledgedAt, SnoozedUntil};
    let is_unacknowledged = Condition::all().add(AcknowledgedAt.is_null());
    match status {
        AlertStatus::Open => is_unacknowledged.add(
            Condition::any().add(SnoozedUntil.is_null()).add(SnoozedUntil.lte(to_column(now))),
        ),
        AlertStatus::Snoozed => is_unacknowledged.add(SnoozedUntil.gt(to_column(now))),
        AlertStatus::Acknowledged => Condition::all().add(AcknowledgedAt.is_not_null()),
    }
}

/// Returns an alert.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read(cx: &Cx, id: AlertId) -> Result<Alert> {
    let tx = cx.tenant(permission::READ_ALERTS)?.begin().await?;
    let rows = tx.find_by_id::<table::Entity>(id);
    let row = rows.one(tx.connection()).await?;
    tx.finish_read().await?;
    Ok(row.or_not_found(ResourceKind::Alert)?.into())
}

/// Returns the alerts with these IDs, newest first. Omits unknown IDs.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key without `alerts:read`.
pub async fn read_all(cx: &Cx, ids: &[AlertId]) -> Result<Vec<Alert>> {
    let tx = cx.tenant(permission::READ_ALERTS)?.begin().await?;
    let rows =
        tx.find::<table::Entity>().filter(table::Column::Id.is_in(ids.iter().map(|id| id.0)));
    let rows = rows.order_by_desc(table::Column::Sequence).all(tx.connection()).await?;
    tx.finish_read().await?;
    Ok(rows.into_iter().map(Alert::from).collect())
}

/// Acknowledges an alert. An alert that is already acknowledged stays unchanged.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn acknowledge(cx: &Cx, id: AlertId) -> Result<Alert> {
    change(cx, id, Change::Acknowledge).await
}

/// Acknowledges all of these alerts that exist, in one transaction, with one audit event for each that was
/// not acknowledged.
///
/// # Errors
/// `FORBIDDEN`, `INSUFFICIENT_SCOPE`. An unknown alert is reported in its item.
pub async fn acknowledge_all(cx: &Cx, request: AcknowledgeRequest) -> Result<AcknowledgeResponse> {
    let items = change_all(cx, &request.ids, Change::Acknowledge).await?.results;
    let items = items.into_iter().map(|(id, result)| match result {
        Ok(alert) => AcknowledgeResult { id, alert: Some(alert), error: None },
        Err(refusal) => {
            AcknowledgeResult { id, alert: None, error: Some(Error::from(refusal).problem()) }
        }
    });
    Ok(AcknowledgeResponse { items: items.collect() })
}

/// Assigns an alert to a member, or to no one.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_TRANSITION` with `ALERT_ACKNOWLEDGED`; `VALIDATION_ERROR` at `/user_id` for a user
/// who is not an active member.
pub async fn assign(cx: &Cx, id: AlertId, request: AssignRequest) -> Result<Alert> {
    change(cx, id, Change::Assign(request.user_id)).await
}

/// Snoozes an alert until a time at which it is open again, or ends its snooze time.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_TRANSITION` with `ALERT_ACKNOWLEDGED`; `VALIDATION_ERROR` at `/until` for a time
/// that is not in the future or more than 30 days from now.
pub async fn snooze(cx: &Cx, id: AlertId, request: SnoozeRequest) -> Result<Alert> {
    change(cx, id, Change::Snooze(request.until)).await
}

/// The result for one of several alerts: the alert after the change, or why it was not changed.
pub type AlertResult = (AlertId, Result<Alert, Refusal>);

/// The results of a change of several alerts, and what undoes it.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedAlerts {
    /// One result per alert, in the order of the request.
    pub results: Vec<AlertResult>,
    /// The inverse change of each alert that changed. Empty if the change is final.
    pub inverse: Vec<(AlertId, Change)>,
}

/// A change of an alert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Change {
    /// Acknowledges the alert. This is final.
    Acknowledge,
    /// Assigns the alert to a member, or to no one.
    Assign(Option<UserId>),
    /// Snoozes the alert until a time, or ends its snooze time.
    Snooze(Option<Timestamp>),
}

impl Change {
    /// Checks the values of the request.
    async fn check(self, tx: &TenantTx, now: Timestamp) -> Result<()> {
        match self {
            Self::Assign(Some(user_id)) => match membership::lock_role(tx, user_id).await? {
                Some(_) => Ok(()),
                None => Err(refuse::not_a_member().into()),
            },
            Self::Snooze(Some(until)) if until <= now => Err(refuse::snooze_in_past().into()),
            Self::Snooze(Some(until)) if until > now.plus_millis(SNOOZE_MAX_MS) => {
                Err(refuse::snooze_too_long().into())
            }
            Self::Acknowledge | Self::Assign(None) | Self::Snooze(_) => Ok(()),
        }
    }

    /// Returns whether the change applies to an alert and changes it.
    ///
    /// # Errors
    /// Returns the refusal for an acknowledged alert.
    fn changes(self, row: &table::Model) -> Result<bool, Refusal> {
        let is_acknowledged = row.acknowledged_at.is_some();
        match self {
            Self::Acknowledge => Ok(!is_acknowledged),
            Self::Assign(_) if is_acknowledged => Err(refuse::acknowledged("assign")),
            Self::Snooze(_) if is_acknowledged => Err(refuse::acknowledged("snooze")),
            Self::Assign(user_id) => Ok(row.assigned_to != user_id.map(|id| id.0)),
            Self::Snooze(until) => Ok(row.snoozed_until != until.map(to_column)),
        }
    }

    /// Returns the change that restores `row`, unless this change is final.
    fn inverse(self, row: &table::Model) -> Option<Self> {
        match self {
            Self::Acknowledge => None,
            Self::Assign(_) => Some(Self::Assign(row.assigned_to.map(Into::into))),
            Self::Snooze(_) => Some(Self::Snooze(row.snoozed_until.map(from_column))),
        }
    }

    /// Returns the columns that the change sets.
    fn columns(self, cx: &Cx) -> table::ActiveModel {
        let columns = table::ActiveModel {
            changed_at: Set(Some(to_column(cx.now))),
            changed_by: Set(cx.caller.principal()),
            ..Default::default()
        };
        match self {
            Self::Acknowledge => table::ActiveModel {
                acknowledged_at: Set(Some(to_column(cx.now))),
                acknowledged_by: Set(cx.caller.principal()),
                ..columns
            },
            Self::Assign(user_id) => {
                table::ActiveModel { assigned_to: Set(user_id.map(|id| id.0)), ..columns }
            }
            Self::Snooze(until) => {
                table::ActiveModel { snoozed_until: Set(until.map(to_column)), ..columns }
            }
        }
    }

    fn event(self, id: AlertId) -> Event {
        match self {
            Self::Acknowledge => Event::new("alert.acknowledge", "alert", id),
            Self::Assign(user_id) => {
                Event::new("alert.assign", "alert", id).with_some("user_id", user_id)
            }
            Self::Snooze(until) => {
                Event::new("alert.snooze", "alert", id).with_some("until", until)
            }
        }
    }
}

async fn change(cx: &Cx, id: AlertId, change: Change) -> Result<Alert> {
    let result = change_all(cx, &[id], change).await?.results.pop();
    let (_, result) = result.or_bug("an alert without a result")?;
    Ok(result?)
}

/// Changes these alerts in one transaction.
async fn change_all(cx: &Cx, ids: &[AlertId], change: Change) -> Result<ChangedAlerts> {
    let tx = cx.tenant(permission::ACKNOWLEDGE_ALERTS)?.begin().await?;
    let changes: Vec<_> = ids.iter().map(|id| (*id, change)).collect();
    apply(cx, tx, &changes, None).await
}

/// Applies a change to each of these alerts and commits, with one audit event for each alert that changes. An
/// alert that has changed after `seen_at` stays unchanged.
async fn apply(
    cx: &Cx,
    mut tx: TenantTx,
    changes: &[(AlertId, Change)],
    seen_at: Option<Timestamp>,
) -> Result<ChangedAlerts> {
    let by_id: BTreeMap<AlertId, Change> = changes.iter().copied().collect();
    // Members are locked before the alerts, as when a member is removed.
    let mut check = Ok(());
    for change in by_id.values().copied().collect::<BTreeSet<Change>>() {
        check = check.and(change.check(&tx, cx.now).await);
    }
    // Locked in the order of the IDs, so that concurrent calls cannot deadlock.
    let rows = tx
        .find::<table::Entity>()
        .filter(table::Column::Id.is_in(by_id.keys().map(|id| id.0)))
        .order_by_asc(table::Column::Id)
        .lock_exclusive()
        .all(tx.connection())
        .await?;
    if !rows.is_empty() {
        check?;
    }
    let has_changed = |row: &table::Model| {
        seen_at.is_some_and(|at| row.changed_at.is_some_and(|changed| from_column(changed) > at))
    };
    let mut results: BTreeMap<AlertId, Result<Alert, Refusal>> = BTreeMap::new();
    let mut changing: BTreeMap<Change, Vec<AlertId>> = BTreeMap::new();
    let mut inverse = Vec::new();
    for row in rows {
        let id = AlertId::from(row.id);
        let Some(change) = by_id.get(&id) else { continue };
        let result = match change.changes(&row) {
            Ok(true) if has_changed(&row) => Err(refuse::changed()),
            Ok(changes) => {
                if changes {
                    changing.entry(*change).or_default().push(id);
                    inverse.extend(change.inverse(&row).map(|change| (id, change)));
                }
                Ok(row.into())
            }
            Err(refusal) => Err(refusal),
        };
        results.insert(id, result);
    }
    for (change, ids) in &changing {
        let update = tx.update::<table::Entity>();
        let update = update.filter(table::Column::Id.is_in(ids.iter().map(|id| id.0)));
        let update = update.set(change.columns(cx)).exec_with_returning(tx.connection());
        for row in update.await? {
            results.insert(row.id.into(), Ok(row.into()));
        }
    }
    let mut events: Vec<_> =
        changing.iter().flat_map(|(change, ids)| ids.iter().map(|id| change.event(*id))).collect();
    match events.pop() {
        Some(last) => {
            for event in events {
                tx.add_event(event);
            }
            tx.commit(cx, last).await?;
        }
        None => tx.finish_read().await?,
    }
    let result = |id: AlertId| {
        let result = results.get(&id).cloned();
        (id, result.unwrap_or_else(|| Err(not_found(ResourceKind::Alert))))
    };
    let results = changes.iter().map(|(id, _)| result(*id)).collect();
    Ok(ChangedAlerts { results, inverse })
}

/// Creates an alert that is not about a decision, in the transaction that causes it. The tenant's minimum
/// severity applies only to alerts about decisions.
pub(crate) async fn raise(
    tx: &TenantTx,
    cx: &Cx,
    alert_type: AlertType,
    severity: Severity,
    message: &str,
    data: Object,
) -> Result<AlertId> {
    let id: AlertId = cx.governance.entropy().id();
    let row = table::ActiveModel {
        tenant_id: Set(tx.tenant_id().0),
        id: Set(id.0),
        alert_type: Set(TextEnum(alert_type)),
        severity: Set(TextEnum(severity)),
        message: Set(message.to_owned()),
        data: Set(contract::json::Value::from(data).to_canonical()),
        created_at: Set(to_column(cx.now)),
        ..Default::default()
    };
    table::Entity::insert(row).exec_without_returning(tx.connection()).await?;
    Ok(id)
}
