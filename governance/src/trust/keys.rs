//! Which keys the service believes: those of the newest registry, and its own.

use std::sync::Arc;

use receipt::{
    chain::{ChainKeys, Problem},
    key::{PayloadType, PublicKey},
    registry::SignedRegistry,
};
use sea_orm::ConnectionTrait;

use super::store;
use crate::{Governance, Signers, error::Result};

/// Public keys by what they may sign. What the registry says of a key counts; a key that it does not
/// know counts only when it is this process's own.
#[derive(Debug)]
pub(crate) struct Keys<'g> {
    own: Option<&'g Signers>,
    registry: Option<Arc<SignedRegistry>>,
}

impl<'g> Keys<'g> {
    /// The keys as the store knows them now, asked on a connection that is at hand.
    pub(crate) async fn now(
        governance: &'g Governance,
        connection: &impl ConnectionTrait,
    ) -> Result<Self> {
        let registry = store::newest_by(governance, connection).await?;
        Ok(Self { own: governance.signers(), registry })
    }

    fn own(&self, kid: &str, payload_type: PayloadType) -> Option<&PublicKey> {
        let key = self.own?.key(payload_type)?.public();
        (key.kid() == kid).then_some(key)
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
