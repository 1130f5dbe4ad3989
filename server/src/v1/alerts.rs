//! Alert endpoints.

use contract::{
    alert::{
        AcknowledgeRequest, AcknowledgeResponse, Alert, AlertFilter, AlertPage, AlertStatus,
        AlertType, PAGE_MAX,
    },
    error::ErrorBody,
    id::AlertId,
    pagination::LIMIT_DEFAULT,
    policy::EmptyBody,
    rule::Severity,
};
use governance::notify::alert;

use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Body, Json, NoBody, Path, Query},
};

/// List alerts, newest first.
#[utoipa::path(
    get, path = "/v1/alerts", tag = "alerts",
    params(
        ("limit" = Option<u32>, Query, description = "Page size, 1 to 100 (default 50)"),
        ("offset" = Option<u32>, Query, description = "Number of alerts to skip (default 0)"),
        ("severity" = Option<Severity>, Query, description = "Only alerts of this severity"),
        ("status" = Option<String>, Query, description = "Only alerts with this status: `open` or `acknowledged`"),
        ("alert_type" = Option<AlertType>, Query, description = "Only alerts of this type"),
        ("rule_code" = Option<String>, Query, description = "Only alerts of decisions that violate this rule"),
    ),
    responses((status = 200, body = AlertPage), (status = 422, body = ErrorBody))
)]
pub async fn list(Authorized(cx): Authorized, mut query: Query) -> ApiResult<Json<AlertPage>> {
    let limit = query.parsed::<u32>("limit", "a whole number from 1 to 100");
    let offset = query.parsed::<u32>("offset", "a whole number from 0");
    let filter = AlertFilter {
        severity: query.parsed("severity", "low, medium, high or critical"),
        status: query.parsed::<AlertStatus>("status", "open or acknowledged"),
        alert_type: query.parsed("alert_type", &AlertType::NAMES.join(" or ")),
        rule_code: query.text("rule_code", 100),
        limit: limit.unwrap_or(LIMIT_DEFAULT),
        offset: offset.unwrap_or_default(),
    };
    if !(1..=PAGE_MAX).contains(&filter.limit) {
        query.reject("limit", "must be a whole number from 1 to 100");
    }
    query.finish()?;
    Ok(Json(alert::list(&cx, &filter).await?))
}

/// Read an alert.
#[utoipa::path(
    get, path = "/v1/alerts/{id}", tag = "alerts",
    params(("id" = String, Path, description = "The ID of the alert")),
    responses((status = 200, body = Alert), (status = 404, body = ErrorBody))
)]
pub async fn read(
    Authorized(cx): Authorized,
    Path((id,)): Path<(AlertId,)>,
    query: Query,
) -> ApiResult<Json<Alert>> {
    query.finish()?;
    Ok(Json(alert::read(&cx, id).await?))
}

/// Acknowledge an alert.
///
/// Acknowledging it again changes nothing and returns who acknowledged it first.
#[utoipa::path(
    post, path = "/v1/alerts/{id}/acknowledge", tag = "alerts", request_body = EmptyBody,
    params(("id" = String, Path, description = "The ID of the alert")),
    responses((status = 200, body = Alert), (status = 404, body = ErrorBody))
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
/// Alerts that do not exist are reported by id. The others are acknowledged.
#[utoipa::path(
    post, path = "/v1/alerts/acknowledge", tag = "alerts", request_body = AcknowledgeRequest,
    responses((status = 200, body = AcknowledgeResponse), (status = 422, body = ErrorBody))
)]
pub async fn acknowledge_all(
    Authorized(cx): Authorized,
    body: Body<AcknowledgeRequest>,
) -> ApiResult<Json<AcknowledgeResponse>> {
    Ok(Json(alert::acknowledge_all(&cx, body.value).await?))
}
