//! Subscriptions: where alerts are sent. They are made and deleted, and never changed.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use contract::{
    id::{SubscriptionId, TenantId},
    page::Page,
    webhook::{
        DeliveryStatus, FailureReason, SUBSCRIPTIONS_MAX, SubscriptionCreated, SubscriptionDraft,
        WebhookSubscription,
    },
};
use entity::{
    column::{Word, at},
    outbox, webhook_delivery as deliveries, webhook_subscription as table,
};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, PaginatorTrait, QueryFilter, QuerySelect,
    Select,
};

use super::SEALED_FOR;
use crate::{
    audit::Event,
    cx::Cx,
    error::{Noun, Result, conflict, not_found},
    page::{PageRequest, newest},
    permission,
    tenancy::TenantTx,
};

/// What every secret begins with.
const SECRET_PREFIX: &str = "whsec_";

/// Makes a subscription. Its secret is answered this once: only whoever has the key of the process can
/// open what is stored.
///
/// # Errors
/// `VALIDATION_ERROR` for an address that may not be called; `CONFLICT` beyond 100 subscriptions.
pub async fn create(cx: &Cx, draft: SubscriptionDraft) -> Result<SubscriptionCreated> {
    create_as(cx, cx.governance.chance().id(), draft).await
}

/// Makes a subscription under an id that was given out before, so that a form that is sent twice makes
/// one.
///
/// # Errors
/// As [`create`]; `CONFLICT` when there is a subscription with this id.
pub async fn create_as(
    cx: &Cx,
    id: SubscriptionId,
    draft: SubscriptionDraft,
) -> Result<SubscriptionCreated> {
    let tenant = cx.tenant(permission::KEEP_WEBHOOKS)?;
    let destinations = cx.governance.destinations();
    destinations.check(&draft.url).await.map_err(|fault| fault.refusal("/url"))?;
    let chance = cx.governance.chance();
    let secret = format!("{SECRET_PREFIX}{}", URL_SAFE_NO_PAD.encode(chance.bytes::<32>()));
    let owner = owner(tenant.id(), id);
    let sealed = cx.governance.pepper().seal(chance, SEALED_FOR, &owner, secret.as_bytes());
    let mut tx = tenant.begin().await?;
    // The head row is locked before anything is looked up, so that two calls cannot pass the limit
    // together, and the second of one form sees the subscription of the first.
    let sequence = tx.next_sequence().await?;
    if find(&tx, id).one(tx.connection()).await?.is_some() {
        return Err(conflict("a webhook with this id was made before").into());
    }
    if tx.find::<table::Entity>().count(tx.connection()).await? >= SUBSCRIPTIONS_MAX {
        return Err(conflict("there are 100 subscriptions already; delete one first").into());
    }
    let row = table::ActiveModel {
        tenant_id: Set(tenant.id().0),
        id: Set(id.0),
        sequence: Set(sequence),
        webhook_url: Set(draft.url),
        decision_types: Set(draft.decision_types.unwrap_or_default()),
        severity_min: Set(Word(draft.severity_min)),
        is_active: Set(true),
        secret: Set(sealed.bytes),
        secret_key: Set(sealed.version),
        created_at: Set(at(cx.now)),
        created_by: Set(cx.caller.principal()),
    };
    let subscription = WebhookSubscription::from(row.insert(tx.connection()).await?);
    let event = Event::new("webhook.create", "webhook_subscription", id)
        .with("severity_min", subscription.severity_min.as_str());
    tx.commit(cx, event).await?;
    Ok(SubscriptionCreated { subscription, secret })
}

/// What a sealed secret is bound to: it does not open in another row.
pub(super) fn owner(tenant: TenantId, id: SubscriptionId) -> Vec<u8> {
    [*tenant.0.as_bytes(), *id.0.as_bytes()].concat()
}

/// The tenant's subscriptions, newest first.
///
/// # Errors
/// `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, page: &PageRequest) -> Result<Page<WebhookSubscription>> {
    let tenant = cx.tenant(permission::KEEP_WEBHOOKS)?;
    let rows = newest::<table::Entity>(&tenant, "webhook-subscriptions", page).await?;
    Ok(rows.map(WebhookSubscription::from))
}

/// One of the tenant's subscriptions.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read(cx: &Cx, id: SubscriptionId) -> Result<WebhookSubscription> {
    let tx = cx.tenant(permission::KEEP_WEBHOOKS)?.begin().await?;
    let row = find(&tx, id).one(tx.connection()).await?;
    tx.end().await?;
    Ok(row.ok_or_else(|| not_found(Noun::Subscription))?.into())
}

/// Deletes a subscription with its secret, and gives up what was still to be sent. What is being sent at
/// this moment is broken off within a second.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn delete(cx: &Cx, id: SubscriptionId) -> Result<()> {
    let tx = cx.tenant(permission::KEEP_WEBHOOKS)?.begin().await?;
    hold(&tx, id).await?.ok_or_else(|| not_found(Noun::Subscription))?;
    give_up(&tx, id).await?;
    let due = tx.delete::<outbox::Entity>().filter(outbox::Column::Lane.eq(id.0));
    due.exec(tx.connection()).await?;
    let row = tx.delete::<table::Entity>().filter(table::Column::Id.eq(id.0));
    row.exec(tx.connection()).await?;
    tx.commit(cx, Event::new("webhook.delete", "webhook_subscription", id)).await
}

/// Marks what was still to be sent as dead.
async fn give_up(tx: &TenantTx, id: SubscriptionId) -> Result<()> {
    let given_up = deliveries::ActiveModel {
        status: Set(Word(DeliveryStatus::Dead)),
        next_attempt_at: Set(None),
        failure_reason: Set(Some(FailureReason::SubscriptionDeleted.to_string())),
        ..Default::default()
    };
    let open = [DeliveryStatus::Pending, DeliveryStatus::Failed].map(Word);
    tx.update::<deliveries::Entity>()
        .filter(deliveries::Column::SubscriptionId.eq(id.0))
        .filter(deliveries::Column::Status.is_in(open))
        .set(given_up)
        .exec(tx.connection())
        .await?;
    Ok(())
}

/// The subscription, locked. First in the order of locks: subscription, delivery, place in the outbox, head.
pub(super) async fn hold(tx: &TenantTx, id: SubscriptionId) -> Result<Option<table::Model>> {
    Ok(find(tx, id).lock_exclusive().one(tx.connection()).await?)
}

pub(super) fn find(tx: &TenantTx, id: SubscriptionId) -> Select<table::Entity> {
    tx.find::<table::Entity>().filter(table::Column::Id.eq(id.0))
}
