//! Metrics of the process, and the endpoint where operators read them.
//!
//! Names follow the conventions of Prometheus. Labels have few values: the route template instead of the
//! path, the status class in addition to the status, and a limited number of tenants.

pub mod endpoint;
mod exemplars;
mod histogram;
mod openmetrics;
mod process;
mod tenants;

use std::sync::Arc;

use contract::{evaluation::Verdict, time::Timestamp};
use governance::{
    Governance,
    base::{
        observe::{AttemptOutcome, Observed, Observer},
        trace::current_trace_id,
    },
    notify::queues::{Queue, Queues},
    proof::transparency_log::Backlog,
};
use http::{Method, StatusCode};
use opentelemetry::TraceId;
use prometheus::{
    Gauge, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge,
    IntGaugeVec, Opts, Registry, TextEncoder, core::Collector,
};

use self::{exemplars::Exemplars, histogram::HistogramKind, process::Process, tenants::Tenants};

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
    exemplars: Exemplars,
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
    sign_ins: IntCounterVec,
    deliveries: IntCounterVec,
    mails: IntCounterVec,
    webhook_queue: QueueGauges,
    mail_queue: QueueGauges,
    tenants: Tenants,
}

/// The length of a queue, and how long its oldest row has been due.
#[derive(Debug)]
struct QueueGauges {
    waiting: IntGauge,
    overdue_seconds: Gauge,
}

impl QueueGauges {
    fn new(registry: &Registry, name: &str, rows: &str) -> Result<Self, prometheus::Error> {
        let overdue = format!("How long the oldest of the {rows} has been due; 0 if none is due.");
        Ok(Self {
            waiting: gauge(
                registry,
                &format!("{name}_waiting"),
                &format!("{rows} that wait for an attempt, at most 100,000."),
            )?,
            overdue_seconds: register(
                registry,
                Gauge::new(format!("{name}_overdue_seconds"), overdue)?,
            )?,
        })
    }

    fn set(&self, queue: Queue) {
        self.waiting.set(queue.waiting);
        self.overdue_seconds.set(queue.overdue_seconds);
    }
}

contract::named_enum! {
    /// The reason why a request was refused before its handler ran.
    pub(crate) enum EarlyRejection {
        /// The address has reached its rate limit.
        Address = "rate_limit_address",
        /// The key or the user has reached its rate limit.
        Caller = "rate_limit_caller",
        /// Too many requests use the database.
        Overload = "overload",
    }
}

#[derive(Debug)]
pub(crate) struct CompletedRequest<'a> {
    pub(crate) method: &'a Method,
    pub(crate) route: &'a str,
    pub(crate) status: StatusCode,
    pub(crate) seconds: f64,
    /// The trace of the request, if it is traced.
    pub(crate) trace_id: Option<TraceId>,
}

