//! Metrics of the process, and the endpoint where operators read them.
//!
//! Names follow the conventions of Prometheus. Labels have few values: the route template instead of the
//! path, the status class in addition to the status, and a limited number of tenants.

pub mod endpoint;
mod process;
mod tenants;

use std::sync::Arc;

use contract::{evaluation::Verdict, time::Timestamp};
use governance::{
    Governance,
    base::observe::{Observed, Observer},
    proof::transparency_log::Backlog,
};
use http::{Method, StatusCode};
use prometheus::{
    Gauge, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge,
    IntGaugeVec, Opts, Registry, TextEncoder, core::Collector,
};

use self::{process::Process, tenants::Tenants};

/// Buckets of request durations in seconds, from 0.1 ms to 10 s.
const REQUEST_SECONDS: [f64; 14] =
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0];

/// Buckets of computation times in seconds, from 1 µs to 100 ms.
const WORK_SECONDS: [f64; 12] = [
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

/// Buckets of the records per transaction, up to the maximum.
const GROUP_RECORDS: [f64; 7] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

/// The metrics of this process. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Metrics(Arc<MetricFamilies>);

#[derive(Debug)]
struct MetricFamilies {
    registry: Registry,
    requests: IntCounterVec,
    request_seconds: HistogramVec,
    rejections: IntCounterVec,
    decisions: IntCounterVec,
    evaluation_seconds: Histogram,
    record_seconds: Histogram,
    group_records: Histogram,
    signing_seconds: Histogram,
    process: Process,
    in_flight: IntGauge,
    connections: IntGaugeVec,
    connections_max: IntGauge,
    routed_reads: IntCounterVec,
    log_size: IntGauge,
    log_entries: IntCounter,
    log_pending: IntGauge,
    log_oldest_seconds: Gauge,
    log_halted: IntGauge,
    tenants: Tenants,
}

/// The reason why a request was rejected before its handler ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EarlyRejection {
    /// The address has reached its rate limit.
    Address,
    /// The key or the user has reached its rate limit.
    Caller,
    /// Too many requests use the database.
    Overload,
}

impl EarlyRejection {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Address => "rate_limit_address",
            Self::Caller => "rate_limit_caller",
            Self::Overload => "overload",
        }
    }
}

#[derive(Debug)]
pub(crate) struct CompletedRequest<'a> {
    pub(crate) method: &'a Method,
    pub(crate) route: &'a str,
    pub(crate) status: StatusCode,
    pub(crate) seconds: f64,
}

impl Metrics {
    /// Creates metrics that start at zero. `now` is the start of the process.
    ///
    /// # Errors
    /// Returns an error if two metrics have the same name.
    pub fn new(now: Timestamp) -> Result<Self, prometheus::Error> {
        Ok(Self(Arc::new(MetricFamilies::new(now)?)))
    }

    /// Returns the observer that counts the events of the use cases.
    pub fn observer(&self) -> Observer {
        let metrics = self.clone();
        Observer::new(move |observed| metrics.observe(observed))
    }

    pub(crate) fn count_request(&self, request: &CompletedRequest<'_>) {
        let CompletedRequest { method, route, status, seconds } = request;
        let (method, class) = (method_label(method), status_class(*status));
        self.0.requests.with_label_values(&[method, route, status.as_str()]).inc();
        self.0.request_seconds.with_label_values(&[method, *route, class]).observe(*seconds);
    }

    pub(crate) fn count_rejection(&self, rejection: EarlyRejection) {
        self.0.rejections.with_label_values(&[rejection.as_str()]).inc();
    }

    fn observe(&self, observed: Observed) {
        match observed {
            Observed::Evaluated { seconds } => self.0.evaluation_seconds.observe(seconds),
            Observed::Signed { seconds } => self.0.signing_seconds.observe(seconds),
            Observed::Grouped { records } => {
                let records = u32::try_from(records).unwrap_or(u32::MAX);
                self.0.group_records.observe(records.into());
            }
            Observed::DryRun { tenant, verdict } => {
                self.count_decision(&self.0.tenants.label(tenant), verdict, "evaluate");
            }
            Observed::Recorded { tenant, verdict, seconds } => {
                self.0.record_seconds.observe(seconds);
                self.count_decision(&self.0.tenants.label(tenant), verdict, "record");
            }
            Observed::RoutedRead { is_by_replica } => {
                let server = if is_by_replica { "replica" } else { "primary" };
                self.0.routed_reads.with_label_values(&[server]).inc();
            }
            Observed::Logged { entries, size } => {
                self.0.log_entries.inc_by(u64::try_from(entries).unwrap_or(u64::MAX));
                self.0.log_size.set(i64::try_from(size).unwrap_or(i64::MAX));
            }
            _ => {}
        }
    }

    /// Updates the size and the backlog of the transparency log.
    pub(crate) fn set_backlog(&self, backlog: Backlog) {
        let Backlog { size, pending, oldest_seconds } = backlog;
        self.0.log_size.set(i64::try_from(size).unwrap_or(i64::MAX));
        self.0.log_pending.set(i64::try_from(pending).unwrap_or(i64::MAX));
        self.0.log_oldest_seconds.set(oldest_seconds);
    }

    fn count_decision(&self, tenant: &str, verdict: Verdict, mode: &str) {
        self.0.decisions.with_label_values(&[tenant, verdict.as_str(), mode]).inc();
    }

