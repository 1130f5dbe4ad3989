//! The caches of active policies, compiled rules and snapshots, limited by their memory.

use super::{ActivePolicies, ActivePolicy, CompiledRules, STEPS_PER_BYTE, Snapshot, find, load};
use crate::base::{cache::Cache, prelude::*};

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
    active: Cache<TenantState, ActivePolicies>,
    selections: Cache<(TenantState, Vec<usize>), Snapshot>,
    rules: Cache<(TenantId, Vec<ActiveVersion>), CompiledRules>,
}

impl Default for Snapshots {
    fn default() -> Self {
        Self {
            active: Cache::weighed(BYTES_MAX, |active: &ActivePolicies| weight(active.bytes())),
            // Rules are weighed in each snapshot, because a snapshot keeps them in memory.
            selections: Cache::weighed(BYTES_MAX, |snapshot: &Snapshot| weight(snapshot.bytes())),
            rules: Cache::weighed(BYTES_MAX, |rules: &CompiledRules| weight(rules.bytes)),
        }
    }
}

fn weight(bytes: usize) -> usize {
    bytes.saturating_add(ENTRY_BYTES)
}

impl Snapshots {
    /// Returns the active policies of a tenant.
    pub(super) async fn active_policies(&self, tenant: &Tenant<'_>) -> Result<Arc<ActivePolicies>> {
        let state = (tenant.id(), tenant.activation_counter());
        let loading = async {
            let active_policies = load(tenant).await?;
            self.remove_outdated(tenant.id(), &active_policies);
            Ok(active_policies)
        };
        self.active.load(state, |_| true, loading).await
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
            Ok(Arc::new(match find(tenant, snapshot.digest).await? {
                Some(id) => snapshot.with_row(id),
                None => snapshot,
            }))
        };
        let key = ((tenant_id, activations), selected.to_vec());
        self.selections.load(key, |_| true, creating).await
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
        self.rules.load(key, |_| true, compiling).await
    }

    /// Removes what the tenant had at an earlier activation counter, except compiled rules of versions that are
    /// still active.
    fn remove_outdated(&self, tenant_id: TenantId, current: &ActivePolicies) {
        let is_outdated = |(tenant, activations): &TenantState| {
            *tenant == tenant_id && *activations < current.activations
        };
        self.active.remove(is_outdated);
        self.selections.remove(|(state, _)| is_outdated(state));
        let versions: Vec<ActiveVersion> =
            current.policies.iter().map(ActivePolicy::active_version).collect();
        self.rules.remove(|(tenant, rules)| {
            *tenant == tenant_id && !rules.iter().all(|version| versions.contains(version))
        });
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

    #[test]
    fn compiled_rules_are_limited_by_their_memory() {
        let snapshots = Snapshots::default();
        let third = usize::try_from(BYTES_MAX / 3).unwrap();
        let key = |number| (TENANT, vec![version(number).active_version()]);
        for number in 0..100 {
            snapshots.rules.insert(key(number), compiled(third));
        }
        let kept = (0..100).filter(|number| snapshots.rules.get(&key(*number)).is_some()).count();
        assert_eq!(kept, 2, "although the entries are few");

        snapshots.rules.insert(key(100), compiled(usize::MAX));
        assert!(snapshots.rules.get(&key(100)).is_none(), "one that is larger than the limit");
    }

    #[test]
    fn earlier_versions_of_a_tenant_are_removed() {
        let snapshots = Snapshots::default();
        let key = |tenant, number| (tenant, vec![version(number).active_version()]);
        for key in [key(TENANT, 1), key(TENANT, 2), key(OTHER, 1)] {
            snapshots.rules.insert(key, compiled(1));
        }
        let active =
            |activations| Arc::new(ActivePolicies { activations, policies: vec![version(2)] });
        for state in [(TENANT, 1), (TENANT, 2), (OTHER, 1)] {
            snapshots.active.insert(state, active(state.1));
        }

        snapshots.remove_outdated(TENANT, &active(2));
        assert!(snapshots.rules.get(&key(TENANT, 1)).is_none(), "no longer active");
        assert!(snapshots.rules.get(&key(TENANT, 2)).is_some(), "still active");
        assert!(snapshots.rules.get(&key(OTHER, 1)).is_some(), "of another tenant");
        assert!(snapshots.active.get(&(TENANT, 1)).is_none());
        assert!(snapshots.active.get(&(TENANT, 2)).is_some());
        assert!(snapshots.active.get(&(OTHER, 1)).is_some());
    }
}
