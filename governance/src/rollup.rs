//! Counts of decisions by the hour, for charts: folded from the log as it grows, never scanned out
//! of it.
//!
//! A tenant's decisions and outcomes stand in one line, numbered by its audit events. A fold counts
//! the part of the line beyond the tenant's mark and moves the mark in the same transaction, while
//! it holds the mark's row: so nothing is counted twice, whichever process counts.

mod analytics;
mod latency;
mod overview;
mod tally;

use std::collections::BTreeMap;

use contract::id::TenantId;
use entity::{rollup_mark as marks, tenant_head as heads};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QuerySelect};

pub use self::analytics::analytics;
pub use self::overview::{
    Bucket, Latency, Overview, RuleCounts, Span, Standing, VerdictCount, overview,
};
use self::tally::Tally;
use crate::{
    Governance, audit,
    database::untenanted,
    error::{Error, Result},
    tenancy::{Tenant, TenantTx},
};

/// How many numbers of the line one fold passes at the most.
const BATCH: i64 = 1_000;

/// How many bytes of records one fold reads at the most, beyond its first record.
const BYTES: i64 = 16 * 1_024 * 1_024;

/// The worker that folds. It remembers which tenants have nothing new; several may run.
#[derive(Debug, Default)]
pub struct Rollups {
    /// How far the line is counted, by tenant.
    folded: BTreeMap<TenantId, i64>,
}

impl Rollups {
    /// Folds one batch of each tenant with something new, and says how many tenants have more left.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the store is away; what is left then is folded the next time.
    pub async fn fold(&mut self, governance: &Governance) -> Result<usize> {
        let mut behind = 0;
        for (tenant, last) in audit::heads(governance).await? {
            if self.folded.get(&tenant) >= Some(&last) {
                continue;
            }
            let cx = governance.operator();
            let folded = fold(&cx.tenant_unchecked(tenant)).await?;
            self.folded.insert(tenant, folded);
            behind += usize::from(folded < last);
        }
        Ok(behind)
    }
}

/// How many batches a page waits for before it shows what is counted so far.
const BATCHES_OF_A_READ: usize = 4;

/// Counts what came since the last fold. Says whether something is left.
async fn top_up(tenant: &Tenant<'_>) -> Result<bool> {
    let mut mark = -1;
    for _ in 0..BATCHES_OF_A_READ {
        let folded = fold(tenant).await?;
        if folded == mark {
            return Ok(false);
        }
        mark = folded;
    }
    let tx = tenant.begin().await?;
    let last = head(&tx).await?;
    tx.end().await?;
    Ok(mark < last)
}

/// Folds the next batch of the line, and says how far it is counted then.
async fn fold(tenant: &Tenant<'_>) -> Result<i64> {
    let tx = tenant.begin().await?;
    let mark = hold_mark(&tx).await?;
    // Numbers are given out under the head's lock: up to what is committed there, none is missing.
    let until = head(&tx).await?.min(mark.saturating_add(BATCH));
    if until <= mark {
        tx.end().await?;
        return Ok(mark);
    }
    let (tally, until) = count(&tx, mark, until).await?;
    tally.add(&tx).await?;
    let moved = marks::ActiveModel { sequence: Set(until), ..Default::default() };
    tx.update::<marks::Entity>().set(moved).exec(tx.connection()).await?;
    tx.settle().await?;
    Ok(until)
}

/// How far the tenant's line is counted. The row, made where there is none, is locked.
async fn hold_mark(tx: &TenantTx) -> Result<i64> {
    let start = marks::ActiveModel { tenant_id: Set(tx.tenant_id().0), sequence: Set(0) };
    let made = marks::Entity::insert(start).on_conflict_do_nothing();
    made.exec_without_returning(tx.connection()).await?;
    let mark = tx.find::<marks::Entity>().lock_exclusive().one(tx.connection()).await?;
    Ok(mark.ok_or_else(|| Error::bug("a mark that was just made"))?.sequence)
}

async fn head(tx: &TenantTx) -> Result<i64> {
    let head = untenanted::<heads::Entity>().filter(heads::Column::TenantId.eq(tx.tenant_id().0));
    let head = head.select_only().column(heads::Column::AuditSeq).into_tuple::<i64>();
    let head = head.one(tx.connection()).await?;
    head.ok_or_else(|| Error::bug("a tenant without its head row"))
}

/// The decisions and outcomes of a part of the line, in its order, as long as their records fit; and
/// how many they are in all. An outcome comes with the record of its decision.
// SQL: a union, and sums over what comes before each row.
const NEWS: &str = "SELECT seq, status, recorded_at, record, total FROM (\
     SELECT n.seq, n.status, d.recorded_at, d.record, count(*) OVER () AS total, \
     sum(octet_length(d.record)) OVER (ORDER BY n.seq) AS bytes FROM (\
     SELECT sequence AS seq, id, NULL AS status FROM decisions \
     WHERE tenant_id = $1 AND sequence > $2 AND sequence <= $3 UNION ALL \
     SELECT e.seq, o.decision_id, o.status FROM audit_events e JOIN outcomes o \
     ON o.tenant_id = e.tenant_id \
     AND o.decision_id = CASE e.action WHEN 'decision.outcome' THEN e.object_id::uuid END \
     WHERE e.tenant_id = $1 AND e.seq > $2 AND e.seq <= $3 AND e.action = 'decision.outcome'\
     ) n JOIN decisions d ON d.tenant_id = $1 AND d.id = n.id) b \
     WHERE bytes <= $4 OR bytes = octet_length(record) ORDER BY seq";

/// Counts the line from beyond `mark` to `until`, or to where the records became too long.
async fn count(tx: &TenantTx, mark: i64, until: i64) -> Result<(Tally, i64)> {
    let rows = tx.all(NEWS, [mark.into(), until.into(), BYTES.into()]).await?;
    let (mut tally, mut last, mut total) = (Tally::default(), until, 0);
    for row in &rows {
        let status: Option<String> = row.try_get_by_index(1)?;
        let at = entity::column::instant(row.try_get_by_index(2)?);
        let record: String = row.try_get_by_index(3)?;
        let record = serde_json::from_str(&record).map_err(|error| Error::Bug(error.into()))?;
        match status {
            None => tally.decision(at, &record),
            Some(status) => tally.outcome(at, &record, status == "overridden"),
        }
        last = row.try_get_by_index(0)?;
        total = row.try_get_by_index(4)?;
    }
    let whole = i64::try_from(rows.len()).is_ok_and(|rows| rows == total);
    Ok((tally, if whole { until } else { last }))
}