    /// Returns all metrics in the text format of Prometheus, with the current database connections and
    /// `in_flight` requests.
    ///
    /// # Errors
    /// Returns an error if a metric cannot be written.
    pub(crate) fn text(
        &self,
        governance: &Governance,
        in_flight: usize,
    ) -> Result<String, prometheus::Error> {
        let families = &self.0;
        families.process.sample();
        families.in_flight.set(i64::try_from(in_flight).unwrap_or(i64::MAX));
        let connections = governance.connections();
        let busy = connections.open.saturating_sub(connections.idle);
        families.connections.with_label_values(&["idle"]).set(connections.idle.into());
        families.connections.with_label_values(&["busy"]).set(busy.into());
        families.connections_max.set(connections.max.into());
        families.log_halted.set(governance.log_halt_reason().is_some().into());
        TextEncoder::new().encode_to_string(&families.registry.gather())
    }
}

impl MetricFamilies {
    fn new(started: Timestamp) -> Result<Self, prometheus::Error> {
        let registry = Registry::new();
        let reg = &registry;
        build_info(reg)?;
        Ok(Self {
            process: Process::new(reg, started)?,
            requests: counters(
                reg,
                "govern_http_requests_total",
                "HTTP requests with a response.",
                &["method", "route", "status"],
            )?,
            request_seconds: register(
                reg,
                HistogramVec::new(
                    histogram(
                        "govern_http_request_duration_seconds",
                        "Time from the complete request head to the response head.",
                        &REQUEST_SECONDS,
                    ),
                    &["method", "route", "status_class"],
                )?,
            )?,
            rejections: counters(
                reg,
                "govern_http_requests_refused_total",
                "Requests rejected before routing.",
                &["reason"],
            )?,
            decisions: counters(
                reg,
                "govern_decisions_total",
                "Verdicts by tenant; tenants above the limit are counted as `other`.",
                &["tenant", "decision", "mode"],
            )?,
            evaluation_seconds: distribution(
                reg,
                "govern_evaluation_seconds",
                "Duration of one evaluation.",
                &WORK_SECONDS,
            )?,
            record_seconds: distribution(
                reg,
                "govern_record_seconds",
                "Time from evaluation to commit of a decision.",
                &REQUEST_SECONDS,
            )?,
            group_records: distribution(
                reg,
                "govern_record_group_records",
                "Decisions recorded per transaction. A value near the maximum means that \
                 records wait for the database.",
                &GROUP_RECORDS,
            )?,
            signing_seconds: distribution(
                reg,
                "govern_signing_seconds",
                "Duration of one signature, including its verification.",
                &WORK_SECONDS,
            )?,
            in_flight: gauge(reg, "govern_store_requests", "Requests that hold a store permit.")?,
            connections: register(
                reg,
                IntGaugeVec::new(
                    Opts::new("govern_store_connections", "Open database connections."),
                    &["state"],
                )?,
            )?,
            connections_max: gauge(
                reg,
                "govern_store_connections_max",
                "Maximum number of database connections.",
            )?,
            routed_reads: counters(
                reg,
                "govern_routed_reads_total",
                "Reads that may use the replica, by the server that answered. Zero without a replica.",
                &["server"],
            )?,
            log_size: gauge(reg, "govern_log_tree_size", "Size of the transparency log tree.")?,
            log_entries: register(
                reg,
                IntCounter::new(
                    "govern_log_entries_total",
                    "Entries that this process has appended.",
                )?,
            )?,
            log_pending: gauge(reg, "govern_log_pending", "Pending entries.")?,
            log_oldest_seconds: register(
                reg,
                Gauge::new(
                    "govern_log_pending_oldest_seconds",
                    "Age of the oldest pending entry.",
                )?,
            )?,
            log_halted: gauge(
                reg,
                "govern_log_refused",
                "1 while the transparency log is halted, for example after a restore.",
            )?,
            tenants: Tenants::default(),
            registry,
        })
    }
}

fn register<C: Collector + Clone + 'static>(
    registry: &Registry,
    family: C,
) -> Result<C, prometheus::Error> {
    registry.register(Box::new(family.clone()))?;
    Ok(family)
}

fn counters(
    registry: &Registry,
    name: &str,
    help: &str,
    labels: &[&str],
) -> Result<IntCounterVec, prometheus::Error> {
    register(registry, IntCounterVec::new(Opts::new(name, help), labels)?)
}

fn gauge(registry: &Registry, name: &str, help: &str) -> Result<IntGauge, prometheus::Error> {
    register(registry, IntGauge::new(name, help)?)
}

fn distribution(
    registry: &Registry,
    name: &str,
    help: &str,
    buckets: &[f64],
) -> Result<Histogram, prometheus::Error> {
    register(registry, Histogram::with_opts(histogram(name, help, buckets))?)
}

fn histogram(name: &str, help: &str, buckets: &[f64]) -> HistogramOpts {
    HistogramOpts::new(name, help).buckets(buckets.to_vec())
}

fn build_info(registry: &Registry) -> Result<(), prometheus::Error> {
    let opts = Opts::new("govern_build_info", "Always 1; the labels identify the build.")
        .const_label("version", env!("CARGO_PKG_VERSION"));
    let info = IntCounter::with_opts(opts)?;
    info.inc();
    register(registry, info).map(drop)
}

/// Returns the method as a label and for the log. Unknown methods, which callers can invent, are `other`.
pub(crate) fn method_label(method: &Method) -> &str {
    match *method {
        Method::GET
        | Method::HEAD
        | Method::POST
        | Method::PUT
        | Method::PATCH
        | Method::DELETE
        | Method::OPTIONS => method.as_str(),
        _ => "other",
    }
}

fn status_class(status: StatusCode) -> &'static str {
    match status.as_u16() / 100 {
        1 => "1xx",
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        _ => "5xx",
    }
}
