//! The versions of a policy, one beside the other.

use contract::{
    id::PolicyId,
    page::Page,
    policy::{PolicyVersion, VersionDiff, VersionStatus},
    rule::Rule,
};
use entity::{column::Word, policy as policies, policy_version as table};
use sea_orm::{
    ColumnTrait, ExprTrait, Iterable, JoinType, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::Expr,
};
use uuid::Uuid;

use super::{find, lineage, to_policy, wire};
use crate::{
    cx::Cx,
    error::{Error, Noun, Result, not_found},
    page::{List, PageRequest},
    permission,
    policy::{diff, exists},
    tenancy::TenantTx,
};

/// One page of the versions of a policy, newest first, without their rules.
///
/// # Errors
/// `NOT_FOUND`; `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, id: PolicyId, page: &PageRequest) -> Result<Page<PolicyVersion>> {
    let tenant = cx.tenant(permission::READ_POLICIES)?;
    let list = List {
        governance: &cx.governance,
        name: "policy_versions",
        tenant: tenant.id(),
        filter: id.to_string(),
    };
    let tx = tenant.begin().await?;
    exists(&tx, id).await?;
    let below = list.below(page)?;
    let below = i32::try_from(below).unwrap_or(i32::MAX);
    let rows = without_rules(&tx, id)
        .filter(table::Column::Version.lt(below))
        .limit(u64::from(page.limit) + 1)
        .all(tx.connection())
        .await?;
    let rows = list.page(rows, page.limit, |row| row.version.into());
    let mut items = rows.items.into_iter().map(bare).collect::<Result<Vec<_>>>()?;
    lineage::name_successors(&tx, id, &mut items).await?;
    tx.end().await?;
    Ok(Page { items, next_cursor: rows.next_cursor })
}

/// A version that waits for a ratifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Its policy.
    pub policy: PolicyId,
    /// The policy's name.
    pub name: String,
    /// Its number.
    pub version: u32,
}

/// The versions that wait for a ratifier, the longest first. There is at most one of each policy.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key without `policies:read`.
pub async fn waiting(cx: &Cx) -> Result<Vec<Waiting>> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let rows = tx
        .find::<table::Entity>()
        .join(JoinType::InnerJoin, to_policy())
        .filter(table::Column::Status.eq(Word(VersionStatus::Submitted)))
        .order_by_asc(table::Column::SubmittedAt)
        .order_by_asc(policies::Column::Id)
        .select_only()
        .columns([policies::Column::Id, policies::Column::Name])
        .column(table::Column::Version)
        .into_tuple::<(Uuid, String, i32)>()
        .all(tx.connection())
        .await?;
    tx.end().await?;
    let waiting = |(id, name, version)| {
        let (policy, version) = (PolicyId(id), entity::column::number(version));
        Waiting { policy, name, version }
    };
    Ok(rows.into_iter().map(waiting).collect())
}

/// All versions of a policy, newest first, without their rules.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn all(cx: &Cx, id: PolicyId) -> Result<Vec<PolicyVersion>> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    exists(&tx, id).await?;
    let rows = without_rules(&tx, id).all(tx.connection()).await?;
    let mut versions = rows.into_iter().map(bare).collect::<Result<Vec<_>>>()?;
    lineage::name_successors(&tx, id, &mut versions).await?;
    tx.end().await?;
    Ok(versions)
}

/// The versions of a policy, newest first; their rules, which can be long, stay where they are.
fn without_rules(tx: &TenantTx, id: PolicyId) -> Select<table::Entity> {
    let columns = table::Column::iter().filter(|column| !matches!(column, table::Column::Rules));
    tx.find::<table::Entity>()
        .filter(table::Column::PolicyId.eq(id.0))
        .order_by_desc(table::Column::Version)
        .select_only()
        .columns(columns)
        .column_as(Expr::value("[]"), table::Column::Rules)
}

fn bare(row: table::Model) -> Result<PolicyVersion> {
    Ok(PolicyVersion { rules: None, ..wire(row)? })
}

/// What a version asks otherwise than the version `against`; without one, than the version that
/// decides, else than the one before it. When there is none either, every rule is new.
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
    let after = after.ok_or_else(|| not_found(Noun::Version))?;
    let before = match against {
        Some(number) => {
            let before = find(&tx, id, number).one(tx.connection()).await?;
            Some(before.ok_or_else(|| not_found(Noun::Version))?)
        }
        None => base(&tx, &after).await?,
    };
    tx.end().await?;
    let earlier = before.as_ref().map(rules).transpose()?.unwrap_or_default();
    let diff = diff::between(&earlier, &rules(&after)?);
    Ok(VersionDiff { against: before.map(|row| entity::column::number(row.version)), ..diff })
}

/// The version that a reader compares with when none is named.
async fn base(tx: &TenantTx, after: &table::Model) -> Result<Option<table::Model>> {
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
