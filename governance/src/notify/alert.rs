//! Alerts: created in the transaction that causes them, listed, and acknowledged by users and API keys.
//!
//! The schema creates alerts about decisions when it writes the decisions (`m0013_alerts`).

use contract::{
    alert::{
        AcknowledgeRequest, AcknowledgeResponse, AcknowledgeResult, Alert, AlertFilter, AlertPage,
        AlertStatus, AlertType,
    },
    id::AlertId,
    json::Object,
    rule::Severity,
};
use entity::{
    alert as table,
    column::{TextEnum, to_column},
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, EntityTrait, ExprTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
    Select,
    sea_query::{Expr, extension::postgres::PgFunc},
};

use crate::{
    access::permission,
    base::{
        audit_event::Event,
        cx::Cx,
        error::{Error, ResourceKind, Result, not_found},
        tenancy::TenantTx,
    },
};

/// Returns a page of the tenant's alerts, newest first, and their total number.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key without `alerts:read`.
pub async fn list(cx: &Cx, filter: &AlertFilter) -> Result<AlertPage> {
    let tx = cx.tenant(permission::READ_ALERTS)?.begin_snapshot().await?;
    let total = filtered(&tx, filter).count(tx.connection()).await?;
    let rows = filtered(&tx, filter)
        .order_by_desc(table::Column::Sequence)
        .limit(u64::from(filter.limit))
        .offset(u64::from(filter.offset))
        .all(tx.connection())
        .await?;
    tx.finish_read().await?;
    let items = rows.into_iter().map(Alert::from).collect();
    Ok(AlertPage { items, total, limit: filter.limit, offset: filter.offset })
}

fn filtered(tx: &TenantTx, filter: &AlertFilter) -> Select<table::Entity> {
    let mut rows = tx.find::<table::Entity>();
    if let Some(severity) = filter.severity {
        rows = rows.filter(table::Column::Severity.eq(TextEnum(severity)));
    }
    if let Some(alert_type) = filter.alert_type {
        rows = rows.filter(table::Column::AlertType.eq(TextEnum(alert_type)));
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

/// Returns an alert.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read(cx: &Cx, id: AlertId) -> Result<Alert> {
    let tx = cx.tenant(permission::READ_ALERTS)?.begin().await?;
    let rows = tx.find_by_id::<table::Entity>(id);
    let row = rows.one(tx.connection()).await?;
    tx.finish_read().await?;
    Ok(row.ok_or_else(|| not_found(ResourceKind::Alert))?.into())
}

/// Returns the alerts with these ids, newest first. Omits unknown ids.
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
    let item = acknowledge_all(cx, AcknowledgeRequest { ids: vec![id] }).await?.items.pop();
    let alert = item.and_then(|item| item.alert);
    Ok(alert.ok_or_else(|| not_found(ResourceKind::Alert))?)
}

/// Acknowledges all of these alerts that exist, in one transaction, with one audit event for each that was
/// open.
///
/// # Errors
/// `FORBIDDEN`, `INSUFFICIENT_SCOPE`. An unknown alert is reported in its item.
pub async fn acknowledge_all(cx: &Cx, request: AcknowledgeRequest) -> Result<AcknowledgeResponse> {
    let mut tx = cx.tenant(permission::ACKNOWLEDGE_ALERTS)?.begin().await?;
    // Locked in the order of the ids, so that concurrent calls cannot deadlock.
    let mut rows = tx
        .find::<table::Entity>()
        .filter(table::Column::Id.is_in(request.ids.iter().map(|id| id.0)))
        .order_by_asc(table::Column::Id)
        .lock_exclusive()
        .all(tx.connection())
        .await?;
    let mut open = Vec::new();
    for row in rows.iter_mut().filter(|row| row.acknowledged_at.is_none()) {
        row.acknowledged_at = Some(to_column(cx.now));
        row.acknowledged_by = cx.caller.principal();
        open.push(row.id);
    }
    let events = open.iter().map(|id| Event::new("alert.acknowledge", "alert", AlertId(*id)));
    let mut events: Vec<Event> = events.collect();
    if let Some(last) = events.pop() {
        let update = table::ActiveModel {
            acknowledged_at: Set(Some(to_column(cx.now))),
            acknowledged_by: Set(cx.caller.principal()),
            ..Default::default()
        };
        let rows = tx.update::<table::Entity>().filter(table::Column::Id.eq_any(open));
        rows.set(update).exec(tx.connection()).await?;
        for event in events {
            tx.add_event(event);
        }
        tx.commit(cx, last).await?;
    } else {
        tx.finish_read().await?;
    }
    let alerts: Vec<Alert> = rows.into_iter().map(Alert::from).collect();
    let items = request.ids.into_iter().map(|id| item(id, &alerts)).collect();
    Ok(AcknowledgeResponse { items })
}

fn item(id: AlertId, alerts: &[Alert]) -> AcknowledgeResult {
    let alert = alerts.iter().find(|alert| alert.id == id).cloned();
    let missing = || Error::from(not_found(ResourceKind::Alert)).problem();
    let error = alert.is_none().then(missing);
    AcknowledgeResult { id, alert, error }
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
