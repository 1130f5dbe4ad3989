//! The versions of a policy and the differences between them.

use contract::policy::{Policy, VersionDiff};
use entity::{policy as policies, policy_version as table};
use sea_orm::{ExprTrait, Iterable};

use super::{
    draft_lineage, find,
    stage::{SELECT_SUBMISSIONS, VersionProgress},
    to_policy, wire,
};
use crate::{
    access::permission,
    authoring::policy::{diff, exists},
    base::prelude::*,
};

/// Returns a page of the versions of a policy, newest first. Only the open version has its rules.
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
    let is_open = table::Column::Status.is_in(OPEN.map(TextEnum));
    let rules = Expr::case(is_open, Expr::col((table::Entity, table::Column::Rules)));
    let rows = select(&tx, id, rules.finally("[]").into())
        .filter(table::Column::Version.lt(before))
        .limit(page.fetched())
        .all(tx.connection())
        .await?;
    let rows = list.page(rows, page.limit, |row| row.version.into());
    let item = |row: table::Model| {
        if OPEN.contains(&row.status.0) { wire(row) } else { without_rules_model(row) }
    };
    let mut items = rows.items.into_iter().map(item).collect::<Result<Vec<_>>>()?;
    draft_lineage::name_successors(&tx, id, &mut items).await?;
    tx.finish_read().await?;
    Ok(Page { items, next_cursor: rows.next_cursor })
}

/// The statuses of a version that can still become another: at most one version of a policy has one of them.
const OPEN: [VersionStatus; 2] = [VersionStatus::Draft, VersionStatus::Submitted];

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
    tx.finish_read().await?;
    let mut versions = rows.into_iter().map(without_rules_model).collect::<Result<Vec<_>>>()?;
    name_successors(&mut versions);
    Ok(versions)
}

/// Sets the successor of each replaced version. `versions` are all versions of a policy.
fn name_successors(versions: &mut [PolicyVersion]) {
    let link = |version: &PolicyVersion| Some((version.supersedes_version?, version.version));
    let successors: BTreeMap<u32, u32> = versions.iter().filter_map(link).collect();
    for version in versions {
        if version.status == VersionStatus::Replaced {
            version.superseded_by_version = successors.get(&version.version).copied();
        }
    }
}

/// Selects the versions of a policy, newest first, without loading their rules, which can be large.
fn without_rules(tx: &TenantTx, id: PolicyId) -> Select<table::Entity> {
    select(tx, id, Expr::value("[]"))
}

/// Selects the versions of a policy, newest first, with the expression `rules` as their rules.
fn select(tx: &TenantTx, id: PolicyId, rules: Expr) -> Select<table::Entity> {
    let columns = table::Column::iter().filter(|column| !matches!(column, table::Column::Rules));
    tx.find::<table::Entity>()
        .filter(table::Column::PolicyId.eq(id.0))
        .order_by_desc(table::Column::Version)
        .select_only()
        .columns(columns)
        .column_as(rules, table::Column::Rules)
}

/// A policy with all its versions.
#[derive(Clone, Debug)]
pub struct PolicyHistory {
    pub policy: Policy,
    /// The version with its rules and its codification record: the active version, if there is one.
    pub complete: Option<PolicyVersion>,
    /// All versions, newest first, without their rules.
    pub versions: Vec<PolicyVersion>,
    /// The progress of all versions, by version number.
    pub progress: BTreeMap<u32, VersionProgress>,
}

/// Returns a policy with all its versions. It runs one query if the policy has a version.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn history(cx: &Cx, id: PolicyId) -> Result<PolicyHistory> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let rows = rows(&tx, id, table::Column::IsActive.eq(true)).await?;
    let history = if let Some(history) = to_wire(rows)? {
        history
    } else {
        let policy = tx.find_by_id::<policies::Entity>(id).one(tx.connection()).await?;
        PolicyHistory {
            policy: policy.or_not_found(ResourceKind::Policy)?.into(),
            complete: None,
            versions: Vec::new(),
            progress: BTreeMap::new(),
        }
    };
    tx.finish_read().await?;
    Ok(history)
}

/// A version. One version of the history is complete: only this one has its rules and its codification record.
#[derive(Debug, FromQueryResult)]
pub(super) struct HistoryRow {
    #[sea_orm(nested)]
    pub(super) version: table::Model,
    is_complete: bool,
    record: Option<String>,
    /// The submissions in JSON.
    submissions: String,
}

// SQL: a subquery of one row for each version.
const SELECT_RECORD: &str = "(SELECT c.record FROM codifications c \
     WHERE c.tenant_id = policy_versions.tenant_id AND c.policy_id = policy_versions.policy_id \
       AND c.version = policy_versions.version ORDER BY c.draft_revision DESC LIMIT 1)";

