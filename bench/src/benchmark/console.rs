//! Console pages of a tenant with many decisions: time to the first byte.

use std::time::Instant;

use super::list;
use crate::{
    context::BenchContext,
    load::LoadResult,
    report::{Figure::Millis, Goal, ReportRow},
};
use anyhow::{Context as _, Result};
use harness::Connection;
use serde_json::Value;

/// The target of a page in milliseconds.
const PAGE_MS: f64 = 50.0;

pub(crate) fn measure(cx: &mut BenchContext<'_>) -> Result<Vec<ReportRow>> {
    let plan = cx.plan;
    let fixture = cx.fixture()?;
    let stored = list::fill(fixture, &fixture.tenant, plan.decisions())?;
    let newest = fixture.send(&mut fixture.tenant.get("/v1/decisions?limit=1"), 200)?;
    let decision = newest.pointer("/items/0/id").and_then(Value::as_str).context("no decision")?;
    let policy = format!("policies/{}", fixture.policy);
    let pages = [
        ("overview", String::new()),
        ("inbox", "/inbox".to_owned()),
        ("alerts", "/alerts".to_owned()),
        ("policies", "/policies".to_owned()),
        ("policy", format!("/{policy}")),
        ("version", format!("/{policy}/versions/1")),
        ("decisions", "/decisions".to_owned()),
        ("decisions of one actor", "/decisions?actor_id=agent-3".to_owned()),
        ("decision", format!("/decisions/{decision}")),
        ("audit log", "/audit".to_owned()),
        ("search for a word", "/search?q=bench".to_owned()),
    ];
    let mut rows = Vec::new();
    for (name, path) in pages {
        let mut connection = Connection::open(fixture.service.address)?;
        let (mut page, mut first_bytes) = (fixture.page(&fixture.tenant, &path), LoadResult::new());
        let start = Instant::now();
        while start.elapsed() < plan.time() / 2 {
            let (response, latency) = connection.send_timed(&mut page)?;
            response.expect(200).with_context(|| name.to_owned())?;
            first_bytes.record(latency);
        }
        let name = format!("console with {stored} decisions, {name}, first byte, p95");
        let p95 = Millis(first_bytes.quantile_ms(0.95));
        rows.push(ReportRow::new(name, p95).goal(Goal::AtMost(Millis(PAGE_MS))));
    }
    Ok(rows)
}
