//! The registry in a bundle: the newest version, and every one before it.

use receipt::bundle::path;

use super::making::Making;
use crate::{
    Governance,
    error::Result,
    trust::{self, key_set, versions_before},
};

/// The versions of the registry at export.
#[derive(Debug)]
pub(super) struct History {
    newest: Option<std::sync::Arc<receipt::registry::SignedRegistry>>,
    earlier: Vec<(u32, String)>,
}

impl History {
    pub(super) async fn read(governance: &Governance) -> Result<Self> {
        let newest = trust::newest(governance).await?;
        let earlier = match &newest {
            Some(newest) => versions_before(governance, newest.registry.version).await?,
            None => Vec::new(),
        };
        Ok(Self { newest, earlier })
    }
}

impl History {
    /// The newest version.
    pub(super) fn newest(&self) -> Option<&receipt::registry::SignedRegistry> {
        self.newest.as_deref()
    }
}

impl Making {
    /// Adds the versions, and for people the keys.
    pub(super) fn registry(&mut self, governance: &Governance, history: &History) -> Result<()> {
        if let Some(newest) = &history.newest {
            self.put(path::REGISTRY, newest.envelope.to_value().to_canonical())?;
        }
        for (version, envelope) in &history.earlier {
            self.put(path::registry_version(*version), envelope.as_str())?;
        }
        let keys = key_set(governance, history.newest.as_deref());
        self.put(path::TRUSTED_KEYS, keys.to_canonical())
    }
}
