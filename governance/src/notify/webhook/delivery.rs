//! Deliveries of a tenant: listing, details, retries and test deliveries.

use contract::webhook::{
    DeliveryAttempt, DeliveryCounts, DeliveryFilter, DeliveryStats, DeliveryStatus, FailureReason,
    RedriveRequest, RedriveResult, SubscriptionStats, WebhookDelivery,
};
use entity::{webhook_attempt, webhook_delivery as table, webhook_subscription as subscriptions};
use sea_orm::prelude::Uuid;

use super::subscription;
use crate::{
    access::permission,
    base::{
        error::webhook::{already_delivered, still_pending},
        pagination::{Rows, Start},
        prelude::*,
    },
    notify::webhook::{PendingDelivery, SignedRequest},
};

/// Returns a page of the tenant's deliveries, newest first, without their attempts.
///
/// # Errors
/// `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(
    cx: &Cx,
    filter: DeliveryFilter,
    page: &PageRequest,
) -> Result<Page<WebhookDelivery>> {
    Ok(window(cx, filter, page).await?.into())
}

/// Returns a page of the tenant's deliveries, newest first, without their attempts, with the cursors of both
/// adjacent pages.
///
/// # Errors
/// As [`list`].
pub async fn window(
    cx: &Cx,
    filter: DeliveryFilter,
    page: &PageRequest,
) -> Result<Window<WebhookDelivery>> {
    let tenant = cx.tenant(permission::READ_DELIVERIES)?;
    let list = Cursor::new(&tenant, "webhook-deliveries", format!("{filter:?}"));
    let tx = tenant.begin().await?;
    let conditions = [
        filter.status.map(|status| table::Column::Status.eq(TextEnum(status))),
        filter.subscription_id.map(|id| table::Column::SubscriptionId.eq(id.0)),
    ];
    let rows =
        conditions.into_iter().flatten().fold(tx.find::<table::Entity>(), QueryFilter::filter);
    let connection = tx.connection();
    let fetch = |start: Start| -> Rows<'_, _> {
        let rows = start.newest(rows.clone(), table::Column::Sequence).limit(page.fetched());
        Box::pin(async move { Ok(rows.all(connection).await?) })
    };
    let rows = list.window(page, fetch, |row| row.sequence).await?;
    tx.finish_read().await?;
    let attempts_max = cx.governance.delivery_schedule().attempts();
    Ok(rows.map(|row| row.to_wire(attempts_max)))
}

/// Returns a delivery with its attempts.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read(cx: &Cx, id: DeliveryId) -> Result<WebhookDelivery> {
    let tx = cx.tenant(permission::READ_DELIVERIES)?.begin().await?;
    let delivery = load_with_attempts(cx, &tx, id).await?;
    tx.finish_read().await?;
    Ok(delivery)
}

/// A delivery with the content it sends.
#[derive(Debug)]
pub struct DeliveryDetails {
    pub delivery: WebhookDelivery,
    /// The URL of the receiver; `None` after its subscription was deleted.
    pub url: Option<String>,
    /// The body of every attempt, byte for byte.
    pub body: String,
    /// The request of the last attempt. `None` before the first attempt, and if the secret was deleted or
    /// cannot be decrypted.
    pub last: Option<SignedRequest>,
}

/// Returns a delivery with the content it sends. The last request is rebuilt exactly as it was sent.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn inspect(cx: &Cx, id: DeliveryId) -> Result<DeliveryDetails> {
    let tx = cx.tenant(permission::READ_DELIVERIES)?.begin_snapshot().await?;
    let row = one(tx.find_by_id::<table::Entity>(id), &tx).await?;
    let pending = PendingDelivery::load(&tx, row.clone()).await?;
    let body = row.body.clone();
    let delivery = with_attempts(cx, &tx, row).await?;
    tx.finish_read().await?;
    let url = pending.as_ref().map(|pending| pending.url.clone());
    let last = delivery.attempts.iter().flatten().last();
    // If the secret could not be decrypted then, nothing was sent, even if it can be decrypted now.
    let last = last.filter(|last| last.failure_reason != Some(FailureReason::SecretUnavailable));
    let last = pending.zip(last).and_then(|(mut pending, last)| {
        pending.attempt = last.attempt;
        pending.sign(&cx.governance, last.at)
    });
    Ok(DeliveryDetails { delivery, url, body, last })
}

async fn load_with_attempts(cx: &Cx, tx: &TenantTx, id: DeliveryId) -> Result<WebhookDelivery> {
    let row = one(tx.find_by_id::<table::Entity>(id), tx).await?;
    with_attempts(cx, tx, row).await
}

