//! Delivery worker: claims due deliveries, sends them and records the results.

use std::fmt::Debug;

use contract::webhook::FailureReason;
use entity::webhook_delivery as table;

use super::{
    attempt::{AttemptResult, DeliveryResult, ReceiverResponse, record_attempt},
    cancellation::RunningDeliveries,
    claim::{ClaimedDelivery, ConcurrencySlots},
};
use crate::{
    base::prelude::*,
    notify::webhook::{PendingDelivery, SignedRequest},
};

/// Sends signed requests to webhook receivers.
#[async_trait::async_trait]
pub trait WebhookTransport: Debug + Send + Sync {
    /// Sends one request and returns the head of the response. Times out after 10 seconds.
    ///
    /// # Errors
    /// The reason there is no response.
    async fn send(&self, request: SignedRequest) -> Result<ReceiverResponse, FailureReason>;
}

/// The delivery worker of a process. Cheap to clone.
#[derive(Clone, Debug)]
pub struct DeliveryWorker {
    transport: Arc<dyn WebhookTransport>,
    slots: Arc<ConcurrencySlots>,
    running: RunningDeliveries,
}

impl DeliveryWorker {
    /// Creates a worker that sends through `transport`.
    pub fn new(transport: impl WebhookTransport + 'static) -> Self {
        Self {
            transport: Arc::new(transport),
            slots: Arc::default(),
            running: RunningDeliveries::default(),
        }
    }

    /// Claims the deliveries that are due at `now`, as far as slots are free. Concurrent processes claim
    /// different deliveries.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` if the database is unavailable.
    pub async fn claim(
        &self,
        governance: &Governance,
        now: Timestamp,
    ) -> Result<Vec<ClaimedDelivery>> {
        self.slots.claim_due(governance, now).await
    }

    /// Attempts one delivery and records the result. No transaction is open while the receiver is called.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` if the database is unavailable. The delivery is attempted again after its
    /// lease expires.
    pub async fn deliver(
        &self,
        governance: &Governance,
        claimed: ClaimedDelivery,
    ) -> Result<DeliveryResult> {
        let cx = governance.operator();
        let started_at = cx.now;
        let stopwatch = governance.clock().stopwatch();
        let delivery = read(governance, &claimed).await?;
        let is_attempt = delivery.is_some();
        let (attempt, result) = match delivery {
            None => (0, Err(FailureReason::SubscriptionDeleted)),
            Some(delivery) => {
                (delivery.attempt, self.send(governance, &claimed, delivery, started_at).await)
            }
        };
        let duration_ms = stopwatch.whole_millis();
        let attempt_result = AttemptResult { attempt, started_at, duration_ms, is_attempt, result };
        let recorded = record_attempt(governance, &claimed, &attempt_result).await?;
        if let Some(outcome) = recorded.outcome() {
            governance.emit(Observed::DeliveryAttempted(outcome));
        }
        Ok(recorded)
    }

    /// Returns the head of the receiver's response.
    async fn send(
        &self,
        governance: &Governance,
        claimed: &ClaimedDelivery,
        delivery: PendingDelivery,
        started_at: Timestamp,
    ) -> Result<ReceiverResponse, FailureReason> {
        let Some(request) = delivery.sign(governance, started_at) else {
            return Err(FailureReason::SecretUnavailable);
        };
        tokio::select! {
            response = self.transport.send(request) => response,
            () = self.running.cancelled(governance, claimed.tenant, claimed.id) => {
                Err(FailureReason::SubscriptionDeleted)
            }
        }
    }
}

/// Loads the delivery; `None` if it or its subscription was deleted, or the subscription is inactive.
async fn read(
    governance: &Governance,
    claimed: &ClaimedDelivery,
) -> Result<Option<PendingDelivery>> {
    let cx = governance.operator();
    let tx = cx.tenant_unchecked(claimed.tenant).begin().await?;
    let rows = tx.find_by_id::<table::Entity>(claimed.id);
    let pending = match rows.one(tx.connection()).await? {
        Some(delivery) => PendingDelivery::load(&tx, delivery).await?,
        None => None,
    };
    tx.finish_read().await?;
    Ok(pending.filter(|pending| pending.is_active))
}
