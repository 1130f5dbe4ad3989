//! Checkpoints that are due because time has passed. Every 256th event is one by itself: the store
//! makes it with the event.

use std::collections::BTreeMap;

use crate::{
    Governance,
    error::{Error, Result},
    tenancy::instant,
};
use contract::{id::TenantId, time::Timestamp};

/// How long an event waits for a checkpoint, in milliseconds: 5 minutes (receipts, section 14).
const WAIT_MS: i64 = 5 * 60 * 1_000;

/// The worker that makes checkpoints. It remembers which tenants have nothing new; several may run.
#[derive(Debug, Default)]
pub struct Checkpoints {
    /// The last event that a checkpoint covers, by tenant.
    covered: BTreeMap<TenantId, i64>,
}

/// Makes a checkpoint of the last event when the first one that none covers is old enough. Says up to
/// event there are checkpoints, and whether one was made.
// SQL: one statement looks and writes, so that several workers may run.
const MAKE: &str = "WITH last AS (SELECT coalesce(max(seq), 0) AS seq FROM audit_checkpoints \
     WHERE tenant_id = $1), made AS (INSERT INTO audit_checkpoints (tenant_id, seq, hash) \
     (SELECT tenant_id, seq, hash FROM audit_events WHERE tenant_id = $1 AND EXISTS (\
     SELECT FROM audit_events e WHERE e.tenant_id = $1 AND e.seq = (SELECT seq + 1 FROM last) \
     AND e.occurred_at <= $2) ORDER BY seq DESC LIMIT 1) ON CONFLICT DO NOTHING RETURNING seq) \
     SELECT coalesce((SELECT seq FROM made), (SELECT seq FROM last)), \
     EXISTS (SELECT FROM made)";

impl Checkpoints {
    /// Makes the checkpoints that are due at `now`, and says how many they are.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the store is away; what is due then is made the next time.
    pub async fn make(&mut self, governance: &Governance, now: Timestamp) -> Result<usize> {
        let mut made = 0;
        for (tenant, seq) in super::heads(governance).await? {
            if self.covered.get(&tenant) >= Some(&seq) {
                continue;
            }
            let (covered, is_new) = make(governance, tenant, now).await?;
            self.covered.insert(tenant, covered);
            made += usize::from(is_new);
        }
        Ok(made)
    }
}

async fn make(governance: &Governance, tenant: TenantId, now: Timestamp) -> Result<(i64, bool)> {
    let cx = governance.operator();
    let tx = cx.tenant_unchecked(tenant).begin().await?;
    let row = tx.one(MAKE, [instant(now.plus_millis(-WAIT_MS))]).await?;
    let row = row.ok_or_else(|| Error::bug("a query without a row"))?;
    let made = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
    tx.settle().await?;
    Ok(made)
}
