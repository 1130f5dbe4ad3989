//! What the process counts and measures, and the page on which operators read it.
//!
//! Names follow Prometheus' customs. Labels take few values: a route's template and not its path, a
//! status' class beside its number, and a bounded number of tenants.

pub mod page;
mod process;
mod tenants;

use std::sync::Arc;

use contract::{evaluation::Verdict, time::Timestamp};
use governance::{Governance, log::Backlog, observe::Observed};
use http::{Method, StatusCode};
use prometheus::{
    Gauge, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge,
    IntGaugeVec, Opts, Registry, TextEncoder, core::Collector,
};

use self::{process::Process, tenants::Tenants};

/// Seconds, from a tenth of a millisecond to ten seconds.
const REQUEST_SECONDS: [f64; 14] =
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0];

/// Seconds, from a microsecond to a tenth of a second: what never leaves the processor.
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

/// How many share a transaction, up to the most that may.
const GROUP_RECORDS: [f64; 7] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

/// The counts of this process. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Metrics(Arc<Families>);

#[derive(Debug)]
struct Families {
    registry: Registry,
    requests: IntCounterVec,
    request_seconds: HistogramVec,
    refused: IntCounterVec,
    decisions: IntCounterVec,
    evaluation_seconds: Histogram,
    record_seconds: Histogram,
    group_records: Histogram,
    signing_seconds: Histogram,
    process: Process,
    in_flight: IntGauge,
    connections: IntGaugeVec,
    connections_max: IntGauge,
    log_size: IntGauge,
    log_entries: IntCounter,
    log_pending: IntGauge,
    log_oldest_seconds: Gauge,
    log_refused: IntGauge,
    tenants: Tenants,
}

/// Why a request was refused before anybody looked at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The address has used up its limit.
    Address,
    /// The key or the person has.
    Caller,
    /// Too many requests use the store already.
    Overload,
}

impl Refused {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Address => "rate_limit_address",
            Self::Caller => "rate_limit_caller",
            Self::Overload => "overload",
        }
    }
}

/// One request, when it has been answered.
#[derive(Debug)]
pub(crate) struct Answered<'a> {
    pub(crate) method: &'a Method,
    pub(crate) route: &'a str,
    pub(crate) status: StatusCode,
    pub(crate) seconds: f64,
}

impl Metrics {
    /// Counts that begin at nothing; from here on `governance` tells them what it does.
    ///
    /// # Errors
    /// When two of the families have one name.
    pub fn of(governance: &Governance) -> Result<Self, prometheus::Error> {
        let metrics = Self(Arc::new(Families::new(governance.clock().now())?));
        let watching = metrics.clone();
        governance.watched_by(move |observed| watching.observe(observed));
        Ok(metrics)
    }

    /// Counts and measures an answered request.
    pub(crate) fn answered(&self, answered: &Answered<'_>) {
        let Answered { method, route, status, seconds } = answered;
        let (method, class) = (known(method), class(*status));
        self.0.requests.with_label_values(&[method, route, status.as_str()]).inc();
        self.0.request_seconds.with_label_values(&[method, *route, class]).observe(*seconds);
    }

    /// Counts a request that was refused early.
    pub(crate) fn refused(&self, refused: Refused) {
        self.0.refused.with_label_values(&[refused.as_str()]).inc();
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
                self.decided(&self.0.tenants.label(tenant), verdict, "evaluate");
            }
            Observed::Recorded { tenant, verdict, seconds } => {
                self.0.record_seconds.observe(seconds);
                self.decided(&self.0.tenants.label(tenant), verdict, "record");
            }
            Observed::Logged { entries, size } => {
                self.0.log_entries.inc_by(u64::try_from(entries).unwrap_or(u64::MAX));
                self.0.log_size.set(i64::try_from(size).unwrap_or(i64::MAX));
            }
            _ => {}
        }
    }

    /// Notes how far the log is.
    pub(crate) fn backlog(&self, backlog: Backlog) {
        let Backlog { size, pending, oldest_seconds } = backlog;
        self.0.log_size.set(i64::try_from(size).unwrap_or(i64::MAX));
        self.0.log_pending.set(i64::try_from(pending).unwrap_or(i64::MAX));
        self.0.log_oldest_seconds.set(oldest_seconds);
    }

    fn decided(&self, tenant: &str, verdict: Verdict, mode: &str) {
        self.0.decisions.with_label_values(&[tenant, verdict.as_str(), mode]).inc();
    }

    /// All of it as Prometheus' text, with the state of the store's connections and of `in_flight`
    /// requests at this moment.
    ///
    /// # Errors
    /// When a family cannot be written.
    pub(crate) fn text(
        &self,
        governance: &Governance,
        in_flight: usize,
    ) -> Result<String, prometheus::Error> {
        let families = &self.0;
        families.process.look();
        families.in_flight.set(i64::try_from(in_flight).unwrap_or(i64::MAX));
        let connections = governance.connections();
        let busy = connections.open.saturating_sub(connections.idle);
        families.connections.with_label_values(&["idle"]).set(connections.idle.into());
        families.connections.with_label_values(&["busy"]).set(busy.into());
        families.connections_max.set(connections.max.into());
        families.log_refused.set(governance.log_refused().is_some().into());
        TextEncoder::new().encode_to_string(&families.registry.gather())
    }
}