/// Loads the versions of a policy, newest first, each with the policy. The version for which `is_complete` is true
/// has its rules and its codification record.
pub(super) async fn rows(
    tx: &TenantTx,
    id: PolicyId,
    is_complete: Expr,
) -> Result<Vec<(HistoryRow, policies::Model)>> {
    let rules = Expr::case(is_complete.clone(), Expr::col((table::Entity, table::Column::Rules)));
    let record = Expr::case(is_complete.clone(), Expr::cust(SELECT_RECORD));
    let rows = select(tx, id, rules.finally("[]").into())
        .column_as(is_complete, "is_complete")
        .column_as::<Expr, _>(record.into(), "record")
        .column_as(Expr::cust(SELECT_SUBMISSIONS), "submissions")
        .join(JoinType::InnerJoin, to_policy())
        .select_two_required(policies::Entity)
        .into_model::<HistoryRow, policies::Model>();
    Ok(rows.all(tx.connection()).await?)
}

/// Converts all versions of a policy. `None` if it has no version.
pub(super) fn to_wire(rows: Vec<(HistoryRow, policies::Model)>) -> Result<Option<PolicyHistory>> {
    let Some((_, policy)) = rows.first() else { return Ok(None) };
    let policy = policy.clone().into();
    let (mut complete, mut versions, mut progress) = (None, Vec::new(), BTreeMap::new());
    for (row, _) in rows {
        let own_progress = VersionProgress::new(&row.version, &row.submissions)?;
        progress.insert(unsigned(row.version.version), own_progress);
        let mut version = wire(row.version)?;
        let rules = version.rules.take();
        if row.is_complete {
            let record = row.record.map(|record| serde_json::from_str(&record)).transpose();
            let codification_record = record.map_err(Error::internal)?;
            complete = Some(PolicyVersion { rules, codification_record, ..version.clone() });
        }
        versions.push(version);
    }
    name_successors(&mut versions);
    if let Some(complete) = &mut complete {
        let own = versions.iter().find(|version| version.version == complete.version);
        complete.superseded_by_version = own.and_then(|own| own.superseded_by_version);
    }
    Ok(Some(PolicyHistory { policy, complete, versions, progress }))
}

/// Returns the rules of a version.
pub(super) async fn read_rules(cx: &Cx, id: PolicyId, version: u32) -> Result<Vec<Rule>> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let row = find(&tx, id, version).select_only().column(table::Column::Rules);
    let row = row.into_tuple::<String>().one(tx.connection()).await?;
    tx.finish_read().await?;
    parse(&row.or_not_found(ResourceKind::Version)?)
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
    let after = after.or_not_found(ResourceKind::Version)?;
    let base = match against {
        Some(number) => Some(number),
        None => diff_base(numbers(&tx, id).await?, version),
    };
    let before = match base {
        Some(number) => {
            let before = find(&tx, id, number).one(tx.connection()).await?;
            Some(before.or_not_found(ResourceKind::Version)?)
        }
        None => None,
    };
    tx.finish_read().await?;
    let rules_before = before.as_ref().map(rules).transpose()?.unwrap_or_default();
    let diff = diff::between(&rules_before, &rules(&after)?);
    Ok(VersionDiff { against: before.map(|row| unsigned(row.version)), ..diff })
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

/// Returns the number of each version of a policy and whether it is active.
async fn numbers(tx: &TenantTx, id: PolicyId) -> Result<impl Iterator<Item = (u32, bool)>> {
    use table::Column;
    let rows = tx.find::<table::Entity>().filter(Column::PolicyId.eq(id.0)).select_only();
    let rows = rows.columns([Column::Version, Column::IsActive]).into_tuple::<(i32, bool)>();
    let rows = rows.all(tx.connection()).await?;
    Ok(rows.into_iter().map(|(number, is_active)| (unsigned(number), is_active)))
}

/// Returns the version that `version` is compared with by default: the active version or, without one, the previous
/// version. `versions` contains the number of each version and whether it is active.
pub(super) fn diff_base(
    versions: impl IntoIterator<Item = (u32, bool)>,
    version: u32,
) -> Option<u32> {
    let others = versions
        .into_iter()
        .filter(|(number, is_active)| *number != version && (*is_active || *number < version));
    others.max_by_key(|(number, is_active)| (*is_active, *number)).map(|(number, _)| number)
}

fn rules(row: &table::Model) -> Result<Vec<Rule>> {
    parse(&row.rules)
}

fn parse(rules: &str) -> Result<Vec<Rule>> {
    Ok(serde_json::from_str(rules)?)
}
