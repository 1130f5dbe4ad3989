//! The check of an audit log: how fast events are verified, alone and by the service from its store.

use anyhow::{Context as _, Result, ensure};
use contract::id::TenantId;
use receipt::audit::{
    Party,
    verify::{Row, Verifier},
};
use serde_json::{Value, json};

use super::list;
use crate::{
    load::{Closed, Request, Until},
    report::{
        Figure::{Micros, PerSecond},
        Goal, Line,
    },
    stage::Stage,
    stopwatch::median_us,
    world::World,
};

/// How many events are verified in memory.
const EVENTS: u64 = 2_000;

/// How many decisions the log of the service has at least.
const DECISIONS: u64 = 20_000;

/// What one core is to verify in a second.
const RATE: f64 = 100_000.0;

pub(crate) fn measure(stage: &mut Stage<'_>) -> Result<Vec<Line>> {
    let decisions = DECISIONS.min(stage.plan.decisions);
    let world = stage.world()?;
    list::fill(world, decisions)?;
    let tenant: TenantId = world.tenant.id.parse().ok().context("a tenant's id")?;
    let events = stored(world)?;
    let rows = events.iter().map(Event::row).collect::<Option<Vec<Row<'_>>>>();
    let rows = rows.context("an event lacks a column")?;
    let check = || {
        let mut verifier = Verifier::new(tenant);
        verifier.run(rows.iter().copied()).map(|()| verifier.checked())
    };
    let checked = check().map_err(|found| anyhow::anyhow!("the log diverges: {found:?}"))?;
    ensure!(usize::try_from(checked)? == rows.len(), "every event is checked");
    let one = median_us(check) / rows.len() as f64;
    let mut lines = vec![
        Line::new("audit log, events that one core verifies", PerSecond(1e6 / one))
            .goal(Goal::AtLeast(PerSecond(RATE))),
    ];
    lines.extend(by_the_service(world)?);
    Ok(lines)
}

/// The whole log, read from the store and verified by the service.
fn by_the_service(world: &mut World) -> Result<[Line; 3]> {
    let body = json!({}).to_string();
    let headers = world.tenant.headers();
    let request = Request::new("POST", "/v1/audit-log/verify", &headers, Some(&body));
    let report = world.ask(&mut request.clone(), 200)?;
    ensure!(report.get("status") == Some(&json!("intact")), "the log is intact: {report}");
    let events = report.get("checked").and_then(Value::as_u64).context("nothing was checked")?;
    let used = world.service.time()?;
    let (address, requests, until) = (world.service.address, [request], Until::Answers(3));
    let seen = Closed { address, requests: &requests, connections: 1, status: 200, until }.run()?;
    let all = events * seen.total();
    let (service_us, database_us) = world.service.time()?.each_since(used, all);
    let rate = events as f64 * seen.rate();
    let what = "audit log, verified by the service";
    Ok([
        Line::new(format!("{what} in one request"), PerSecond(rate)),
        Line::new(format!("{what}: its processor time for an event"), Micros(service_us)),
        Line::new(format!("{what}: of the database"), Micros(database_us)),
    ])
}

/// An event as it is stored.
#[derive(Debug)]
struct Event(Value);

/// The first events of the log, with their side rows and checkpoints.
const STORED: &str = "SELECT json_build_object('seq', e.seq, 'event_id', e.event_id, \
     'occurred_at', to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"'), \
     'action', e.action, 'actor_type', e.actor_type, 'actor_id', e.actor_id, \
     'object_type', e.object_type, 'object_id', e.object_id, 'event', e.event, 'hash', e.hash, \
     'prev', e.prev, 'personal', p.personal, 'checkpoint', c.hash) FROM audit_events e \
     LEFT JOIN audit_personal p USING (tenant_id, seq) \
     LEFT JOIN audit_checkpoints c USING (tenant_id, seq) \
     WHERE e.tenant_id = '{tenant}' AND e.seq <= {events} ORDER BY e.seq";

fn stored(world: &World) -> Result<Vec<Event>> {
    let events = EVENTS.to_string();
    let rows = STORED.replace("{tenant}", &world.tenant.id).replace("{events}", &events);
    let rows = world.database.sql(&rows)?;
    rows.lines().map(|row| Ok(Event(serde_json::from_str(row)?))).collect()
}

impl Event {
    fn row(&self) -> Option<Row<'_>> {
        let text = |name: &str| self.0.get(name).and_then(Value::as_str);
        let party = |kind: &str, id: &str| Some(Party { kind: text(kind)?, id: text(id)? });
        Some(Row {
            seq: self.0.get("seq")?.as_i64()?,
            event_id: text("event_id")?,
            occurred_at: text("occurred_at")?,
            action: text("action")?,
            actor: party("actor_type", "actor_id")?,
            object: party("object_type", "object_id")?,
            event: text("event")?,
            hash: text("hash")?,
            prev: text("prev")?,
            personal: text("personal"),
            checkpoint: text("checkpoint"),
        })
    }
}
