//! The list of a tenant's chains.

use contract::{
    chain::{Chain, ChainFilter, ChainStatus},
    id::ChainId,
    pagination::Page,
};
use entity::column::{from_column, unsigned};
use sea_orm::{QueryResult, Value, prelude::DateTimeUtc};

use crate::{
    access::permission,
    base::{
        cx::Cx,
        error::Result,
        pagination::{Cursor, PageRequest, Rows, Start, Window},
        tenancy::TenantTx,
    },
};

/// The statement of a page, with the comparison and the order of its direction.
///
/// Chains are ordered by the sequence number of their first decision.
macro_rules! select_page {
    ($comparison:literal, $order:literal) => {
        concat!(
            "SELECT first.sequence, c.id, c.is_sealed, c.links, c.highest_step, c.head, \
             begun.recorded_at, latest.recorded_at, s.sealed_at \
             FROM chain_links first \
             JOIN chains c ON c.tenant_id = $1 AND c.id = first.chain_id \
             JOIN chain_links last \
               ON last.tenant_id = $1 AND last.chain_id = c.id AND last.position = c.links \
             JOIN decisions begun ON begun.tenant_id = $1 AND begun.id = first.decision_id \
             JOIN decisions latest ON latest.tenant_id = $1 AND latest.id = last.decision_id \
             LEFT JOIN chain_seals s ON s.tenant_id = $1 AND s.chain_id = c.id \
             WHERE first.tenant_id = $1 AND first.position = 1 AND first.sequence ",
            $comparison,
            " $2 AND ($4::boolean IS NULL OR c.is_sealed = $4) \
             AND ($5::uuid IS NULL OR first.chain_id = $5) \
             ORDER BY first.sequence ",
            $order,
            " LIMIT $3"
        )
    };
}

// SQL: two tables are joined twice each.
const SELECT_OLDER: &str = select_page!("<", "DESC");
const SELECT_NEWER: &str = select_page!(">", "ASC");

/// Returns a page of the tenant's chains, newest first.
///
/// # Errors
/// `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, filter: ChainFilter, page: &PageRequest) -> Result<Page<Chain>> {
    Ok(window(cx, filter, page).await?.into())
}

/// Returns a page of the tenant's chains, newest first, with the cursors of both adjacent pages.
///
/// # Errors
/// As [`list`].
pub async fn window(cx: &Cx, filter: ChainFilter, page: &PageRequest) -> Result<Window<Chain>> {
    let tenant = cx.tenant(permission::READ_DECISIONS)?;
    let list = Cursor::new(&tenant, "chains", format!("{filter:?}"));
    let tx = tenant.begin().await?;
    let fetch = |start| -> Rows<'_, _> { Box::pin(rows(&tx, filter, start, page)) };
    let rows = list.window(page, fetch, |(sequence, _)| *sequence).await?;
    tx.finish_read().await?;
    Ok(rows.map(|(_, chain)| chain))
}

async fn rows(
    tx: &TenantTx,
    filter: ChainFilter,
    start: Start,
    page: &PageRequest,
) -> Result<Vec<(i64, Chain)>> {
    let is_sealed = filter.status.map(|status| status == ChainStatus::Sealed);
    let (statement, position) = match start {
        Start::First => (SELECT_OLDER, i64::MAX),
        Start::After(position) => (SELECT_OLDER, position),
        Start::Before(position) => (SELECT_NEWER, position),
    };
    let fetched = i64::from(page.limit).saturating_add(1);
    let values: [Value; 4] =
        [position.into(), fetched.into(), is_sealed.into(), filter.chain_id.map(|id| id.0).into()];
    tx.all(statement, values).await?.iter().map(row).collect()
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
