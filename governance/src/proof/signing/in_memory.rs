//! A key provider in memory, for tests.

use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use receipt::key::SigningKey;

use super::{KeyMaterial, KeyProvider, Purpose, ServiceKey, StoredKey};
use crate::{
    base::{error::Cause, prelude::*},
    proof::rekor::RekorKey,
};

/// Keys in memory. Clones share them.
#[derive(Clone, Debug)]
pub struct InMemory {
    shared: Arc<Mutex<BTreeMap<Purpose, Vec<KeyMaterial>>>>,
    /// The keys of this clone that override shared ones.
    overrides: BTreeMap<Purpose, KeyMaterial>,
    entropy: Entropy,
}

impl InMemory {
    /// Creates a key for each purpose from `entropy`.
    pub fn new(entropy: Entropy) -> Self {
        let keys = Self { shared: Arc::default(), overrides: BTreeMap::new(), entropy };
        let generated = Purpose::ALL.map(|purpose| (purpose, vec![keys.generate(purpose)]));
        *keys.shared() = generated.into();
        keys
    }

    /// Returns a provider with `key` as its key of `purpose`. It shares all other keys with this one.
    #[must_use]
    pub fn with(&self, purpose: Purpose, key: SigningKey) -> Self {
        let mut other = self.clone();
        other.overrides.insert(purpose, KeyMaterial::Ed25519(ServiceKey::from(key)));
        other
    }

    fn shared(&self) -> MutexGuard<'_, BTreeMap<Purpose, Vec<KeyMaterial>>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn generate(&self, purpose: Purpose) -> KeyMaterial {
        if purpose != Purpose::Rekor {
            let key = SigningKey::from_seed(self.entropy.bytes());
            return KeyMaterial::Ed25519(ServiceKey::from(key));
        }
        loop {
            if let Ok(key) = RekorKey::from_bytes(&self.entropy.bytes()) {
                return KeyMaterial::P256(Box::new(key));
            }
        }
    }
}

#[async_trait]
impl KeyProvider for InMemory {
    async fn keys(&self, purpose: Purpose) -> Result<Vec<StoredKey>, Cause> {
        let materials = if let Some(key) = self.overrides.get(&purpose) {
            vec![key.clone()]
        } else {
            self.shared().get(&purpose).cloned().unwrap_or_default()
        };
        let to_stored = |(index, material)| StoredKey {
            purpose,
            is_current: index == 0,
            material,
            provider: "memory",
            location: purpose.to_string(),
            created_at: None,
        };
        Ok(materials.into_iter().enumerate().map(to_stored).collect())
    }

    async fn create(&self, purpose: Purpose) -> Result<(), Cause> {
        if self.keys(purpose).await?.is_empty() { self.renew(purpose).await } else { Ok(()) }
    }

    async fn renew(&self, purpose: Purpose) -> Result<(), Cause> {
        let key = self.generate(purpose);
        self.shared().entry(purpose).or_default().insert(0, key);
        Ok(())
    }
}
