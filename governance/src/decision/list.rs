//! Lists of recorded decisions: newest first, or in the order of a chain.

mod search;

use contract::{
    decision::{DecisionFilter, DecisionRecord, PolicyDecisionFilter},
    id::PolicyId,
    page::Page,
};
use entity::{policy as policies, policy_version as versions};
use sea_orm::{ColumnTrait, QueryFilter};

pub(super) use self::search::{Row, Search};
use crate::{
    cx::Cx,
    decision::read::record,
    error::{Noun, Result, not_found},
    page::{List, PageRequest},
    permission,
    tenancy::{Tenant, TenantTx},
};

/// The recorded decisions, newest first; those of one chain by step, first step first.
///
/// # Errors
/// `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(
    cx: &Cx,
    filter: DecisionFilter,
    page: &PageRequest,
) -> Result<Page<DecisionRecord>> {
    let tenant = cx.tenant(permission::READ_DECISIONS)?;
    let list = named(&tenant, "decisions", format!("{filter:?}"));
    let after = list.after(page)?;
    let tx = tenant.begin().await?;
    let rows = Search { filter, version: None }.rows(&tx, after, fetched(page)).await?;
    tx.end().await?;
    records(&list, rows, page)
}

/// The decisions that looked at one version of a policy, newest first: the active version unless the
/// filter names another. A policy without an active version has none to show.
///
/// # Errors
/// `NOT_FOUND` for a policy or version that is not there; `VALIDATION_ERROR` for a cursor of another
/// list, which includes the one of another version.
pub async fn of_policy(
    cx: &Cx,
    id: PolicyId,
    filter: PolicyDecisionFilter,
    page: &PageRequest,
) -> Result<Page<DecisionRecord>> {
    let tenant = cx.tenant(permission::READ_POLICY_DECISIONS)?;
    let tx = tenant.begin().await?;
    let Some(version) = shown_version(&tx, id, filter.version).await? else {
        tx.end().await?;
        return Ok(Page { items: Vec::new(), next_cursor: None });
    };
    let filter = DecisionFilter {
        policy_id: Some(id),
        rule_code: filter.rule_code,
        decision: filter.decision,
        recorded_from: filter.recorded_from,
        recorded_to: filter.recorded_to,
        ..DecisionFilter::default()
    };
    let list = named(&tenant, "policy-decisions", format!("{version} {filter:?}"));
    let search = Search { filter, version: Some(version) };
    let rows = search.rows(&tx, list.after(page)?, fetched(page)).await?;
    tx.end().await?;
    records(&list, rows, page)
}

/// The version whose decisions are shown, if there is one.
async fn shown_version(tx: &TenantTx, id: PolicyId, named: Option<u32>) -> Result<Option<i32>> {
    let policy = tx.find::<policies::Entity>().filter(policies::Column::Id.eq(id.0));
    let policy = policy.one(tx.connection()).await?.ok_or_else(|| not_found(Noun::Policy))?;
    let Some(number) = named else { return Ok(policy.active_version) };
    let number = i32::try_from(number).map_err(|_| not_found(Noun::Version))?;
    let version = tx
        .find::<versions::Entity>()
        .filter(versions::Column::PolicyId.eq(id.0))
        .filter(versions::Column::Version.eq(number));
    let version = version.one(tx.connection()).await?.ok_or_else(|| not_found(Noun::Version))?;
    Ok(Some(version.version))
}

fn named<'a>(tenant: &Tenant<'a>, name: &'static str, filter: String) -> List<'a> {
    List { governance: &tenant.cx().governance, name, tenant: tenant.id(), filter }
}

/// One row more than a page shows tells whether there is a next one.
fn fetched(page: &PageRequest) -> u64 {
    u64::from(page.limit) + 1
}

fn records(list: &List<'_>, rows: Vec<Row>, page: &PageRequest) -> Result<Page<DecisionRecord>> {
    let rows = list.page(rows, page.limit, |row| row.place);
    let items = rows.items.iter().map(|row| record(&row.record)).collect::<Result<_>>()?;
    Ok(Page { items, next_cursor: rows.next_cursor })
}
