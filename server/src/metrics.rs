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
    Gauge, Histogram, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts,
    Registry, TextEncoder, core::Collector,
};

use self::{exemplars::Exemplars, histogram::HistogramKind, process::Process, tenants::Tenants};

/// The metrics of this process. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Metrics(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    registry: Registry,
    families: Families,
    process: Process,
    exemplars: Exemplars,
    tenants: Tenants,
}

/// Declares the metrics: the field and the type of each, and the call that creates and registers it.
macro_rules! families {
    ($($field:ident: $family:ty = $create:ident($($argument:expr),+);)+) => {
        #[derive(Debug)]
        struct Families { $($field: $family,)+ }

        impl Families {
            fn new(registry: &Registry) -> Result<Self, prometheus::Error> {
                Ok(Self { $($field: $create(registry, $($argument),+)?,)+ })
            }
        }
    };
}

families! {
    requests: IntCounterVec = counters(
        "govern_http_requests_total", "HTTP requests with a response.", &["method", "route", "status"]
    );
    request_seconds: HistogramVec = distributions(&histogram::REQUEST, &["method", "route", "status_class"]);
    rejections: IntCounterVec = counters(
        "govern_http_requests_refused_total", "Requests rejected before routing.", &["reason"]
    );
    decisions: IntCounterVec = counters(
        "govern_decisions_total", "Verdicts by tenant; tenants above the limit are counted as `other`.",
        &["tenant", "decision", "mode"]
    );
    evaluation_seconds: Histogram = distribution(&histogram::EVALUATION);
    record_seconds: Histogram = distribution(&histogram::RECORD);
    group_records: Histogram = distribution(&histogram::GROUP);
    signing_seconds: Histogram = distribution(&histogram::SIGNING);
    in_flight: IntGauge = gauge("govern_store_requests", "Requests that hold a store permit.");
    connections: IntGaugeVec = gauges("govern_store_connections", "Open database connections.", &["state"]);
    connections_max: IntGauge = gauge(
        "govern_store_connections_max", "Maximum number of database connections."
    );
    routed_reads: IntCounterVec = counters(
        "govern_routed_reads_total",
        "Reads that may use the replica, by the server that answered. Zero without a replica.", &["server"]
    );
    log_size: IntGauge = gauge("govern_log_tree_size", "Size of the transparency log tree.");
    log_entries: IntCounter = counter("govern_log_entries_total", "Entries that this process has appended.");
    log_pending: IntGauge = gauge("govern_log_pending", "Pending entries.");
    log_oldest_seconds: Gauge = seconds(
        "govern_log_pending_oldest_seconds", "Age of the oldest pending entry."
    );
    log_halted: IntGauge = gauge(
        "govern_log_refused", "1 while the transparency log is halted, for example after a restore."
    );
    sign_ins: IntCounterVec = results(
        "govern_sign_ins_total", "Sign-ins and confirmations with correct and with wrong credentials.",
        &["success", "failure"]
    );
    deliveries: IntCounterVec = results(
        "govern_webhook_attempts_total",
        "Attempts of webhook deliveries. After `dead`, no further attempt follows.", &AttemptOutcome::NAMES
    );
    mails: IntCounterVec = results(
        "govern_mail_attempts_total", "Attempts to send mail. After `dead`, no further attempt follows.",
        &AttemptOutcome::NAMES
    );
    webhook_queue: QueueGauges = queue("govern_webhook_queue", "Webhook deliveries");
    mail_queue: QueueGauges = queue("govern_mail_queue", "Mails");
}

/// The length of a queue, and how long its oldest row has been due.
#[derive(Debug)]
struct QueueGauges {
    waiting: IntGauge,
    overdue_seconds: Gauge,
}

