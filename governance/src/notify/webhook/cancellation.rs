//! Cancels running attempts whose subscription was deleted.

use std::time::Duration;

use parking_lot::Mutex;
use sea_orm::prelude::Uuid;
use tokio::sync::oneshot;

use crate::base::prelude::*;

/// The poll interval while receivers are called.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

// SQL: runs twice a second while receivers are called. Deleting a subscription deletes its outbox rows. One
// statement checks all running attempts of all tenants.
const SELECT_STILL_DUE: &str = "SELECT s.number FROM unnest($1::bigint[], $2::uuid[], $3::uuid[]) \
     AS s(number, tenant_id, id) \
     JOIN outbox o ON o.tenant_id = s.tenant_id AND o.id = s.id";

/// The deliveries that a process is sending. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct RunningDeliveries(Arc<Mutex<InFlight>>);

#[derive(Debug, Default)]
struct InFlight {
    by_number: BTreeMap<i64, RunningDelivery>,
    next_number: i64,
    /// Whether a task polls for them.
    is_watched: bool,
}

#[derive(Debug)]
struct RunningDelivery {
    tenant: TenantId,
    id: DeliveryId,
    cancel: oneshot::Sender<()>,
}

impl RunningDeliveries {
    /// Resolves when the delivery is no longer due.
    pub(super) async fn cancelled(
        &self,
        governance: &Governance,
        tenant: TenantId,
        id: DeliveryId,
    ) {
        let (cancel, is_cancelled) = oneshot::channel();
        let (number, is_watched) = self.add(RunningDelivery { tenant, id, cancel });
        let _entry = Entry { running: self, number };
        if !is_watched {
            drop(tokio::spawn(poll_while_running(self.clone(), governance.clone())));
        }
        if is_cancelled.await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    fn add(&self, delivery: RunningDelivery) -> (i64, bool) {
        let mut in_flight = self.0.lock();
        let number = in_flight.next_number;
        in_flight.next_number = number.wrapping_add(1);
        in_flight.by_number.insert(number, delivery);
        (number, std::mem::replace(&mut in_flight.is_watched, true))
    }

    /// Notifies callers whose deliveries are no longer due. Returns whether any delivery is being sent.
    async fn poll(&self, governance: &Governance) -> Result<bool> {
        let mut numbers: Vec<i64> = Vec::new();
        let (mut tenants, mut ids): (Vec<Uuid>, Vec<Uuid>) = (Vec::new(), Vec::new());
        {
            let mut in_flight = self.0.lock();
            if in_flight.by_number.is_empty() {
                in_flight.is_watched = false;
                return Ok(false);
            }
            for (number, delivery) in &in_flight.by_number {
                numbers.push(*number);
                tenants.push(delivery.tenant.0);
                ids.push(delivery.id.0);
            }
        }
        let polled = numbers.clone();
        let values = [numbers.into(), tenants.into(), ids.into()];
        let due: Vec<i64> = sql::tuples(governance.database(), SELECT_STILL_DUE, values).await?;
        let mut in_flight = self.0.lock();
        for number in polled.iter().filter(|number| !due.contains(number)) {
            if let Some(delivery) = in_flight.by_number.remove(number) {
                // The caller may have finished in the meantime.
                let _ = delivery.cancel.send(());
            }
        }
        Ok(true)
    }
}

/// The registration of a delivery that is being sent. Dropping it removes the delivery.
struct Entry<'a> {
    running: &'a RunningDeliveries,
    number: i64,
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        self.running.0.lock().by_number.remove(&self.number);
    }
}

async fn poll_while_running(running: RunningDeliveries, governance: Governance) {
    loop {
        tokio::time::sleep(POLL_INTERVAL).await;
        match running.poll(&governance).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => tracing::warn!(%error, "running deliveries were not checked"),
        }
    }
}
