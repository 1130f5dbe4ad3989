//! The tenant's grant lineages with their validity, for the users who manage them.

use contract::capability::Capability;
use entity::{
    capability_grant as table,
    policy::{self as policies, Model as Policy},
};

use super::lineage::GrantLineage;
use crate::{
    access::permission,
    authoring::{
        group::code_key,
        policy::version::{self, OpenVersion},
    },
    base::prelude::*,
    proof::trust_registry::TrustedKeys,
};

#[derive(Clone, Debug, PartialEq)]
pub struct GrantLineageStatus {
    /// The grants, oldest first. The last one is the governing grant; the others were carried over.
    pub grants: Vec<Capability>,
    /// The reason why the lineage is not valid, one of `AUTHORING_CAPABILITY_…`; absent while it is
    /// valid.
    pub ended: Option<ErrorCode>,
    /// The code and name of the policy, unless it was deleted.
    pub policy: Option<(String, String)>,
    /// The open draft or submitted version that the capability could be carried over to.
    pub successor: Option<u32>,
}

/// Returns a page of the tenant's lineages, newest governing grant first.
///
/// # Errors
/// `VALIDATION_ERROR` for a cursor of another list.
pub async fn list_lineages(cx: &Cx, page: &PageRequest) -> Result<Page<GrantLineageStatus>> {
    let tenant = cx.tenant(permission::READ_POLICIES)?;
    let list = Cursor::new(&tenant, "capability_lineages", String::new());
    let tx = tenant.begin().await?;
    let governing = tx.find::<table::Entity>().filter(table::Column::CarriedTo.is_null());
    let governing = list.newest(governing, table::Column::Sequence, page)?;
    let mut statuses = load_statuses(&tx, cx, governing).await?;
    tx.finish_read().await?;
    statuses.sort_by_key(|(sequence, _)| std::cmp::Reverse(*sequence));
    Ok(list.page(statuses, page.limit, |(sequence, _)| *sequence).map(|(_, status)| status))
}

/// Returns the lineage of a grant.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn lineage(cx: &Cx, id: CapabilityId) -> Result<GrantLineageStatus> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let grant = tx.find_by_id::<table::Entity>(id);
    let status = load_statuses(&tx, cx, grant).await?.pop();
    tx.finish_read().await?;
    let (_, status) = status.or_not_found(ResourceKind::Capability)?;
    Ok(status)
}

/// Loads the complete lineages of the keys of these grants, each with the sequence number of its last grant.
async fn load_statuses(
    tx: &TenantTx,
    cx: &Cx,
    grants: Select<table::Entity>,
) -> Result<Vec<(i64, GrantLineageStatus)>> {
    let keys = grants.select_only().column(table::Column::ApiKeyId).into_query();
    let policy = related(table::Column::PolicyId, policies::Column::Id);
    let rows = tx
        .find::<table::Entity>()
        .filter(table::Column::ApiKeyId.in_subquery(keys))
        .order_by_asc(table::Column::Depth)
        .join(JoinType::LeftJoin, policy)
        .select_also(policies::Entity)
        .all(tx.connection())
        .await?;
    let mut lineages: BTreeMap<Uuid, (i64, Vec<table::Model>, Option<Policy>)> = BTreeMap::new();
    for (row, policy) in rows {
        let lineage = lineages.entry(row.api_key_id).or_default();
        (lineage.0, lineage.2) = (row.sequence, policy);
        lineage.1.push(row);
    }
    let keys = TrustedKeys::load(&cx.governance, tx.connection()).await?;
    let lineages = lineages.into_values();
    let status = |(sequence, rows, policy): (i64, _, Option<Policy>)| {
        (sequence, GrantLineageStatus::new(rows, policy.as_ref(), &keys, cx))
    };
    Ok(lineages.map(status).collect())
}

impl GrantLineageStatus {
    /// `policy` is the policy of the last grant.
    fn new(
        rows: Vec<table::Model>,
        policy: Option<&Policy>,
        keys: &TrustedKeys<'_>,
        cx: &Cx,
    ) -> Self {
        let version = rows.last().map(|last| last.version);
        let draft_version = policy.and_then(|policy| policy.draft_version);
        let lineage = GrantLineage::new(rows);
        Self {
            ended: lineage.check(keys, cx.now).err().map(|refusal| refusal.code),
            policy: policy.map(|policy| (policy.code.clone(), policy.name.clone())),
            successor: draft_version
                .filter(|draft_version| version.is_some_and(|version| *draft_version > version))
                .map(unsigned),
            grants: lineage.grants(),
        }
    }
}

/// The maximum number of open versions returned.
const OPEN_MAX: usize = 500;

/// Returns the versions that a capability can be issued for, ordered by policy code.
///
/// # Errors
/// `HUMAN_REQUIRED`; `FORBIDDEN` for a user without the right to issue capabilities.
pub async fn open_versions(cx: &Cx) -> Result<Vec<OpenVersion>> {
    let tx = cx.tenant(permission::ISSUE_CAPABILITIES)?.begin().await?;
    let mut versions = version::open(&tx).await?;
    tx.finish_read().await?;
    versions.sort_by_cached_key(|version| code_key(&version.code));
    versions.truncate(OPEN_MAX);
    Ok(versions)
}
