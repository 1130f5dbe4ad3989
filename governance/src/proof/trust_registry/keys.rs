//! The keys that the service trusts: those of the newest registry, and its own.

use receipt::{
    chain::{ChainKeys, ChainProblem},
    key::{PayloadType, PublicKey},
    trust_registry::SignedRegistry,
};

use super::store;
use crate::{base::prelude::*, proof::signing::KeySet};

/// Public keys by the statement types they may sign. The registry takes precedence; a key that it does not
/// contain is trusted only if it is a key of this process. Without a registry, replaced keys of the process
/// are trusted too.
#[derive(Debug)]
pub(crate) struct TrustedKeys<'g> {
    own: Option<&'g KeySet>,
    registry: Option<Arc<SignedRegistry>>,
}

impl<'g> TrustedKeys<'g> {
    /// Loads the current keys with an existing connection.
    pub(crate) async fn load(
        governance: &'g Governance,
        connection: &impl ConnectionTrait,
    ) -> Result<Self> {
        let registry = store::newest_by(governance, connection).await?;
        Ok(Self { own: governance.keys(), registry })
    }

    fn own(&self, kid: &str, payload_type: PayloadType) -> Option<&PublicKey> {
        let own = self.own?;
        let current = own.key(payload_type)?.public();
        if current.kid() == kid {
            return Some(current);
        }
        if self.registry.is_some() {
            return None;
        }
        own.replaced()
            .find(|(key, kinds)| key.kid() == kid && kinds.contains(&payload_type))
            .map(|(key, _)| key)
    }
}

impl ChainKeys for TrustedKeys<'_> {
    fn key(&self, kid: &str, payload_type: PayloadType) -> Result<&PublicKey, ChainProblem> {
        let entry = self.registry.as_ref().and_then(|signed| signed.registry.key(kid));
        match entry {
            None => self.own(kid, payload_type).ok_or(ChainProblem::KeyUnknown),
            Some(entry) if !entry.has_purpose(payload_type.purpose()) => {
                Err(ChainProblem::KeyPurpose)
            }
            Some(entry) if entry.status.is_revoked() => Err(ChainProblem::KeyRevoked),
            Some(entry) => Ok(&entry.key),
        }
    }
}
