//! The histograms of the process.

use prometheus::HistogramOpts;

/// The definition of a histogram.
#[derive(Debug)]
pub(super) struct HistogramKind {
    pub(super) name: &'static str,
    pub(super) help: &'static str,
    /// The upper bounds of the buckets, ascending.
    pub(super) buckets: &'static [f64],
}

impl HistogramKind {
    pub(super) fn opts(&self) -> HistogramOpts {
        HistogramOpts::new(self.name, self.help).buckets(self.buckets.to_vec())
    }
}

/// Buckets of request durations in seconds, from 0.1 ms to 10 s.
const REQUEST_SECONDS: &[f64] =
    &[0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0];

/// Buckets of computation times in seconds, from 1 µs to 100 ms.
const WORK_SECONDS: &[f64] = &[
    0.000_001,
    0.000_002_5,
    0.000_005,
    0.000_01,
    0.000_025,
    0.000_05,
    0.000_1,
    0.000_25,
    0.000_5,
    0.001,
    0.01,
    0.1,
];

pub(super) const REQUEST: HistogramKind = HistogramKind {
    name: "govern_http_request_duration_seconds",
    help: "Time from the complete request head to the response head.",
    buckets: REQUEST_SECONDS,
};

pub(super) const EVALUATION: HistogramKind = HistogramKind {
    name: "govern_evaluation_seconds",
    help: "Duration of one evaluation.",
    buckets: WORK_SECONDS,
};

pub(super) const RECORD: HistogramKind = HistogramKind {
    name: "govern_record_seconds",
    help: "Time from evaluation to commit of a decision.",
    buckets: REQUEST_SECONDS,
};

/// Its buckets reach up to the maximum.
pub(super) const GROUP: HistogramKind = HistogramKind {
    name: "govern_record_group_records",
    help: "Decisions recorded per transaction. A value near the maximum means that records wait \
           for the database.",
    buckets: &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0],
};

pub(super) const SIGNING: HistogramKind = HistogramKind {
    name: "govern_signing_seconds",
    help: "Duration of one signature, including its verification.",
    buckets: WORK_SECONDS,
};
