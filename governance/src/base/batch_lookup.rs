//! Batches concurrent look-ups. A request that arrives during a look-up joins the next one, so every
//! result is at least as fresh as its request.

use std::{collections::HashMap, hash::Hash, sync::Arc};

use parking_lot::Mutex;
use tokio::sync::oneshot;

use crate::base::error::{Error, Result};

/// The result for one key: its value, if it exists.
type LookupResult<V> = Result<Option<Arc<V>>>;

pub(crate) type Waiters<K, V> = HashMap<K, Vec<oneshot::Sender<LookupResult<V>>>>;

/// The requests that wait for the next look-up.
#[derive(derive_more::Debug)]
#[debug("BatchLookup {{ .. }}")]
pub(crate) struct BatchLookup<K, V> {
    state: Mutex<State<K, V>>,
}

struct State<K, V> {
    waiting: Waiters<K, V>,
    is_underway: bool,
}

/// A request that has joined a look-up.
pub(crate) struct PendingLookup<V> {
    receiver: oneshot::Receiver<LookupResult<V>>,
    /// Whether no look-up is running. The caller must then start one.
    pub(crate) is_leader: bool,
}

impl<V> PendingLookup<V> {
    /// Waits for the result.
    ///
    /// # Errors
    /// Returns the error of the look-up.
    pub(crate) async fn result(self) -> LookupResult<V> {
        self.receiver
            .await
            .unwrap_or_else(|_| Err(Error::overloaded("a look-up returned no result")))
    }
}

impl<K: Eq + Hash + Clone, V> BatchLookup<K, V> {
    pub(crate) fn join(&self, key: K) -> PendingLookup<V> {
        let (sender, receiver) = oneshot::channel();
        let mut state = self.state.lock();
        state.waiting.entry(key).or_default().push(sender);
        let is_leader = !std::mem::replace(&mut state.is_underway, true);
        PendingLookup { receiver, is_leader }
    }

    /// Takes the requests of the next look-up, at most `keys_max` keys. Returns `None` and ends the
    /// batch when no request waits.
    pub(crate) fn next(&self, keys_max: usize) -> Option<Waiters<K, V>> {
        let mut state = self.state.lock();
        if state.waiting.is_empty() {
            state.is_underway = false;
            return None;
        }
        let mut next = std::mem::take(&mut state.waiting);
        if next.len() > keys_max {
            let over: Vec<K> = next.keys().skip(keys_max).cloned().collect();
            state.waiting = over.into_iter().filter_map(|key| next.remove_entry(&key)).collect();
        }
        Some(next)
    }
}

/// Sends every waiting request its value or the error of the look-up.
pub(crate) fn resolve<K: Eq + Hash, V>(
    waiting: Waiters<K, V>,
    values: &Result<HashMap<K, Arc<V>>>,
) {
    for (key, senders) in waiting {
        for sender in senders {
            let result = match values {
                Ok(values) => Ok(values.get(&key).cloned()),
                Err(error) => Err(error.clone_for_waiter()),
            };
            // Sending fails if the caller has disconnected.
            drop(sender.send(result));
        }
    }
}

impl<K, V> Default for BatchLookup<K, V> {
    fn default() -> Self {
        Self { state: Mutex::new(State { waiting: HashMap::new(), is_underway: false }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(keys: &[u8]) -> HashMap<u8, Arc<u8>> {
        keys.iter().map(|key| (*key, Arc::new(key * 10))).collect()
    }

    #[tokio::test]
    async fn request_during_lookup_joins_next_lookup() {
        let lookups = BatchLookup::default();
        let first = lookups.join(1);
        assert!(first.is_leader);
        let running = lookups.next(9).unwrap();
        let (second, third) = (lookups.join(1), lookups.join(2));
        assert!(!second.is_leader && !third.is_leader, "a look-up is running");
        resolve(running, &Ok(values(&[1])));
        assert_eq!(first.result().await.unwrap().as_deref(), Some(&10));
        let next = lookups.next(9).unwrap();
        assert_eq!(next.len(), 2);
        resolve(next, &Ok(values(&[1])));
        assert_eq!(second.result().await.unwrap().as_deref(), Some(&10));
        assert_eq!(third.result().await.unwrap(), None, "the key does not exist");
        assert!(lookups.next(9).is_none());
        assert!(lookups.join(3).is_leader, "the batch has ended");
    }

    #[tokio::test]
    async fn lookup_error_and_cancelled_lookup_reach_all_waiters() {
        let lookups = BatchLookup::<u8, u8>::default();
        let pending = [lookups.join(1), lookups.join(1), lookups.join(2)];
        resolve(lookups.next(9).unwrap(), &Err(Error::overloaded("too much")));
        for pending in pending {
            assert!(matches!(pending.result().await, Err(Error::Unavailable { .. })));
        }
        let pending = lookups.join(1);
        drop(lookups.next(9));
        assert!(matches!(pending.result().await, Err(Error::Unavailable { .. })));
    }

    #[test]
    fn lookup_is_limited_and_remaining_keys_wait_for_the_next() {
        let lookups = BatchLookup::<u8, u8>::default();
        let pending: Vec<_> = (0..5).map(|key| lookups.join(key)).collect();
        let sizes = std::iter::from_fn(|| lookups.next(2)).map(|next| next.len());
        assert_eq!(sizes.collect::<Vec<_>>(), [2, 2, 1]);
        drop(pending);
    }
}
