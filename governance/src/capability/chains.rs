//! The tenant's chains of grants, each with whether it holds: for the people who look after them.

use std::collections::BTreeMap;

use contract::{
    capability::Capability,
    error::ErrorCode,
    id::{CapabilityId, PolicyId},
    page::Page,
    policy::VersionStatus,
};
use entity::{
    capability_grant as table,
    column::{Word, number},
    policy::{self as policies, Model as Policy},
    policy_version as versions,
};
use sea_orm::{ColumnTrait, JoinType, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

use super::{chain::Chain, find};
use crate::{
    cx::Cx,
    error::{Error, Noun, Result, not_found},
    page::{List, PageRequest},
    permission,
    policy::version::to_policy,
    tenancy::TenantTx,
    trust::Keys,
};

/// A key's chain of grants.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// Its grants, first grant first. The last one governs; the others were carried.
    pub grants: Vec<Capability>,
    /// Why it opens nothing: one of `AUTHORING_CAPABILITY_…`. Nothing while it holds.
    pub ended: Option<ErrorCode>,
    /// The code and the name of its policy, unless that is gone.
    pub policy: Option<(String, String)>,
    /// The open draft or submitted version to which it could be carried.
    pub successor: Option<u32>,
}

/// One page of the tenant's chains, the newest governing grant first.
///
/// # Errors
/// `VALIDATION_ERROR` for a cursor of another list.
pub async fn chains(cx: &Cx, page: &PageRequest) -> Result<Page<Held>> {
    let tenant = cx.tenant(permission::READ_POLICIES)?;
    let list = List {
        governance: &cx.governance,
        name: "capability_chains",
        tenant: tenant.id(),
        filter: String::new(),
    };
    let below = list.below(page)?;
    let tx = tenant.begin().await?;
    let governing = tx
        .find::<table::Entity>()
        .filter(table::Column::CarriedTo.is_null())
        .filter(table::Column::Sequence.lt(below))
        .order_by_desc(table::Column::Sequence)
        .limit(u64::from(page.limit) + 1)
        .all(tx.connection())
        .await?;
    let governing = list.page(governing, page.limit, |row| row.sequence);
    let mut held = held(&tx, cx, &governing.items).await?;
    tx.end().await?;
    let items = governing.items.iter().filter_map(|row| held.remove(&row.api_key_id)).collect();
    Ok(Page { items, next_cursor: governing.next_cursor })
}

/// The chain that a grant belongs to.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn chain(cx: &Cx, id: CapabilityId) -> Result<Held> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let row = find(&tx, id).one(tx.connection()).await?;
    let row = row.ok_or_else(|| not_found(Noun::Capability))?;
    let mut held = held(&tx, cx, std::slice::from_ref(&row)).await?;
    tx.end().await?;
    held.remove(&row.api_key_id).ok_or_else(|| Error::bug("a grant outside its own chain"))
}

/// The whole chains of the keys to which these grants were given, by key.
async fn held(tx: &TenantTx, cx: &Cx, grants: &[table::Model]) -> Result<BTreeMap<Uuid, Held>> {
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
    let mut chains: BTreeMap<Uuid, Vec<table::Model>> = BTreeMap::new();
    for row in rows {
        chains.entry(row.api_key_id).or_default().push(row);
    }
    let keys = Keys::now(&cx.governance, tx.connection()).await?;
    let held = |(key, rows)| (key, Held::new(rows, &policies, &keys, cx));
    Ok(chains.into_iter().map(held).collect())
}

impl Held {
    fn new(rows: Vec<table::Model>, policies: &[Policy], keys: &Keys<'_>, cx: &Cx) -> Self {
        let last = rows.last().map(|last| (last.policy_id, last.version));
        let policy = policies.iter().find(|policy| Some(policy.id) == last.map(|(id, _)| id));
        let open = policy.and_then(|policy| policy.draft_version);
        let chain = Chain::new(rows);
        Self {
            ended: chain.check(keys, cx.now).err().map(|why| why.code),
            policy: policy.map(|policy| (policy.code.clone(), policy.name.clone())),
            successor: open.filter(|open| last.is_some_and(|(_, own)| *open > own)).map(number),
            grants: chain.grants(),
        }
    }
}

/// A version on which a program could work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenVersion {
    /// The policy.
    pub policy_id: PolicyId,
    /// Its code.
    pub policy_code: String,
    /// Its name.
    pub policy_name: String,
    /// The version.
    pub version: u32,
    /// Where it stands: a draft, or submitted.
    pub status: VersionStatus,
}

/// How many open versions are offered.
const OPEN_MAX: u64 = 500;

/// The versions on which a program could be granted work, by the code of their policies.
///
/// # Errors
/// `HUMAN_REQUIRED`; `FORBIDDEN` for whoever may not issue.
pub async fn open(cx: &Cx) -> Result<Vec<OpenVersion>> {
    let tx = cx.tenant(permission::ISSUE_CAPABILITIES)?.begin().await?;
    let open = [VersionStatus::Draft, VersionStatus::Submitted].map(Word);
    let rows = tx
        .find::<versions::Entity>()
        .join(JoinType::InnerJoin, to_policy())
        .filter(versions::Column::Status.is_in(open))
        .order_by_asc(policies::Column::CodeKey)
        .order_by_asc(versions::Column::Version)
        .limit(OPEN_MAX)
        .select_only()
        .columns([policies::Column::Id, policies::Column::Code, policies::Column::Name])
        .columns([versions::Column::Version, versions::Column::Status])
        .into_tuple::<(Uuid, String, String, i32, Word<VersionStatus>)>()
        .all(tx.connection())
        .await?;
    tx.end().await?;
    let version = |(id, policy_code, policy_name, version, Word(status))| {
        let (policy_id, version) = (PolicyId(id), number(version));
        OpenVersion { policy_id, policy_code, policy_name, version, status }
    };
    Ok(rows.into_iter().map(version).collect())
}
