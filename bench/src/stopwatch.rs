//! How long a function takes that is too quick for a clock.

use std::{hint::black_box, time::Duration};

use rustix::time::{ClockId, clock_gettime};

/// How long one sample is.
const SAMPLE: Duration = Duration::from_millis(20);

/// How many samples are taken.
const SAMPLES: usize = 41;

/// The median processor time of a call of `call`, in microseconds. What is returned counts as used;
/// it is dropped within the time.
pub(crate) fn median_us<T>(mut call: impl FnMut() -> T) -> f64 {
    let mut calls = 1_u32;
    let mut sample = |calls: u32| {
        let since = now();
        for _ in 0..calls {
            black_box(call());
        }
        now().saturating_sub(since)
    };
    // Doubling until a sample is long enough warms caches and branches too.
    while sample(calls) < SAMPLE {
        calls = calls.saturating_mul(2);
    }
    let mut samples: Vec<Duration> = (0..SAMPLES).map(|_| sample(calls)).collect();
    samples.sort_unstable();
    samples[SAMPLES / 2].as_secs_f64() * 1e6 / f64::from(calls)
}

/// The processor time of this thread: it stands still while others have the core.
fn now() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().unwrap_or_default()
}