async fn with_attempts(cx: &Cx, tx: &TenantTx, row: table::Model) -> Result<WebhookDelivery> {
    let attempts = tx
        .find::<webhook_attempt::Entity>()
        .filter(webhook_attempt::Column::DeliveryId.eq(row.id))
        .order_by_asc(webhook_attempt::Column::Number)
        .all(tx.connection())
        .await?;
    let mut delivery = row.to_wire(cx.governance.delivery_schedule().attempts());
    delivery.attempts = Some(attempts.into_iter().map(DeliveryAttempt::from).collect());
    Ok(delivery)
}

async fn one(select: Select<table::Entity>, tx: &TenantTx) -> Result<table::Model> {
    let row = select.one(tx.connection()).await?;
    Ok(row.or_not_found(ResourceKind::Delivery)?)
}

// SQL: counts by group, each of some of its rows.
const SELECT_COUNTS: &str = "SELECT subscription_id, count(*) FILTER (WHERE status = 'pending'), \
     count(*) FILTER (WHERE status = 'delivered'), count(*) FILTER (WHERE status = 'failed'), \
     count(*) FILTER (WHERE status = 'dead'), min(next_attempt_at) \
     FROM webhook_deliveries WHERE tenant_id = $1 AND created_at >= $2 \
     GROUP BY subscription_id ORDER BY subscription_id";

/// Returns statistics of the tenant's deliveries.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key without `alerts:read`.
pub async fn stats(cx: &Cx) -> Result<DeliveryStats> {
    let per_subscription = count(cx, None).await?;
    let mut by_status = DeliveryCounts::default();
    for (SubscriptionStats { counts, .. }, _) in &per_subscription {
        by_status.pending += counts.pending;
        by_status.delivered += counts.delivered;
        by_status.failed += counts.failed;
        by_status.dead += counts.dead;
    }
    let oldest_due_at = per_subscription.iter().filter_map(|(_, due)| *due).min();
    let by_subscription = per_subscription.into_iter().map(|(stats, _)| stats).collect();
    Ok(DeliveryStats { by_status, by_subscription, oldest_due_at })
}

/// Returns statistics of the deliveries that were queued at or after `since`, by subscription.
///
/// # Errors
/// As [`stats`].
pub async fn counts_since(cx: &Cx, since: Timestamp) -> Result<Vec<SubscriptionStats>> {
    Ok(count(cx, Some(since)).await?.into_iter().map(|(stats, _)| stats).collect())
}

type CountsRow = (Uuid, i64, i64, i64, i64, Option<DateTimeUtc>);

/// Counts the deliveries of each subscription, and returns when the first of them is due.
async fn count(
    cx: &Cx,
    since: Option<Timestamp>,
) -> Result<Vec<(SubscriptionStats, Option<Timestamp>)>> {
    let tenant = cx.tenant(permission::READ_DELIVERIES)?;
    // Always a timestamp: under row-level security only a plain comparison uses the index.
    let since = since.map_or(DateTimeUtc::UNIX_EPOCH, to_column);
    let rows = tenant.tuples::<CountsRow>(SELECT_COUNTS, [since.into()]).await?;
    let stats = |(id, pending, delivered, failed, dead, due): CountsRow| {
        let [pending, delivered, failed, dead] =
            [pending, delivered, failed, dead].map(i64::unsigned_abs);
        let counts = DeliveryCounts { pending, delivered, failed, dead };
        (SubscriptionStats { subscription_id: SubscriptionId(id), counts }, due.map(from_column))
    };
    Ok(rows.into_iter().map(stats).collect())
}

/// Returns the number of dead deliveries per subscription. Deliveries of deleted subscriptions are omitted,
/// because they cannot be retried.
///
/// # Errors
/// As [`stats`].
pub async fn dead_counts(cx: &Cx) -> Result<BTreeMap<SubscriptionId, u64>> {
    let tx = cx.tenant(permission::READ_DELIVERIES)?.begin().await?;
    let rows = tx
        .find::<table::Entity>()
        .join(JoinType::InnerJoin, to_subscription())
        .filter(table::Column::Status.eq(TextEnum(DeliveryStatus::Dead)))
        .select_only()
        .column(table::Column::SubscriptionId)
        .column_as(table::Column::Id.count(), "dead")
        .group_by(table::Column::SubscriptionId)
        .into_tuple::<(Uuid, i64)>()
        .all(tx.connection())
        .await?;
    tx.finish_read().await?;
    let counts = rows.into_iter().map(|(id, dead)| (SubscriptionId(id), dead.unsigned_abs()));
    Ok(counts.collect())
}

fn to_subscription() -> RelationDef {
    related(table::Column::SubscriptionId, subscriptions::Column::Id)
}

// SQL: the update of an existing row depends on its previous values. A running attempt finishes first and
// then makes the row due (`record_attempt`).
const UPSERT_DUE: &str = "INSERT INTO outbox AS o (tenant_id, id, subscription_id, due_at) \
     VALUES ($1, $2, $3, $4) \
     ON CONFLICT (tenant_id, id) DO UPDATE \
     SET due_at = greatest(excluded.due_at, o.claimed_until), claimed_until = NULL, claim = o.claim + 1";

