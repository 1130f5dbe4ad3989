//! Lists of policies: of a tenant, and of a group.

use contract::{
    page::Page,
    policy::{Policy, PolicyFilter},
};
use entity::policy as table;
use sea_orm::{
    ColumnTrait, ExprTrait, QueryFilter, QueryOrder, QuerySelect, Select, sea_query::Expr,
};

use crate::{
    cx::Cx,
    error::Result,
    page::{List, PageRequest},
    permission,
    tenancy::{Tenant, TenantTx},
};

/// The tenant's policies, newest first.
///
/// # Errors
/// `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, filter: PolicyFilter, page: &PageRequest) -> Result<Page<Policy>> {
    let tenant = cx.tenant(permission::READ_POLICIES)?;
    let tx = tenant.begin().await?;
    let found = page_of(&tenant, &tx, "policies", filter, page).await?;
    tx.end().await?;
    Ok(found)
}

/// One page of the policies that a filter names, in the list `name`.
pub(crate) async fn page_of(
    tenant: &Tenant<'_>,
    tx: &TenantTx,
    name: &'static str,
    filter: PolicyFilter,
    page: &PageRequest,
) -> Result<Page<Policy>> {
    let list = List {
        governance: &tenant.cx().governance,
        name,
        tenant: tenant.id(),
        filter: format!("{filter:?}"),
    };
    let below = list.below(page)?;
    let query = tx.find::<table::Entity>().filter(table::Column::Sequence.lt(below));
    let rows = filtered(query, filter)
        .order_by_desc(table::Column::Sequence)
        .limit(u64::from(page.limit) + 1)
        .all(tx.connection())
        .await?;
    Ok(list.page(rows, page.limit, |row| row.sequence).map(Policy::from))
}

fn filtered(mut query: Select<table::Entity>, filter: PolicyFilter) -> Select<table::Entity> {
    if let Some(q) = filter.q {
        let part = q.to_lowercase();
        let holds = |column: table::Column| {
            Expr::cust_with_exprs(
                "position($1 in lower($2)) > 0",
                [Expr::val(part.clone()), column.into_expr()],
            )
        };
        query = query.filter(holds(table::Column::Code).or(holds(table::Column::Name)));
    }
    if let Some(decision_type) = filter.decision_type {
        query = query.filter(Expr::cust_with_values(
            "(decision_types = '{}' OR $1 = ANY (decision_types))",
            [decision_type],
        ));
    }
    if let Some(group) = filter.policy_group_id {
        query = query.filter(table::Column::PolicyGroupId.eq(group.0));
    }
    if let Some(is_active) = filter.is_active {
        let active = table::Column::ActiveVersion;
        query = query.filter(if is_active { active.is_not_null() } else { active.is_null() });
    }
    if let Some(shadow_mode) = filter.shadow_mode {
        query = query.filter(table::Column::ShadowMode.eq(shadow_mode));
    }
    query
}