impl QueueGauges {
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
        let registry = Registry::new();
        build_info(&registry)?;
        let process = Process::new(&registry, now)?;
        let families = Families::new(&registry)?;
        let (exemplars, tenants) = (Exemplars::default(), Tenants::default());
        Ok(Self(Arc::new(Shared { registry, families, process, exemplars, tenants })))
    }

    /// Returns the observer that counts the events of the use cases.
    pub fn observer(&self) -> Observer {
        let metrics = self.clone();
        Observer::new(move |observed| metrics.observe(observed))
    }

    pub(crate) fn count_request(&self, request: &CompletedRequest<'_>) {
        let CompletedRequest { method, route, status, seconds, trace_id } = request;
        let (method, class) = (method_label(method), status_class(*status));
        self.0.families.requests.with_label_values(&[method, route, status.as_str()]).inc();
        self.0
            .families
            .request_seconds
            .with_label_values(&[method, *route, class])
            .observe(*seconds);
        let labels = [("method", method), ("route", *route), ("status_class", class)];
        self.0.exemplars.record(&histogram::REQUEST, &labels, *seconds, *trace_id);
    }

    pub(crate) fn count_rejection(&self, rejection: EarlyRejection) {
        self.0.families.rejections.with_label_values(&[rejection.as_str()]).inc();
    }

    fn observe(&self, observed: Observed) {
        match observed {
            Observed::Evaluated { seconds } => {
                self.measure(&self.0.families.evaluation_seconds, &histogram::EVALUATION, seconds);
            }
            Observed::Signed { seconds } => {
                self.measure(&self.0.families.signing_seconds, &histogram::SIGNING, seconds);
            }
            Observed::Grouped { records } => {
                let records = u32::try_from(records).unwrap_or(u32::MAX);
                self.measure(&self.0.families.group_records, &histogram::GROUP, records.into());
            }
            Observed::DryRun { tenant, verdict } => {
                self.count_decision(&self.0.tenants.label(tenant), verdict, "evaluate");
            }
            Observed::Recorded { tenant, verdict, seconds } => {
                self.measure(&self.0.families.record_seconds, &histogram::RECORD, seconds);
                self.count_decision(&self.0.tenants.label(tenant), verdict, "record");
            }
            Observed::RoutedRead { is_by_replica } => {
                let server = if is_by_replica { "replica" } else { "primary" };
                self.0.families.routed_reads.with_label_values(&[server]).inc();
            }
            Observed::Logged { entries, size } => {
                self.0.families.log_entries.inc_by(u64::try_from(entries).unwrap_or(u64::MAX));
                self.0.families.log_size.set(i64::try_from(size).unwrap_or(i64::MAX));
            }
            Observed::DeliveryAttempted(outcome) => {
                self.0.families.deliveries.with_label_values(&[outcome.as_str()]).inc();
            }
            Observed::MailAttempted(outcome) => {
                self.0.families.mails.with_label_values(&[outcome.as_str()]).inc();
            }
            Observed::SignIn { is_successful } => {
                let result = if is_successful { "success" } else { "failure" };
                self.0.families.sign_ins.with_label_values(&[result]).inc();
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
        self.0.families.log_size.set(i64::try_from(size).unwrap_or(i64::MAX));
        self.0.families.log_pending.set(i64::try_from(pending).unwrap_or(i64::MAX));
        self.0.families.log_oldest_seconds.set(oldest_seconds);
    }

    /// Updates the queues of webhook deliveries and mails.
    pub(crate) fn set_queues(&self, queues: Queues) {
        self.0.families.webhook_queue.set(queues.webhooks);
        self.0.families.mail_queue.set(queues.mails);
    }

    fn count_decision(&self, tenant: &str, verdict: Verdict, mode: &str) {
        self.0.families.decisions.with_label_values(&[tenant, verdict.as_str(), mode]).inc();
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
        let Shared { registry, families, process, exemplars, .. } = &*self.0;
        process.sample();
        families.in_flight.set(i64::try_from(in_flight).unwrap_or(i64::MAX));
        let connections = governance.connections();
        let busy = connections.open.saturating_sub(connections.idle);
        families.connections.with_label_values(&["idle"]).set(connections.idle.into());
        families.connections.with_label_values(&["busy"]).set(busy.into());
        families.connections_max.set(connections.max.into());
        families.log_halted.set(governance.log_halt_reason().is_some().into());
        let gathered = registry.gather();
        match format {
            Format::Text => TextEncoder::new().encode_to_string(&gathered),
            Format::OpenMetrics => openmetrics::encode(&gathered, exemplars),
        }
    }
}

/// A registered family, or the error of a name that another family has.
type Registered<C> = Result<C, prometheus::Error>;

fn register<C: Collector + Clone + 'static>(registry: &Registry, family: C) -> Registered<C> {
    registry.register(Box::new(family.clone()))?;
    Ok(family)
}

fn counter(registry: &Registry, name: &str, help: &str) -> Registered<IntCounter> {
    register(registry, IntCounter::new(name, help)?)
}

fn counters(
    registry: &Registry,
    name: &str,
    help: &str,
    labels: &[&str],
) -> Registered<IntCounterVec> {
    register(registry, IntCounterVec::new(Opts::new(name, help), labels)?)
}

/// Creates counters by result, whose series exist from the start, so that the first event is an increase.
fn results(
    registry: &Registry,
    name: &str,
    help: &str,
    results: &[&str],
) -> Registered<IntCounterVec> {
    let counters = counters(registry, name, help, &["result"])?;
    for result in results {
        counters.with_label_values(&[result]);
    }
    Ok(counters)
}

fn gauge(registry: &Registry, name: &str, help: &str) -> Registered<IntGauge> {
    register(registry, IntGauge::new(name, help)?)
}

fn gauges(registry: &Registry, name: &str, help: &str, labels: &[&str]) -> Registered<IntGaugeVec> {
    register(registry, IntGaugeVec::new(Opts::new(name, help), labels)?)
}

fn seconds(registry: &Registry, name: &str, help: &str) -> Registered<Gauge> {
    register(registry, Gauge::new(name, help)?)
}

fn queue(registry: &Registry, name: &str, rows: &str) -> Registered<QueueGauges> {
    let waiting = format!("{rows} that wait for an attempt, at most 100,000.");
    let overdue = format!("How long the oldest of the {rows} has been due; 0 if none is due.");
    Ok(QueueGauges {
        waiting: gauge(registry, &format!("{name}_waiting"), &waiting)?,
        overdue_seconds: seconds(registry, &format!("{name}_overdue_seconds"), &overdue)?,
    })
}

fn distribution(registry: &Registry, kind: &HistogramKind) -> Registered<Histogram> {
    register(registry, Histogram::with_opts(kind.opts())?)
}

fn distributions(
    registry: &Registry,
    kind: &HistogramKind,
    labels: &[&str],
) -> Registered<HistogramVec> {
    register(registry, HistogramVec::new(kind.opts(), labels)?)
}

fn build_info(registry: &Registry) -> Registered<()> {
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
