//! Deliveries as people see them: listed, read, and sent again.

use std::collections::BTreeMap;

use contract::{
    id::{AlertId, DeliveryId, SubscriptionId},
    page::Page,
    time::Timestamp,
    webhook::{
        DeliveryAttempt, DeliveryCounts, DeliveryFilter, DeliveryStats, DeliveryStatus,
        FailureReason, Redrive, Redriven, SubscriptionStats, WebhookDelivery,
    },
};
use entity::{
    column::{Word, at, instant as column_instant},
    webhook_attempt, webhook_delivery as table, webhook_subscription as subscriptions,
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, EntityTrait, JoinType, QueryFilter, QueryOrder, QueryResult, QuerySelect,
    RelationDef, Select,
    prelude::{DateTimeUtc, Uuid},
};

use super::{
    letter::{Letter, Parcel},
    subscription,
};
use crate::{
    audit::Event,
    cx::Cx,
    error::{
        Error, Noun, Result, conflict, not_found,
        webhook::{already_delivered, still_pending},
    },
    page::{List, PageRequest},
    permission,
    tenancy::{TenantTx, instant},
};

/// The tenant's deliveries, newest first, without their attempts.
///
/// # Errors
/// `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(
    cx: &Cx,
    filter: DeliveryFilter,
    page: &PageRequest,
) -> Result<Page<WebhookDelivery>> {
    let tenant = cx.tenant(permission::READ_DELIVERIES)?;
    let list = List {
        governance: &cx.governance,
        name: "webhook-deliveries",
        tenant: tenant.id(),
        filter: format!("{filter:?}"),
    };
    let below = list.below(page)?;
    let tx = tenant.begin().await?;
    let mut rows = tx.find::<table::Entity>().filter(table::Column::Sequence.lt(below));
    if let Some(status) = filter.status {
        rows = rows.filter(table::Column::Status.eq(Word(status)));
    }
    if let Some(id) = filter.subscription_id {
        rows = rows.filter(table::Column::SubscriptionId.eq(id.0));
    }
    let rows = rows
        .order_by_desc(table::Column::Sequence)
        .limit(u64::from(page.limit) + 1)
        .all(tx.connection())
        .await?;
    tx.end().await?;
    let attempts_max = cx.governance.schedule().attempts();
    Ok(list.page(rows, page.limit, |row| row.sequence).map(|row| row.wire(attempts_max)))
}

/// One of the tenant's deliveries, with every attempt.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read(cx: &Cx, id: DeliveryId) -> Result<WebhookDelivery> {
    let tx = cx.tenant(permission::READ_DELIVERIES)?.begin().await?;
    let delivery = whole(cx, &tx, id).await?;
    tx.end().await?;
    Ok(delivery)
}

/// A delivery with what it sends.
#[derive(Debug)]
pub struct Inspection {
    /// The delivery, with every attempt.
    pub delivery: WebhookDelivery,
    /// Where it goes; nothing once its subscription was deleted.
    pub url: Option<String>,
    /// What every attempt sends, byte for byte.
    pub body: String,
    /// The call of the last attempt as it was made; nothing before the first one, nor where the secret is
    /// gone or cannot be opened.
    pub last: Option<Parcel>,
}

/// One of the tenant's deliveries, with what it sends: the last call is made again as it was sent.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn inspect(cx: &Cx, id: DeliveryId) -> Result<Inspection> {
    let tx = cx.tenant(permission::READ_DELIVERIES)?.begin_snapshot().await?;
    let row = one(find(&tx, id), &tx).await?;
    let letter = Letter::of(&tx, row.clone()).await?;
    let body = row.body.clone();
    let delivery = with_attempts(cx, &tx, row).await?;
    tx.end().await?;
    let url = letter.as_ref().map(|letter| letter.url.clone());
    let last = delivery.attempts.iter().flatten().last();
    // Where the secret could not be opened nothing was sent, even if it can be by now.
    let last = last.filter(|last| last.failure_reason != Some(FailureReason::SecretUnavailable));
    let last = letter.zip(last).and_then(|(mut letter, last)| {
        letter.attempt = last.attempt;
        letter.sign(&cx.governance, last.at)
    });
    Ok(Inspection { delivery, url, body, last })
}

async fn whole(cx: &Cx, tx: &TenantTx, id: DeliveryId) -> Result<WebhookDelivery> {
    let row = one(find(tx, id), tx).await?;
    with_attempts(cx, tx, row).await
}

async fn with_attempts(cx: &Cx, tx: &TenantTx, row: table::Model) -> Result<WebhookDelivery> {
    let attempts = tx
        .find::<webhook_attempt::Entity>()
        .filter(webhook_attempt::Column::DeliveryId.eq(row.id))
        .order_by_asc(webhook_attempt::Column::Number)
        .all(tx.connection())
        .await?;
    let mut delivery = row.wire(cx.governance.schedule().attempts());
    delivery.attempts = Some(attempts.into_iter().map(DeliveryAttempt::from).collect());
    Ok(delivery)
}

