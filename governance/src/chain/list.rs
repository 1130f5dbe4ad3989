//! The list of a tenant's chains.

use contract::{
    chain::{Chain, ChainStatus},
    id::ChainId,
    page::Page,
};
use entity::column::{instant, number};
use sea_orm::{QueryResult, prelude::DateTimeUtc};

use crate::{
    cx::Cx,
    error::Result,
    page::{List, PageRequest},
    permission,
};

// SQL: two tables are joined twice each.
// A chain stands where its first decision does.
const PAGE: &str = "SELECT first.sequence, c.id, c.is_sealed, c.links, c.highest_step, c.head, \
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

/// The tenant's chains, the one begun last first.
///
/// # Errors
/// `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, page: &PageRequest) -> Result<Page<Chain>> {
    let tenant = cx.tenant(permission::READ_DECISIONS)?;
    let list = List {
        governance: &cx.governance,
        name: "chains",
        tenant: tenant.id(),
        filter: String::new(),
    };
    let below = list.below(page)?;
    let tx = tenant.begin().await?;
    let fetched = i64::from(page.limit).saturating_add(1);
    let rows = tx.all(PAGE, [below.into(), fetched.into()]).await?;
    tx.end().await?;
    let rows = rows.iter().map(row).collect::<Result<Vec<_>>>()?;
    Ok(list.page(rows, page.limit, |(sequence, _)| *sequence).map(|(_, chain)| chain))
}

fn row(row: &QueryResult) -> Result<(i64, Chain)> {
    let at = |column: usize| row.try_get_by_index::<DateTimeUtc>(column).map(instant);
    let sealed_at: Option<DateTimeUtc> = row.try_get_by_index(8)?;
    let chain = Chain {
        chain_id: ChainId(row.try_get_by_index(1)?),
        status: ChainStatus::of(row.try_get_by_index(2)?),
        steps: number(row.try_get_by_index(3)?),
        highest_step: number(row.try_get_by_index(4)?),
        head: row.try_get_by_index(5)?,
        created_at: at(6)?,
        last_recorded_at: at(7)?,
        sealed_at: sealed_at.map(instant),
    };
    Ok((row.try_get_by_index(0)?, chain))
}
