//! Stored snapshots: reading and recompiling them.

use std::sync::OnceLock;

use contract::snapshot::PolicySnapshot;
use engine::PolicyRules;
use entity::policy_snapshot as table;
use receipt::statement::{self, SnapshotPolicy};
use serde::de::DeserializeOwned;
use tokio::sync::OnceCell;

use super::{CompiledRules, Snapshot};
use crate::{access::permission, base::prelude::*};

/// Returns a stored snapshot.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read(cx: &Cx, id: SnapshotId) -> Result<PolicySnapshot> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let row = by_id(&tx, id).await?;
    tx.finish_read().await?;
    Ok(PolicySnapshot {
        id,
        snapshot: parse_stored("a stored snapshot", &row.body)?,
        digest: row.digest,
        evaluated_rules_hash: row.evaluated_rules_hash,
        created_at: from_column(row.created_at),
    })
}

/// Compiles a stored snapshot for re-evaluation. Its digests are computed from the stored bytes, so a
/// changed row is detected. `policies` is empty, because the decision record names them.
pub(crate) async fn compile_stored(cx: &Cx, row: &table::Model) -> Result<Arc<Snapshot>> {
    let hashed = policies::<Value>(&row.body)?;
    let policies = policies::<Rule>(&row.body)?;
    let rules: Vec<PolicyRules<'_>> = policies
        .iter()
        .map(|policy| PolicyRules {
            policy_id: policy.policy_id,
            shadow_mode: policy.shadow_mode,
            rules: &policy.rules,
        })
        .collect();
    let (tenant_id, id) = (TenantId(row.tenant_id), SnapshotId(row.id));
    let rules = CompiledRules::compile(cx, tenant_id, &rules, row.body.len()).await?;
    let hashed: Vec<SnapshotPolicy> =
        hashed.into_iter().map(StoredPolicy::into_snapshot_policy).collect();
    let evaluated_rules = statement::evaluated_rules(&hashed);
    Ok(Arc::new(Snapshot {
        tenant_id,
        derived_id: id,
        row: OnceCell::new_with(Some(id)),
        body: None,
        texts_bytes: row.body.len().saturating_add(evaluated_rules.text.len()),
        digest: Digest::compute(row.body.as_bytes()),
        rules_hash: evaluated_rules.digest,
        rules,
        policies: Arc::default(),
        policies_text: OnceLock::new(),
        inherited: BTreeMap::new(),
        activations: 0,
    }))
}

/// Loads the row of a snapshot.
pub(crate) async fn by_id(tx: &TenantTx, id: SnapshotId) -> Result<table::Model> {
    tx.get::<table::Entity>(id, ResourceKind::Snapshot).await
}

/// The members of a snapshot that affect evaluation.
#[derive(Deserialize)]
struct Body<R> {
    policies: Vec<StoredPolicy<R>>,
}

#[derive(Deserialize)]
struct StoredPolicy<R> {
    policy_id: PolicyId,
    policy_version_id: PolicyVersionId,
    code: String,
    name: String,
    version: u32,
    shadow_mode: bool,
    rules: Vec<R>,
}

impl StoredPolicy<Value> {
    fn into_snapshot_policy(self) -> SnapshotPolicy {
        SnapshotPolicy {
            policy_id: self.policy_id,
            policy_version_id: self.policy_version_id,
            code: self.code,
            name: self.name,
            version: self.version,
            shadow_mode: self.shadow_mode,
            group: None,
            owner_tenant_id: None,
            approval_digest: None,
            rules: self.rules,
        }
    }
}

fn policies<R: DeserializeOwned>(body: &str) -> Result<Vec<StoredPolicy<R>>> {
    let body: Body<R> = serde_json::from_str(body)?;
    Ok(body.policies)
}
