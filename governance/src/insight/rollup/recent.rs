//! The numbers of decisions in a time span and in the span before it.

use contract::time::Timestamp;
use sea_orm::QueryResult;

use super::catch_up;
use crate::{
    access::permission,
    base::{
        cx::Cx,
        error::{Error, Result},
        tenancy::{Tenant, timestamp_value},
    },
};

/// The numbers of decisions, without those of which all evaluated policies were in shadow mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecentDecisions {
    pub previous: i64,
    pub current: i64,
}

// SQL: sums of some rows each, and whether decisions are not counted yet, in one round trip.
const SELECT_RECENT: &str = "SELECT coalesce((SELECT sequence FROM rollup_cursors WHERE tenant_id = $1), 0) \
       < (SELECT audit_seq FROM tenant_heads WHERE tenant_id = $1), \
     coalesce(sum(decisions) FILTER (WHERE hour < $3), 0)::bigint, \
     coalesce(sum(decisions) FILTER (WHERE hour >= $3), 0)::bigint \
     FROM decision_hours WHERE tenant_id = $1 AND hour >= $2 AND hour < $4 AND NOT is_shadow";

/// Returns the numbers of decisions in a span of complete hours and in the span of the same length before it.
/// Aggregates new records first. If there are none, it runs one query.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key that lacks the scope to read decisions.
pub async fn recent(cx: &Cx, from: Timestamp, to: Timestamp) -> Result<RecentDecisions> {
    let tenant = cx.tenant(permission::READ_DECISIONS)?;
    let mut row = load(&tenant, from, to).await?;
    if row.try_get_by_index(0)? {
        catch_up(&tenant).await?;
        row = load(&tenant, from, to).await?;
    }
    Ok(RecentDecisions { previous: row.try_get_by_index(1)?, current: row.try_get_by_index(2)? })
}

async fn load(tenant: &Tenant<'_>, from: Timestamp, to: Timestamp) -> Result<QueryResult> {
    let before = from.plus_millis(from.millis() - to.millis());
    let tx = tenant.begin().await?;
    let values = [before, from, to].map(timestamp_value);
    let row = tx.one(SELECT_RECENT, values).await?;
    tx.finish_read().await?;
    row.ok_or_else(|| Error::bug("a query without a row"))
}
