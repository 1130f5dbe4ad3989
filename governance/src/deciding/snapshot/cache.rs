//! The caches of active policies, compiled rules and snapshots, limited by their memory.

use std::hash::Hash;

use moka::future::Cache;

use super::{ActivePolicies, ActivePolicy, CompiledRules, STEPS_PER_BYTE, Snapshot, find, load};
use crate::base::prelude::*;

/// The maximum memory of each of the three caches in bytes.
const BYTES_MAX: u64 = 1 << 27;
/// The memory of policies in multiples of their JSON.
const EXPANSION: usize = 4;
/// The memory of an entry besides its rules, in bytes.
const ENTRY_BYTES: usize = 1_024;

/// A tenant at one value of its activation counter.
type TenantState = (TenantId, i64);

/// A version in the mode in which its policy is active.
type ActiveVersion = (PolicyId, PolicyVersionId, bool);

/// Active policies by tenant and activation counter, snapshots by selection of these policies, and compiled rules by
/// versions. A new counter value invalidates the first two. A change that leaves the versions as they are, such as a
/// rename, compiles nothing.
#[derive(Debug)]
pub(crate) struct Snapshots {
    active: Cache<TenantState, Arc<ActivePolicies>>,
    selections: Cache<(TenantState, Vec<usize>), Arc<Snapshot>>,
    rules: Cache<(TenantId, Vec<ActiveVersion>), Arc<CompiledRules>>,
}

impl Default for Snapshots {
    fn default() -> Self {
        Self {
            active: Cache::builder()
                .max_capacity(BYTES_MAX)
                .weigher(|_, active: &Arc<ActivePolicies>| weight(active.bytes()))
                .build(),
            // Rules are weighed in each snapshot, because a snapshot keeps them in memory.
            selections: Cache::builder()
                .max_capacity(BYTES_MAX)
                .weigher(|_, snapshot: &Arc<Snapshot>| weight(snapshot.bytes()))
                .build(),
            rules: Cache::builder()
                .max_capacity(BYTES_MAX)
                .weigher(|_, rules: &Arc<CompiledRules>| weight(rules.bytes))
                .build(),
        }
    }
}

fn weight(bytes: usize) -> u32 {
    u32::try_from(bytes.saturating_add(ENTRY_BYTES)).unwrap_or(u32::MAX)
}

impl Snapshots {
    /// Returns the active policies of a tenant.
    pub(super) async fn active_policies(&self, tenant: &Tenant<'_>) -> Result<Arc<ActivePolicies>> {
        let state = (tenant.id(), tenant.activation_counter());
        let loading = async {
            let active_policies = load(tenant).await?;
            self.remove_outdated(tenant.id(), &active_policies).await;
            Ok::<_, Error>(active_policies)
        };
        self.active.try_get_with(state, loading).await.map_err(clone_error)
    }

    /// Returns the snapshot of the policies at the positions `selected`.
    pub(super) async fn snapshot(
        &self,
        tenant: &Tenant<'_>,
        active_policies: &ActivePolicies,
        selected: &[usize],
    ) -> Result<Arc<Snapshot>> {
        let (tenant_id, activations) = (tenant.id(), active_policies.activations);
        let creating = async {
            let chosen = active_policies.at(selected);
            let rules = self.rules(tenant.cx(), tenant_id, &chosen).await?;
            let bytes = chosen.iter().map(|policy| policy.bytes).sum::<usize>();
            let steps = u64::try_from(bytes).unwrap_or(u64::MAX).saturating_mul(STEPS_PER_BYTE);
            let create = || Snapshot::new(tenant_id, activations, &chosen, rules);
            let snapshot =
                tenant.cx().governance.deciding().long_work.run(tenant_id, steps, create).await?;
            // A row of an earlier release has a different ID, which remains valid.
            Ok::<_, Error>(Arc::new(match find(tenant, snapshot.digest).await? {
                Some(id) => snapshot.with_row(id),
                None => snapshot,
            }))
        };
        let key = ((tenant_id, activations), selected.to_vec());
        self.selections.try_get_with(key, creating).await.map_err(clone_error)
    }

    /// Returns the compiled rules of these policies.
    pub(super) async fn rules(
        &self,
        cx: &Cx,
        tenant_id: TenantId,
        policies: &[&ActivePolicy],
    ) -> Result<Arc<CompiledRules>> {
        let key = (tenant_id, policies.iter().map(|policy| policy.active_version()).collect());
        let compiling = CompiledRules::of(cx, tenant_id, policies);
        self.rules.try_get_with(key, compiling).await.map_err(clone_error)
    }