impl Families {
    fn new(started: Timestamp) -> Result<Self, prometheus::Error> {
        let registry = Registry::new();
        let own = &registry;
        build_info(own)?;
        Ok(Self {
            process: Process::new(own, started)?,
            requests: counters(
                own,
                "govern_http_requests_total",
                "Requests that were answered.",
                &["method", "route", "status"],
            )?,
            request_seconds: registered(
                own,
                HistogramVec::new(
                    histogram(
                        "govern_http_request_duration_seconds",
                        "From the whole head of a request to the head of its answer.",
                        &REQUEST_SECONDS,
                    ),
                    &["method", "route", "status_class"],
                )?,
            )?,
            refused: counters(
                own,
                "govern_http_requests_refused_total",
                "Requests that were refused before anybody looked at them.",
                &["reason"],
            )?,
            decisions: counters(
                own,
                "govern_decisions_total",
                "Verdicts, by tenant; what is beyond the first tenants counts as `other`.",
                &["tenant", "decision", "mode"],
            )?,
            evaluation_seconds: distribution(
                own,
                "govern_evaluation_seconds",
                "The policies on one context.",
                &WORK_SECONDS,
            )?,
            record_seconds: distribution(
                own,
                "govern_record_seconds",
                "From the evaluation of a decision to its acknowledged commit.",
                &REQUEST_SECONDS,
            )?,
            group_records: distribution(
                own,
                "govern_record_group_records",
                "Decisions that one transaction recorded: while it stays low, records wait for \
                 nobody; at its bound, for the store.",
                &GROUP_RECORDS,
            )?,
            signing_seconds: distribution(
                own,
                "govern_signing_seconds",
                "One signature, with the check of it.",
                &WORK_SECONDS,
            )?,
            in_flight: gauge(own, "govern_store_requests", "Requests that may use the store now.")?,
            connections: registered(
                own,
                IntGaugeVec::new(
                    Opts::new("govern_store_connections", "Open connections to the store."),
                    &["state"],
                )?,
            )?,
            connections_max: gauge(
                own,
                "govern_store_connections_max",
                "The most connections to the store.",
            )?,
            log_size: gauge(
                own,
                "govern_log_tree_size",
                "Entries of the transparency log's tree.",
            )?,
            log_entries: registered(
                own,
                IntCounter::new(
                    "govern_log_entries_total",
                    "Entries that this process has logged.",
                )?,
            )?,
            log_pending: gauge(own, "govern_log_pending", "What waits to be logged.")?,
            log_oldest_seconds: registered(
                own,
                Gauge::new(
                    "govern_log_pending_oldest_seconds",
                    "For how long the first of them has waited.",
                )?,
            )?,
            log_refused: gauge(
                own,
                "govern_log_refused",
                "1 while nothing may be signed, as after a restore.",
            )?,
            tenants: Tenants::default(),
            registry,
        })
    }
}

fn registered<C: Collector + Clone + 'static>(
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
    registered(registry, IntCounterVec::new(Opts::new(name, help), labels)?)
}

fn gauge(registry: &Registry, name: &str, help: &str) -> Result<IntGauge, prometheus::Error> {
    registered(registry, IntGauge::new(name, help)?)
}

fn distribution(
    registry: &Registry,
    name: &str,
    help: &str,
    buckets: &[f64],
) -> Result<Histogram, prometheus::Error> {
    registered(registry, Histogram::with_opts(histogram(name, help, buckets))?)
}

fn histogram(name: &str, help: &str, buckets: &[f64]) -> HistogramOpts {
    HistogramOpts::new(name, help).buckets(buckets.to_vec())
}

/// Which build this is.
fn build_info(registry: &Registry) -> Result<(), prometheus::Error> {
    let opts = Opts::new("govern_build_info", "Always 1; the labels say which build this is.")
        .const_label("version", env!("CARGO_PKG_VERSION"));
    let info = IntCounter::with_opts(opts)?;
    info.inc();
    registered(registry, info).map(drop)
}

/// A method as a label, and in the log: a caller may make up words of its own.
pub(crate) fn known(method: &Method) -> &str {
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

fn class(status: StatusCode) -> &'static str {
    match status.as_u16() / 100 {
        1 => "1xx",
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        _ => "5xx",
    }
}
