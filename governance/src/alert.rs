//! Alerts: raised in the transaction of what they are about, listed, and acknowledged by people and
//! programs.
//!
//! Those of decisions are raised by the schema, as the decisions are written (`m0024_alerts`).

use contract::{
    alert::{
        Acknowledged, AcknowledgedItem, Acknowledgement, Alert, AlertFilter, AlertPage,
        AlertStatus, AlertType,
    },
    id::AlertId,
    json::Object,
    rule::Severity,
};
use entity::{
    alert as table,
    column::{Word, at},
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, EntityTrait, ExprTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
    Select,
    sea_query::{Expr, extension::postgres::PgFunc},
};

use crate::{
    audit::Event,
    cx::Cx,
    error::{Error, Noun, Result, not_found},
    permission,
    tenancy::TenantTx,
};

/// One page of the tenant's alerts, newest first, and how many there are in all.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key without `alerts:read`.
pub async fn list(cx: &Cx, filter: &AlertFilter) -> Result<AlertPage> {
    let tx = cx.tenant(permission::READ_ALERTS)?.begin_snapshot().await?;
    let total = under(&tx, filter).count(tx.connection()).await?;
    let rows = under(&tx, filter)
        .order_by_desc(table::Column::Sequence)
        .limit(u64::from(filter.limit))
        .offset(u64::from(filter.offset))
        .all(tx.connection())
        .await?;
    tx.end().await?;
    let items = rows.into_iter().map(Alert::from).collect();
    Ok(AlertPage { items, total, limit: filter.limit, offset: filter.offset })
}

fn under(tx: &TenantTx, filter: &AlertFilter) -> Select<table::Entity> {
    let mut rows = tx.find::<table::Entity>();
    if let Some(severity) = filter.severity {
        rows = rows.filter(table::Column::Severity.eq(Word(severity)));
    }
    if let Some(alert_type) = filter.alert_type {
        rows = rows.filter(table::Column::AlertType.eq(Word(alert_type)));
    }
    if let Some(rule) = &filter.rule_code {
        let codes = PgFunc::any(Expr::col(table::Column::RuleCodes));
        rows = rows.filter(Expr::val(rule.as_str()).eq(codes));
    }
    match filter.status {
        Some(AlertStatus::Open) => rows.filter(table::Column::AcknowledgedAt.is_null()),
        Some(AlertStatus::Acknowledged) => rows.filter(table::Column::AcknowledgedAt.is_not_null()),
        None => rows,
    }
}

/// One of the tenant's alerts.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read(cx: &Cx, id: AlertId) -> Result<Alert> {
    let tx = cx.tenant(permission::READ_ALERTS)?.begin().await?;
    let rows = tx.find::<table::Entity>().filter(table::Column::Id.eq(id.0));
    let row = rows.one(tx.connection()).await?;
    tx.end().await?;
    Ok(row.ok_or_else(|| not_found(Noun::Alert))?.into())
}

/// The tenant's alerts of these ids, newest first. What is not there is left out.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key without `alerts:read`.
pub async fn read_all(cx: &Cx, ids: &[AlertId]) -> Result<Vec<Alert>> {
    let tx = cx.tenant(permission::READ_ALERTS)?.begin().await?;
    let rows =
        tx.find::<table::Entity>().filter(table::Column::Id.is_in(ids.iter().map(|id| id.0)));
    let rows = rows.order_by_desc(table::Column::Sequence).all(tx.connection()).await?;
    tx.end().await?;
    Ok(rows.into_iter().map(Alert::from).collect())
}

/// Notes that somebody has looked at an alert. One that was acknowledged before stays as it is.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn acknowledge(cx: &Cx, id: AlertId) -> Result<Alert> {
    let item = acknowledge_all(cx, Acknowledgement { ids: vec![id] }).await?.items.pop();
    let alert = item.and_then(|item| item.alert);
    Ok(alert.ok_or_else(|| not_found(Noun::Alert))?)
}

/// Notes that somebody has looked at these alerts: all that are there, in one transaction, with one event
/// for each that was open.
///
/// # Errors
/// `FORBIDDEN`, `INSUFFICIENT_SCOPE`. An alert that is not there is told beside its id.
pub async fn acknowledge_all(cx: &Cx, asked: Acknowledgement) -> Result<Acknowledged> {
    let mut tx = cx.tenant(permission::ACKNOWLEDGE_ALERTS)?.begin().await?;
    // Locked in the order of the ids, so that two who acknowledge the same never wait in a circle.
    let mut rows = tx
        .find::<table::Entity>()
        .filter(table::Column::Id.is_in(asked.ids.iter().map(|id| id.0)))
        .order_by_asc(table::Column::Id)
        .lock_exclusive()
        .all(tx.connection())
        .await?;
    let mut open = Vec::new();
    for row in rows.iter_mut().filter(|row| row.acknowledged_at.is_none()) {
        row.acknowledged_at = Some(at(cx.now));
        row.acknowledged_by = cx.caller.principal();
        open.push(row.id);
    }
    let events = open.iter().map(|id| Event::new("alert.acknowledge", "alert", AlertId(*id)));
    let mut events: Vec<Event> = events.collect();
    if let Some(last) = events.pop() {
        let acknowledged = table::ActiveModel {
            acknowledged_at: Set(Some(at(cx.now))),
            acknowledged_by: Set(cx.caller.principal()),
            ..Default::default()
        };
        let rows = tx.update::<table::Entity>().filter(table::Column::Id.eq_any(open));
        rows.set(acknowledged).exec(tx.connection()).await?;
        for event in events {
            tx.also(event);
        }
        tx.commit(cx, last).await?;
    } else {
        tx.end().await?;
    }
    let alerts: Vec<Alert> = rows.into_iter().map(Alert::from).collect();
    let items = asked.ids.into_iter().map(|id| item(id, &alerts)).collect();
    Ok(Acknowledged { items })
}

fn item(id: AlertId, alerts: &[Alert]) -> AcknowledgedItem {
    let alert = alerts.iter().find(|alert| alert.id == id).cloned();
    let missing = || Error::from(not_found(Noun::Alert)).problem();
    let error = alert.is_none().then(missing);
    AcknowledgedItem { id, alert, error }
}

/// Raises an alert that no decision is behind, in the transaction of what it is about. The setting of the
/// mildest severity is about decisions, and does not hold these back.
pub(crate) async fn raise(
    tx: &TenantTx,
    cx: &Cx,
    alert_type: AlertType,
    severity: Severity,
    message: &str,
    data: Object,
) -> Result<AlertId> {
    let id: AlertId = cx.governance.chance().id();
    let row = table::ActiveModel {
        tenant_id: Set(tx.tenant_id().0),
        id: Set(id.0),
        alert_type: Set(Word(alert_type)),
        severity: Set(Word(severity)),
        message: Set(message.to_owned()),
        data: Set(contract::json::Value::from(data).to_canonical()),
        created_at: Set(at(cx.now)),
        ..Default::default()
    };
    table::Entity::insert(row).exec_without_returning(tx.connection()).await?;
    Ok(id)
}
