//! Alert endpoints.

use contract::{
    alert::{
        AcknowledgeRequest, AcknowledgeResponse, Alert, AlertFilter, AlertPage, AssignRequest,
        PAGE_MAX, SnoozeRequest,
    },
    error::ErrorBody,
    id::AlertId,
    pagination::LIMIT_DEFAULT,
    policy::EmptyBody,
};
use governance::notify::alert;
use utoipa::IntoResponses;

use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Body, Json, NoBody, Path},
    query::{FromQuery, NoQuery, Query, QueryReader},
};

/// List alerts, newest first.
#[utoipa::path(
    get, path = "/v1/alerts", tag = "alerts",
    params(Query<AlertFilter>),
    responses((status = 200, body = AlertPage))
)]
pub async fn list(
    Authorized(cx): Authorized,
    Query(filter): Query<AlertFilter>,
) -> ApiResult<Json<AlertPage>> {
    Ok(Json(alert::list(&cx, &filter).await?))
}

impl FromQuery for AlertFilter {
    fn read(query: &mut QueryReader) -> Option<Self> {
        Some(Self {
            limit: query.integer("limit", 1..=PAGE_MAX, LIMIT_DEFAULT, "Page size"),
            offset: query.integer("offset", 0..=u32::MAX, 0, "Number of alerts to skip"),
            severity: query.one_of("severity", "Only alerts of this severity"),
            status: query.one_of("status", "Only alerts with this status"),
            alert_type: query.one_of("alert_type", "Only alerts of this type"),
            rule_code: query.text(
                "rule_code",
                100,
                "Only alerts of decisions that violate this rule",
            ),
            policy_id: None,
            assigned_to: query.id("assigned_to", "Only alerts assigned to this member"),
        })
    }
}

/// Read an alert.
#[utoipa::path(
    get, path = "/v1/alerts/{id}", tag = "alerts",
    responses((status = 200, body = Alert))
)]
pub async fn read(
    Authorized(cx): Authorized,
    Path((id,)): Path<(AlertId,)>,
    _: NoQuery,
) -> ApiResult<Json<Alert>> {
    Ok(Json(alert::read(&cx, id).await?))
}

/// Acknowledge an alert.
///
/// Acknowledging it again changes nothing and returns who acknowledged it first.
#[utoipa::path(
    post, path = "/v1/alerts/{id}/acknowledge", tag = "alerts", request_body = EmptyBody,
    responses((status = 200, body = Alert))
)]
pub async fn acknowledge(
    Authorized(cx): Authorized,
    Path((id,)): Path<(AlertId,)>,
    _: NoBody,
) -> ApiResult<Json<Alert>> {
    Ok(Json(alert::acknowledge(&cx, id).await?))
}

/// Acknowledge up to 500 alerts.
///
/// Alerts that do not exist are reported by ID. The others are acknowledged.
#[utoipa::path(
    post, path = "/v1/alerts/acknowledge", tag = "alerts", request_body = AcknowledgeRequest,
    responses((status = 200, body = AcknowledgeResponse))
)]
pub async fn acknowledge_all(
    Authorized(cx): Authorized,
    body: Body<AcknowledgeRequest>,
) -> ApiResult<Json<AcknowledgeResponse>> {
    Ok(Json(alert::acknowledge_all(&cx, body.value).await?))
}

/// The error of a change of an acknowledged alert.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "it only describes the responses")]
enum AlertIsAcknowledged {
    /// `INVALID_TRANSITION` with the reason `ALERT_ACKNOWLEDGED`.
    #[response(status = 409)]
    State(ErrorBody),
}

/// Assign an alert.
///
/// Without `user_id`, the alert is assigned to no one.
#[utoipa::path(
    post, path = "/v1/alerts/{id}/assign", tag = "alerts", request_body = AssignRequest,
    responses(
        (status = 200, body = Alert),
        AlertIsAcknowledged,
    )
)]
pub async fn assign(
    Authorized(cx): Authorized,
    Path((id,)): Path<(AlertId,)>,
    body: Body<AssignRequest>,
) -> ApiResult<Json<Alert>> {
    Ok(Json(alert::assign(&cx, id, body.value).await?))
}

/// Snooze an alert.
///
/// Until the given time, the alert is not open. Without `until`, it is open again immediately.
#[utoipa::path(
    post, path = "/v1/alerts/{id}/snooze", tag = "alerts", request_body = SnoozeRequest,
    responses(
        (status = 200, body = Alert),
        AlertIsAcknowledged,
    )
)]
pub async fn snooze(
    Authorized(cx): Authorized,
    Path((id,)): Path<(AlertId,)>,
    body: Body<SnoozeRequest>,
) -> ApiResult<Json<Alert>> {
    Ok(Json(alert::snooze(&cx, id, body.value).await?))
}
