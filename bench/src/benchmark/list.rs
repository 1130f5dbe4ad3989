//! Decision lists of a tenant with many decisions.

use anyhow::{Context as _, Result};
use harness::Tenant;
use serde_json::Value;

use crate::{
    context::BenchContext,
    fixture::{BenchFixture, Requests},
    load::{ClosedLoop, StopAfter},
    report::{Figure::Millis, Goal, ReportRow},
};

/// The number of clients that record while a tenant is filled.
const CLIENTS: usize = 64;

/// The target of a page in milliseconds.
const PAGE_MS: f64 = 20.0;

/// The depth of the last measured page, in decisions.
const DEPTH: u64 = 5_000;

/// The maximum number of decisions of a page.
const PAGE_MAX: u64 = 200;

pub(crate) fn measure(cx: &mut BenchContext<'_>) -> Result<Vec<ReportRow>> {
    let plan = cx.plan;
    let fixture = cx.fixture()?;
    let stored = fill(fixture, &fixture.tenant, plan.decisions())?;
    let cursor = cursor_at_depth(fixture, &fixture.tenant, "", DEPTH)?;
    let cursor = cursor.context("the list is short")?;
    let day = "recorded_from=2020-01-01T00:00:00Z&recorded_to=2099-01-01T00:00:00Z";
    let pages = [
        ("newest", String::new()),
        ("of one type", "&decision_type=bench_10".to_owned()),
        ("denied, one in eight", "&decision=DENY".to_owned()),
        ("of one actor in sixteen", "&actor_id=agent-3".to_owned()),
        ("that violate one rule", "&rule_code=R-0".to_owned()),
        ("that violate a rule without violations", "&rule_code=R-9".to_owned()),
        ("within a time range", format!("&{day}")),
        ("at depth 5,000", format!("&cursor={cursor}")),
    ];
    let mut rows = Vec::new();
    for (page, query) in pages {
        let requests = [fixture.tenant.get(&format!("/v1/decisions?limit=50{query}"))];
        let (address, stop_after) = (fixture.service.address, StopAfter::Elapsed(plan.time() / 2));
        let load =
            ClosedLoop { address, requests: &requests, connections: 1, status: 200, stop_after };
        let name = format!("list of 50 of {stored} decisions, {page}, p99");
        let goal = Goal::AtMost(Millis(PAGE_MS));
        rows.push(ReportRow::new(name, Millis(load.run()?.p99_ms())).goal(goal));
    }
    Ok(rows)
}

/// Records decisions until `tenant` has `wanted` of them: of 16 actors, one in eight denied.
/// Returns their number.
pub(super) fn fill(fixture: &BenchFixture, tenant: &Tenant, wanted: u64) -> Result<u64> {
    let count = format!("SELECT count(*) FROM decisions WHERE tenant_id = '{}'", tenant.id);
    let stored: u64 = fixture.database.sql(&count)?.parse()?;
    let actors: Vec<String> = (0..16).map(|n| format!("agent-{n}")).collect();
    let requests: Vec<_> = (0..CLIENTS)
        .map(|n| {
            let amount = if n % 8 == 0 { 600_000 } else { 100 };
            tenant.record_of(&actors[n / 4], amount)
        })
        .collect();
    let (address, stop_after) =
        (fixture.service.address, StopAfter::Responses(wanted.saturating_sub(stored)));
    ClosedLoop { address, requests: &requests, connections: CLIENTS, status: 201, stop_after }
        .run()?;
    Ok(fixture.database.sql(&count)?.parse()?)
}

/// Returns the cursor of the page that follows at least `depth` decisions of a filtered list; `None`
/// if the list ends before. The filter begins with `&` or is empty.
pub(super) fn cursor_at_depth(
    fixture: &BenchFixture,
    tenant: &Tenant,
    filter: &str,
    depth: u64,
) -> Result<Option<String>> {
    let (mut cursor, mut passed) = (String::new(), 0);
    while passed < depth {
        let from = if cursor.is_empty() { String::new() } else { format!("&cursor={cursor}") };
        let mut page = tenant.get(&format!("/v1/decisions?limit={PAGE_MAX}{filter}{from}"));
        let page = fixture.send(&mut page, 200)?;
        let Some(next) = page.get("next_cursor").and_then(Value::as_str) else { return Ok(None) };
        next.clone_into(&mut cursor);
        passed += PAGE_MAX;
    }
    Ok(Some(cursor))
}