/// Retries a delivery immediately, starting with the first attempt.
///
/// # Errors
/// `NOT_FOUND`; `ALREADY_DELIVERED`; `STILL_PENDING`; `CONFLICT` if its subscription was deleted or is inactive.
pub async fn retry(cx: &Cx, id: DeliveryId) -> Result<WebhookDelivery> {
    let tx = cx.tenant(permission::MANAGE_WEBHOOKS)?.begin().await?;
    let row = one(tx.find_by_id::<table::Entity>(id), &tx).await?;
    let subscription = subscription::lock(&tx, row.subscription_id.into()).await?;
    let row = one(tx.find_by_id::<table::Entity>(id).lock_exclusive(), &tx).await?;
    match row.status.0 {
        DeliveryStatus::Delivered => return Err(already_delivered().into()),
        DeliveryStatus::Pending => return Err(still_pending().into()),
        DeliveryStatus::Failed | DeliveryStatus::Dead => {}
    }
    let subscription =
        subscription.ok_or_else(|| conflict("the subscription of this delivery was deleted"))?;
    subscription::check_active(&subscription)?;
    let reset = table::ActiveModel {
        status: Set(TextEnum(DeliveryStatus::Pending)),
        attempt_count: Set(0),
        next_attempt_at: Set(Some(to_column(cx.now))),
        failure_reason: Set(None),
        ..Default::default()
    };
    let update = tx.update::<table::Entity>().filter(table::Column::Id.eq(id.0));
    update.set(reset).exec(tx.connection()).await?;
    tx.execute(UPSERT_DUE, [id.0.into(), row.subscription_id.into(), timestamp_value(cx.now)])
        .await?;
    let delivery = load_with_attempts(cx, &tx, id).await?;
    tx.commit(cx, Event::new("webhook_delivery.retry", "webhook_delivery", id)).await?;
    Ok(delivery)
}

const REDRIVE: &str = include_str!("delivery.sql");

/// Retries dead deliveries of active subscriptions, starting with the first attempt: all of them, or those of one
/// subscription or queued since a time.
///
/// # Errors
/// `NOT_FOUND` for an unknown subscription.
pub async fn redrive(cx: &Cx, request: RedriveRequest) -> Result<RedriveResult> {
    let tx = cx.tenant(permission::MANAGE_WEBHOOKS)?.begin().await?;
    if let Some(id) = request.subscription_id {
        let row = tx.find_by_id::<subscriptions::Entity>(id).one(tx.connection()).await?;
        row.or_not_found(ResourceKind::Subscription)?;
    }
    let since = request.since.map(to_column);
    let only = request.subscription_id.map(|id| id.0);
    let redriven =
        tx.execute(REDRIVE, [timestamp_value(cx.now), only.into(), since.into()]).await?;
    let redriven = redriven.rows_affected();
    let id = only.map_or("all".to_owned(), |id| id.to_string());
    let count = u32::try_from(redriven).unwrap_or(u32::MAX);
    let event = Event::new("webhook_delivery.redrive", "webhook_subscription", id);
    tx.commit(cx, event.with("redriven", count)).await?;
    Ok(RedriveResult { redriven })
}

// SQL: a function of the schema writes the body.
const INSERT_SAMPLE: &str = "INSERT INTO webhook_deliveries (tenant_id, id, subscription_id, alert_id, body, \
     is_quiet, next_attempt_at, created_at) VALUES ($1, $2, $3, $4, \
     alert_body($6, $1, $4, 'test', 'low', 'This is a test delivery. No alert was created.', NULL, $5), \
     true, $5, $5)";

/// Queues a test delivery for a subscription, regardless of its filters. Its alert has the type `test` and
/// is not stored.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` if the subscription is inactive.
pub async fn send_test(cx: &Cx, id: SubscriptionId) -> Result<WebhookDelivery> {
    let tx = cx.tenant(permission::MANAGE_WEBHOOKS)?.begin().await?;
    let subscription = subscription::lock(&tx, id).await?;
    let subscription = subscription.or_not_found(ResourceKind::Subscription)?;
    subscription::check_active(&subscription)?;
    let entropy = cx.governance.entropy();
    let (delivery, alert): (DeliveryId, AlertId) = (entropy.id(), entropy.id());
    let envelope = subscription.envelope.0.as_str();
    let row =
        [delivery.0.into(), id.0.into(), alert.0.into(), timestamp_value(cx.now), envelope.into()];
    tx.execute(INSERT_SAMPLE, row).await.map_err(Error::from)?;
    tx.execute(UPSERT_DUE, [delivery.0.into(), id.0.into(), timestamp_value(cx.now)]).await?;
    let sample = load_with_attempts(cx, &tx, delivery).await?;
    tx.commit(cx, Event::new("webhook.test", "webhook_subscription", id)).await?;
    Ok(sample)
}
