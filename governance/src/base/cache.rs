//! The one kind of cache.
//!
//! A caller that finds nothing loads the value; concurrent callers of the same key share this load and its result. If the
//! caller that loads is abandoned, the next one that waits loads instead.
//!
//! The load is separate from the stored value, which can be used until another one replaces it. `quick_cache` can share
//! loads too, but removes the stored value first, and after a failure lets the callers that wait load one by one.

use std::{fmt, hash::Hash, sync::Arc};

use quick_cache::{
    DefaultHashBuilder, OptionsBuilder, Weighter,
    sync::{self, DefaultLifecycle},
};
use tokio::sync::OnceCell;

use super::{prelude::*, shared::Shared};

/// The number of entries for which memory of recently removed keys is planned.
const ENTRIES_PLANNED: u64 = 10_000;

/// A cache of values `V` by keys `K`, limited by the sum of their weights. It keeps what is used most.
pub(crate) struct Cache<K, V> {
    entries: sync::Cache<K, Arc<V>, Weigh<V>>,
    loads: Shared<K, OnceCell<Result<Arc<V>>>>,
}

/// The function that weighs a value.
struct Weigh<V>(fn(&V) -> usize);

impl<V> Clone for Weigh<V> {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

impl<K, V> Weighter<K, Arc<V>> for Weigh<V> {
    fn weight(&self, _: &K, value: &Arc<V>) -> u64 {
        // An entry without weight would never be removed.
        u64::try_from((self.0)(value)).unwrap_or(u64::MAX).max(1)
    }
}

impl<K, V> fmt::Debug for Cache<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache").finish_non_exhaustive()
    }
}

impl<K: Clone + Hash + Eq, V> Cache<K, V> {
    /// Creates a cache of at most `entries_max` entries.
    pub(crate) fn of_entries(entries_max: u64) -> Self {
        Self::weighed(entries_max, |_| 1)
    }

    /// Creates a cache of entries whose weights have a sum of at most `weight_max`. A value that is heavier alone is not
    /// kept.
    pub(crate) fn weighed(weight_max: u64, weigh: fn(&V) -> usize) -> Self {
        let planned = usize::try_from(weight_max.min(ENTRIES_PLANNED)).unwrap_or(usize::MAX);
        // Of several shards, each would refuse values that are heavier than its share.
        let mut options = OptionsBuilder::new();
        options.shards(1).estimated_items_capacity(planned).weight_capacity(weight_max);
        let options = options.build().unwrap_or_else(|_| unreachable!("both limits are set"));
        let (hasher, lifecycle) = (DefaultHashBuilder::default(), DefaultLifecycle::default());
        let entries = sync::Cache::with_options(options, Weigh(weigh), hasher, lifecycle);
        Self { entries, loads: Shared::default() }
    }

    pub(crate) fn get(&self, key: &K) -> Option<Arc<V>> {
        self.entries.get(key)
    }

    pub(crate) fn insert(&self, key: K, value: Arc<V>) {
        self.entries.insert(key, value);
    }

    /// Returns the cached value if it `is_usable`, or loads and caches it. All callers that wait for a load receive its
    /// result.
    ///
    /// # Errors
    /// Those of `loading`, which are not cached.
    pub(crate) async fn load(
        &self,
        key: K,
        is_usable: impl Fn(&V) -> bool,
        loading: impl Future<Output = Result<Arc<V>>>,
    ) -> Result<Arc<V>> {
        let known = || self.get(&key).filter(|value| is_usable(value));
        if let Some(value) = known() {
            return Ok(value);
        }
        let load = self.loads.join(key.clone());
        // Boxed, so that callers that find a value do not reserve the memory of a query.
        let loading = Box::pin(loading);
        let run = async {
            // Another load may have ended since the caller found nothing.
            let result = match known() {
                Some(value) => Ok(value),
                None => loading.await.inspect(|value| self.insert(key.clone(), Arc::clone(value))),
            };
            self.loads.remove(&key);
            result
        };
        let loaded = load.get_or_init(|| run).await;
        loaded.as_ref().map(Arc::clone).map_err(Error::clone_for_waiter)
    }

    /// Removes the entries whose keys are outdated.
    pub(crate) fn remove(&self, is_outdated: impl Fn(&K) -> bool) {
        self.entries.retain(|key, _| !is_outdated(key));
    }
}

#[cfg(test)]
mod tests {
    use std::{
        future::pending,
        sync::atomic::{AtomicUsize, Ordering},
        time::Duration,
    };

    use tokio::{join, task::yield_now, time::timeout};

    use super::*;

    async fn load(
        cache: &Cache<u8, u32>,
        loading: impl Future<Output = Result<u32>>,
    ) -> Result<Arc<u32>> {
        cache.load(1, |_| true, async { loading.await.map(Arc::new) }).await
    }

    #[tokio::test]
    async fn callers_share_a_load_and_its_failure_which_is_not_cached() {
        let cache = Cache::of_entries(10);
        let loads = AtomicUsize::new(0);
        let count = async |result| {
            loads.fetch_add(1, Ordering::Relaxed);
            yield_now().await;
            result
        };
        let fail = || load(&cache, count(Err(Error::overloaded("down"))));
        let (first, second) = join!(fail(), fail());
        assert_eq!((first.unwrap_err().status(), second.unwrap_err().status()), (503, 503));
        assert_eq!(loads.load(Ordering::Relaxed), 1);

        let (first, second) = join!(load(&cache, count(Ok(1))), load(&cache, count(Ok(2))));
        assert_eq!((*first.unwrap(), *second.unwrap()), (1, 1));
        assert_eq!(*load(&cache, count(Ok(3))).await.unwrap(), 1, "cached");
        assert_eq!(loads.load(Ordering::Relaxed), 2);
    }

    #[tokio::test]
    async fn callers_that_wait_for_an_abandoned_one_load_themselves() {
        let cache = Cache::of_entries(10);
        let abandoned = timeout(Duration::from_millis(1), load(&cache, pending()));
        let (abandoned, second) = join!(abandoned, load(&cache, async { Ok(2) }));
        abandoned.unwrap_err();
        assert_eq!(*second.unwrap(), 2);
    }

    #[tokio::test]
    async fn an_unusable_value_stays_until_another_replaces_it() {
        let cache = Cache::of_entries(10);
        cache.insert(1, Arc::new(1));
        let failed = cache.load(1, |_| false, async { Err(Error::overloaded("down")) }).await;
        failed.unwrap_err();
        assert_eq!(cache.get(&1).as_deref(), Some(&1));
        cache.load(1, |value| *value > 1, async { Ok(Arc::new(2)) }).await.unwrap();
        assert_eq!(cache.get(&1).as_deref(), Some(&2));
    }
}
