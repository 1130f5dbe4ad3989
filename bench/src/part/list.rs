//! Lists of a tenant with many decisions.

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::{
    load::{Closed, Until},
    report::{Figure::Millis, Goal, Line},
    stage::Stage,
    world::World,
};

/// How many clients record while a tenant gets its decisions.
const CLIENTS: usize = 64;

/// What a page may take, in milliseconds.
const PAGE_MS: f64 = 20.0;

/// How far down the list a reader has come.
const DEPTH: u64 = 5_000;

pub(crate) fn measure(stage: &mut Stage<'_>) -> Result<Vec<Line>> {
    let plan = stage.plan;
    let world = stage.world()?;
    let stored = fill(world, plan.decisions)?;
    let cursor = deep(world)?;
    let day = "recorded_from=2020-01-01T00:00:00Z&recorded_to=2099-01-01T00:00:00Z";
    let pages = [
        ("newest", String::new()),
        ("of one type", "&decision_type=bench_10".to_owned()),
        ("denied, one in eight", "&decision=DENY".to_owned()),
        ("of one actor in sixteen", "&actor_id=agent-3".to_owned()),
        ("that violate one rule", "&rule_code=R-0".to_owned()),
        ("that violate a rule which none violates", "&rule_code=R-9".to_owned()),
        ("within a time", format!("&{day}")),
        ("5,000 down", format!("&cursor={cursor}")),
    ];
    let mut lines = Vec::new();
    for (name, query) in pages {
        let requests = [world.tenant.get(&format!("/v1/decisions?limit=50{query}"))];
        let (address, until) = (world.service.address, Until::Elapsed(plan.time() / 2));
        let seen = Closed { address, requests: &requests, connections: 1, status: 200, until };
        let what = format!("list of 50 of {stored} decisions, {name}, p99");
        let goal = Goal::AtMost(Millis(PAGE_MS));
        lines.push(Line::new(what, Millis(seen.run()?.p99_ms())).goal(goal));
    }
    Ok(lines)
}

/// Records until the tenant has `wanted` decisions: of 16 actors, one in eight denied.
pub(super) fn fill(world: &mut World, wanted: u64) -> Result<u64> {
    let count = format!("SELECT count(*) FROM decisions WHERE tenant_id = '{}'", world.tenant.id);
    let stored: u64 = world.database.sql(&count)?.parse()?;
    let actors: Vec<String> = (0..16).map(|n| format!("agent-{n}")).collect();
    let requests: Vec<_> = (0..CLIENTS)
        .map(|n| {
            let amount = if n % 8 == 0 { 600_000 } else { 100 };
            world.tenant.record_of(&actors[n / 4], amount)
        })
        .collect();
    let (address, until) = (world.service.address, Until::Answers(wanted.saturating_sub(stored)));
    Closed { address, requests: &requests, connections: CLIENTS, status: 201, until }.run()?;
    Ok(world.database.sql(&count)?.parse()?)
}

/// A cursor far down the list.
fn deep(world: &mut World) -> Result<String> {
    let (mut cursor, mut down) = (String::new(), 0);
    while down < DEPTH {
        let from = if cursor.is_empty() { String::new() } else { format!("&cursor={cursor}") };
        let mut page = world.tenant.get(&format!("/v1/decisions?limit=200{from}"));
        let page = world.ask(&mut page, 200)?;
        let next = page.get("next_cursor").and_then(Value::as_str).context("the list is short")?;
        next.clone_into(&mut cursor);
        down += 200;
    }
    Ok(cursor)
}
