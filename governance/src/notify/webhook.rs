//! Webhooks: delivers alerts to subscriptions at least once, across process crashes.
//!
//! The schema queues a delivery with its alert, in one transaction (`migration/src/m0001_schema/webhooks.sql`). A
//! [`DeliveryWorker`] claims due deliveries under a lease, calls the receiver without an open transaction, and records
//! the result.

mod attempt;
mod cancellation;
mod claim;
mod delivery;
mod schedule;
mod signature;
mod subscription;
mod worker;

pub use self::{
    attempt::{DeliveryResult, ReceiverResponse},
    claim::ClaimedDelivery,
    delivery::{
        DeliveryDetails, counts_since, dead_counts, inspect, list as list_deliveries,
        read as read_delivery, redrive, retry, send_test, stats, window as deliveries_window,
    },
    schedule::{ParseScheduleError, Schedule},
    subscription::{create, create_as, delete, list, read},
    worker::{DeliveryWorker, WebhookTransport},
};
use crate::base::prelude::*;
use contract::webhook::WebhookEnvelope;
use entity::{webhook_delivery as table, webhook_subscription as subscriptions};

/// The encryption context of subscription secrets.
const ENCRYPTION_CONTEXT: &str = "webhook";

/// A complete, signed request to a receiver.
#[derive(Clone, derive_more::Debug, PartialEq, Eq)]
#[debug("SignedRequest {{ .. }}")]
pub struct SignedRequest {
    pub url: String,
    /// The headers, including `Content-Type`.
    pub headers: [(&'static str, String); 10],
    /// The signed body, byte for byte.
    pub body: String,
}

struct PendingDelivery {
    tenant: TenantId,
    id: DeliveryId,
    subscription: SubscriptionId,
    url: String,
    secret: Vec<u8>,
    secret_key: i32,
    envelope: WebhookEnvelope,
    event: String,
    body: String,
    /// The number of the next attempt, starting at 1.
    attempt: u32,
    /// Whether the subscription gets deliveries.
    is_active: bool,
}

impl PendingDelivery {
    /// Loads the content of `delivery`; `None` if its subscription was deleted.
    async fn load(tx: &TenantTx, delivery: table::Model) -> Result<Option<Self>> {
        let subscription = SubscriptionId(delivery.subscription_id);
        let row = tx.find_by_id::<subscriptions::Entity>(subscription).one(tx.connection()).await?;
        Ok(row.map(|row| Self {
            tenant: tx.tenant_id(),
            id: DeliveryId(delivery.id),
            subscription,
            url: row.webhook_url,
            secret: row.secret,
            secret_key: row.secret_key,
            envelope: row.envelope.0,
            event: delivery.event,
            body: delivery.body,
            attempt: unsigned(delivery.attempt_count).saturating_add(1),
            is_active: row.is_active,
        }))
    }

    /// Returns the signed request of an attempt that starts at `started_at`, or `None` if the secret cannot be
    /// decrypted.
    fn sign(self, governance: &Governance, started_at: Timestamp) -> Option<SignedRequest> {
        let owner = subscription::owner(self.tenant, self.subscription);
        let pepper = governance.pepper();
        let secret = pepper.decrypt(self.secret_key, ENCRYPTION_CONTEXT, &owner, &self.secret)?;
        let id = self.id.to_string();
        let timestamp = started_at.millis().to_string();
        let seconds = started_at.millis().div_euclid(1_000).to_string();
        let content_type = match self.envelope {
            WebhookEnvelope::Govern => "application/json",
            WebhookEnvelope::CloudEvents => "application/cloudevents+json; charset=utf-8",
        };
        let standard = signature::standard(&secret, &id, &seconds, &self.body)?;
        let headers = [
            ("content-type", content_type.to_owned()),
            ("x-service-event", self.event),
            ("x-service-delivery-id", id.clone()),
            ("x-service-tenant-id", self.tenant.to_string()),
            ("x-service-attempt", self.attempt.to_string()),
            ("x-service-signature", signature::service(&secret, &timestamp, &self.body)),
            ("x-service-timestamp", timestamp),
            ("webhook-id", id),
            ("webhook-timestamp", seconds),
            ("webhook-signature", standard),
        ];
        Some(SignedRequest { url: self.url, headers, body: self.body })
    }
}
