//! Rollups: hourly counts of decisions for charts, aggregated as decisions are recorded.
//!
//! Decisions and outcomes of a tenant are ordered by the sequence numbers of its audit log. An aggregation
//! counts those after the tenant's cursor and advances the cursor in the same transaction, while it locks
//! the cursor row. Nothing is counted twice, even if several processes aggregate.

mod analytics;
mod decision_list;
mod latency;
mod overview;
mod policies;
mod recent;
mod tally;

use entity::{decision_texts::DecisionTexts, rollup_cursor as marks, tenant_head as heads};
use serde::de::DeserializeOwned;

use self::tally::Tally;
pub use self::{
    analytics::analytics,
    decision_list::{DecisionListParts, decision_list},
    overview::{
        Bucket, CHANGES_MAX, CurrentTotals, Latency, Overview, PeriodTotals, PolicyChange,
        RuleCounts, RuleTotals, Span, VerdictCount, overview,
    },
    policies::{LastChange, PolicyCounts, PolicyFigures, PolicyTotals, policy_figures},
    recent::{RecentDecisions, recent},
};
use crate::{base::prelude::*, proof::audit};

/// The maximum number of sequence numbers per aggregation.
const BATCH_NUMBERS_MAX: i64 = 1_000;

/// The maximum number of record bytes that one aggregation reads. The first record may exceed it.
const BATCH_BYTES_MAX: i64 = 16 * 1_024 * 1_024;

/// The worker that updates the rollups. It caches the tenants without new records. Several processes may
/// run one.
#[derive(Debug, Default)]
pub struct RollupWorker {
    /// The sequence number up to which each tenant is aggregated.
    aggregated: BTreeMap<TenantId, i64>,
}

impl RollupWorker {
    /// Aggregates one batch of each tenant with new records. Returns the number of tenants that have more.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` if the database is unavailable. Remaining records are aggregated next time.
    pub async fn run_once(&mut self, governance: &Governance) -> Result<usize> {
        let mut behind = 0;
        for (tenant, last) in audit::heads(governance).await? {
            if self.aggregated.get(&tenant) >= Some(&last) {
                continue;
            }
            let cx = governance.operator();
            let aggregated = aggregate(&cx.tenant_unchecked(tenant)).await?;
            self.aggregated.insert(tenant, aggregated);
            behind += usize::from(aggregated < last);
        }
        Ok(behind)
    }
}

/// The number of batches that a request waits for before it returns incomplete counts.
const BATCHES_PER_READ: usize = 4;

/// Aggregates new records. Returns whether some remain.
async fn catch_up(tenant: &Tenant<'_>) -> Result<bool> {
    for _ in 0..BATCHES_PER_READ {
        if !is_behind(tenant).await? {
            return Ok(false);
        }
        aggregate(tenant).await?;
    }
    is_behind(tenant).await
}

// SQL: two tables are read in one round trip, without the lock of the cursor.
const SELECT_IS_BEHIND: &str = "SELECT coalesce(max(c.sequence), 0) < max(h.audit_seq) \
     FROM tenant_heads h LEFT JOIN rollup_cursors c ON c.tenant_id = h.tenant_id \
     WHERE h.tenant_id = $1";

/// Reads a column that a statement wrote as JSON.
fn json<T: DeserializeOwned>(row: &QueryResult, index: usize) -> Result<T> {
    let text: String = row.try_get_by_index(index)?;
    Ok(serde_json::from_str(&text)?)
}

/// Returns the row of a statement whose first column is whether some recorded decisions are not counted yet, and whether
/// that is so. Aggregates them first; if there are none, it runs one query. Returns `None` if there is no row.
async fn load_current(
    tenant: &Tenant<'_>,
    sql: &'static str,
    values: impl IntoIterator<Item = sea_orm::Value> + Clone,
) -> Result<Option<(QueryResult, bool)>> {
    let load = async || {
        let tx = tenant.begin().await?;
        let row = tx.one(sql, values.clone()).await?;
        tx.finish_read().await?;
        Ok::<_, Error>(row)
    };
    let Some(row) = load().await? else { return Ok(None) };
    if !row.try_get_by_index(0)? {
        return Ok(Some((row, false)));
    }
    let is_behind = catch_up(tenant).await?;
    Ok(load().await?.map(|row| (row, is_behind)))
}

/// Returns whether some recorded decisions or outcomes are not counted yet.
async fn is_behind(tenant: &Tenant<'_>) -> Result<bool> {
    let tx = tenant.begin().await?;
    let is_behind = tx.only(SELECT_IS_BEHIND, []).await?;
    tx.finish_read().await?;
    Ok(is_behind)
}

/// Aggregates the next batch and returns the new position of the cursor.
async fn aggregate(tenant: &Tenant<'_>) -> Result<i64> {
    let tx = tenant.begin().await?;
    let cursor = lock_cursor(&tx).await?;
    // Numbers are allocated under the head lock, so everything up to the committed head is present.
    let until = head(&tx).await?.min(cursor.saturating_add(BATCH_NUMBERS_MAX));
    if until <= cursor {
        tx.finish_read().await?;
        return Ok(cursor);
    }
    let (tally, until) = count(&tx, cursor, until).await?;
    tally.add(&tx).await?;
    let advanced = marks::ActiveModel { sequence: Set(until), ..Default::default() };
    tx.update::<marks::Entity>().set(advanced).exec(tx.connection()).await?;
    tx.commit_without_event().await?;
    Ok(until)
}

/// Creates the tenant's cursor if it is missing, locks it and returns its position.
async fn lock_cursor(tx: &TenantTx) -> Result<i64> {
    let start = marks::ActiveModel { tenant_id: Set(tx.tenant_id().0), sequence: Set(0) };
    let insert = marks::Entity::insert(start).on_conflict_do_nothing();
    insert.exec_without_returning(tx.connection()).await?;
    let cursor = tx.find::<marks::Entity>().lock_exclusive().one(tx.connection()).await?;
    Ok(cursor.or_bug("a cursor without its row")?.sequence)
}

async fn head(tx: &TenantTx) -> Result<i64> {
    let head = untenanted::<heads::Entity>().filter(heads::Column::TenantId.eq(tx.tenant_id().0));
    let head = head.select_only().column(heads::Column::AuditSeq).into_tuple::<i64>();
    let head = head.one(tx.connection()).await?;
    head.or_bug("a tenant without its head row")
}

const SELECT_NEXT_BATCH: &str = include_str!("rollup.sql");

/// The position of a decision or of its outcome, the status of the outcome, the time and the texts of the decision, and
/// the number of rows of the range.
type BatchRow = (i64, Option<String>, DateTimeUtc, DecisionTexts, i64);

/// Counts the range after `cursor` up to `until`, or up to the byte limit. Returns the last counted
/// position.
async fn count(tx: &TenantTx, cursor: i64, until: i64) -> Result<(Tally, i64)> {
    let values = [cursor.into(), until.into(), BATCH_BYTES_MAX.into()];
    let rows: Vec<BatchRow> = tx.tuples(SELECT_NEXT_BATCH, values).await?;
    let count = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    let (mut tally, mut last, mut total) = (Tally::default(), until, 0);
    for (position, status, recorded_at, texts, available) in rows {
        let recorded_at = from_column(recorded_at);
        let record = serde_json::from_str(&texts.record)?;
        match status {
            None => tally.decision(recorded_at, &record),
            Some(status) => tally.outcome(recorded_at, &record, status == "overridden"),
        }
        (last, total) = (position, available);
    }
    Ok((tally, if count == total { until } else { last }))
}
