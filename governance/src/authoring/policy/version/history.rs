//! The versions of a policy and the differences between them.

use contract::{
    id::PolicyId,
    pagination::Page,
    policy::{PolicyVersion, VersionDiff},
    rule::Rule,
};
use entity::policy_version as table;
use sea_orm::{
    ColumnTrait, ExprTrait, Iterable, QueryFilter, QueryOrder, QuerySelect, Select, sea_query::Expr,
};

use super::{draft_lineage, find, wire};
use crate::{
    access::permission,
    authoring::policy::{diff, exists},
    base::{
        cx::Cx,
        error::{Error, ResourceKind, Result, not_found},
        pagination::{Cursor, PageRequest},
        tenancy::TenantTx,
    },
};

/// Returns a page of the versions of a policy, newest first, without their rules.
///
/// # Errors
/// `NOT_FOUND`; `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, id: PolicyId, page: &PageRequest) -> Result<Page<PolicyVersion>> {
    let tenant = cx.tenant(permission::READ_POLICIES)?;
    let list = Cursor::new(&tenant, "policy_versions", id.to_string());
    let tx = tenant.begin().await?;
    exists(&tx, id).await?;
    let before = list.before(page)?;
    let before = i32::try_from(before).unwrap_or(i32::MAX);
    let rows = without_rules(&tx, id)
        .filter(table::Column::Version.lt(before))
        .limit(page.fetched())
        .all(tx.connection())
        .await?;
    let rows = list.page(rows, page.limit, |row| row.version.into());
    let mut items = rows.items.into_iter().map(without_rules_model).collect::<Result<Vec<_>>>()?;
    draft_lineage::name_successors(&tx, id, &mut items).await?;
    tx.finish_read().await?;
    Ok(Page { items, next_cursor: rows.next_cursor })
}

/// Returns all versions of a policy, newest first, without their rules.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn all(cx: &Cx, id: PolicyId) -> Result<Vec<PolicyVersion>> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let rows = without_rules(&tx, id).all(tx.connection()).await?;
    if rows.is_empty() {
        exists(&tx, id).await?;
    }
    let mut versions = rows.into_iter().map(without_rules_model).collect::<Result<Vec<_>>>()?;
    draft_lineage::name_successors(&tx, id, &mut versions).await?;
    tx.finish_read().await?;
    Ok(versions)
}

/// Selects the versions of a policy, newest first, without loading their rules, which can be large.
fn without_rules(tx: &TenantTx, id: PolicyId) -> Select<table::Entity> {
    let columns = table::Column::iter().filter(|column| !matches!(column, table::Column::Rules));
    tx.find::<table::Entity>()
        .filter(table::Column::PolicyId.eq(id.0))
        .order_by_desc(table::Column::Version)
        .select_only()
        .columns(columns)
        .column_as(Expr::value("[]"), table::Column::Rules)
}

fn without_rules_model(row: table::Model) -> Result<PolicyVersion> {
    Ok(PolicyVersion { rules: None, ..wire(row)? })
}

/// Returns the differences between a version and the version `against`. The default for `against` is
/// the active version or, without one, the previous version. Without either, every rule counts as
/// added.
///
/// # Errors
/// `NOT_FOUND` for either version.
pub async fn diff(
    cx: &Cx,
    id: PolicyId,
    version: u32,
    against: Option<u32>,
) -> Result<VersionDiff> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let after = find(&tx, id, version).one(tx.connection()).await?;
    let after = after.ok_or_else(|| not_found(ResourceKind::Version))?;
    let before = match against {
        Some(number) => {
            let before = find(&tx, id, number).one(tx.connection()).await?;
            Some(before.ok_or_else(|| not_found(ResourceKind::Version))?)
        }
        None => diff_base(&tx, &after).await?,
    };
    tx.finish_read().await?;
    let rules_before = before.as_ref().map(rules).transpose()?.unwrap_or_default();
    let diff = diff::between(&rules_before, &rules(&after)?);
    Ok(VersionDiff { against: before.map(|row| entity::column::unsigned(row.version)), ..diff })
}

/// Returns the rules of versions of several policies, each with the ID of its policy. Unknown versions are omitted.
/// It runs one query.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key without `policies:read`.
pub async fn rules_of(
    cx: &Cx,
    versions: impl IntoIterator<Item = (PolicyId, u32)>,
) -> Result<Vec<(PolicyId, Rule)>> {
    let column = |(id, version): (PolicyId, u32)| {
        let version = i32::try_from(version).unwrap_or(i32::MAX);
        table::Column::PolicyId.eq(id.0).and(table::Column::Version.eq(version))
    };
    let Some(any) = versions.into_iter().map(column).reduce(ExprTrait::or) else {
        return Ok(Vec::new());
    };
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let rows = tx.find::<table::Entity>().filter(any).all(tx.connection()).await?;
    tx.finish_read().await?;
    let mut all = Vec::new();
    for row in &rows {
        all.extend(rules(row)?.into_iter().map(|rule| (PolicyId(row.policy_id), rule)));
    }
    Ok(all)
}

/// Returns the version to compare with by default.
async fn diff_base(tx: &TenantTx, after: &table::Model) -> Result<Option<table::Model>> {
    use table::Column;
    let others = tx
        .find::<table::Entity>()
        .filter(Column::PolicyId.eq(after.policy_id))
        .filter(Column::Version.ne(after.version))
        .filter(Column::IsActive.eq(true).or(Column::Version.lt(after.version)));
    let nearest = others.order_by_desc(Column::IsActive).order_by_desc(Column::Version);
    Ok(nearest.one(tx.connection()).await?)
}

fn rules(row: &table::Model) -> Result<Vec<Rule>> {
    serde_json::from_str(&row.rules).map_err(|error| Error::Bug(error.into()))
}
