//! Webhooks: where alerts are sent, and what became of each delivery.

use axum::response::{IntoResponse, Response};
use contract::{
    error::ErrorBody,
    id::{DeliveryId, SubscriptionId},
    page::Page,
    policy::Empty,
    webhook::{
        DeliveryFilter, DeliveryStats, DeliveryStatus, Redrive, Redriven, SubscriptionCreated,
        SubscriptionDraft, WebhookDelivery, WebhookSubscription,
    },
};
use governance::webhook;
use http::{StatusCode, header};

use crate::edge::{
    error::Reply,
    extract::{Api, Bodiless, Body, Json, Path, Query},
};

/// Subscribe an address to alerts. The secret is answered this once; filters cannot be changed later.
#[utoipa::path(
    post, path = "/v1/alerts/subscriptions", tag = "alerts", request_body = SubscriptionDraft,
    responses(
        (status = 201, body = SubscriptionCreated),
        (status = 409, description = "`CONFLICT`: there are 100", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn create(Api(cx): Api, body: Body<SubscriptionDraft>) -> Reply<Response> {
    let created = webhook::create(&cx, body.read).await?;
    let location = format!("/v1/alerts/subscriptions/{}", created.subscription.id);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(created)).into_response())
}

/// List webhook subscriptions, newest first.
#[utoipa::path(
    get, path = "/v1/alerts/subscriptions", tag = "alerts",
    params(
        ("limit" = Option<u32>, Query, description = "1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    responses((status = 200, body = Page<WebhookSubscription>), (status = 422, body = ErrorBody))
)]
pub async fn list(Api(cx): Api, mut query: Query) -> Reply<Json<Page<WebhookSubscription>>> {
    let page = query.page();
    query.finish()?;
    Ok(Json(webhook::list(&cx, &page).await?))
}

/// Read a webhook subscription.
#[utoipa::path(
    get, path = "/v1/alerts/subscriptions/{id}", tag = "alerts",
    params(("id" = String, Path, description = "The subscription")),
    responses((status = 200, body = WebhookSubscription), (status = 404, body = ErrorBody))
)]
pub async fn read(
    Api(cx): Api,
    Path((id,)): Path<(SubscriptionId,)>,
    query: Query,
) -> Reply<Json<WebhookSubscription>> {
    query.finish()?;
    Ok(Json(webhook::read(&cx, id).await?))
}

/// Delete a webhook subscription. What was still to be delivered is given up.
#[utoipa::path(
    delete, path = "/v1/alerts/subscriptions/{id}", tag = "alerts",
    params(("id" = String, Path, description = "The subscription")),
    responses((status = 204, description = "Deleted"), (status = 404, body = ErrorBody))
)]
pub async fn delete(
    Api(cx): Api,
    Path((id,)): Path<(SubscriptionId,)>,
    query: Query,
) -> Reply<StatusCode> {
    query.finish()?;
    webhook::delete(&cx, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Send a sample to a subscription, whatever its filters. Its alert has the type `test`.
#[utoipa::path(
    post, path = "/v1/alerts/subscriptions/{id}/test", tag = "alerts", request_body = Empty,
    params(("id" = String, Path, description = "The subscription")),
    responses((status = 201, body = WebhookDelivery), (status = 404, body = ErrorBody))
)]
pub async fn test(
    Api(cx): Api,
    Path((id,)): Path<(SubscriptionId,)>,
    _: Bodiless,
) -> Reply<Response> {
    let sample = webhook::send_sample(&cx, id).await?;
    let location = format!("/v1/alerts/deliveries/{}", sample.id);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(sample)).into_response())
}

/// List deliveries, newest first, without their attempts.
#[utoipa::path(
    get, path = "/v1/alerts/deliveries", tag = "alerts",
    params(
        ("status" = Option<DeliveryStatus>, Query, description = "In this state"),
        ("subscription_id" = Option<String>, Query, description = "To this subscription"),
        ("limit" = Option<u32>, Query, description = "1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    responses((status = 200, body = Page<WebhookDelivery>), (status = 422, body = ErrorBody))
)]
pub async fn list_deliveries(Api(cx): Api, mut query: Query) -> Reply<Json<Page<WebhookDelivery>>> {
    let filter = DeliveryFilter {
        status: query.parsed("status", "pending, delivered, failed or dead"),
        subscription_id: query.parsed("subscription_id", "a UUID"),
    };
    let page = query.page();
    query.finish()?;
    Ok(Json(webhook::list_deliveries(&cx, filter, &page).await?))
}

/// Count deliveries by status, in all and for each subscription.
#[utoipa::path(
    get, path = "/v1/alerts/deliveries/stats", tag = "alerts",
    responses((status = 200, body = DeliveryStats))
)]
pub async fn stats(Api(cx): Api, query: Query) -> Reply<Json<DeliveryStats>> {
    query.finish()?;
    Ok(Json(webhook::stats(&cx).await?))
}

/// Read a delivery with every attempt.
#[utoipa::path(
    get, path = "/v1/alerts/deliveries/{id}", tag = "alerts",
    params(("id" = String, Path, description = "The delivery")),
    responses((status = 200, body = WebhookDelivery), (status = 404, body = ErrorBody))
)]
pub async fn read_delivery(
    Api(cx): Api,
    Path((id,)): Path<(DeliveryId,)>,
    query: Query,
) -> Reply<Json<WebhookDelivery>> {
    query.finish()?;
    Ok(Json(webhook::read_delivery(&cx, id).await?))
}

/// Try a delivery again at once, counting its attempts from the start.
#[utoipa::path(
    post, path = "/v1/alerts/deliveries/{id}/retry", tag = "alerts", request_body = Empty,
    params(("id" = String, Path, description = "The delivery")),
    responses(
        (status = 200, body = WebhookDelivery),
        (status = 400, description = "`ALREADY_DELIVERED`, `STILL_PENDING`", body = ErrorBody),
        (status = 404, body = ErrorBody),
        (status = 409, description = "`CONFLICT`: its subscription was deleted", body = ErrorBody),
    )
)]
pub async fn retry(
    Api(cx): Api,
    Path((id,)): Path<(DeliveryId,)>,
    _: Bodiless,
) -> Reply<Json<WebhookDelivery>> {
    Ok(Json(webhook::retry(&cx, id).await?))
}

/// Try dead deliveries again: all, or those of one subscription, or those queued since a moment.
#[utoipa::path(
    post, path = "/v1/alerts/deliveries/redrive", tag = "alerts", request_body = Redrive,
    responses(
        (status = 200, body = Redriven),
        (status = 404, body = ErrorBody),
        (status = 422, body = ErrorBody),
    )
)]
pub async fn redrive(Api(cx): Api, body: Body<Redrive>) -> Reply<Json<Redriven>> {
    Ok(Json(webhook::redrive(&cx, body.read).await?))
}
