//! The keys that a process signs with.

use std::sync::Arc;

use receipt::key::{PayloadType, PublicKey};

use super::{KeyMaterial, KeyProvider, Purpose, ServiceKey, current};
use crate::{
    error::{Cause, Result, not_signed},
    rekor::RekorKey,
};

/// The online keys of a process, one for each purpose. They are chosen when the process starts, except
/// the key of the log, which follows the open tree.
#[derive(Debug)]
pub struct KeySet {
    receipts: ServiceKey,
    approvals: ServiceKey,
    grants: ServiceKey,
    log: ServiceKey,
    rekor: Option<RekorKey>,
    /// The public halves of keys that were replaced.
    replaced: Vec<(Purpose, PublicKey)>,
    provider: Arc<dyn KeyProvider>,
}

/// Why a process cannot sign.
#[derive(Debug, thiserror::Error)]
pub enum KeysUnusable {
    /// Other keys are there, and this one is not.
    #[error("the {0} key is missing; make it with `govern keys init`")]
    Missing(Purpose),
    /// Two purposes have one key.
    #[error("the {0} key is the {1} key too; each purpose needs a key of its own")]
    Shared(Purpose, Purpose),
    /// The provider does not return the key.
    #[error("the {0} key cannot be used: {1}")]
    Provider(Purpose, #[source] Cause),
}

impl KeySet {
    /// Reads the current keys of `provider`; `None` when it has no key for statements or the log. The key
    /// for Rekor may be missing.
    ///
    /// # Errors
    /// A key is missing while others are there, cannot be used, or is the key of two purposes.
    pub async fn load(provider: Arc<dyn KeyProvider>) -> Result<Option<Self>, KeysUnusable> {
        let mut found = Vec::new();
        let mut replaced = Vec::new();
        for purpose in Purpose::ED25519 {
            let keys = provider.keys(purpose).await;
            let mut current = None;
            for key in keys.map_err(|cause| KeysUnusable::Provider(purpose, cause))? {
                match key.material {
                    KeyMaterial::Ed25519(service) if key.is_current => current = Some(service),
                    KeyMaterial::Ed25519(service) => {
                        replaced.push((purpose, service.public().clone()));
                    }
                    KeyMaterial::Public(public) => replaced.push((purpose, public)),
                    KeyMaterial::P256(_) => {}
                }
            }
            found.push((purpose, current));
        }
        if found.iter().all(|(_, key)| key.is_none()) {
            return Ok(None);
        }
        for (index, (purpose, key)) in found.iter().enumerate() {
            let kid = |key: &Option<ServiceKey>| key.as_ref().map(|key| key.kid().to_owned());
            let shares = |(_, other): &&(Purpose, Option<ServiceKey>)| {
                key.is_some() && kid(other) == kid(key)
            };
            if let Some((other, _)) = found[..index].iter().find(shares) {
                return Err(KeysUnusable::Shared(*purpose, *other));
            }
        }
        let mut take = |wanted: Purpose| {
            let key = found.iter_mut().find(|(purpose, _)| *purpose == wanted);
            key.and_then(|(_, key)| key.take()).ok_or(KeysUnusable::Missing(wanted))
        };
        let (receipts, approvals) = (take(Purpose::Receipt)?, take(Purpose::PolicyApproval)?);
        let (grants, log) = (take(Purpose::CapabilityGrant)?, take(Purpose::Log)?);
        let rekor = current(provider.as_ref(), Purpose::Rekor).await;
        let rekor = rekor.map_err(|cause| KeysUnusable::Provider(Purpose::Rekor, cause))?;
        let rekor = rekor.and_then(|key| match key.material {
            KeyMaterial::P256(key) => Some(*key),
            KeyMaterial::Ed25519(_) | KeyMaterial::Public(_) => None,
        });
        Ok(Some(Self { receipts, approvals, grants, log, rekor, replaced, provider }))
    }

    /// The key that signs statements of this type, if the service signs such statements.
    pub(crate) fn key(&self, payload_type: PayloadType) -> Option<&ServiceKey> {
        self.all().find(|(_, kinds)| kinds.contains(&payload_type)).map(|(key, _)| key)
    }

    /// The keys that sign statements, each with the types of them (receipts, section 4).
    pub(crate) fn all(&self) -> impl Iterator<Item = (&ServiceKey, &'static [PayloadType])> {
        [
            (&self.receipts, Purpose::Receipt),
            (&self.approvals, Purpose::PolicyApproval),
            (&self.grants, Purpose::CapabilityGrant),
        ]
        .into_iter()
        .map(|(key, purpose)| (key, purpose.payload_types()))
    }

    /// The public halves of keys that signed statements and were replaced, each with the types of them.
    pub(crate) fn replaced(&self) -> impl Iterator<Item = (&PublicKey, &'static [PayloadType])> {
        let signed = self.replaced.iter().map(|(purpose, key)| (key, purpose.payload_types()));
        signed.filter(|(_, kinds)| !kinds.is_empty())
    }

    /// The key that signs receipts, links, seals and manifests.
    pub(crate) const fn receipts(&self) -> &ServiceKey {
        &self.receipts
    }

    /// The key that signs approvals.
    pub(crate) const fn approvals(&self) -> &ServiceKey {
        &self.approvals
    }

    /// The key that signs grants.
    pub(crate) const fn grants(&self) -> &ServiceKey {
        &self.grants
    }

    /// The key that signs entries at Rekor, if there is one.
    pub const fn rekor(&self) -> Option<&RekorKey> {
        self.rekor.as_ref()
    }

    /// The log key `kid`, which may have become available or been replaced since the start; `None` when
    /// the provider does not have it.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the provider is unavailable.
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

    /// A log key for a tree that begins: the current one, or a new one where that is demanded or where a
    /// tree has had the current one, as `is_used` tells by its kid.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the provider is unavailable or takes no new key.
    pub(crate) async fn log_key_for_new_tree(
        &self,
        must_be_new: bool,
        is_used: impl Fn(&str) -> bool + Send,
    ) -> Result<ServiceKey> {
        if !must_be_new {
            let present = self.current_log_key().await?;
            if let Some(key) = present.filter(|key| !is_used(key.kid())) {
                return Ok(key);
            }
        }
        self.provider.renew(Purpose::Log).await.map_err(not_signed)?;
        let renewed = self.current_log_key().await?.filter(|key| !is_used(key.kid()));
        renewed.ok_or_else(|| not_signed("the provider has made no new key for the log"))
    }

    async fn current_log_key(&self) -> Result<Option<ServiceKey>> {
        let stored = current(self.provider.as_ref(), Purpose::Log).await.map_err(not_signed)?;
        Ok(stored.and_then(|key| match key.material {
            KeyMaterial::Ed25519(key) => Some(key),
            KeyMaterial::Public(_) | KeyMaterial::P256(_) => None,
        }))
    }
}
