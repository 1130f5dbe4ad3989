//! Webhook endpoints: subscriptions and deliveries.

use contract::{
    id::{DeliveryId, SubscriptionId},
    pagination::Page,
    webhook::{
        DeliveryFilter, DeliveryStats, RedriveRequest, RedriveResult, SubscriptionCreated,
        SubscriptionDraft, WebhookDelivery, WebhookSubscription,
    },
};
use governance::{PageRequest, notify::webhook};

use crate::edge::{
    ApiResult, Authorized, Body, Created, Filters, Id, Json, JsonResult, NoContent, Query,
};

/// Create a webhook subscription.
///
/// The secret is returned only once. The filters cannot be changed later.
#[post(
    "/v1/alerts/subscriptions", MANAGE_WEBHOOKS, audit = "webhook.create",
    example = {
        "url": "https://ops.example.com/hooks/govern",
        "decision_types": ["payment"],
        "severity_min": "high",
    },
    409 = "`CONFLICT`: the tenant has 100 subscriptions",
)]
async fn create(
    cx: Authorized,
    body: Body<SubscriptionDraft>,
) -> ApiResult<Created<SubscriptionCreated>> {
    let created = webhook::create(&cx, body.value).await?;
    Ok(Created(format!("/v1/alerts/subscriptions/{}", created.subscription.id), created))
}

/// List webhook subscriptions, newest first.
#[get("/v1/alerts/subscriptions", MANAGE_WEBHOOKS)]
async fn list(
    cx: Authorized,
    Query(page): Query<PageRequest>,
) -> JsonResult<Page<WebhookSubscription>> {
    Ok(Json(webhook::list(&cx, &page).await?))
}

/// Read a webhook subscription.
#[get("/v1/alerts/subscriptions/{id}", MANAGE_WEBHOOKS)]
async fn read(cx: Authorized, Id(id): Id<SubscriptionId>) -> JsonResult<WebhookSubscription> {
    Ok(Json(webhook::read(&cx, id).await?))
}

/// Delete a webhook subscription.
///
/// Pending deliveries are discarded.
#[delete(
    "/v1/alerts/subscriptions/{id}", MANAGE_WEBHOOKS, audit = "webhook.delete",
    204 = "Deleted",
)]
async fn delete(cx: Authorized, Id(id): Id<SubscriptionId>) -> ApiResult<NoContent> {
    webhook::delete(&cx, id).await?;
    Ok(NoContent)
}

/// Send a test delivery to a webhook subscription.
///
/// It ignores the filters of the subscription. Its alert has the type `test`.
#[post(
    "/v1/alerts/subscriptions/{id}/test", MANAGE_WEBHOOKS, audit = "webhook.test",
    409 = "`CONFLICT`: the subscription is inactive",
)]
async fn test(cx: Authorized, Id(id): Id<SubscriptionId>) -> ApiResult<Created<WebhookDelivery>> {
    let sample = webhook::send_test(&cx, id).await?;
    Ok(Created(format!("/v1/alerts/deliveries/{}", sample.id), sample))
}

/// List webhook deliveries, newest first, without their attempts.
#[get("/v1/alerts/deliveries", READ_DELIVERIES)]
async fn list_deliveries(
    cx: Authorized,
    Query((Filters(filter), page)): Query<(Filters<DeliveryFilter>, PageRequest)>,
) -> JsonResult<Page<WebhookDelivery>> {
    Ok(Json(webhook::list_deliveries(&cx, filter, &page).await?))
}

/// Count webhook deliveries by status, in total and per subscription.
#[get("/v1/alerts/deliveries/stats", READ_DELIVERIES)]
async fn stats(cx: Authorized) -> JsonResult<DeliveryStats> {
    Ok(Json(webhook::stats(&cx).await?))
}

/// Read a webhook delivery with all attempts.
#[get("/v1/alerts/deliveries/{id}", READ_DELIVERIES)]
async fn read_delivery(cx: Authorized, Id(id): Id<DeliveryId>) -> JsonResult<WebhookDelivery> {
    Ok(Json(webhook::read_delivery(&cx, id).await?))
}

/// Retry a webhook delivery immediately.
///
/// Its attempts are counted from the start.
#[post(
    "/v1/alerts/deliveries/{id}/retry", MANAGE_WEBHOOKS, audit = "webhook_delivery.retry",
    400 = "`ALREADY_DELIVERED`, `STILL_PENDING`",
    409 = "`CONFLICT`: the subscription was deleted or is inactive",
)]
async fn retry(cx: Authorized, Id(id): Id<DeliveryId>) -> JsonResult<WebhookDelivery> {
    Ok(Json(webhook::retry(&cx, id).await?))
}

/// Retry dead webhook deliveries.
///
/// Retries all of them whose subscription is active, or only those of one subscription, or those queued since a given
/// time.
#[post(
    "/v1/alerts/deliveries/redrive", MANAGE_WEBHOOKS, audit = "webhook_delivery.redrive",
    example = {"since": "2026-09-01T00:00:00Z"},
    404,
)]
async fn redrive(cx: Authorized, body: Body<RedriveRequest>) -> JsonResult<RedriveResult> {
    Ok(Json(webhook::redrive(&cx, body.value).await?))
}
