//! Timing of functions that are too fast for a single clock reading.

use std::{hint::black_box, time::Duration};

use rustix::time::{ClockId, clock_gettime};

/// The minimum duration of a sample.
const SAMPLE_TIME: Duration = Duration::from_millis(20);

/// The number of samples.
const SAMPLES: usize = 41;

/// Returns the median processor time of `call` in microseconds, including the time to drop its
/// result.
pub(crate) fn median_us<T>(mut call: impl FnMut() -> T) -> f64 {
    let mut calls = 1_u32;
    let mut sample = |calls: u32| {
        let since = now();
        for _ in 0..calls {
            black_box(call());
        }
        now().saturating_sub(since)
    };
    // Doubling until a sample is long enough also warms caches and branch prediction.
    while sample(calls) < SAMPLE_TIME {
        calls = calls.saturating_mul(2);
    }
    let mut samples: Vec<Duration> = (0..SAMPLES).map(|_| sample(calls)).collect();
    samples.sort_unstable();
    samples[SAMPLES / 2].as_secs_f64() * 1e6 / f64::from(calls)
}

/// Returns the processor time of this thread, which does not advance while other threads use the
/// core.
fn now() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().unwrap_or_default()
}
