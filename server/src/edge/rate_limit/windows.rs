//! Counts of many callers over a minute each, in a bounded space.
//!
//! A window and not a leaky bucket, because the headers speak of one: so many requests, so many left,
//! all there again at a moment. It begins with a caller's first request.

use std::{
    collections::{HashMap, hash_map::Entry},
    fmt::Debug,
    hash::{BuildHasher, Hash, RandomState},
    sync::{Mutex, PoisonError},
};

use super::Quota;

/// How long a window is, in milliseconds.
pub(super) const WINDOW_MS: i64 = 60_000;

/// Requests of different callers rarely wait for each other.
const SHARDS: usize = 32;

/// How many callers a shard remembers: about 100,000 in all, in a few megabytes.
const SHARD_MAX: usize = 4_096;

/// What each of many callers has sent.
#[derive(Debug)]
pub(super) struct Windows<K> {
    limit: u32,
    hasher: RandomState,
    shards: [Mutex<HashMap<K, Window>>; SHARDS],
}

/// What one caller has sent since `start_ms`.
#[derive(Clone, Copy, Debug)]
struct Window {
    start_ms: i64,
    count: u32,
}

impl Window {
    /// A clock that was set back by more than a window closes it too: nobody is shut out by that.
    fn is_open(self, now_ms: i64) -> bool {
        now_ms.abs_diff(self.start_ms) < WINDOW_MS.unsigned_abs()
    }
}

impl<K: Copy + Debug + Eq + Hash> Windows<K> {
    /// Nobody has sent anything.
    pub(super) fn new(limit: u32) -> Self {
        Self {
            limit,
            hasher: RandomState::new(),
            shards: std::array::from_fn(|_| Mutex::default()),
        }
    }

    /// How many requests a caller may send within a window.
    pub(super) fn limit(&self) -> u32 {
        self.limit
    }

    /// Counts a request; beyond the limit it is not counted, and the error is what the caller met.
    pub(super) fn take(&self, key: K, now_ms: i64) -> Result<Quota, Quota> {
        let mut shard = self.shard(&key).lock().unwrap_or_else(PoisonError::into_inner);
        if shard.len() >= SHARD_MAX && !shard.contains_key(&key) {
            make_room(&mut shard, now_ms);
        }
        let fresh = Window { start_ms: now_ms, count: 0 };
        let window = match shard.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(vacant) => vacant.insert(fresh),
        };
        if !window.is_open(now_ms) {
            *window = fresh;
        }
        let is_within = window.count < self.limit;
        window.count += u32::from(is_within);
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

/// Forgets who has sent nothing for a window; when that is not enough, those who have sent the least.
/// So a flood of new addresses makes no room for an old one that has used up its share.
fn make_room<K: Eq + Hash>(shard: &mut HashMap<K, Window>, now_ms: i64) {
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

    fn remembered<K>(windows: &Windows<K>) -> usize {
        windows.shards.iter().map(|shard| shard.lock().unwrap().len()).sum()
    }

    fn room<K>(windows: &Windows<K>) -> usize {
        windows.shards.iter().map(|shard| shard.lock().unwrap().capacity()).sum()
    }

    #[test]
    fn a_window_counts_down_and_begins_anew() {
        let windows = Windows::new(2);
        let quota = |remaining, reset_ms| Quota { limit: 2, remaining, reset_ms };
        assert_eq!(windows.take('a', 1_000), Ok(quota(1, 61_000)));
        assert_eq!(windows.take('a', 60_000), Ok(quota(0, 61_000)));
        assert_eq!(windows.take('a', 60_999), Err(quota(0, 61_000)));
        assert_eq!(windows.take('b', 60_999), Ok(quota(1, 120_999)));
        assert_eq!(windows.take('a', 61_000), Ok(quota(1, 121_000)));
    }

    #[test]
    fn a_clock_that_is_set_back_shuts_nobody_out() {
        let windows = Windows::new(1);
        windows.take('a', 1_000_000).unwrap();
        windows.take('a', 999_999).unwrap_err();
        windows.take('a', 900_000).unwrap();
    }

    #[test]
    fn a_million_callers_take_bounded_room() {
        let windows = Windows::new(100);
        for _ in 0..100 {
            windows.take(u32::MAX, 0).unwrap();
        }
        for caller in 0..1_000_000 {
            windows.take(caller, 0).unwrap();
        }
        assert!(remembered(&windows) <= SHARDS * SHARD_MAX);
        assert!(room(&windows) <= 4 * SHARDS * SHARD_MAX, "{}", room(&windows));
        // Who had used up the limit before is not let in by the flood.
        windows.take(u32::MAX, 1).unwrap_err();
    }

    #[test]
    fn a_flood_of_callers_who_all_used_their_share_takes_bounded_room_too() {
        let windows = Windows::new(1);
        for caller in 0..300_000_u32 {
            windows.take(caller, 0).unwrap();
        }
        assert!(remembered(&windows) <= SHARDS * SHARD_MAX);
    }
}
