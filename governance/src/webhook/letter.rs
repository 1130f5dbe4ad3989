//! What is sent: read as it is stored, and signed anew for each attempt.

use std::fmt::{self, Debug};

use contract::{
    id::{DeliveryId, SubscriptionId, TenantId},
    time::Timestamp,
};
use entity::webhook_delivery as table;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::{SEALED_FOR, subscription};
use crate::{Governance, error::Result, tenancy::TenantTx};

/// A call to a receiver, whole.
#[derive(Clone, PartialEq, Eq)]
pub struct Parcel {
    /// The address.
    pub url: String,
    /// The headers, `Content-Type` among them.
    pub headers: [(&'static str, String); 7],
    /// The body, byte for byte as it was signed.
    pub body: String,
}

impl Debug for Parcel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parcel").finish_non_exhaustive()
    }
}

/// What is to be sent, as it is stored.
pub(super) struct Letter {
    tenant: TenantId,
    id: DeliveryId,
    pub(super) subscription: SubscriptionId,
    pub(super) url: String,
    secret: Vec<u8>,
    secret_key: i32,
    event: String,
    body: String,
    /// From 1: the attempt that comes next.
    pub(super) attempt: u32,
}

impl Letter {
    /// What `delivery` sends. Nothing, when its subscription is not there any more.
    pub(super) async fn of(tx: &TenantTx, delivery: table::Model) -> Result<Option<Self>> {
        let subscription = SubscriptionId(delivery.subscription_id);
        let row = subscription::find(tx, subscription).one(tx.connection()).await?;
        Ok(row.map(|row| Self {
            tenant: tx.tenant_id(),
            id: DeliveryId(delivery.id),
            subscription,
            url: row.webhook_url,
            secret: row.secret,
            secret_key: row.secret_key,
            event: delivery.event,
            body: delivery.body,
            attempt: entity::column::number(delivery.attempt_count).saturating_add(1),
        }))
    }

    /// The call of an attempt that begins at `at`, with its signature (specification, "Signature").
    /// Nothing, when the secret cannot be opened.
    pub(super) fn sign(self, governance: &Governance, at: Timestamp) -> Option<Parcel> {
        let owner = subscription::owner(self.tenant, self.subscription);
        let pepper = governance.pepper();
        let secret = pepper.open(self.secret_key, SEALED_FOR, &owner, &self.secret)?;
        let timestamp = at.millis().to_string();
        let headers = [
            ("content-type", "application/json".to_owned()),
            ("x-service-event", self.event),
            ("x-service-delivery-id", self.id.to_string()),
            ("x-service-tenant-id", self.tenant.to_string()),
            ("x-service-attempt", self.attempt.to_string()),
            ("x-service-signature", signature(&secret, &timestamp, &self.body)),
            ("x-service-timestamp", timestamp),
        ];
        Some(Parcel { url: self.url, headers, body: self.body })
    }
}

/// `sha256=` and the HMAC-SHA-256 of `{timestamp}.{body}` in hex.
fn signature(secret: &[u8], timestamp: &str, body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret)
        .unwrap_or_else(|_| unreachable!("HMAC takes keys of every length"));
    for part in [timestamp, ".", body] {
        mac.update(part.as_bytes());
    }
    format!("sha256={}", hex::encode(mac.finalize().into_bytes()))
}
