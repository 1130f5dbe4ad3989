//! Request counters of many callers with a window of one minute each, in bounded memory.
//!
//! A fixed window fits the rate limit headers better than a leaky bucket: it has a limit, a remaining count
//! and one reset time. A window starts with the first request of its caller.

use std::{
    collections::{HashMap, hash_map::Entry},
    fmt::Debug,
    hash::{BuildHasher, Hash, RandomState},
    sync::{Mutex, PoisonError},
};

use crate::edge::quota::Quota;

/// The length of a window, in milliseconds.
pub(super) const WINDOW_MS: i64 = 60_000;

/// The number of shards. Requests of different callers rarely wait for each other.
const SHARDS: usize = 32;

/// The maximum number of callers of a shard: about 100,000 in all, in a few megabytes.
const SHARD_MAX: usize = 4_096;

#[derive(Debug)]
pub(super) struct FixedWindowCounters<K> {
    limit: u32,
    hasher: RandomState,
    shards: [Mutex<HashMap<K, Window>>; SHARDS],
}

/// The requests of one caller since `start_ms`.
#[derive(Clone, Copy, Debug)]
struct Window {
    start_ms: i64,
    count: u32,
}

impl Window {
    /// Returns whether the window is current. It also ends if the clock is set back by more than a window, so
    /// that a wrong clock cannot block callers.
    fn is_open(self, now_ms: i64) -> bool {
        now_ms.abs_diff(self.start_ms) < WINDOW_MS.unsigned_abs()
    }
}

impl<K: Copy + Debug + Eq + Hash> FixedWindowCounters<K> {
    pub(super) fn new(limit: u32) -> Self {
        Self {
            limit,
            hasher: RandomState::new(),
            shards: std::array::from_fn(|_| Mutex::default()),
        }
    }

    /// Returns the maximum number of requests of a caller within a window.
    pub(super) fn limit(&self) -> u32 {
        self.limit
    }

    /// Counts `cost` requests and returns the quota. Requests beyond the limit are not counted, and their quota is
    /// the error.
    pub(super) fn count(&self, key: K, cost: u32, now_ms: i64) -> Result<Quota, Quota> {
        let mut shard = self.shard(&key).lock().unwrap_or_else(PoisonError::into_inner);
        if shard.len() >= SHARD_MAX && !shard.contains_key(&key) {
            evict(&mut shard, now_ms);
        }
        let fresh = Window { start_ms: now_ms, count: 0 };
        let window = match shard.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(vacant) => vacant.insert(fresh),
        };
        if !window.is_open(now_ms) {
            *window = fresh;
        }
        let count = window.count.saturating_add(cost);
        let is_within = count <= self.limit;
        if is_within {
            window.count = count;
        }
        let quota = Quota {
            limit: self.limit,
            remaining: self.limit - window.count,
            reset_ms: window.start_ms.saturating_add(WINDOW_MS),
        };
        if is_within { Ok(quota) } else { Err(quota) }
    }

    fn shard(&self, key: &K) -> &Mutex<HashMap<K, Window>> {
        let index = usize::try_from(self.hasher.hash_one(key) % SHARDS as u64).unwrap_or_default();
        &self.shards[index]
    }
}

/// Removes callers without a current window. If that is not enough, it also removes those with the fewest
/// requests. A flood of new addresses therefore does not reset a caller that has used up its limit.
fn evict<K: Eq + Hash>(shard: &mut HashMap<K, Window>, now_ms: i64) {
    shard.retain(|_, window| window.is_open(now_ms));
    if shard.len() > SHARD_MAX / 2 {
        let mut counts: Vec<u32> = shard.values().map(|window| window.count).collect();
        let (_, median, _) = counts.select_nth_unstable(SHARD_MAX / 2);
        let median = *median;
        shard.retain(|_, window| window.count > median);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry_count<K>(windows: &FixedWindowCounters<K>) -> usize {
        windows.shards.iter().map(|shard| shard.lock().unwrap().len()).sum()
    }

    fn capacity<K>(windows: &FixedWindowCounters<K>) -> usize {
        windows.shards.iter().map(|shard| shard.lock().unwrap().capacity()).sum()
    }

    #[test]
    fn window_counts_down_and_restarts_after_a_minute() {
        let windows = FixedWindowCounters::new(2);
        let quota = |remaining, reset_ms| Quota { limit: 2, remaining, reset_ms };
        assert_eq!(windows.count('a', 1, 1_000), Ok(quota(1, 61_000)));
        assert_eq!(windows.count('a', 1, 60_000), Ok(quota(0, 61_000)));
        assert_eq!(windows.count('a', 1, 60_999), Err(quota(0, 61_000)));
        assert_eq!(windows.count('b', 1, 60_999), Ok(quota(1, 120_999)));
        assert_eq!(windows.count('a', 1, 61_000), Ok(quota(1, 121_000)));
    }

    #[test]
    fn requests_that_do_not_all_fit_are_not_counted() {
        let windows = FixedWindowCounters::new(5);
        let remaining = |result: Result<Quota, Quota>| result.map(|quota| quota.remaining);
        assert_eq!(remaining(windows.count('a', 3, 0)), Ok(2));
        assert_eq!(windows.count('a', 3, 0).unwrap_err().remaining, 2);
        assert_eq!(remaining(windows.count('a', 2, 0)), Ok(0));
        assert_eq!(windows.count('a', u32::MAX, 0).unwrap_err().remaining, 0);
    }

    #[test]
    fn clock_moving_backwards_does_not_block_callers() {
        let windows = FixedWindowCounters::new(1);
        windows.count('a', 1, 1_000_000).unwrap();
        windows.count('a', 1, 999_999).unwrap_err();
        windows.count('a', 1, 900_000).unwrap();
    }

    #[test]
    fn million_callers_use_bounded_memory() {
        let windows = FixedWindowCounters::new(100);
        for _ in 0..100 {
            windows.count(u32::MAX, 1, 0).unwrap();
        }
        for caller in 0..1_000_000 {
            windows.count(caller, 1, 0).unwrap();
        }
        assert!(entry_count(&windows) <= SHARDS * SHARD_MAX);
        assert!(capacity(&windows) <= 4 * SHARDS * SHARD_MAX, "{}", capacity(&windows));
        // The flood of other callers does not reset a caller that has used up its limit.
        windows.count(u32::MAX, 1, 1).unwrap_err();
    }

    #[test]
    fn flood_of_callers_at_their_limit_uses_bounded_memory() {
        let windows = FixedWindowCounters::new(1);
        for caller in 0..300_000_u32 {
            windows.count(caller, 1, 0).unwrap();
        }
        assert!(entry_count(&windows) <= SHARDS * SHARD_MAX);
    }
}
