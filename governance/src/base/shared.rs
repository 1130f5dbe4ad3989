//! Values that concurrent callers share under a key.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Weak},
};

use parking_lot::Mutex;
use tokio::sync::OwnedMutexGuard;

/// Values by key, each of which lives as long as a caller holds it.
#[derive(Debug)]
pub(crate) struct Shared<K, T>(Mutex<HashMap<K, Weak<T>>>);

impl<K, T> Default for Shared<K, T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, T: Default> Shared<K, T> {
    /// Returns the value that other callers hold under `key`, or a new one.
    pub(crate) fn join(&self, key: K) -> Arc<T> {
        let mut held = self.0.lock();
        if let Some(value) = held.get(&key).and_then(Weak::upgrade) {
            return value;
        }
        // Keys without a holder are removed before the map would grow, so it has at most twice as many as are held.
        if held.len() == held.capacity() {
            held.retain(|_, value| value.strong_count() > 0);
        }
        let value = Arc::default();
        held.insert(key, Arc::downgrade(&value));
        value
    }

    /// Lets later callers start with a new value.
    pub(crate) fn remove(&self, key: &K) {
        self.0.lock().remove(key);
    }
}

impl<K: Eq + Hash> Shared<K, tokio::sync::Mutex<()>> {
    /// Waits until no other caller has locked `key`.
    pub(crate) async fn lock(&self, key: K) -> OwnedMutexGuard<()> {
        self.join(key).lock_owned().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_shared_while_it_is_held_and_then_forgotten() {
        let shared = Shared::<u32, u8>::default();
        let held = shared.join(0);
        for key in 1..10_000 {
            shared.join(key);
        }
        assert!(Arc::ptr_eq(&held, &shared.join(0)));
        assert!(shared.0.lock().len() < 10, "keys without a holder take no memory");
    }
}