    /// Removes what the tenant had at an earlier activation counter, except compiled rules of versions that are
    /// still active.
    async fn remove_outdated(&self, tenant_id: TenantId, current: &ActivePolicies) {
        let is_outdated = |(tenant, activations): &TenantState| {
            *tenant == tenant_id && *activations < current.activations
        };
        remove(&self.active, is_outdated).await;
        remove(&self.selections, |(state, _)| is_outdated(state)).await;
        let versions: Vec<ActiveVersion> =
            current.policies.iter().map(ActivePolicy::active_version).collect();
        let is_outdated = |(tenant, rules): &(TenantId, Vec<ActiveVersion>)| {
            *tenant == tenant_id && !rules.iter().all(|version| versions.contains(version))
        };
        remove(&self.rules, is_outdated).await;
    }
}

/// Removes the entries whose keys are outdated.
async fn remove<K, V>(cache: &Cache<K, V>, is_outdated: impl Fn(&K) -> bool)
where
    K: Hash + Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    let keys = cache.iter().map(|(key, _)| key).filter(|key| is_outdated(key));
    for key in keys.collect::<Vec<_>>() {
        cache.invalidate(&*key).await;
    }
}

impl ActivePolicies {
    fn bytes(&self) -> usize {
        let rules = self.policies.iter().map(|policy| policy.bytes.saturating_add(ENTRY_BYTES));
        rules.sum::<usize>().saturating_mul(EXPANSION)
    }
}

impl ActivePolicy {
    fn active_version(&self) -> ActiveVersion {
        let policy = &self.snapshot;
        (policy.policy_id, policy.policy_version_id, policy.shadow_mode)
    }
}

/// Clones an error for each request that waited for the same result.
#[expect(clippy::needless_pass_by_value, reason = "used as a function for map_err")]
fn clone_error(error: Arc<Error>) -> Error {
    error.clone_for_waiter()
}

#[cfg(test)]
mod tests {
    use engine::Program;
    use uuid::Uuid;

    use super::*;
    use crate::deciding::snapshot::tests::active_policy;

    const TENANT: TenantId = TenantId(Uuid::from_u128(1));
    const OTHER: TenantId = TenantId(Uuid::from_u128(2));

    fn compiled(bytes: usize) -> Arc<CompiledRules> {
        Arc::new(CompiledRules { program: Program::compile(&[]).unwrap(), bytes })
    }

    /// Version `number` of a policy.
    fn version(number: u128) -> ActivePolicy {
        let mut policy = active_policy();
        policy.snapshot.policy_version_id = PolicyVersionId(Uuid::from_u128(number));
        policy
    }

    #[tokio::test]
    async fn compiled_rules_are_limited_by_their_memory() {
        let snapshots = Snapshots::default();
        let third = usize::try_from(BYTES_MAX / 3).unwrap();
        for number in 0..100 {
            let key = (TENANT, vec![version(number).active_version()]);
            snapshots.rules.insert(key, compiled(third)).await;
        }
        snapshots.rules.run_pending_tasks().await;
        assert!(snapshots.rules.weighted_size() <= BYTES_MAX);
        assert!(snapshots.rules.entry_count() <= 2, "although the entries are few");

        let key = (OTHER, vec![version(1).active_version()]);
        snapshots.rules.insert(key.clone(), compiled(usize::MAX)).await;
        snapshots.rules.run_pending_tasks().await;
        assert!(!snapshots.rules.contains_key(&key), "one that is larger than the limit");
    }

    #[tokio::test]
    async fn earlier_versions_of_a_tenant_are_removed() {
        let snapshots = Snapshots::default();
        let key = |tenant, number| (tenant, vec![version(number).active_version()]);
        for key in [key(TENANT, 1), key(TENANT, 2), key(OTHER, 1)] {
            snapshots.rules.insert(key, compiled(1)).await;
        }
        let active =
            |activations| Arc::new(ActivePolicies { activations, policies: vec![version(2)] });
        for state in [(TENANT, 1), (TENANT, 2), (OTHER, 1)] {
            snapshots.active.insert(state, active(state.1)).await;
        }

        snapshots.remove_outdated(TENANT, &active(2)).await;
        assert!(!snapshots.rules.contains_key(&key(TENANT, 1)), "no longer active");
        assert!(snapshots.rules.contains_key(&key(TENANT, 2)), "still active");
        assert!(snapshots.rules.contains_key(&key(OTHER, 1)), "of another tenant");
        assert!(!snapshots.active.contains_key(&(TENANT, 1)));
        assert!(snapshots.active.contains_key(&(TENANT, 2)));
        assert!(snapshots.active.contains_key(&(OTHER, 1)));
    }
}