fn find(tx: &TenantTx, id: DeliveryId) -> Select<table::Entity> {
    tx.find::<table::Entity>().filter(table::Column::Id.eq(id.0))
}

async fn one(found: Select<table::Entity>, tx: &TenantTx) -> Result<table::Model> {
    let row = found.one(tx.connection()).await?;
    Ok(row.ok_or_else(|| not_found(Noun::Delivery))?)
}

// SQL: counts by group, each of some of its rows.
const COUNT: &str = "SELECT subscription_id, count(*) FILTER (WHERE status = 'pending'), \
     count(*) FILTER (WHERE status = 'delivered'), count(*) FILTER (WHERE status = 'failed'), \
     count(*) FILTER (WHERE status = 'dead'), min(next_attempt_at) \
     FROM webhook_deliveries WHERE tenant_id = $1 AND created_at >= $2 \
     GROUP BY subscription_id ORDER BY subscription_id";

/// How the tenant's deliveries are going.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key without `alerts:read`.
pub async fn stats(cx: &Cx) -> Result<DeliveryStats> {
    let counted = count(cx, None).await?;
    let mut by_status = DeliveryCounts::default();
    for (SubscriptionStats { counts, .. }, _) in &counted {
        by_status.pending += counts.pending;
        by_status.delivered += counts.delivered;
        by_status.failed += counts.failed;
        by_status.dead += counts.dead;
    }
    let oldest_due_at = counted.iter().filter_map(|(_, due)| *due).min();
    let by_subscription = counted.into_iter().map(|(stats, _)| stats).collect();
    Ok(DeliveryStats { by_status, by_subscription, oldest_due_at })
}

/// How those deliveries are going that were queued at a moment or later, by subscription.
///
/// # Errors
/// As [`stats`].
pub async fn counts_since(cx: &Cx, since: Timestamp) -> Result<Vec<SubscriptionStats>> {
    Ok(count(cx, Some(since)).await?.into_iter().map(|(stats, _)| stats).collect())
}

/// The deliveries of each subscription, and when the first of them is due.
async fn count(
    cx: &Cx,
    since: Option<Timestamp>,
) -> Result<Vec<(SubscriptionStats, Option<Timestamp>)>> {
    let tx = cx.tenant(permission::READ_DELIVERIES)?.begin().await?;
    // A moment in any case: under row security only a plain comparison is looked up in an index.
    let since = since.map_or(DateTimeUtc::UNIX_EPOCH, entity::column::at);
    let rows = tx.all(COUNT, [since.into()]).await?;
    tx.end().await?;
    let counted = rows.into_iter().map(|row| -> Result<_> {
        let counts = DeliveryCounts {
            pending: number(&row, 1)?,
            delivered: number(&row, 2)?,
            failed: number(&row, 3)?,
            dead: number(&row, 4)?,
        };
        let subscription_id = SubscriptionId(row.try_get_by_index(0)?);
        let due: Option<DateTimeUtc> = row.try_get_by_index(5)?;
        Ok((SubscriptionStats { subscription_id, counts }, due.map(column_instant)))
    });
    counted.collect()
}

fn number(row: &QueryResult, index: usize) -> Result<u64> {
    Ok(u64::try_from(row.try_get_by_index::<i64>(index)?).unwrap_or_default())
}

/// How many deliveries of each subscription were given up, and could be tried again: those of deleted ones
/// cannot.
///
/// # Errors
/// As [`stats`].
pub async fn dead(cx: &Cx) -> Result<BTreeMap<SubscriptionId, u64>> {
    let tx = cx.tenant(permission::READ_DELIVERIES)?.begin().await?;
    let rows = tx
        .find::<table::Entity>()
        .join(JoinType::InnerJoin, to_subscription())
        .filter(table::Column::Status.eq(Word(DeliveryStatus::Dead)))
        .select_only()
        .column(table::Column::SubscriptionId)
        .column_as(table::Column::Id.count(), "dead")
        .group_by(table::Column::SubscriptionId)
        .into_tuple::<(Uuid, i64)>()
        .all(tx.connection())
        .await?;
    tx.end().await?;
    let counted = rows.into_iter().map(|(id, dead)| (SubscriptionId(id), dead.unsigned_abs()));
    Ok(counted.collect())
}

/// From deliveries to their subscriptions.
fn to_subscription() -> RelationDef {
    table::Entity::belongs_to(subscriptions::Entity)
        .from((table::Column::TenantId, table::Column::SubscriptionId))
        .to((subscriptions::Column::TenantId, subscriptions::Column::Id))
        .into()
}

// SQL: a place that is there is moved by what it held before.
// Whoever is at it this moment is let finish first, and then makes it due (`settle`).
const DUE_NOW: &str = "INSERT INTO outbox AS o (tenant_id, id, lane, due_at) VALUES ($1, $2, $3, $4) \
     ON CONFLICT (tenant_id, id) DO UPDATE \
     SET due_at = greatest(excluded.due_at, o.held_till), held_till = NULL, claim = o.claim + 1";

