//! The signing keys of a process.

use receipt::key::{PayloadType, PublicKey};

use super::{KeyMaterial, KeyProvider, Purpose, ServiceKey, current};
use crate::{
    base::{
        error::{Cause, not_signed},
        prelude::*,
    },
    proof::rekor::RekorKey,
};

/// The online keys of a process, one for each purpose. They are selected at start, except the log key,
/// which depends on the open tree.
#[derive(Debug)]
pub struct KeySet {
    receipts: ServiceKey,
    approvals: ServiceKey,
    grants: ServiceKey,
    log: ServiceKey,
    rekor: Option<RekorKey>,
    replaced: Vec<(Purpose, PublicKey)>,
    provider: Arc<dyn KeyProvider>,
}

/// The reason a process cannot sign.
#[derive(Debug, thiserror::Error)]
pub enum LoadKeysError {
    /// The key is missing, but others exist.
    #[error("the {0} key is missing; create it with `govern keys init`")]
    Missing(Purpose),
    #[error("the {0} key and the {1} key are the same; each purpose needs its own key")]
    Shared(Purpose, Purpose),
    #[error("the {0} key cannot be used: {1}")]
    Provider(Purpose, #[source] Cause),
}

impl KeySet {
    /// Loads the current keys of `provider`; `None` if it has neither keys for statements nor for the log.
    /// The Rekor key is optional.
    ///
    /// # Errors
    /// A key is missing while others exist, is unusable, or has two purposes.
    pub async fn load(provider: Arc<dyn KeyProvider>) -> Result<Option<Self>, LoadKeysError> {
        let mut current_keys = Vec::new();
        let mut replaced = Vec::new();
        for purpose in Purpose::ED25519 {
            let keys = provider.keys(purpose).await;
            let mut current = None;
            for key in keys.map_err(|cause| LoadKeysError::Provider(purpose, cause))? {
                match key.material {
                    KeyMaterial::Ed25519(service) if key.is_current => current = Some(service),
                    KeyMaterial::Ed25519(service) => {
                        replaced.push((purpose, service.public().clone()));
                    }
                    KeyMaterial::Public(public) => replaced.push((purpose, public)),
                    KeyMaterial::P256(_) => {}
                }
            }
            current_keys.push((purpose, current));
        }
        if current_keys.iter().all(|(_, key)| key.is_none()) {
            return Ok(None);
        }
        for (index, (purpose, key)) in current_keys.iter().enumerate() {
            let Some(key) = key else { continue };
            let shares = |(_, other): &&(Purpose, Option<ServiceKey>)| {
                other.as_ref().is_some_and(|other| other.kid() == key.kid())
            };
            if let Some((other, _)) = current_keys[..index].iter().find(shares) {
                return Err(LoadKeysError::Shared(*purpose, *other));
            }
        }
        let mut take = |wanted: Purpose| {
            let key = current_keys.iter_mut().find(|(purpose, _)| *purpose == wanted);
            key.and_then(|(_, key)| key.take()).ok_or(LoadKeysError::Missing(wanted))
        };
        let (receipts, approvals) = (take(Purpose::Receipt)?, take(Purpose::PolicyApproval)?);
        let (grants, log) = (take(Purpose::CapabilityGrant)?, take(Purpose::Log)?);
        let rekor = current(provider.as_ref(), Purpose::Rekor).await;
        let rekor = rekor.map_err(|cause| LoadKeysError::Provider(Purpose::Rekor, cause))?;
        let rekor = rekor.and_then(|key| match key.material {
            KeyMaterial::P256(key) => Some(*key),
            KeyMaterial::Ed25519(_) | KeyMaterial::Public(_) => None,
        });
        Ok(Some(Self { receipts, approvals, grants, log, rekor, replaced, provider }))
    }

    /// Returns the key that signs statements of this type, if the service signs them.
    pub(crate) fn key(&self, payload_type: PayloadType) -> Option<&ServiceKey> {
        self.all().find(|(_, kinds)| kinds.contains(&payload_type)).map(|(key, _)| key)
    }

    /// Returns the keys that sign statements, with the statement types (receipts, section 4).
    pub(crate) fn all(&self) -> impl Iterator<Item = (&ServiceKey, &'static [PayloadType])> {
        [
            (&self.receipts, Purpose::Receipt),
            (&self.approvals, Purpose::PolicyApproval),
            (&self.grants, Purpose::CapabilityGrant),
        ]
        .into_iter()
        .map(|(key, purpose)| (key, purpose.payload_types()))
    }

    /// Returns the replaced public keys that signed statements, with the statement types.
    pub(crate) fn replaced(&self) -> impl Iterator<Item = (&PublicKey, &'static [PayloadType])> {
        let signed = self.replaced.iter().map(|(purpose, key)| (key, purpose.payload_types()));
        signed.filter(|(_, kinds)| !kinds.is_empty())
    }

    /// Returns the key that signs receipts, links, seals and manifests.
    pub(crate) const fn receipts(&self) -> &ServiceKey {
        &self.receipts
    }

    pub(crate) const fn approvals(&self) -> &ServiceKey {
        &self.approvals
    }

    pub(crate) const fn grants(&self) -> &ServiceKey {
        &self.grants
    }

    pub const fn rekor(&self) -> Option<&RekorKey> {
        self.rekor.as_ref()
    }

    /// Returns the log key `kid`, which may have become available or been replaced since the start; `None`
    /// if the provider does not have it.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` if the provider is unavailable.
    pub(crate) async fn log_key(&self, kid: &str) -> Result<Option<ServiceKey>> {
        if self.log.kid() == kid {
            return Ok(Some(self.log.clone()));
        }
        let keys = self.provider.keys(Purpose::Log).await.map_err(not_signed)?;
        Ok(keys.into_iter().find_map(|key| match key.material {
            KeyMaterial::Ed25519(key) if key.kid() == kid => Some(key),
            _ => None,
        }))
    }

    /// Returns a log key for a new tree: the current key, or a new one if `must_be_new` or if `is_used`
    /// returns that a tree has used the current key.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` if the provider is unavailable or accepts no new key.
    pub(crate) async fn log_key_for_new_tree(
        &self,
        must_be_new: bool,
        is_used: impl Fn(&str) -> bool + Send,
    ) -> Result<ServiceKey> {
        if !must_be_new {
            let current_key = self.current_log_key().await?;
            if let Some(key) = current_key.filter(|key| !is_used(key.kid())) {
                return Ok(key);
            }
        }
        self.provider.renew(Purpose::Log).await.map_err(not_signed)?;
        let renewed = self.current_log_key().await?.filter(|key| !is_used(key.kid()));
        renewed.ok_or_else(|| not_signed("the provider created no new log key"))
    }

    async fn current_log_key(&self) -> Result<Option<ServiceKey>> {
        let stored = current(self.provider.as_ref(), Purpose::Log).await.map_err(not_signed)?;
        Ok(stored.and_then(|key| match key.material {
            KeyMaterial::Ed25519(key) => Some(key),
            KeyMaterial::Public(_) | KeyMaterial::P256(_) => None,
        }))
    }
}
