//! Lists of recorded decisions: newest first, or in chain order.

mod search;

use contract::decision::{DecisionFilter, DecisionRecord, PolicyDecisionFilter};
use entity::{policy as policies, policy_version as versions};

pub(super) use self::search::{DecisionSearch, Row, fitting};
use crate::{
    access::permission,
    base::{pagination::Rows, prelude::*},
    deciding::decision::record_of,
};

/// Returns a page of decisions, newest first. If the filter names a chain, its first step is first. A page of large
/// records has fewer than the requested number, and a cursor.
///
/// # Errors
/// `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(
    cx: &Cx,
    filter: DecisionFilter,
    page: &PageRequest,
) -> Result<Page<DecisionRecord>> {
    Ok(window(cx, filter, page).await?.into())
}

/// Returns a page of decisions in the order of [`list`], with the cursors of both adjacent pages.
///
/// # Errors
/// As [`list`].
pub async fn window(
    cx: &Cx,
    filter: DecisionFilter,
    page: &PageRequest,
) -> Result<Window<DecisionRecord>> {
    let tenant = cx.tenant(permission::READ_DECISIONS)?;
    let list = Cursor::new(&tenant, "decisions", format!("{filter:?}"));
    let tx = tenant.begin().await?;
    let search = DecisionSearch { filter };
    let fetch = |start| -> Rows<'_, _> { Box::pin(search.rows(&tx, start, page.fetched())) };
    let rows = list.window_within(page, fetch, |row| row.position, fitting).await?;
    tx.finish_read().await?;
    rows.try_map(|row| record_of(&row.record))
}

/// Returns a page of the decisions that used one version of a policy, newest first. Uses the active version
/// unless the filter names another. Returns an empty page if the policy has no active version and the
/// filter names none.
///
/// # Errors
/// `NOT_FOUND` for an unknown policy or version; `VALIDATION_ERROR` for a cursor of another list or of
/// another version.
pub async fn of_policy(
    cx: &Cx,
    id: PolicyId,
    filter: PolicyDecisionFilter,
    page: &PageRequest,
) -> Result<Page<DecisionRecord>> {
    let tenant = cx.tenant(permission::READ_POLICY_DECISIONS)?;
    let tx = tenant.begin().await?;
    let Some(version) = listed_version(&tx, id, filter.version).await? else {
        tx.finish_read().await?;
        return Ok(Page { items: Vec::new(), next_cursor: None });
    };
    let filter = DecisionFilter {
        policy_id: Some(id),
        version: u32::try_from(version).ok(),
        rule_code: filter.rule_code,
        decision: filter.decision,
        recorded_from: filter.recorded_from,
        recorded_to: filter.recorded_to,
        ..DecisionFilter::default()
    };
    let list = Cursor::new(&tenant, "policy-decisions", format!("{version} {filter:?}"));
    let search = DecisionSearch { filter };
    let rows = search.rows(&tx, list.after(page)?.into(), page.fetched()).await?;
    tx.finish_read().await?;
    records(&list, rows, page)
}

/// Returns the version to list: `requested`, or else the active version, if there is one.
async fn listed_version(
    tx: &TenantTx,
    id: PolicyId,
    requested: Option<u32>,
) -> Result<Option<i32>> {
    let policy = tx.get::<policies::Entity>(id, ResourceKind::Policy).await?;
    let Some(number) = requested else { return Ok(policy.active_version) };
    let number = i32::try_from(number).map_err(|_| not_found(ResourceKind::Version))?;
    let version = tx
        .find::<versions::Entity>()
        .filter(versions::Column::PolicyId.eq(id.0))
        .filter(versions::Column::Version.eq(number));
    let version = version.one(tx.connection()).await?.or_not_found(ResourceKind::Version)?;
    Ok(Some(version.version))
}

fn records(list: &Cursor<'_>, rows: Vec<Row>, page: &PageRequest) -> Result<Page<DecisionRecord>> {
    let items = u32::try_from(fitting(&rows)).unwrap_or(u32::MAX).min(page.limit);
    let rows = list.page(rows, items, |row| row.position);
    let items = rows.items.iter().map(|row| record_of(&row.record)).collect::<Result<_>>()?;
    Ok(Page { items, next_cursor: rows.next_cursor })
}
