//! Exemplars: for each bucket of a histogram, the trace of its last traced observation (`docs/TRACES.md`).

use std::{
    collections::HashMap,
    fmt::Write as _,
    sync::{Mutex, PoisonError},
};

use contract::time::Timestamp;
use governance::base::clock::Clock;
use opentelemetry::TraceId;

use super::histogram::HistogramKind;

/// The exemplars by series, which is the name of the bucket with its labels. Their number is bounded by that of the
/// series.
#[derive(Debug, Default)]
pub(super) struct Exemplars(Mutex<HashMap<String, Exemplar>>);

#[derive(Clone, Copy, Debug)]
struct Exemplar {
    trace_id: TraceId,
    value: f64,
    time: Timestamp,
}

impl Exemplars {
    /// Stores an observation in the histogram `kind` with these labels, in alphabetical order, if it is traced.
    pub(super) fn record(
        &self,
        kind: &HistogramKind,
        labels: &[(&str, &str)],
        value: f64,
        trace_id: Option<TraceId>,
    ) {
        let Some(trace_id) = trace_id else { return };
        let series = series(kind, labels, value);
        let exemplar = Exemplar { trace_id, value, time: Clock::System.now() };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(series, exemplar);
    }

    /// Returns the exemplar of a series as `OpenMetrics` text.
    pub(super) fn text(&self, series: &str) -> Option<String> {
        let exemplars = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Exemplar { trace_id, value, time } = *exemplars.get(series)?;
        let (seconds, millis) = (time.millis() / 1_000, time.millis() % 1_000);
        Some(format!("# {{trace_id=\"{trace_id}\"}} {value} {seconds}.{millis:03}"))
    }
}

/// Returns the series of the bucket of `value`, as the text encoder writes it.
fn series(kind: &HistogramKind, labels: &[(&str, &str)], value: f64) -> String {
    let mut series = format!("{}_bucket{{", kind.name);
    for (name, label) in labels {
        let _ = write!(series, "{name}=\"{label}\",");
    }
    let bound = kind.buckets.iter().find(|bound| value <= **bound);
    let _ = match bound {
        Some(bound) => write!(series, "le=\"{bound}\"}}"),
        None => write!(series, "le=\"+Inf\"}}"),
    };
    series
}
