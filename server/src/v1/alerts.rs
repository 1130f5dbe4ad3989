//! Alert endpoints.

use contract::{
    alert::{
        AcknowledgeRequest, AcknowledgeResponse, Alert, AlertFilter, AlertPage, AssignRequest,
        PAGE_MAX, SnoozeRequest,
    },
    id::AlertId,
    pagination::LIMIT_DEFAULT,
};
use governance::notify::alert;

use crate::edge::{Authorized, Body, Filters, FromQuery, Id, Json, JsonResult, Query, QueryReader};

/// List alerts, newest first.
#[get("/v1/alerts", READ_ALERTS)]
async fn list(
    cx: Authorized,
    Query((Offset { limit, offset }, Filters(filter))): Query<(Offset, Filters<AlertFilter>)>,
) -> JsonResult<AlertPage> {
    let filter = AlertFilter { limit, offset, ..filter };
    Ok(Json(alert::list(&cx, &filter).await?))
}

/// The part of the alerts to list.
#[derive(Debug)]
struct Offset {
    limit: u32,
    offset: u32,
}

impl FromQuery for Offset {
    fn read(query: &mut QueryReader) -> Option<Self> {
        Some(Self {
            limit: query.integer("limit", 1..=PAGE_MAX, LIMIT_DEFAULT, "Page size"),
            offset: query.integer("offset", 0..=u32::MAX, 0, "Number of alerts to skip"),
        })
    }
}

/// Read an alert.
#[get("/v1/alerts/{id}", READ_ALERTS)]
async fn read(cx: Authorized, Id(id): Id<AlertId>) -> JsonResult<Alert> {
    Ok(Json(alert::read(&cx, id).await?))
}

/// Acknowledge an alert.
///
/// Acknowledging it again changes nothing and returns who acknowledged it first.
#[post("/v1/alerts/{id}/acknowledge", ACKNOWLEDGE_ALERTS, audit = "alert.acknowledge")]
async fn acknowledge(cx: Authorized, Id(id): Id<AlertId>) -> JsonResult<Alert> {
    Ok(Json(alert::acknowledge(&cx, id).await?))
}

/// Acknowledge up to 500 alerts.
///
/// Alerts that do not exist are reported by ID. The others are acknowledged.
#[post(
    "/v1/alerts/acknowledge", ACKNOWLEDGE_ALERTS, id = "postAlertsAcknowledgeMany",
    audit = "alert.acknowledge",
    example = {"ids": ["5f0c9f3e-2c1d-4b7a-9e55-0d3b7f6a1c22"]},
)]
async fn acknowledge_all(
    cx: Authorized,
    body: Body<AcknowledgeRequest>,
) -> JsonResult<AcknowledgeResponse> {
    Ok(Json(alert::acknowledge_all(&cx, body.value).await?))
}

/// Assign an alert.
///
/// Without `user_id`, the alert is assigned to no one.
#[post(
    "/v1/alerts/{id}/assign", ACKNOWLEDGE_ALERTS, audit = "alert.assign",
    example = {"user_id": "3b1f0c7a-52d4-4f0e-8a6c-9d2e7b1c4f55"},
    409 = "`INVALID_TRANSITION` with the reason `ALERT_ACKNOWLEDGED`.",
)]
async fn assign(
    cx: Authorized,
    Id(id): Id<AlertId>,
    body: Body<AssignRequest>,
) -> JsonResult<Alert> {
    Ok(Json(alert::assign(&cx, id, body.value).await?))
}

/// Snooze an alert.
///
/// Until the given time, the alert is not open. Without `until`, it is open again immediately.
#[post(
    "/v1/alerts/{id}/snooze", ACKNOWLEDGE_ALERTS, audit = "alert.snooze",
    example = {"until": "2026-09-02T08:00:00Z"},
    409 = "`INVALID_TRANSITION` with the reason `ALERT_ACKNOWLEDGED`.",
)]
async fn snooze(
    cx: Authorized,
    Id(id): Id<AlertId>,
    body: Body<SnoozeRequest>,
) -> JsonResult<Alert> {
    Ok(Json(alert::snooze(&cx, id, body.value).await?))
}
