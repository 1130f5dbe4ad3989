//! A load generator for HTTP/1.1 over keep-alive connections.
//!
//! The README says why no published generator serves.

mod closed_loop;
mod open_loop;

use std::time::Duration;

use hdrhistogram::Histogram;

pub(crate) use self::{
    closed_loop::{ClosedLoop, StopAfter},
    open_loop::OpenLoop,
};

/// The result of a load generator run.
#[derive(Clone, Debug)]
pub(crate) struct LoadResult {
    /// The number of responses received within `elapsed`.
    responses: u64,
    /// The number of responses outside the measured period.
    unmeasured: u64,
    /// The measured period.
    elapsed: Duration,
    /// The latency of each response in microseconds.
    latency: Histogram<u64>,
}

impl LoadResult {
    pub(crate) fn new() -> Self {
        let latency = Histogram::new_with_bounds(1, 60_000_000, 3);
        let latency = latency.unwrap_or_else(|_| unreachable!("the bounds are constants"));
        Self { responses: 0, unmeasured: 0, elapsed: Duration::ZERO, latency }
    }

    /// Records a response with the given latency.
    pub(crate) fn record(&mut self, latency: Duration) {
        self.responses += 1;
        self.latency.saturating_record(u64::try_from(latency.as_micros()).unwrap_or(u64::MAX));
    }

    /// Adds the responses of another connection.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.responses += other.responses;
        self.latency += &other.latency;
    }

    /// Returns the 99th percentile of the latency in milliseconds.
    pub(crate) fn p99_ms(&self) -> f64 {
        self.quantile_ms(0.99)
    }

    /// Returns the number of all responses, measured or not.
    pub(crate) fn total(&self) -> u64 {
        self.unmeasured + self.responses
    }

    /// Returns the measured responses per second.
    pub(crate) fn rate(&self) -> f64 {
        self.responses as f64 / self.elapsed.as_secs_f64()
    }

    /// Returns the latency quantile `share` (0 to 1) in milliseconds.
    pub(crate) fn quantile_ms(&self, share: f64) -> f64 {
        self.latency.value_at_quantile(share) as f64 / 1e3
    }
}
