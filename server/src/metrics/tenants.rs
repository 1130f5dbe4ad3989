//! Tenants as labels: a bounded number of them, or each new tenant would make the page longer.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use contract::id::TenantId;

/// How many tenants have a label of their own: the first that are seen. It is theirs for as long as the
/// process lives, because a counter must not go down.
const NAMED_MAX: usize = 100;

/// The label of all further ones.
const OTHER: &str = "other";

/// The labels that were given out.
#[derive(Debug, Default)]
pub(super) struct Tenants(RwLock<HashMap<TenantId, Arc<str>>>);

impl Tenants {
    /// The label of a tenant.
    pub(super) fn label(&self, tenant: TenantId) -> Arc<str> {
        if let Some(label) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&tenant) {
            return Arc::clone(label);
        }
        let mut named = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if named.len() >= NAMED_MAX {
            return OTHER.into();
        }
        Arc::clone(named.entry(tenant).or_insert_with(|| tenant.to_string().into()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn however_many_tenants_there_are_the_labels_are_bounded() {
        let tenants = Tenants::default();
        let tenant = |number| TenantId(uuid::Uuid::from_u128(number));
        let label = |number| tenants.label(tenant(number)).to_string();
        let labels: BTreeSet<String> = (0..1_000).map(label).collect();
        assert_eq!(labels.len(), NAMED_MAX + 1);
        assert_eq!(label(0), tenant(0).to_string());
        assert_eq!(label(999), OTHER);
    }
}
