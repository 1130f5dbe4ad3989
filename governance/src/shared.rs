//! One look-up for all who wait: whoever asks while one is under way joins the next, so that each
//! look-up begins after everything it answers was asked.

use std::{
    collections::HashMap,
    fmt,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::oneshot;

use crate::error::{Error, Result};

/// What is told to each who asked for a key: its value, if there is one.
type Answer<V> = Result<Option<Arc<V>>>;

/// Those who wait, by what they ask for.
pub(crate) type Waiting<K, V> = HashMap<K, Vec<oneshot::Sender<Answer<V>>>>;

/// Questions that wait for the next look-up.
pub(crate) struct Shared<K, V> {
    state: Mutex<State<K, V>>,
}

struct State<K, V> {
    waiting: Waiting<K, V>,
    is_underway: bool,
}

/// A question that has been asked.
pub(crate) struct Asked<V> {
    answer: oneshot::Receiver<Answer<V>>,
    /// Whether nobody looks up: then who asked must see to it.
    pub(crate) leads: bool,
}

impl<V> Asked<V> {
    /// The answer.
    ///
    /// # Errors
    /// That of the look-up.
    pub(crate) async fn answer(self) -> Answer<V> {
        self.answer.await.unwrap_or_else(|_| Err(Error::overloaded("a look-up gave no answer")))
    }
}

impl<K: Eq + Hash + Clone, V> Shared<K, V> {
    /// Joins the next look-up.
    pub(crate) fn ask(&self, key: K) -> Asked<V> {
        let (reply, answer) = oneshot::channel();
        let mut state = self.state();
        state.waiting.entry(key).or_default().push(reply);
        let leads = !std::mem::replace(&mut state.is_underway, true);
        Asked { answer, leads }
    }

    /// What the next look-up is for: at most `keys_max` keys. Without any, looking up has ended.
    pub(crate) fn next(&self, keys_max: usize) -> Option<Waiting<K, V>> {
        let mut state = self.state();
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

    /// No method panics half way, so the state is whole even if a thread did.
    fn state(&self) -> MutexGuard<'_, State<K, V>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells everybody what was found, or why nothing could be.
pub(crate) fn tell<K: Eq + Hash, V>(waiting: Waiting<K, V>, found: &Result<HashMap<K, Arc<V>>>) {
    for (key, replies) in waiting {
        for reply in replies {
            let answer = match found {
                Ok(found) => Ok(found.get(&key).cloned()),
                Err(error) => Err(error.again()),
            };
            // Nobody waits any more when the caller has left.
            drop(reply.send(answer));
        }
    }
}

impl<K, V> Default for Shared<K, V> {
    fn default() -> Self {
        Self { state: Mutex::new(State { waiting: HashMap::new(), is_underway: false }) }
    }
}

impl<K, V> fmt::Debug for Shared<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(keys: &[u8]) -> HashMap<u8, Arc<u8>> {
        keys.iter().map(|key| (*key, Arc::new(key * 10))).collect()
    }

    #[tokio::test]
    async fn whoever_asks_during_a_look_up_is_answered_by_the_next() {
        let shared = Shared::default();
        let first = shared.ask(1);
        assert!(first.leads);
        let under_way = shared.next(9).unwrap();
        let (second, third) = (shared.ask(1), shared.ask(2));
        assert!(!second.leads && !third.leads, "somebody looks up already");
        tell(under_way, &Ok(found(&[1])));
        assert_eq!(first.answer().await.unwrap().as_deref(), Some(&10));
        let next = shared.next(9).unwrap();
        assert_eq!(next.len(), 2);
        tell(next, &Ok(found(&[1])));
        assert_eq!(second.answer().await.unwrap().as_deref(), Some(&10));
        assert_eq!(third.answer().await.unwrap(), None, "there is none");
        assert!(shared.next(9).is_none());
        assert!(shared.ask(3).leads, "looking up had ended");
    }

    #[tokio::test]
    async fn an_error_is_told_to_all_and_a_look_up_that_vanished_is_one() {
        let shared = Shared::<u8, u8>::default();
        let asked = [shared.ask(1), shared.ask(1), shared.ask(2)];
        tell(shared.next(9).unwrap(), &Err(Error::overloaded("too much")));
        for asked in asked {
            assert!(matches!(asked.answer().await, Err(Error::Unavailable { .. })));
        }
        let asked = shared.ask(1);
        drop(shared.next(9));
        assert!(matches!(asked.answer().await, Err(Error::Unavailable { .. })));
    }

    #[test]
    fn a_look_up_has_a_bound_and_what_is_beyond_it_comes_next() {
        let shared = Shared::<u8, u8>::default();
        let asked: Vec<_> = (0..5).map(|key| shared.ask(key)).collect();
        let sizes = std::iter::from_fn(|| shared.next(2)).map(|next| next.len());
        assert_eq!(sizes.collect::<Vec<_>>(), [2, 2, 1]);
        drop(asked);
    }
}
