//! The trust registry in a bundle: all its versions.

use std::sync::Arc;

use receipt::{bundle::path, trust_registry::SignedRegistry};

use super::builder::BundleBuilder;
use crate::{
    Governance,
    base::error::Result,
    proof::trust_registry::{self, key_set, versions_before},
};

/// The versions of the trust registry at the time of the export.
#[derive(Debug)]
pub(super) struct RegistryHistory {
    newest: Option<Arc<SignedRegistry>>,
    earlier: Vec<(u32, String)>,
}

impl RegistryHistory {
    pub(super) async fn read(governance: &Governance) -> Result<Self> {
        let newest = trust_registry::newest(governance).await?;
        let earlier = match &newest {
            Some(newest) => versions_before(governance, newest.registry.version).await?,
            None => Vec::new(),
        };
        Ok(Self { newest, earlier })
    }

    pub(super) fn newest(&self) -> Option<&SignedRegistry> {
        self.newest.as_deref()
    }
}

impl BundleBuilder {
    /// Adds the versions, and the keys in readable form.
    pub(super) fn registry(
        &mut self,
        governance: &Governance,
        history: &RegistryHistory,
    ) -> Result<()> {
        if let Some(newest) = &history.newest {
            self.add(path::REGISTRY, newest.envelope.to_value().to_canonical())?;
        }
        for (version, envelope) in &history.earlier {
            self.add(path::registry_version(*version), envelope.as_str())?;
        }
        let keys = key_set(governance, history.newest.as_deref());
        self.add(path::TRUSTED_KEYS, keys.to_canonical())
    }
}
