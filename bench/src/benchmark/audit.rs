//! Verification of an audit log: the rate in memory and the rate of the service.

use anyhow::{Context as _, Result, ensure};
use contract::id::TenantId;
use harness::{Request, Tenant};
use receipt::audit::{
    EntityRef,
    verify::{StoredEvent, Verifier},
};
use serde_json::{Value, json};

use super::list;
use crate::{
    context::BenchContext,
    fixture::BenchFixture,
    load::{ClosedLoop, StopAfter},
    report::{
        Figure::{Micros, PerSecond},
        Goal, ReportRow,
    },
    service::time_of_each,
    stopwatch::median_us,
};

/// The number of events that are verified in memory.
const EVENTS: u64 = 2_000;

/// The minimum number of decisions in the log of the service.
const DECISIONS: u64 = 20_000;

/// The target of one core in events per second.
const RATE: f64 = 100_000.0;

pub(crate) fn measure(cx: &mut BenchContext<'_>) -> Result<Vec<ReportRow>> {
    let decisions = DECISIONS.min(cx.plan.decisions());
    let fixture = cx.fixture()?;
    list::fill(fixture, &fixture.tenant, decisions)?;
    let tenant: TenantId = fixture.tenant.id.parse().ok().context("a tenant's id")?;
    let events = load_events(fixture)?;
    let rows = events.iter().map(Event::as_stored).collect::<Option<Vec<StoredEvent<'_>>>>();
    let rows = rows.context("an event lacks a column")?;
    let check = || {
        let mut verifier = Verifier::new(tenant);
        verifier.run(rows.iter().copied()).map(|()| verifier.checked())
    };
    let checked =
        check().map_err(|divergence| anyhow::anyhow!("the log diverges: {divergence:?}"))?;
    ensure!(usize::try_from(checked)? == rows.len(), "every event is checked");
    let event_us = median_us(check) / rows.len() as f64;
    let mut table_rows = vec![
        ReportRow::new("audit log, events that one core verifies", PerSecond(1e6 / event_us))
            .goal(Goal::AtLeast(PerSecond(RATE))),
    ];
    table_rows.extend(verified_by_service(fixture, &fixture.tenant)?.rows());
    Ok(table_rows)
}

/// The verification of a whole log by the service.
#[derive(Clone, Copy, Debug)]
pub(super) struct ServiceVerification {
    /// The events per second.
    pub(super) rate: f64,
    /// The processor times of the service and of the database per event, in microseconds.
    processor_times: (f64, f64),
}

impl ServiceVerification {
    fn rows(self) -> [ReportRow; 3] {
        let name = "audit log, verified by the service";
        let (service_us, database_us) = self.processor_times;
        [
            ReportRow::new(format!("{name} in one request"), PerSecond(self.rate)),
            ReportRow::new(
                format!("{name}: processor time of the service per event"),
                Micros(service_us),
            ),
            ReportRow::new(
                format!("{name}: processor time of the database per event"),
                Micros(database_us),
            ),
        ]
    }
}

/// Measures the verification of the whole log of a tenant by the service.
pub(super) fn verified_by_service(
    fixture: &BenchFixture,
    tenant: &Tenant,
) -> Result<ServiceVerification> {
    let body = json!({}).to_string();
    let headers = tenant.headers();
    let request = Request::new("POST", "/v1/audit-log/verify", &headers, Some(&body));
    let report = fixture.send(&mut request.clone(), 200)?;
    ensure!(report.get("status") == Some(&json!("intact")), "the log is intact: {report}");
    let events = report.get("checked").and_then(Value::as_u64).context("nothing was checked")?;
    let before = fixture.service.processor_time()?;
    let (address, requests, stop_after) =
        (fixture.service.address, [request], StopAfter::Responses(3));
    let result =
        ClosedLoop { address, requests: &requests, connections: 1, status: 200, stop_after }
            .run()?;
    let all = events * result.total();
    let processor_times = time_of_each(before, fixture.service.processor_time()?, all);
    Ok(ServiceVerification { rate: events as f64 * result.rate(), processor_times })
}

/// An event row of the database, as JSON.
#[derive(Debug)]
struct Event(Value);

/// Selects the first events of the log with their personal data and checkpoints.
const SELECT_EVENTS: &str = "SELECT json_build_object('seq', e.seq, 'event_id', e.event_id, \
     'occurred_at', to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"'), \
     'action', e.action, 'actor_type', e.actor_type, 'actor_id', e.actor_id, \
     'object_type', e.object_type, 'object_id', e.object_id, 'event', e.event, \
     'hash', encode(e.hash, 'hex'), 'prev', encode(e.prev, 'hex'), 'personal', p.personal, \
     'checkpoint', encode(c.hash, 'hex')) FROM audit_events e \
     LEFT JOIN audit_personal p USING (tenant_id, seq) \
     LEFT JOIN audit_checkpoints c USING (tenant_id, seq) \
     WHERE e.tenant_id = '{tenant}' AND e.seq <= {events} ORDER BY e.seq";

fn load_events(fixture: &BenchFixture) -> Result<Vec<Event>> {
    let events = EVENTS.to_string();
    let sql = SELECT_EVENTS.replace("{tenant}", &fixture.tenant.id).replace("{events}", &events);
    let rows = fixture.database.sql(&sql)?;
    rows.lines().map(|row| Ok(Event(serde_json::from_str(row)?))).collect()
}

impl Event {
    fn as_stored(&self) -> Option<StoredEvent<'_>> {
        let text = |name: &str| self.0.get(name).and_then(Value::as_str);
        let entity = |kind: &str, id: &str| Some(EntityRef { kind: text(kind)?, id: text(id)? });
        Some(StoredEvent {
            seq: self.0.get("seq")?.as_i64()?,
            event_id: text("event_id")?,
            occurred_at: text("occurred_at")?,
            action: text("action")?,
            actor: entity("actor_type", "actor_id")?,
            object: entity("object_type", "object_id")?,
            event: text("event")?,
            hash: text("hash")?,
            prev: text("prev")?,
            personal: text("personal"),
            checkpoint: text("checkpoint"),
        })
    }
}
