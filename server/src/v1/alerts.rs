//! Alerts.

use contract::{
    alert::{
        Acknowledged, Acknowledgement, Alert, AlertFilter, AlertPage, AlertStatus, AlertType,
        PAGE_MAX,
    },
    error::ErrorBody,
    id::AlertId,
    page::LIMIT_DEFAULT,
    policy::Empty,
    rule::Severity,
};
use governance::alert;

use crate::edge::{
    error::Reply,
    extract::{Api, Bodiless, Body, Json, Path, Query},
};

/// List alerts, newest first.
#[utoipa::path(
    get, path = "/v1/alerts", tag = "alerts",
    params(
        ("limit" = Option<u32>, Query, description = "1 to 100, default 50"),
        ("offset" = Option<u32>, Query, description = "How many to pass over, default 0"),
        ("severity" = Option<Severity>, Query, description = "Of exactly this severity"),
        ("status" = Option<String>, Query, description = "`open` or `acknowledged`"),
        ("alert_type" = Option<AlertType>, Query, description = "About this"),
        ("rule_code" = Option<String>, Query, description = "Of decisions that violate this rule"),
    ),
    responses((status = 200, body = AlertPage), (status = 422, body = ErrorBody))
)]
pub async fn list(Api(cx): Api, mut query: Query) -> Reply<Json<AlertPage>> {
    let limit = query.parsed::<u32>("limit", "a whole number from 1 to 100");
    let offset = query.parsed::<u32>("offset", "a whole number from 0");
    let filter = AlertFilter {
        severity: query.parsed("severity", "low, medium, high or critical"),
        status: query.parsed::<AlertStatus>("status", "open or acknowledged"),
        alert_type: query.parsed("alert_type", &AlertType::WORDS.join(" or ")),
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
    params(("id" = String, Path, description = "The alert")),
    responses((status = 200, body = Alert), (status = 404, body = ErrorBody))
)]
pub async fn read(Api(cx): Api, Path((id,)): Path<(AlertId,)>, query: Query) -> Reply<Json<Alert>> {
    query.finish()?;
    Ok(Json(alert::read(&cx, id).await?))
}

/// Acknowledge an alert. Again: unchanged, with who was first.
#[utoipa::path(
    post, path = "/v1/alerts/{id}/acknowledge", tag = "alerts", request_body = Empty,
    params(("id" = String, Path, description = "The alert")),
    responses((status = 200, body = Alert), (status = 404, body = ErrorBody))
)]
pub async fn acknowledge(
    Api(cx): Api,
    Path((id,)): Path<(AlertId,)>,
    _: Bodiless,
) -> Reply<Json<Alert>> {
    Ok(Json(alert::acknowledge(&cx, id).await?))
}

/// Acknowledge up to 500 alerts. What is not there is told beside its id; the others are acknowledged.
#[utoipa::path(
    post, path = "/v1/alerts/acknowledge", tag = "alerts", request_body = Acknowledgement,
    responses((status = 200, body = Acknowledged), (status = 422, body = ErrorBody))
)]
pub async fn acknowledge_all(
    Api(cx): Api,
    body: Body<Acknowledgement>,
) -> Reply<Json<Acknowledged>> {
    Ok(Json(alert::acknowledge_all(&cx, body.read).await?))
}