/// Tries a delivery again at once, from the first attempt on.
///
/// # Errors
/// `NOT_FOUND`; `ALREADY_DELIVERED`; `STILL_PENDING`; `CONFLICT` when its subscription was deleted.
pub async fn retry(cx: &Cx, id: DeliveryId) -> Result<WebhookDelivery> {
    let tx = cx.tenant(permission::KEEP_WEBHOOKS)?.begin().await?;
    let row = one(find(&tx, id), &tx).await?;
    let held = subscription::hold(&tx, row.subscription_id.into()).await?;
    let row = one(find(&tx, id).lock_exclusive(), &tx).await?;
    match row.status.0 {
        DeliveryStatus::Delivered => return Err(already_delivered().into()),
        DeliveryStatus::Pending => return Err(still_pending().into()),
        DeliveryStatus::Failed | DeliveryStatus::Dead => {}
    }
    if held.is_none() {
        return Err(conflict("its subscription was deleted").into());
    }
    let begun = table::ActiveModel {
        status: Set(Word(DeliveryStatus::Pending)),
        attempt_count: Set(0),
        next_attempt_at: Set(Some(at(cx.now))),
        failure_reason: Set(None),
        ..Default::default()
    };
    let found = tx.update::<table::Entity>().filter(table::Column::Id.eq(id.0));
    found.set(begun).exec(tx.connection()).await?;
    tx.execute(DUE_NOW, [id.0.into(), row.subscription_id.into(), instant(cx.now)]).await?;
    let delivery = whole(cx, &tx, id).await?;
    tx.commit(cx, Event::new("webhook_delivery.retry", "webhook_delivery", id)).await?;
    Ok(delivery)
}

// SQL: one statement, however many there are.
const REDRIVE: &str = "WITH dead AS (SELECT d.id FROM webhook_deliveries d \
     JOIN webhook_subscriptions s ON s.tenant_id = d.tenant_id AND s.id = d.subscription_id \
     WHERE d.tenant_id = $1 AND d.status = 'dead' AND ($3::uuid IS NULL OR d.subscription_id = $3) \
     AND ($4::timestamptz IS NULL OR d.created_at >= $4) ORDER BY d.sequence FOR UPDATE OF d), \
     begun AS (UPDATE webhook_deliveries d SET status = 'pending', attempt_count = 0, \
     next_attempt_at = $2, failure_reason = NULL FROM dead \
     WHERE d.tenant_id = $1 AND d.id = dead.id RETURNING d.id, d.subscription_id) \
     INSERT INTO outbox (tenant_id, id, lane, due_at) SELECT $1, id, subscription_id, $2 FROM begun \
     ON CONFLICT DO NOTHING";

/// Tries dead deliveries again, from the first attempt on: all, or those of one subscription, or those that
/// were queued since a moment.
///
/// # Errors
/// `NOT_FOUND` for a subscription that is not there.
pub async fn redrive(cx: &Cx, asked: Redrive) -> Result<Redriven> {
    let tx = cx.tenant(permission::KEEP_WEBHOOKS)?.begin().await?;
    if let Some(id) = asked.subscription_id {
        let row = subscription::find(&tx, id).one(tx.connection()).await?;
        row.ok_or_else(|| not_found(Noun::Subscription))?;
    }
    let since = asked.since.map(entity::column::at);
    let only = asked.subscription_id.map(|id| id.0);
    let redriven = tx.execute(REDRIVE, [instant(cx.now), only.into(), since.into()]).await?;
    let redriven = redriven.rows_affected();
    let id = only.map_or("all".to_owned(), |id| id.to_string());
    let count = u32::try_from(redriven).unwrap_or(u32::MAX);
    let event = Event::new("webhook_delivery.redrive", "webhook_subscription", id);
    tx.commit(cx, event.with("redriven", count)).await?;
    Ok(Redriven { redriven })
}

// SQL: a function of the schema writes the body.
const QUEUE_SAMPLE: &str = "INSERT INTO webhook_deliveries (tenant_id, id, subscription_id, alert_id, body, \
     is_quiet, next_attempt_at, created_at) VALUES ($1, $2, $3, $4, \
     alert_body($4, 'test', 'low', 'This is a sample: no alert was raised.', NULL, $5), true, $5, $5)";

/// Queues a sample for a subscription, whatever its filters. Its alert has the type `test`, and is none.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn send_sample(cx: &Cx, id: SubscriptionId) -> Result<WebhookDelivery> {
    let tx = cx.tenant(permission::KEEP_WEBHOOKS)?.begin().await?;
    subscription::hold(&tx, id).await?.ok_or_else(|| not_found(Noun::Subscription))?;
    let chance = cx.governance.chance();
    let (delivery, alert): (DeliveryId, AlertId) = (chance.id(), chance.id());
    let row = [delivery.0.into(), id.0.into(), alert.0.into(), instant(cx.now)];
    tx.execute(QUEUE_SAMPLE, row).await.map_err(Error::from)?;
    tx.execute(DUE_NOW, [delivery.0.into(), id.0.into(), instant(cx.now)]).await?;
    let sample = whole(cx, &tx, delivery).await?;
    tx.commit(cx, Event::new("webhook.test", "webhook_subscription", id)).await?;
    Ok(sample)
}
