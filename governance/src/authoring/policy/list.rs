//! Lists of policies of a tenant and of a group.

use contract::{
    fold::fold_text,
    policy::{Policy, PolicyFilter},
};
use entity::{policy as table, policy_group};
use sea_orm::{ExprTrait, Value};

use crate::{
    access::permission,
    base::{
        pagination::{Rows, Start},
        prelude::*,
    },
};

/// The maximum number of policies that are found by their IDs.
const MATCHES_MAX: i64 = 5_000;

/// Returns the tenant's policies, newest first.
///
/// # Errors
/// `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, filter: PolicyFilter, page: &PageRequest) -> Result<Page<Policy>> {
    Ok(window(cx, filter, page).await?.into())
}

/// Returns a page of the tenant's policies, newest first, with the cursors of both adjacent pages.
///
/// # Errors
/// As [`list`].
pub async fn window(cx: &Cx, filter: PolicyFilter, page: &PageRequest) -> Result<Window<Policy>> {
    let tenant = cx.tenant(permission::READ_POLICIES)?;
    let tx = tenant.begin().await?;
    let page = page_of(&tenant, &tx, "policies", filter, page).await?;
    tx.finish_read().await?;
    Ok(page)
}

/// Returns the policies of a group, newest first.
///
/// # Errors
/// `NOT_FOUND`; `VALIDATION_ERROR` for a cursor of another list.
pub async fn of_group(cx: &Cx, id: PolicyGroupId, page: &PageRequest) -> Result<Page<Policy>> {
    let tenant = cx.tenant(permission::READ_POLICIES)?;
    let tx = tenant.begin().await?;
    let group = tx.find_by_id::<policy_group::Entity>(id).one(tx.connection()).await?;
    group.or_not_found(ResourceKind::Group)?;
    let filter = PolicyFilter { policy_group_id: Some(id), ..PolicyFilter::default() };
    let page = page_of(&tenant, &tx, "policies of a group", filter, page).await?;
    tx.finish_read().await?;
    Ok(page.into())
}

/// Returns one page of the policies that match a filter, in the list `name`.
async fn page_of(
    tenant: &Tenant<'_>,
    tx: &TenantTx,
    name: &'static str,
    filter: PolicyFilter,
    page: &PageRequest,
) -> Result<Window<Policy>> {
    let list = Cursor::new(tenant, name, format!("{filter:?}"));
    let mut policies = tx.find::<table::Entity>();
    if let Some(q) = filter.q.as_deref().filter(|q| !q.is_empty()) {
        policies = containing(tx, policies, fold_text(q)).await?;
    }
    let policies = apply_filter(policies, filter);
    let fetch = |start: Start| -> Rows<'_, _> {
        let rows = start.newest(policies.clone(), table::Column::Sequence);
        let rows = rows.limit(page.fetched());
        Box::pin(async move { Ok(rows.all(tx.connection()).await?) })
    };
    Ok(list.window(page, fetch, |row| row.sequence).await?.map(Policy::from))
}

// SQL: a function of the database reads the index of searches.
const COUNT_MATCHES: &str =
    "SELECT count(*) FROM search_any('policy', $2, $3) WHERE $1 = current_tenant()";

/// Restricts a list to the policies whose code or name contains a folded text. If few do, they are found by their IDs;
/// otherwise a page of the list contains enough of them soon.
async fn containing(
    tx: &TenantTx,
    policies: Select<table::Entity>,
    text: String,
) -> Result<Select<table::Entity>> {
    let matches: i64 = tx.only(COUNT_MATCHES, [text.clone().into(), MATCHES_MAX.into()]).await?;
    let contains = |column: table::Column| {
        Expr::cust_with_exprs("strpos($1, $2) > 0", [column.into_expr(), Expr::val(text.clone())])
    };
    let in_code = contains(table::Column::CodeKey);
    let policies = policies.filter(in_code.or(contains(table::Column::NameFolded)));
    if matches == MATCHES_MAX {
        return Ok(policies);
    }
    let ids = "id IN (SELECT search_any('policy', $1, $2))";
    Ok(policies.filter(Expr::cust_with_values(ids, [Value::from(text), MATCHES_MAX.into()])))
}

fn apply_filter(query: Select<table::Entity>, filter: PolicyFilter) -> Select<table::Entity> {
    use table::Column;
    let active = |is_active| {
        let active = Column::ActiveVersion;
        if is_active { active.is_not_null() } else { active.is_null() }
    };
    let governs = "(decision_types = '{}' OR $1 = ANY (decision_types))";
    let conditions = [
        filter.decision_type.map(|governed| Expr::cust_with_values(governs, [governed])),
        filter.policy_group_id.map(|group| Column::PolicyGroupId.eq(group.0)),
        filter.is_active.map(active),
        filter.shadow_mode.map(|shadow_mode| Column::ShadowMode.eq(shadow_mode)),
    ];
    conditions.into_iter().flatten().fold(query, QueryFilter::filter)
}
