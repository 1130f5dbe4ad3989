//! The trust registry in a bundle: all its versions.

use receipt::{bundle::path, trust_registry::SignedRegistry};

use super::builder::BundleBuilder;
use crate::{
    base::prelude::*,
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

/// What the earlier versions leave: three files, and the bytes of a manifest of 4,096 files with its envelope.
const FILES_LEFT: usize = 3;
const BYTES_LEFT: usize = 3 << 20;

impl BundleBuilder {
    /// Adds the keys in readable form and the versions. If not all have room, the oldest versions are missing: a
    /// verifier that pins a key of such a version reports it.
    pub(super) fn registry(
        &mut self,
        governance: &Governance,
        history: &RegistryHistory,
    ) -> Result<()> {
        if let Some(newest) = &history.newest {
            self.add(path::REGISTRY, newest.envelope.to_value().to_canonical())?;
        }
        let keys = key_set(governance, history.newest.as_deref());
        self.add(path::TRUSTED_KEYS, keys.to_canonical())?;
        for (version, envelope) in history.earlier.iter().rev() {
            if !self.files.has_room(envelope.len(), FILES_LEFT, BYTES_LEFT) {
                break;
            }
            self.add(path::registry_version(*version), envelope.as_str())?;
        }
        Ok(())
    }
}
