//! Tenant labels of metrics. Their number is limited, because each label adds lines to the metrics.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use contract::id::TenantId;

/// The number of tenants with a label of their own, in order of appearance. A tenant keeps its label for the
/// life of the process, because a counter must not decrease.
const NAMED_MAX: usize = 100;

/// The label of all other tenants.
const OTHER: &str = "other";

#[derive(Debug, Default)]
pub(super) struct Tenants(RwLock<HashMap<TenantId, Arc<str>>>);

impl Tenants {
    pub(super) fn label(&self, tenant: TenantId) -> Arc<str> {
        if let Some(label) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&tenant) {
            return Arc::clone(label);
        }
        let mut labels = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if labels.len() >= NAMED_MAX {
            return OTHER.into();
        }
        Arc::clone(labels.entry(tenant).or_insert_with(|| tenant.to_string().into()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn number_of_tenant_labels_is_bounded() {
        let tenants = Tenants::default();
        let tenant = |number| TenantId(uuid::Uuid::from_u128(number));
        let label = |number| tenants.label(tenant(number)).to_string();
        let labels: BTreeSet<String> = (0..1_000).map(label).collect();
        assert_eq!(labels.len(), NAMED_MAX + 1);
        assert_eq!(label(0), tenant(0).to_string());
        assert_eq!(label(999), OTHER);
    }
}
