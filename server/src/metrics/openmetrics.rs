//! The metrics in the format `OpenMetrics` 1.0, which has exemplars.

use std::slice;

use http::{HeaderMap, header};
use prometheus::{
    TextEncoder,
    proto::{MetricFamily, MetricType},
};

use super::exemplars::Exemplars;

pub(super) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The media type in the header `Accept`.
const MEDIA_TYPE: &str = "application/openmetrics-text";

/// Returns whether the caller accepts `OpenMetrics` and does not prefer the text format of Prometheus.
pub(super) fn is_accepted(headers: &HeaderMap) -> bool {
    let quality_of = |media_type: &str| {
        let accepted =
            headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
        let ranges = accepted.flat_map(|value| value.split(','));
        ranges.filter_map(|range| quality(range, media_type)).fold(0.0, f32::max)
    };
    let quality = quality_of(MEDIA_TYPE);
    quality > 0.0 && quality >= quality_of("text/plain")
}

/// Returns the quality of a media range of the header `Accept`, if it is for `media_type`.
fn quality(range: &str, media_type: &str) -> Option<f32> {
    let mut parts = range.split(';').map(str::trim);
    parts.next().filter(|accepted| accepted.eq_ignore_ascii_case(media_type))?;
    let quality = parts.find_map(|part| part.strip_prefix("q=")).map_or(Ok(1.0), str::parse);
    Some(quality.unwrap_or_default())
}

/// Returns the metrics with the exemplars of their histograms. The samples are those of the text format.
///
/// # Errors
/// Returns an error if a metric cannot be written.
pub(super) fn encode(
    families: &[MetricFamily],
    exemplars: &Exemplars,
) -> Result<String, prometheus::Error> {
    let mut text = String::new();
    for family in families {
        let (name, kind) = name_and_type(family);
        // The help texts are constants without characters that are escaped.
        text.extend(["# HELP ", name, " ", family.help(), "\n# TYPE ", name, " ", kind, "\n"]);
        let samples = TextEncoder::new().encode_to_string(slice::from_ref(family))?;
        for sample in samples.lines().filter(|line| !line.starts_with('#')) {
            text.push_str(sample);
            let series = sample.rsplit_once(' ').map_or(sample, |(series, _)| series);
            if let Some(exemplar) = exemplars.text(series) {
                text.extend([" ", &exemplar]);
            }
            text.push('\n');
        }
    }
    text.push_str("# EOF\n");
    Ok(text)
}

/// Returns the name and the type of a family. The name of a counter has no suffix, but its samples have `_total`.
fn name_and_type(family: &MetricFamily) -> (&str, &'static str) {
    let name = family.name();
    match (family.get_field_type(), name.strip_suffix("_total")) {
        (MetricType::COUNTER, Some(stem)) => (stem, "counter"),
        (MetricType::GAUGE, _) => (name, "gauge"),
        (MetricType::HISTOGRAM, _) => (name, "histogram"),
        _ => (name, "unknown"),
    }
}

#[cfg(test)]
mod tests {
    use opentelemetry::TraceId;
    use prometheus::{Histogram, IntCounter, IntGauge, Registry};

    use super::*;
    use crate::metrics::histogram::HistogramKind;

    fn accepts(accept: &'static str) -> bool {
        is_accepted(&HeaderMap::from_iter([(header::ACCEPT, accept.parse().unwrap())]))
    }

    #[test]
    fn openmetrics_is_negotiated() {
        // The header of Prometheus.
        assert!(accepts(
            "application/openmetrics-text;version=1.0.0;q=0.5,\
             application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2"
        ));
        assert!(accepts("application/openmetrics-text"));
        for accept in ["*/*", "text/plain", "application/openmetrics-text;q=0", "application/json"]
        {
            assert!(!accepts(accept), "{accept}");
        }
        assert!(!accepts("application/openmetrics-text; q=0.3, text/plain; q=0.5"));
        assert!(!is_accepted(&HeaderMap::new()));
    }

    #[test]
    fn samples_follow_the_format_and_buckets_have_exemplars() {
        let kind = HistogramKind { name: "work_seconds", help: "Work.", buckets: &[0.5, 1.0] };
        let histogram = Histogram::with_opts(kind.opts()).unwrap();
        let counter = IntCounter::new("calls_total", "Calls.").unwrap();
        let info = IntCounter::new("build_info", "Always 1.").unwrap();
        let gauge = IntGauge::new("size", "Size.").unwrap();
        let registry = Registry::new();
        registry.register(Box::new(histogram.clone())).unwrap();
        registry.register(Box::new(counter.clone())).unwrap();
        registry.register(Box::new(info)).unwrap();
        registry.register(Box::new(gauge)).unwrap();
        counter.inc();
        let exemplars = Exemplars::default();
        for (value, trace) in
            [(0.25, Some(1_u128)), (0.5, None), (0.75, Some(2)), (1.0, Some(3)), (2.0, Some(4))]
        {
            histogram.observe(value);
            exemplars.record(&kind, &[], value, trace.map(TraceId::from));
        }
        let text = encode(&registry.gather(), &exemplars).unwrap();
        // The time of an exemplar is its last word.
        let without_time = |line: &str| match line.split_once(" # ") {
            Some(_) => line.rsplit_once(' ').unwrap().0.to_owned(),
            None => line.to_owned(),
        };
        let lines: Vec<String> = text.lines().map(without_time).collect();
        assert_eq!(
            lines,
            [
                "# HELP build_info Always 1.",
                "# TYPE build_info unknown",
                "build_info 0",
                "# HELP calls Calls.",
                "# TYPE calls counter",
                "calls_total 1",
                "# HELP size Size.",
                "# TYPE size gauge",
                "size 0",
                "# HELP work_seconds Work.",
                "# TYPE work_seconds histogram",
                "work_seconds_bucket{le=\"0.5\"} 2 # {trace_id=\"00000000000000000000000000000001\"} 0.25",
                "work_seconds_bucket{le=\"1\"} 4 # {trace_id=\"00000000000000000000000000000003\"} 1",
                "work_seconds_bucket{le=\"+Inf\"} 5 # {trace_id=\"00000000000000000000000000000004\"} 2",
                "work_seconds_sum 4.5",
                "work_seconds_count 5",
                "# EOF",
            ]
        );
    }
}
