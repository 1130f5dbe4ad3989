//! Which keys the service believes: those of the newest registry, and its own.

use std::sync::Arc;

use receipt::{
    chain::{ChainKeys, Problem},
    key::{PayloadType, PublicKey},
    registry::SignedRegistry,
};
use sea_orm::ConnectionTrait;

use super::store;
use crate::{Governance, error::Result, signing::KeySet};

/// Public keys by what they may sign. What the registry says of a key counts; a key that it does not
/// know counts only when it is this process's own. Where there is no registry, the keys that the process
/// signed with before they were replaced count too.
#[derive(Debug)]
pub(crate) struct Keys<'g> {
    own: Option<&'g KeySet>,
    registry: Option<Arc<SignedRegistry>>,
}

impl<'g> Keys<'g> {
    /// The keys as the store knows them now, asked on a connection that is at hand.
    pub(crate) async fn now(
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
        let replaced = || own.replaced().filter(|(_, kinds)| kinds.contains(&payload_type));
        let is_replaced = |key: &&PublicKey| self.registry.is_none() && key.kid() == kid;
        replaced().map(|(key, _)| key).find(is_replaced)
    }
}

impl ChainKeys for Keys<'_> {
    fn key(&self, kid: &str, payload_type: PayloadType) -> Result<&PublicKey, Problem> {
        let entry = self.registry.as_ref().and_then(|signed| signed.registry.key(kid));
        match entry {
            None => self.own(kid, payload_type).ok_or(Problem::KeyUnknown),
            Some(entry) if !entry.has_purpose(payload_type.purpose()) => Err(Problem::KeyPurpose),
            Some(entry) if entry.status.is_revoked() => Err(Problem::KeyRevoked),
            Some(entry) => Ok(&entry.key),
        }
    }
}
