//! Timing of functions that are too fast for a single clock reading.

use std::{hint::black_box, time::Duration};

use rustix::time::{ClockId, clock_gettime};

/// The minimum duration of a sample.
const SAMPLE_TIME: Duration = Duration::from_millis(20);

/// The number of samples, unless they take longer than [`TIME_MAX`].
const SAMPLES: usize = 41;

/// The number of samples of a call that takes long.
const SAMPLES_MIN: usize = 5;

/// After this time, no more samples than [`SAMPLES_MIN`] are taken.
const TIME_MAX: Duration = Duration::from_secs(2);

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
    let mut samples: Vec<Duration> = Vec::new();
    while samples.len() < SAMPLES_MIN
        || samples.len() < SAMPLES && samples.iter().sum::<Duration>() < TIME_MAX
    {
        samples.push(sample(calls));
    }
    samples.sort_unstable();
    samples[samples.len() / 2].as_secs_f64() * 1e6 / f64::from(calls)
}

/// Returns the processor time of this thread, which does not advance while other threads use the
/// core.
fn now() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().unwrap_or_default()
}
