//! The tenant's grant lineages with their validity, for the users who manage them.

use std::collections::BTreeMap;

use contract::{
    capability::Capability,
    error::ErrorCode,
    id::{CapabilityId, PolicyId},
    pagination::Page,
    policy::VersionStatus,
};
use entity::{
    capability_grant as table,
    column::{TextEnum, unsigned},
    policy::{self as policies, Model as Policy},
    policy_version as versions,
};
use sea_orm::{ColumnTrait, JoinType, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

use super::lineage::GrantLineage;
use crate::{
    access::permission,
    authoring::policy::version::to_policy,
    base::{
        cx::Cx,
        error::{Error, ResourceKind, Result, not_found},
        pagination::{Cursor, PageRequest},
        tenancy::TenantTx,
    },
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
    let governing = governing.all(tx.connection()).await?;
    let governing = list.page(governing, page.limit, |row| row.sequence);
    let mut statuses = load_statuses(&tx, cx, &governing.items).await?;
    tx.finish_read().await?;
    let items = governing.items.iter().filter_map(|row| statuses.remove(&row.api_key_id)).collect();
    Ok(Page { items, next_cursor: governing.next_cursor })
}

/// Returns the lineage of a grant.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn lineage(cx: &Cx, id: CapabilityId) -> Result<GrantLineageStatus> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let row = tx.find_by_id::<table::Entity>(id).one(tx.connection()).await?;
    let row = row.ok_or_else(|| not_found(ResourceKind::Capability))?;
    let mut statuses = load_statuses(&tx, cx, std::slice::from_ref(&row)).await?;
    tx.finish_read().await?;
    statuses.remove(&row.api_key_id).ok_or_else(|| Error::bug("a grant outside its own lineage"))
}

/// Loads the complete lineages of the keys of these grants, by key.
async fn load_statuses(
    tx: &TenantTx,
    cx: &Cx,
    grants: &[table::Model],
) -> Result<BTreeMap<Uuid, GrantLineageStatus>> {
    let rows = tx
        .find::<table::Entity>()
        .filter(table::Column::ApiKeyId.is_in(grants.iter().map(|grant| grant.api_key_id)))
        .order_by_asc(table::Column::Depth)
        .all(tx.connection())
        .await?;
    let policies = tx
        .find::<policies::Entity>()
        .filter(policies::Column::Id.is_in(grants.iter().map(|grant| grant.policy_id)))
        .all(tx.connection())
        .await?;
    let mut lineages: BTreeMap<Uuid, Vec<table::Model>> = BTreeMap::new();
    for row in rows {
        lineages.entry(row.api_key_id).or_default().push(row);
    }
    let keys = TrustedKeys::load(&cx.governance, tx.connection()).await?;
    let status = |(key, rows)| (key, GrantLineageStatus::new(rows, &policies, &keys, cx));
    Ok(lineages.into_iter().map(status).collect())
}

impl GrantLineageStatus {
    fn new(rows: Vec<table::Model>, policies: &[Policy], keys: &TrustedKeys<'_>, cx: &Cx) -> Self {
        let last = rows.last().map(|last| (last.policy_id, last.version));
        let policy = policies.iter().find(|policy| Some(policy.id) == last.map(|(id, _)| id));
        let draft_version = policy.and_then(|policy| policy.draft_version);
        let lineage = GrantLineage::new(rows);
        Self {
            ended: lineage.check(keys, cx.now).err().map(|refusal| refusal.code),
            policy: policy.map(|policy| (policy.code.clone(), policy.name.clone())),
            successor: draft_version
                .filter(|draft_version| last.is_some_and(|(_, version)| *draft_version > version))
                .map(unsigned),
            grants: lineage.grants(),
        }
    }
}

/// A version that a capability can be issued for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenVersion {
    pub policy_id: PolicyId,
    pub policy_code: String,
    pub policy_name: String,
    pub version: u32,
}

/// The maximum number of open versions returned.
const OPEN_MAX: u64 = 500;

/// Returns the versions that a capability can be issued for, ordered by policy code.
///
/// # Errors
/// `HUMAN_REQUIRED`; `FORBIDDEN` for a user without the right to issue capabilities.
pub async fn open_versions(cx: &Cx) -> Result<Vec<OpenVersion>> {
    let tx = cx.tenant(permission::ISSUE_CAPABILITIES)?.begin().await?;
    let open_statuses = [VersionStatus::Draft, VersionStatus::Submitted].map(TextEnum);
    let rows = tx
        .find::<versions::Entity>()
        .join(JoinType::InnerJoin, to_policy())
        .filter(versions::Column::Status.is_in(open_statuses))
        .order_by_asc(policies::Column::CodeKey)
        .order_by_asc(versions::Column::Version)
        .limit(OPEN_MAX)
        .select_only()
        .columns([policies::Column::Id, policies::Column::Code, policies::Column::Name])
        .column(versions::Column::Version)
        .into_tuple::<(Uuid, String, String, i32)>()
        .all(tx.connection())
        .await?;
    tx.finish_read().await?;
    let open_version = |(id, policy_code, policy_name, version)| {
        let (policy_id, version) = (PolicyId(id), unsigned(version));
        OpenVersion { policy_id, policy_code, policy_name, version }
    };
    Ok(rows.into_iter().map(open_version).collect())
}
