//! Deliveries that are being sent, and which of them are due no more because their subscription was deleted.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use contract::id::{DeliveryId, TenantId};
use sea_orm::{ConnectionTrait, prelude::Uuid};
use tokio::sync::oneshot;

use crate::{Governance, error::Result, tenancy::statement};

/// How long passes between two look-ups while receivers are called.
const LOOK: Duration = Duration::from_millis(500);

// SQL: runs twice a second while receivers are called.
// Deleting a subscription deletes what is due for it. One statement looks for all deliveries that are being sent,
// of every tenant.
const STILL_DUE: &str = "SELECT s.number FROM unnest($1::bigint[], $2::uuid[], $3::uuid[]) \
     AS s(number, tenant_id, id) \
     JOIN outbox o ON o.tenant_id = s.tenant_id AND o.id = s.id";

/// The deliveries that a process is sending. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct Sending(Arc<Mutex<InFlight>>);

#[derive(Debug, Default)]
struct InFlight {
    by_number: BTreeMap<i64, Sent>,
    next_number: i64,
    /// Whether a task looks for them.
    is_watched: bool,
}

#[derive(Debug)]
struct Sent {
    tenant: TenantId,
    id: DeliveryId,
    withdrawn: oneshot::Sender<()>,
}

impl Sending {
    /// Resolves when the delivery is due no more.
    pub(super) async fn withdrawn(
        &self,
        governance: &Governance,
        tenant: TenantId,
        id: DeliveryId,
    ) {
        let (withdrawn, is_withdrawn) = oneshot::channel();
        let (number, is_watched) = self.add(Sent { tenant, id, withdrawn });
        let _entry = Entry { sending: self, number };
        if !is_watched {
            drop(tokio::spawn(watch(self.clone(), governance.clone())));
        }
        if is_withdrawn.await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    fn add(&self, sent: Sent) -> (i64, bool) {
        let mut in_flight = self.in_flight();
        let number = in_flight.next_number;
        in_flight.next_number = number.wrapping_add(1);
        in_flight.by_number.insert(number, sent);
        (number, std::mem::replace(&mut in_flight.is_watched, true))
    }

    /// Notifies the callers whose deliveries are due no more. Returns whether any delivery is being sent.
    async fn look(&self, governance: &Governance) -> Result<bool> {
        let mut numbers: Vec<i64> = Vec::new();
        let (mut tenants, mut ids): (Vec<Uuid>, Vec<Uuid>) = (Vec::new(), Vec::new());
        {
            let mut in_flight = self.in_flight();
            if in_flight.by_number.is_empty() {
                in_flight.is_watched = false;
                return Ok(false);
            }
            for (number, sent) in &in_flight.by_number {
                numbers.push(*number);
                tenants.push(sent.tenant.0);
                ids.push(sent.id.0);
            }
        }
        let looked_for = numbers.clone();
        let values = [numbers.into(), tenants.into(), ids.into()];
        let rows = governance.database().query_all_raw(statement(STILL_DUE, values)).await?;
        let due = rows.iter().map(|row| row.try_get_by_index(0));
        let due = due.collect::<Result<Vec<i64>, _>>()?;
        let mut in_flight = self.in_flight();
        for number in looked_for.iter().filter(|number| !due.contains(number)) {
            if let Some(sent) = in_flight.by_number.remove(number) {
                // The caller may have ended in the meantime.
                let _ = sent.withdrawn.send(());
            }
        }
        Ok(true)
    }

    fn in_flight(&self) -> MutexGuard<'_, InFlight> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A delivery that is being sent, until it is dropped.
struct Entry<'a> {
    sending: &'a Sending,
    number: i64,
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        self.sending.in_flight().by_number.remove(&self.number);
    }
}

/// Looks for deliveries for as long as some are being sent.
async fn watch(sending: Sending, governance: Governance) {
    loop {
        tokio::time::sleep(LOOK).await;
        match sending.look(&governance).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => tracing::warn!(%error, "deliveries were not looked for"),
        }
    }
}
