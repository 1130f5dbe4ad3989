//! Audit checkpoints that are due by time. The database also creates one with every 256th event.

use crate::base::prelude::*;

/// The maximum time an event waits for a checkpoint in milliseconds: 5 minutes (receipts, section 14).
const WAIT_MS: i64 = 5 * 60 * 1_000;

/// The worker that creates checkpoints. It caches which tenants have nothing new. Several processes may
/// run one.
#[derive(Debug, Default)]
pub struct CheckpointWorker {
    /// The last event covered by a checkpoint, by tenant.
    covered: BTreeMap<TenantId, i64>,
}

/// Creates a checkpoint of the last event if the first uncovered event is old enough. Returns the last
/// covered event, and whether a checkpoint was created.
// SQL: one statement checks and writes, so that several workers may run.
const INSERT_DUE: &str = "WITH last AS (SELECT coalesce(max(seq), 0) AS seq FROM audit_checkpoints \
     WHERE tenant_id = $1), created AS (INSERT INTO audit_checkpoints (tenant_id, seq, hash) \
     (SELECT tenant_id, seq, hash FROM audit_events WHERE tenant_id = $1 AND EXISTS (\
     SELECT FROM audit_events e WHERE e.tenant_id = $1 AND e.seq = (SELECT seq + 1 FROM last) \
     AND e.occurred_at <= $2) ORDER BY seq DESC LIMIT 1) ON CONFLICT DO NOTHING RETURNING seq) \
     SELECT coalesce((SELECT seq FROM created), (SELECT seq FROM last)), \
     EXISTS (SELECT FROM created)";

impl CheckpointWorker {
    /// Creates the checkpoints that are due at `now` and returns their number.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` if the database is unavailable. Checkpoints that are still due are created
    /// next time.
    pub async fn run_once(&mut self, governance: &Governance, now: Timestamp) -> Result<usize> {
        let mut created = 0;
        for (tenant, seq) in super::heads(governance).await? {
            if self.covered.get(&tenant) >= Some(&seq) {
                continue;
            }
            let (covered, is_new) = create_due(governance, tenant, now).await?;
            self.covered.insert(tenant, covered);
            created += usize::from(is_new);
        }
        Ok(created)
    }
}

async fn create_due(
    governance: &Governance,
    tenant: TenantId,
    now: Timestamp,
) -> Result<(i64, bool)> {
    let cx = governance.operator();
    let tx = cx.tenant_unchecked(tenant).begin().await?;
    let result = tx.only(INSERT_DUE, [timestamp_value(now.plus_millis(-WAIT_MS))]).await?;
    tx.commit_without_event().await?;
    Ok(result)
}
