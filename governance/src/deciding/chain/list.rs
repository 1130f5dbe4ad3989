//! The list of a tenant's chains.

use std::sync::LazyLock;

use contract::chain::{Chain, ChainFilter, ChainStatus};
use sea_orm::Value;

use crate::{
    access::permission,
    base::{
        pagination::{Rows, Start},
        prelude::*,
        sql::assemble,
    },
};

static SELECT_OLDER: LazyLock<String> = LazyLock::new(|| select("<", "DESC"));
static SELECT_NEWER: LazyLock<String> = LazyLock::new(|| select(">", "ASC"));

fn select(comparison: &str, order: &str) -> String {
    assemble(include_str!("list.sql"), &[("comparison", comparison), ("order", order)])
}

/// A row of the statement.
#[derive(Debug, FromQueryResult)]
struct Row {
    sequence: i64,
    id: Uuid,
    is_sealed: bool,
    links: i32,
    highest_step: i32,
    head: String,
    created_at: DateTimeUtc,
    last_recorded_at: DateTimeUtc,
    sealed_at: Option<DateTimeUtc>,
}

impl From<Row> for Chain {
    fn from(row: Row) -> Self {
        Self {
            chain_id: ChainId(row.id),
            status: ChainStatus::new(row.is_sealed),
            steps: unsigned(row.links),
            highest_step: unsigned(row.highest_step),
            head: row.head,
            created_at: from_column(row.created_at),
            last_recorded_at: from_column(row.last_recorded_at),
            sealed_at: row.sealed_at.map(from_column),
        }
    }
}

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
    let rows = list.window(page, fetch, |row| row.sequence).await?;
    tx.finish_read().await?;
    Ok(rows.map(Chain::from))
}

async fn rows(
    tx: &TenantTx,
    filter: ChainFilter,
    start: Start,
    page: &PageRequest,
) -> Result<Vec<Row>> {
    let is_sealed = filter.status.map(|status| status == ChainStatus::Sealed);
    let (statement, position): (&LazyLock<String>, _) = match start {
        Start::First => (&SELECT_OLDER, i64::MAX),
        Start::After(position) => (&SELECT_OLDER, position),
        Start::Before(position) => (&SELECT_NEWER, position),
    };
    let fetched = i64::from(page.limit).saturating_add(1);
    let values: [Value; 4] =
        [position.into(), fetched.into(), is_sealed.into(), filter.chain_id.map(|id| id.0).into()];
    tx.rows(statement, values).await
}
