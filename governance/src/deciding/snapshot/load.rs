//! Loads the active policies.

use contract::decision::GovernanceSource;
use receipt::statement::{SnapshotGroup, SnapshotPolicy};

use super::{ActivePolicies, ActivePolicy, STEPS_PER_BYTE};
use crate::{
    authoring::policy::{stored_rules, version::approval_digest},
    base::{prelude::*, tenancy::Ancestor},
    deciding::bundle_size::policy_bytes,
};

const SELECT_ACTIVE: &str = include_str!("load.sql");

/// The rows of the active policies, and the owners of the inherited ones.
struct ActiveRows {
    activations: i64,
    rows: Vec<(QueryResult, Option<Ancestor>)>,
}

/// Loads the active policies. Large ones are read outside the async workers.
pub(super) async fn load(tenant: &Tenant<'_>) -> Result<Arc<ActivePolicies>> {
    // One database snapshot for the tenant's own and the inherited policies.
    let tx = tenant.begin_snapshot().await?;
    let rows = ActiveRows::load(&tx).await?;
    tx.finish_read().await?;
    let (steps, long_work) = (rows.steps()?, &tenant.cx().governance.deciding().long_work);
    Ok(Arc::new(long_work.run(tenant.id(), steps, || rows.read()).await??))
}

/// Loads the active policies in a transaction that has locked the tenant head or uses a database snapshot.
/// The counter also changes with inherited policies.
pub(super) async fn load_within(tx: &TenantTx) -> Result<ActivePolicies> {
    ActiveRows::load(tx).await?.read()
}

impl ActiveRows {
    async fn load(tx: &TenantTx) -> Result<Self> {
        let own = tx.all(SELECT_ACTIVE, [true.into()]).await?;
        let head = own.first().or_bug("a tenant without its head row")?;
        let activations = head.try_get("", "activation_counter")?;
        let mut rows: Vec<_> = own.into_iter().map(|row| (row, None)).collect();
        for ancestor in tx.ancestors().await? {
            let inherited = tx.ancestor_rows(ancestor, SELECT_ACTIVE, [false.into()]).await?;
            rows.extend(inherited.into_iter().map(|row| (row, Some(ancestor))));
        }
        Ok(Self { activations, rows })
    }

    /// Returns an upper bound of the steps of [`Self::read`].
    fn steps(&self) -> Result<u64> {
        let mut steps = 0_u64;
        for (row, _) in &self.rows {
            let bytes: Option<i32> = row.try_get("", "rules_bytes")?;
            let bytes = u64::from(unsigned(bytes.unwrap_or_default()));
            steps = steps.saturating_add(bytes.saturating_mul(STEPS_PER_BYTE));
        }
        Ok(steps)
    }

    fn read(self) -> Result<ActivePolicies> {
        let policies = self.rows.iter();
        let policies = policies.filter_map(|(row, owner)| policy_from_row(row, *owner).transpose());
        let mut policies = policies.collect::<Result<Vec<_>>>()?;
        policies.sort_by(|a, b| a.snapshot.snapshot_order(&b.snapshot));
        Ok(ActivePolicies { activations: self.activations, policies })
    }
}

/// Converts a row to a policy; `None` if the tenant has no policy.
fn policy_from_row(row: &QueryResult, owner: Option<Ancestor>) -> Result<Option<ActivePolicy>> {
    let Some(policy_id) = row.try_get::<Option<Uuid>>("", "policy_id")? else { return Ok(None) };
    let version: i32 = row.try_get("", "version")?;
    let authored: String = row.try_get("", "rules")?;
    let (values, rules) = stored_rules::parse(&authored)?;
    let regulatory_refs: Vec<String> = row.try_get("", "regulatory_refs")?;
    let bytes = policy_bytes(&values, &regulatory_refs);
    Ok(Some(ActivePolicy {
        snapshot: SnapshotPolicy {
            policy_id: PolicyId(policy_id),
            policy_version_id: PolicyVersionId(row.try_get("", "version_id")?),
            code: row.try_get("", "code")?,
            name: row.try_get("", "name")?,
            version: u32::try_from(version)?,
            shadow_mode: row.try_get("", "shadow_mode")?,
            group: group_of(row)?,
            owner_tenant_id: owner.map(|owner| owner.id),
            approval_digest: approval_of(row)?,
            rules: values,
        },
        rules,
        bytes,
        decision_types: row.try_get("", "decision_types")?,
        regulatory_refs,
        inherited: owner.map(|owner| source(row, owner)).transpose()?,
    }))
}

fn source(row: &QueryResult, owner: Ancestor) -> Result<GovernanceSource> {
    let tenant_name = row.try_get("", "tenant_name")?;
    Ok(GovernanceSource { tenant_id: owner.id, tenant_name, level: owner.level })
}

fn group_of(row: &QueryResult) -> Result<Option<SnapshotGroup>> {
    let Some(id) = row.try_get::<Option<Uuid>>("", "group_id")? else { return Ok(None) };
    Ok(Some(SnapshotGroup { id: PolicyGroupId(id), code: row.try_get("", "group_code")? }))
}

/// Returns the digest of the version's approval; `None` for versions that were ratified before approvals
/// existed.
fn approval_of(row: &QueryResult) -> Result<Option<Digest>> {
    row.try_get::<Option<String>>("", "approval_digest")?
        .as_deref()
        .map(approval_digest)
        .transpose()
}
