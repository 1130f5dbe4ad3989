//! Webhook subscriptions. They can be created and deleted, but not changed.

use base64::{Engine, engine::general_purpose::STANDARD};
use contract::webhook::{
    DeliveryStatus, FailureReason, SUBSCRIPTIONS_MAX, SubscriptionCreated, SubscriptionDraft,
    WebhookSubscription,
};
use entity::{outbox, webhook_delivery as deliveries, webhook_subscription as table};
use sea_orm::PaginatorTrait;

use super::{ENCRYPTION_CONTEXT, signature::SECRET_PREFIX};
use crate::{
    access::permission,
    base::{pagination::newest, prelude::*},
};

/// Creates a subscription. The secret is returned only here; it is stored encrypted with a key of the
/// process.
///
/// # Errors
/// `VALIDATION_ERROR` for an address that may not be called; `CONFLICT` beyond 100 subscriptions.
pub async fn create(cx: &Cx, draft: SubscriptionDraft) -> Result<SubscriptionCreated> {
    create_as(cx, cx.governance.entropy().id(), draft).await
}

/// Creates a subscription with an ID that was allocated before, so that submitting a form twice creates
/// only one.
///
/// # Errors
/// As [`create`]; `CONFLICT` if the ID is already in use.
pub async fn create_as(
    cx: &Cx,
    id: SubscriptionId,
    draft: SubscriptionDraft,
) -> Result<SubscriptionCreated> {
    let tenant = cx.tenant(permission::MANAGE_WEBHOOKS)?;
    let outbound_policy = cx.governance.outbound_policy();
    outbound_policy.check(&draft.url).await.map_err(|error| error.refusal("/url"))?;
    let entropy = cx.governance.entropy();
    let secret = format!("{SECRET_PREFIX}{}", STANDARD.encode(entropy.bytes::<32>()));
    let owner = owner(tenant.id(), id);
    let encrypted =
        cx.governance.pepper().encrypt(entropy, ENCRYPTION_CONTEXT, &owner, secret.as_bytes());
    let mut tx = tenant.begin().await?;
    // The head row is locked before any look-up, so that concurrent calls cannot exceed the limit, and a
    // repeated form sees the first subscription.
    let sequence = tx.next_sequence().await?;
    if tx.find_by_id::<table::Entity>(id).one(tx.connection()).await?.is_some() {
        return Err(conflict("a webhook with this id already exists").into());
    }
    if tx.find::<table::Entity>().count(tx.connection()).await? >= SUBSCRIPTIONS_MAX {
        return Err(conflict("the tenant already has 100 subscriptions; delete one first").into());
    }
    let row = table::ActiveModel {
        tenant_id: Set(tenant.id().0),
        id: Set(id.0),
        sequence: Set(sequence),
        webhook_url: Set(draft.url),
        decision_types: Set(draft.decision_types.unwrap_or_default()),
        severity_min: Set(TextEnum(draft.severity_min)),
        envelope: Set(TextEnum(draft.envelope.unwrap_or_default())),
        is_active: Set(true),
        secret: Set(encrypted.bytes),
        secret_key: Set(encrypted.version),
        created_at: Set(to_column(cx.now)),
        created_by: Set(cx.caller.principal()),
    };
    let subscription = WebhookSubscription::from(row.insert(tx.connection()).await?);
    let event = Event::new("webhook.create", "webhook_subscription", id)
        .with("severity_min", subscription.severity_min.as_str());
    tx.commit(cx, event).await?;
    Ok(SubscriptionCreated { subscription, secret })
}

/// Returns the associated data of an encrypted secret, which cannot be decrypted in another row.
pub(super) fn owner(tenant: TenantId, id: SubscriptionId) -> Vec<u8> {
    [*tenant.0.as_bytes(), *id.0.as_bytes()].concat()
}

/// Returns a page of the tenant's subscriptions, newest first.
///
/// # Errors
/// `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, page: &PageRequest) -> Result<Page<WebhookSubscription>> {
    let tenant = cx.tenant(permission::MANAGE_WEBHOOKS)?;
    let rows = newest::<table::Entity>(&tenant, "webhook-subscriptions", page).await?;
    Ok(rows.map(WebhookSubscription::from))
}

/// Returns a subscription.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read(cx: &Cx, id: SubscriptionId) -> Result<WebhookSubscription> {
    let row = cx
        .tenant(permission::MANAGE_WEBHOOKS)?
        .get::<table::Entity>(id, ResourceKind::Subscription)
        .await?;
    Ok(row.into())
}

/// Deletes a subscription with its secret and discards its pending deliveries. Running attempts are
/// cancelled within a second.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn delete(cx: &Cx, id: SubscriptionId) -> Result<()> {
    let tx = cx.tenant(permission::MANAGE_WEBHOOKS)?.begin().await?;
    lock(&tx, id).await?.or_not_found(ResourceKind::Subscription)?;
    discard_pending(&tx, id, FailureReason::SubscriptionDeleted).await?;
    let row = tx.delete::<table::Entity>().filter(table::Column::Id.eq(id.0));
    row.exec(tx.connection()).await?;
    tx.commit(cx, Event::new("webhook.delete", "webhook_subscription", id)).await
}

/// Marks pending and failed deliveries of a subscription as dead, and removes them from the queue.
pub(super) async fn discard_pending(
    tx: &TenantTx,
    id: SubscriptionId,
    reason: FailureReason,
) -> Result<()> {
    let update = deliveries::ActiveModel {
        status: Set(TextEnum(DeliveryStatus::Dead)),
        next_attempt_at: Set(None),
        failure_reason: Set(Some(reason.to_string())),
        ..Default::default()
    };
    let open = [DeliveryStatus::Pending, DeliveryStatus::Failed].map(TextEnum);
    tx.update::<deliveries::Entity>()
        .filter(deliveries::Column::SubscriptionId.eq(id.0))
        .filter(deliveries::Column::Status.is_in(open))
        .set(update)
        .exec(tx.connection())
        .await?;
    let due = tx.delete::<outbox::Entity>().filter(outbox::Column::SubscriptionId.eq(id.0));
    due.exec(tx.connection()).await?;
    Ok(())
}

/// Checks that a subscription still gets deliveries.
pub(super) fn check_active(row: &table::Model) -> Result<()> {
    if row.is_active {
        return Ok(());
    }
    let message = "this subscription is inactive, because its receiver answered with 410 (gone); \
         delete it and create a new one";
    Err(conflict(message).into())
}

/// Locks a subscription. Lock order: subscription, delivery, outbox row, head.
pub(super) async fn lock(tx: &TenantTx, id: SubscriptionId) -> Result<Option<table::Model>> {
    Ok(tx.find_by_id::<table::Entity>(id).lock_exclusive().one(tx.connection()).await?)
}
