//! A load generator for HTTP/1.1 over connections that are kept alive.

mod answer;
mod closed;
mod connection;
mod paced;
pub(crate) mod request;

use std::time::Duration;

use hdrhistogram::Histogram;

pub(crate) use self::{
    answer::Answer,
    closed::{Closed, Until},
    connection::Connection,
    paced::Paced,
    request::Request,
};

/// What a run of the generator has seen.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// How many requests were answered within `elapsed`.
    answers: u64,
    /// How many were answered before it, or at its very end.
    earlier: u64,
    /// For how long was measured.
    elapsed: Duration,
    /// How long each answer took, in microseconds.
    latency: Histogram<u64>,
}

impl Seen {
    /// Nothing yet.
    pub(crate) fn new() -> Self {
        let latency = Histogram::new_with_bounds(1, 60_000_000, 3);
        let latency = latency.unwrap_or_else(|_| unreachable!("the bounds are constants"));
        Self { answers: 0, earlier: 0, elapsed: Duration::ZERO, latency }
    }

    /// Counts an answer that took so long.
    pub(crate) fn note(&mut self, took: Duration) {
        self.answers += 1;
        self.latency.saturating_record(u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
    }

    /// Takes in what another connection has seen.
    pub(crate) fn join(&mut self, other: &Self) {
        self.answers += other.answers;
        self.latency += &other.latency;
    }

    /// The latency that 99 in 100 answers did not exceed, in milliseconds.
    pub(crate) fn p99_ms(&self) -> f64 {
        self.quantile_ms(0.99)
    }

    /// How many requests were answered at all.
    pub(crate) fn total(&self) -> u64 {
        self.earlier + self.answers
    }

    /// Answers in a second.
    pub(crate) fn rate(&self) -> f64 {
        self.answers as f64 / self.elapsed.as_secs_f64()
    }

    /// The latency that this share (0 to 1) of the answers did not exceed, in milliseconds.
    pub(crate) fn quantile_ms(&self, share: f64) -> f64 {
        self.latency.value_at_quantile(share) as f64 / 1e3
    }
}