/// A format of the metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// The text format of Prometheus.
    Text,
    /// `OpenMetrics`, with exemplars.
    OpenMetrics,
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
        let CompletedRequest { method, route, status, seconds, trace_id } = request;
        let (method, class) = (method_label(method), status_class(*status));
        self.0.requests.with_label_values(&[method, route, status.as_str()]).inc();
        self.0.request_seconds.with_label_values(&[method, *route, class]).observe(*seconds);
        let labels = [("method", method), ("route", *route), ("status_class", class)];
        self.0.exemplars.record(&histogram::REQUEST, &labels, *seconds, *trace_id);
    }

    pub(crate) fn count_rejection(&self, rejection: EarlyRejection) {
        self.0.rejections.with_label_values(&[rejection.as_str()]).inc();
    }

    fn observe(&self, observed: Observed) {
        match observed {
            Observed::Evaluated { seconds } => {
                self.measure(&self.0.evaluation_seconds, &histogram::EVALUATION, seconds);
            }
            Observed::Signed { seconds } => {
                self.measure(&self.0.signing_seconds, &histogram::SIGNING, seconds);
            }
            Observed::Grouped { records } => {
                let records = u32::try_from(records).unwrap_or(u32::MAX);
                self.measure(&self.0.group_records, &histogram::GROUP, records.into());
            }
            Observed::DryRun { tenant, verdict } => {
                self.count_decision(&self.0.tenants.label(tenant), verdict, "evaluate");
            }
            Observed::Recorded { tenant, verdict, seconds } => {
                self.measure(&self.0.record_seconds, &histogram::RECORD, seconds);
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
            Observed::DeliveryAttempted(outcome) => {
                self.0.deliveries.with_label_values(&[outcome.as_str()]).inc();
            }
            Observed::MailAttempted(outcome) => {
                self.0.mails.with_label_values(&[outcome.as_str()]).inc();
            }
            Observed::SignIn { is_successful } => {
                let result = if is_successful { "success" } else { "failure" };
                self.0.sign_ins.with_label_values(&[result]).inc();
            }
            _ => {}
        }
    }

    /// Adds a value to a histogram without labels, and the trace of the current request as its exemplar.
    fn measure(&self, histogram: &Histogram, kind: &HistogramKind, value: f64) {
        histogram.observe(value);
        self.0.exemplars.record(kind, &[], value, current_trace_id());
    }

    /// Updates the size and the backlog of the transparency log.
    pub(crate) fn set_backlog(&self, backlog: Backlog) {
        let Backlog { size, pending, oldest_seconds } = backlog;
        self.0.log_size.set(i64::try_from(size).unwrap_or(i64::MAX));
        self.0.log_pending.set(i64::try_from(pending).unwrap_or(i64::MAX));
        self.0.log_oldest_seconds.set(oldest_seconds);
    }

    /// Updates the queues of webhook deliveries and mails.
    pub(crate) fn set_queues(&self, queues: Queues) {
        self.0.webhook_queue.set(queues.webhooks);
        self.0.mail_queue.set(queues.mails);
    }

    fn count_decision(&self, tenant: &str, verdict: Verdict, mode: &str) {
        self.0.decisions.with_label_values(&[tenant, verdict.as_str(), mode]).inc();
    }

    /// Returns all metrics, with the current database connections and `in_flight` requests.
    ///
    /// # Errors
    /// Returns an error if a metric cannot be written.
    pub(crate) fn text(
        &self,
        governance: &Governance,
        in_flight: usize,
        format: Format,
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
        let gathered = families.registry.gather();
        match format {
            Format::Text => TextEncoder::new().encode_to_string(&gathered),
            Format::OpenMetrics => openmetrics::encode(&gathered, &families.exemplars),
        }
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
                    histogram_opts(&histogram::REQUEST),
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
            evaluation_seconds: distribution(reg, &histogram::EVALUATION)?,
            record_seconds: distribution(reg, &histogram::RECORD)?,
            group_records: distribution(reg, &histogram::GROUP)?,
            signing_seconds: distribution(reg, &histogram::SIGNING)?,
            exemplars: Exemplars::default(),
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
            sign_ins: counters_from_zero(
                reg,
                "govern_sign_ins_total",
                "Sign-ins and confirmations with correct and with wrong credentials.",
                ("result", &["success", "failure"]),
            )?,
            deliveries: counters_from_zero(
                reg,
                "govern_webhook_attempts_total",
                "Attempts of webhook deliveries. After `dead`, no further attempt follows.",
                ("result", &AttemptOutcome::ALL.map(AttemptOutcome::as_str)),
            )?,
            mails: counters_from_zero(
                reg,
                "govern_mail_attempts_total",
                "Attempts to send mail. After `dead`, no further attempt follows.",
                ("result", &AttemptOutcome::ALL.map(AttemptOutcome::as_str)),
            )?,
            webhook_queue: QueueGauges::new(reg, "govern_webhook_queue", "Webhook deliveries")?,
            mail_queue: QueueGauges::new(reg, "govern_mail_queue", "Mails")?,
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

/// Registers counters with one label, whose series exist from the start, so that the first event is an increase.
fn counters_from_zero(
    registry: &Registry,
    name: &str,
    help: &str,
    (label, values): (&str, &[&str]),
) -> Result<IntCounterVec, prometheus::Error> {
    let counters = counters(registry, name, help, &[label])?;
    for value in values {
        counters.with_label_values(&[value]);
    }
    Ok(counters)
}

fn gauge(registry: &Registry, name: &str, help: &str) -> Result<IntGauge, prometheus::Error> {
    register(registry, IntGauge::new(name, help)?)
}

fn distribution(registry: &Registry, kind: &HistogramKind) -> Result<Histogram, prometheus::Error> {
    register(registry, Histogram::with_opts(histogram_opts(kind))?)
}

fn histogram_opts(kind: &HistogramKind) -> HistogramOpts {
    HistogramOpts::new(kind.name, kind.help).buckets(kind.buckets.to_vec())
}

fn build_info(registry: &Registry) -> Result<(), prometheus::Error> {
    let opts = Opts::new("govern_build_info", "Always 1; the labels identify the build.")
        .const_label("version", env!("CARGO_PKG_VERSION"));
    let info = IntGauge::with_opts(opts)?;
    info.set(1);
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
