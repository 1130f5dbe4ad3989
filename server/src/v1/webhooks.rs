//! Webhook endpoints: subscriptions and deliveries.

use contract::{
    error::ErrorBody,
    id::{DeliveryId, SubscriptionId},
    pagination::Page,
    policy::EmptyBody,
    webhook::{
        DeliveryFilter, DeliveryStats, RedriveRequest, RedriveResult, SubscriptionCreated,
        SubscriptionDraft, WebhookDelivery, WebhookSubscription,
    },
};
use governance::{PageRequest, notify::webhook};
use http::StatusCode;

use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Body, Created, Json, NoBody, Path},
    query::{FromQuery, NoQuery, Query, QueryReader},
};

/// Create a webhook subscription.
///
/// The secret is returned only once. The filters cannot be changed later.
#[utoipa::path(
    post, path = "/v1/alerts/subscriptions", tag = "alerts", request_body = SubscriptionDraft,
    responses(
        (status = 201, body = SubscriptionCreated),
        (status = 409, description = "`CONFLICT`: the tenant has 100 subscriptions", body = ErrorBody),
    )
)]
pub async fn create(
    Authorized(cx): Authorized,
    body: Body<SubscriptionDraft>,
) -> ApiResult<Created<SubscriptionCreated>> {
    let created = webhook::create(&cx, body.value).await?;
    Ok(Created(format!("/v1/alerts/subscriptions/{}", created.subscription.id), created))
}

/// List webhook subscriptions, newest first.
#[utoipa::path(
    get, path = "/v1/alerts/subscriptions", tag = "alerts",
    params(Query<PageRequest>),
    responses((status = 200, body = Page<WebhookSubscription>))
)]
pub async fn list(
    Authorized(cx): Authorized,
    Query(page): Query<PageRequest>,
) -> ApiResult<Json<Page<WebhookSubscription>>> {
    Ok(Json(webhook::list(&cx, &page).await?))
}

/// Read a webhook subscription.
#[utoipa::path(
    get, path = "/v1/alerts/subscriptions/{id}", tag = "alerts",
    responses((status = 200, body = WebhookSubscription))
)]
pub async fn read(
    Authorized(cx): Authorized,
    Path((id,)): Path<(SubscriptionId,)>,
    _: NoQuery,
) -> ApiResult<Json<WebhookSubscription>> {
    Ok(Json(webhook::read(&cx, id).await?))
}

/// Delete a webhook subscription.
///
/// Pending deliveries are discarded.
#[utoipa::path(
    delete, path = "/v1/alerts/subscriptions/{id}", tag = "alerts",
    responses((status = 204, description = "Deleted"))
)]
pub async fn delete(
    Authorized(cx): Authorized,
    Path((id,)): Path<(SubscriptionId,)>,
    _: NoQuery,
) -> ApiResult<StatusCode> {
    webhook::delete(&cx, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Send a test delivery to a webhook subscription.
///
/// It ignores the filters of the subscription. Its alert has the type `test`.
#[utoipa::path(
    post, path = "/v1/alerts/subscriptions/{id}/test", tag = "alerts", request_body = EmptyBody,
    responses(
        (status = 201, body = WebhookDelivery),
        (status = 409, description = "`CONFLICT`: the subscription is inactive", body = ErrorBody),
    )
)]
pub async fn test(
    Authorized(cx): Authorized,
    Path((id,)): Path<(SubscriptionId,)>,
    _: NoBody,
) -> ApiResult<Created<WebhookDelivery>> {
    let sample = webhook::send_test(&cx, id).await?;
    Ok(Created(format!("/v1/alerts/deliveries/{}", sample.id), sample))
}

/// List webhook deliveries, newest first, without their attempts.
#[utoipa::path(
    get, path = "/v1/alerts/deliveries", tag = "alerts",
    params(Query<(DeliveryFilter, PageRequest)>),
    responses((status = 200, body = Page<WebhookDelivery>))
)]
pub async fn list_deliveries(
    Authorized(cx): Authorized,
    Query((filter, page)): Query<(DeliveryFilter, PageRequest)>,
) -> ApiResult<Json<Page<WebhookDelivery>>> {
    Ok(Json(webhook::list_deliveries(&cx, filter, &page).await?))
}

impl FromQuery for DeliveryFilter {
    fn read(query: &mut QueryReader) -> Option<Self> {
        Some(Self {
            status: query.one_of("status", "Only deliveries with this status"),
            subscription_id: query.id("subscription_id", "Only deliveries to this subscription"),
        })
    }
}

/// Count webhook deliveries by status, in total and per subscription.
#[utoipa::path(
    get, path = "/v1/alerts/deliveries/stats", tag = "alerts",
    responses((status = 200, body = DeliveryStats))
)]
pub async fn stats(Authorized(cx): Authorized, _: NoQuery) -> ApiResult<Json<DeliveryStats>> {
    Ok(Json(webhook::stats(&cx).await?))
}

/// Read a webhook delivery with all attempts.
#[utoipa::path(
    get, path = "/v1/alerts/deliveries/{id}", tag = "alerts",
    responses((status = 200, body = WebhookDelivery))
)]
pub async fn read_delivery(
    Authorized(cx): Authorized,
    Path((id,)): Path<(DeliveryId,)>,
    _: NoQuery,
) -> ApiResult<Json<WebhookDelivery>> {
    Ok(Json(webhook::read_delivery(&cx, id).await?))
}

/// Retry a webhook delivery immediately.
///
/// Its attempts are counted from the start.
#[utoipa::path(
    post, path = "/v1/alerts/deliveries/{id}/retry", tag = "alerts", request_body = EmptyBody,
    responses(
        (status = 200, body = WebhookDelivery),
        (status = 400, description = "`ALREADY_DELIVERED`, `STILL_PENDING`", body = ErrorBody),
        (status = 409, description = "`CONFLICT`: the subscription was deleted or is inactive", body = ErrorBody),
    )
)]
pub async fn retry(
    Authorized(cx): Authorized,
    Path((id,)): Path<(DeliveryId,)>,
    _: NoBody,
) -> ApiResult<Json<WebhookDelivery>> {
    Ok(Json(webhook::retry(&cx, id).await?))
}

/// Retry dead webhook deliveries.
///
/// Retries all of them whose subscription is active, or only those of one subscription, or those queued since a given
/// time.
#[utoipa::path(
    post, path = "/v1/alerts/deliveries/redrive", tag = "alerts", request_body = RedriveRequest,
    responses((status = 200, body = RedriveResult), (status = 404, body = ErrorBody))
)]
pub async fn redrive(
    Authorized(cx): Authorized,
    body: Body<RedriveRequest>,
) -> ApiResult<Json<RedriveResult>> {
    Ok(Json(webhook::redrive(&cx, body.value).await?))
}
