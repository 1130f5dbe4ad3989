//! Claims of due deliveries: leases within the limits of concurrent deliveries.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use contract::{
    id::{DeliveryId, TenantId},
    time::Timestamp,
};
use sea_orm::{ConnectionTrait, prelude::Uuid};

use crate::{
    Governance,
    base::{
        error::Result,
        tenancy::{statement, timestamp_value},
    },
};

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

// SQL: runs periodically, and selects and claims in one statement.
//
// Finds the subscriptions with queued deliveries by one index look-up each, and takes as many deliveries of
// each as its slots and those of its tenant allow. Skips rows that another process is claiming. If there
// are not enough slots for all, the subscriptions of a tenant take turns, and so do tenants. Otherwise the
// deliveries of an unresponsive receiver, which are the oldest, would always come first.
const CLAIM_DUE: &str = "WITH RECURSIVE subscriptions AS (\
     (SELECT tenant_id, subscription_id FROM outbox ORDER BY tenant_id, subscription_id LIMIT 1) UNION ALL \
     SELECT n.tenant_id, n.subscription_id FROM subscriptions s CROSS JOIN LATERAL (\
     SELECT o.tenant_id, o.subscription_id FROM outbox o \
     WHERE (o.tenant_id, o.subscription_id) > (s.tenant_id, s.subscription_id) \
     ORDER BY o.tenant_id, o.subscription_id LIMIT 1) n), \
     busy AS (SELECT * FROM unnest($3::uuid[], $4::uuid[], $5::int[]) \
     AS b(tenant_id, subscription_id, busy)), \
     free AS (SELECT s.tenant_id, s.subscription_id, coalesce(b.busy, 0) AS busy, \
     $6 - coalesce(b.busy, 0) AS room, $7 - coalesce(t.busy, 0) AS room_of_tenant FROM subscriptions s \
     LEFT JOIN busy b ON b.tenant_id = s.tenant_id AND b.subscription_id = s.subscription_id \
     LEFT JOIN (SELECT tenant_id, sum(busy)::int AS busy FROM busy GROUP BY tenant_id) t \
     ON t.tenant_id = s.tenant_id), \
     due AS (SELECT d.tenant_id, d.id, d.due_at, f.room_of_tenant, \
     f.busy + row_number() OVER (PARTITION BY f.tenant_id, f.subscription_id ORDER BY d.due_at, d.id) AS turn \
     FROM free f CROSS JOIN LATERAL (SELECT o.tenant_id, o.id, o.due_at FROM outbox o \
     WHERE o.tenant_id = f.tenant_id AND o.subscription_id = f.subscription_id AND o.due_at <= $1 \
     ORDER BY o.due_at \
     LIMIT greatest(least(f.room, f.room_of_tenant), 0) FOR UPDATE SKIP LOCKED) d), \
     ranked AS (SELECT tenant_id, id, due_at, room_of_tenant, \
     row_number() OVER (PARTITION BY tenant_id ORDER BY turn, due_at, id) AS claim_rank FROM due), \
     chosen AS (SELECT tenant_id, id FROM ranked WHERE claim_rank <= room_of_tenant \
     ORDER BY claim_rank, due_at LIMIT $8) \
     UPDATE outbox o SET due_at = $2, claimed_until = $2, claim = o.claim + 1 FROM chosen \
     WHERE o.tenant_id = chosen.tenant_id AND o.id = chosen.id \
     RETURNING o.tenant_id, o.id, o.subscription_id, o.claim";

/// The running deliveries, by tenant and subscription.
#[derive(Debug, Default)]
pub(super) struct ConcurrencySlots(Mutex<BTreeMap<(Uuid, Uuid), usize>>);

impl ConcurrencySlots {
    fn counts(&self) -> MutexGuard<'_, BTreeMap<(Uuid, Uuid), usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn acquire(self: &Arc<Self>, key: (Uuid, Uuid)) -> ConcurrencyPermit {
        *self.counts().entry(key).or_default() += 1;
        ConcurrencyPermit { slots: self.clone(), key }
    }

    /// Claims the deliveries that are due at `now`, as far as slots are free. Concurrent processes claim
    /// different deliveries.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` if the database is unavailable.
    pub(super) async fn claim_due(
        self: &Arc<Self>,
        governance: &Governance,
        now: Timestamp,
    ) -> Result<Vec<ClaimedDelivery>> {
        let (mut tenants, mut subscriptions, mut busy) = (Vec::new(), Vec::new(), Vec::new());
        for ((tenant, subscription), count) in self.counts().iter() {
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
        let rows = governance.database().query_all_raw(statement(CLAIM_DUE, values)).await?;
        let claimed = rows.into_iter().map(|row| -> Result<ClaimedDelivery> {
            let tenant: Uuid = row.try_get_by_index(0)?;
            Ok(ClaimedDelivery {
                tenant: TenantId(tenant),
                id: DeliveryId(row.try_get_by_index(1)?),
                number: row.try_get_by_index(3)?,
                _permit: self.acquire((tenant, row.try_get_by_index(2)?)),
            })
        });
        claimed.collect()
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
        let mut counts = self.slots.counts();
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
