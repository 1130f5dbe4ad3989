//! The list of a tenant's chains.

use contract::{
    chain::{Chain, ChainStatus},
    id::ChainId,
    pagination::Page,
};
use entity::column::{from_column, unsigned};
use sea_orm::{QueryResult, prelude::DateTimeUtc};

use crate::{
    access::permission,
    base::{
        cx::Cx,
        error::Result,
        pagination::{Cursor, PageRequest},
    },
};

// SQL: two tables are joined twice each. Chains are ordered by the sequence number of their first decision.
const SELECT_PAGE: &str = "SELECT first.sequence, c.id, c.is_sealed, c.links, c.highest_step, c.head, \
     begun.recorded_at, latest.recorded_at, s.sealed_at \
     FROM chain_links first \
     JOIN chains c ON c.tenant_id = $1 AND c.id = first.chain_id \
     JOIN chain_links last \
       ON last.tenant_id = $1 AND last.chain_id = c.id AND last.position = c.links \
     JOIN decisions begun ON begun.tenant_id = $1 AND begun.id = first.decision_id \
     JOIN decisions latest ON latest.tenant_id = $1 AND latest.id = last.decision_id \
     LEFT JOIN chain_seals s ON s.tenant_id = $1 AND s.chain_id = c.id \
     WHERE first.tenant_id = $1 AND first.position = 1 AND first.sequence < $2 \
     ORDER BY first.sequence DESC LIMIT $3";

/// Returns a page of the tenant's chains, newest first.
///
/// # Errors
/// `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, page: &PageRequest) -> Result<Page<Chain>> {
    let tenant = cx.tenant(permission::READ_DECISIONS)?;
    let list = Cursor::new(&tenant, "chains", String::new());
    let before = list.before(page)?;
    let tx = tenant.begin().await?;
    let fetched = i64::from(page.limit).saturating_add(1);
    let rows = tx.all(SELECT_PAGE, [before.into(), fetched.into()]).await?;
    tx.finish_read().await?;
    let rows = rows.iter().map(row).collect::<Result<Vec<_>>>()?;
    Ok(list.page(rows, page.limit, |(sequence, _)| *sequence).map(|(_, chain)| chain))
}

fn row(row: &QueryResult) -> Result<(i64, Chain)> {
    let time = |column: usize| row.try_get_by_index::<DateTimeUtc>(column).map(from_column);
    let sealed_at: Option<DateTimeUtc> = row.try_get_by_index(8)?;
    let chain = Chain {
        chain_id: ChainId(row.try_get_by_index(1)?),
        status: ChainStatus::new(row.try_get_by_index(2)?),
        steps: unsigned(row.try_get_by_index(3)?),
        highest_step: unsigned(row.try_get_by_index(4)?),
        head: row.try_get_by_index(5)?,
        created_at: time(6)?,
        last_recorded_at: time(7)?,
        sealed_at: sealed_at.map(from_column),
    };
    Ok((row.try_get_by_index(0)?, chain))
}
