//! Claims of due deliveries: leases within the limits of concurrent deliveries.

use parking_lot::Mutex;
use sea_orm::prelude::Uuid;

use crate::base::prelude::*;

/// The maximum number of running deliveries per subscription and process, so that an unresponsive receiver
/// does not occupy all slots.
const PER_SUBSCRIPTION_MAX: usize = 4;

/// The maximum number of running deliveries per tenant and process, for all its subscriptions.
const TENANT_MAX: usize = 32;

/// The maximum number of running deliveries per process.
const PER_PROCESS_MAX: usize = 256;

/// The lease of a claim in milliseconds, after which the process is considered dead. A call takes at most
/// 10 seconds.
const LEASE_MS: i64 = 30_000;

/// A delivery that this process may attempt until its lease expires.
#[derive(Debug)]
pub struct ClaimedDelivery {
    pub(super) tenant: TenantId,
    pub(super) id: DeliveryId,
    /// The number of the claim; a later claim invalidates this one.
    pub(super) number: i32,
    _permit: ConcurrencyPermit,
}

const CLAIM_DUE: &str = include_str!("claim.sql");

/// The running deliveries, by tenant and subscription.
#[derive(Debug, Default)]
pub(super) struct ConcurrencySlots(Mutex<BTreeMap<(Uuid, Uuid), usize>>);

impl ConcurrencySlots {
    fn acquire(self: &Arc<Self>, key: (Uuid, Uuid)) -> ConcurrencyPermit {
        *self.0.lock().entry(key).or_default() += 1;
        ConcurrencyPermit { slots: self.clone(), key }
    }

    /// Claims the deliveries that are due at `now`, as far as slots are free. Concurrent processes claim
    /// different deliveries.
    pub(super) async fn claim_due(
        self: &Arc<Self>,
        governance: &Governance,
        now: Timestamp,
    ) -> Result<Vec<ClaimedDelivery>> {
        let (mut tenants, mut subscriptions, mut busy) = (Vec::new(), Vec::new(), Vec::new());
        for ((tenant, subscription), count) in self.0.lock().iter() {
            tenants.push(*tenant);
            subscriptions.push(*subscription);
            busy.push(number(*count));
        }
        let in_flight: i64 = busy.iter().map(|busy| i64::from(*busy)).sum();
        let room = i64::from(number(PER_PROCESS_MAX)) - in_flight;
        if room <= 0 {
            return Ok(Vec::new());
        }
        let values = [
            timestamp_value(now),
            timestamp_value(now.plus_millis(LEASE_MS)),
            tenants.into(),
            subscriptions.into(),
            busy.into(),
            number(PER_SUBSCRIPTION_MAX).into(),
            number(TENANT_MAX).into(),
            room.into(),
        ];
        let rows = sql::tuples(governance.database(), CLAIM_DUE, values).await?;
        let claimed = rows.into_iter().map(|(tenant, id, subscription, number)| ClaimedDelivery {
            tenant: TenantId(tenant),
            id: DeliveryId(id),
            number,
            _permit: self.acquire((tenant, subscription)),
        });
        Ok(claimed.collect())
    }
}

/// A slot of a subscription, released when dropped.
#[derive(Debug)]
struct ConcurrencyPermit {
    slots: Arc<ConcurrencySlots>,
    key: (Uuid, Uuid),
}

impl Drop for ConcurrencyPermit {
    fn drop(&mut self) {
        let mut counts = self.slots.0.lock();
        match counts.get_mut(&self.key) {
            Some(count) if *count > 1 => *count -= 1,
            _ => {
                counts.remove(&self.key);
            }
        }
    }
}

fn number(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
