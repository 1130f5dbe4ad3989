//! A provider whose keys end with the process: for tests.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use receipt::key::SigningKey;

use super::{KeyMaterial, KeyProvider, Purpose, ServiceKey, StoredKey};
use crate::{clock::Chance, error::Cause, rekor::RekorKey};

/// Keys in memory. Clones share them.
#[derive(Clone, Debug)]
pub struct InMemory {
    shared: Arc<Mutex<BTreeMap<Purpose, Vec<KeyMaterial>>>>,
    /// Keys of this clone that take the place of shared ones.
    own: BTreeMap<Purpose, KeyMaterial>,
    chance: Chance,
}

impl InMemory {
    /// A key for each purpose, from `chance`.
    pub fn new(chance: Chance) -> Self {
        let keys = Self { shared: Arc::default(), own: BTreeMap::new(), chance };
        let made = Purpose::ALL.map(|purpose| (purpose, vec![keys.make(purpose)]));
        *keys.shared.lock().unwrap_or_else(PoisonError::into_inner) = made.into();
        keys
    }

    /// A provider with `key` as its key of `purpose`, which shares the other keys with this one.
    #[must_use]
    pub fn with(&self, purpose: Purpose, key: SigningKey) -> Self {
        let mut other = self.clone();
        other.own.insert(purpose, KeyMaterial::Ed25519(ServiceKey::from(key)));
        other
    }

    fn make(&self, purpose: Purpose) -> KeyMaterial {
        if purpose != Purpose::Rekor {
            let key = SigningKey::from_seed(self.chance.bytes());
            return KeyMaterial::Ed25519(ServiceKey::from(key));
        }
        loop {
            if let Ok(key) = RekorKey::from_bytes(&self.chance.bytes()) {
                return KeyMaterial::P256(Box::new(key));
            }
        }
    }
}

#[async_trait]
impl KeyProvider for InMemory {
    async fn keys(&self, purpose: Purpose) -> Result<Vec<StoredKey>, Cause> {
        let materials = if let Some(own) = self.own.get(&purpose) {
            vec![own.clone()]
        } else {
            let shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            shared.get(&purpose).cloned().unwrap_or_default()
        };
        let stored = |(place, material)| StoredKey {
            purpose,
            is_current: place == 0,
            material,
            provider: "memory",
            location: purpose.to_string(),
            created_at: None,
        };
        Ok(materials.into_iter().enumerate().map(stored).collect())
    }

    async fn create(&self, purpose: Purpose) -> Result<(), Cause> {
        if self.keys(purpose).await?.is_empty() { self.renew(purpose).await } else { Ok(()) }
    }

    async fn renew(&self, purpose: Purpose) -> Result<(), Cause> {
        let made = self.make(purpose);
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        shared.entry(purpose).or_default().insert(0, made);
        Ok(())
    }
}
