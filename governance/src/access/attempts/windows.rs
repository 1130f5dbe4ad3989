//! Failure counters of this process, in bounded memory.

use std::collections::HashMap;

use super::{Counter, Exhausted, Step};

/// The maximum number of stored counters, a few megabytes.
const WINDOWS_MAX: usize = 100_000;

#[derive(Debug, Default)]
pub(super) struct Windows(HashMap<u128, Window>);

/// The failures of one counter since `start_ms`.
#[derive(Clone, Copy, Debug)]
struct Window {
    start_ms: i64,
    length_ms: i64,
    failures: u32,
}

impl Window {
    /// Returns whether the window is open. A clock moved back by more than the window length also ends
    /// it.
    fn is_open(&self, now_ms: i64) -> bool {
        now_ms.abs_diff(self.start_ms) < self.length_ms.unsigned_abs()
    }
}

impl Windows {
    pub(super) fn check(
        &mut self,
        counters: &[Counter],
        step: Step,
        now_ms: i64,
    ) -> Result<(), Exhausted> {
        let exhausted = counters.iter().filter_map(|counter| {
            let window = self.0.get(&counter.key).filter(|window| window.is_open(now_ms))?;
            let is_exhausted = window.failures >= counter.failures_max;
            is_exhausted.then(|| window.start_ms.saturating_add(window.length_ms) - now_ms)
        });
        if let Some(wait_ms) = exhausted.max() {
            return Err(Exhausted { wait_ms });
        }
        if step == Step::Take {
            for counter in counters {
                self.add(counter, now_ms);
            }
        }
        Ok(())
    }

    pub(super) fn give_back(&mut self, counters: &[Counter]) {
        for counter in counters {
            if let Some(window) = self.0.get_mut(&counter.key) {
                window.failures = window.failures.saturating_sub(1);
            }
        }
    }

    fn add(&mut self, counter: &Counter, now_ms: i64) {
        if self.0.len() >= WINDOWS_MAX && !self.0.contains_key(&counter.key) {
            self.make_room(now_ms);
        }
        let new_window = Window { start_ms: now_ms, length_ms: counter.window_ms, failures: 0 };
        let window = self.0.entry(counter.key).or_insert(new_window);
        if !window.is_open(now_ms) {
            *window = new_window;
        }
        window.failures = window.failures.saturating_add(1);
    }

    /// Removes ended windows. If that is not enough, removes the half with the fewest failures, so that
    /// a flood of new counters does not remove an exhausted one.
    fn make_room(&mut self, now_ms: i64) {
        self.0.retain(|_, window| window.is_open(now_ms) && window.failures > 0);
        if self.0.len() > WINDOWS_MAX / 2 {
            let mut failures: Vec<u32> = self.0.values().map(|window| window.failures).collect();
            let (_, median, _) = failures.select_nth_unstable(WINDOWS_MAX / 2);
            let median = *median;
            self.0.retain(|_, window| window.failures > median);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counter(key: u128, failures_max: u32, window_ms: i64) -> Counter {
        Counter { key, failures_max, window_ms }
    }

    #[test]
    fn attempt_counts_in_all_counters_or_in_none() {
        let mut windows = Windows::default();
        let (small, large) = (counter(1, 1, 1_000), counter(2, 3, 9_000));
        let both = [large, small];
        assert_eq!(windows.check(&both, Step::Look, 0), Ok(()));
        assert_eq!(windows.check(&both, Step::Take, 0), Ok(()));
        assert_eq!(windows.check(&both, Step::Take, 400), Err(Exhausted { wait_ms: 600 }));
        // The refused attempt did not count in the large counter.
        assert_eq!(windows.check(&[large], Step::Take, 400), Ok(()));
        assert_eq!(windows.check(&both, Step::Take, 1_000), Ok(()));
        assert_eq!(windows.check(&both, Step::Look, 2_000), Err(Exhausted { wait_ms: 7_000 }));
        windows.give_back(&both);
        assert_eq!(windows.check(&both, Step::Take, 2_000), Ok(()));
        assert_eq!(windows.check(&both, Step::Take, 9_000), Ok(()));
    }

    #[test]
    fn clock_moving_backwards_ends_the_window() {
        let mut windows = Windows::default();
        let counters = [counter(1, 1, 1_000)];
        assert_eq!(windows.check(&counters, Step::Take, 1_000_000), Ok(()));
        assert!(windows.check(&counters, Step::Look, 999_500).is_err());
        assert_eq!(windows.check(&counters, Step::Look, 900_000), Ok(()));
    }

    #[test]
    fn many_new_counters_use_bounded_memory_and_keep_exhausted_counters() {
        let mut windows = Windows::default();
        let guessed = [counter(u128::MAX, 5, 1_000)];
        for _ in 0..5 {
            assert_eq!(windows.check(&guessed, Step::Take, 0), Ok(()));
        }
        for key in 0..300_000 {
            assert_eq!(windows.check(&[counter(key, 5, 1_000)], Step::Take, 0), Ok(()));
        }
        assert!(windows.0.len() <= WINDOWS_MAX, "{}", windows.0.len());
        assert!(windows.0.capacity() <= 4 * WINDOWS_MAX, "{}", windows.0.capacity());
        assert!(windows.check(&guessed, Step::Look, 1).is_err());
    }
}
