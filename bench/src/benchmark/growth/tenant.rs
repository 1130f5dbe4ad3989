//! A tenant of the comparison: its decisions, and the requests that name them.

use anyhow::{Context as _, Result};
use harness::{Request, Tenant};
use serde_json::{Value, json};

use crate::{
    benchmark::list,
    fixture::{BenchFixture, Requests},
};

/// The number of chains, each of three decisions.
const CHAINS: u64 = 50;

/// The number of decisions in shadow mode.
const SHADOW: u64 = 500;

/// The number of decisions with an outcome: every second of the newest.
const OUTCOMES: usize = 500;

/// The number of decisions whose IDs requests name, spread over the history.
const NAMED: u64 = 1_000;

/// The depth of a page of a filtered list, in decisions.
const DEPTH: u64 = 400;

/// A tenant with its number of decisions.
pub(super) struct MeasuredTenant {
    pub(super) tenant: Tenant,
    pub(super) decisions: u64,
    /// IDs of decisions, spread over the history.
    named: Vec<String>,
    chains: Vec<String>,
    /// A decision that was recorded when half of the decisions were.
    middle: Value,
}

/// A filter of the list of decisions.
pub(super) struct Filter {
    pub(super) name: &'static str,
    /// The query parameters; each begins with `&`.
    pub(super) query: String,
    /// The depth of the measured page, in decisions.
    depth: u64,
}

impl MeasuredTenant {
    /// Records decisions of every kind until `tenant` has `wanted` of them.
    pub(super) fn fill(fixture: &BenchFixture, tenant: Tenant, wanted: u64) -> Result<Self> {
        eprintln!("filling a tenant with {wanted} decisions");
        fixture.activate_shadow_policy(&tenant)?;
        let chains = fixture
            .database
            .sql(&format!("SELECT gen_random_uuid() FROM generate_series(1, {CHAINS})"))?;
        for chain in chains.lines() {
            for _ in 0..3 {
                fixture.send(&mut tenant.record_in_chain(chain), 201)?;
            }
        }
        for _ in 0..SHADOW {
            fixture.send(&mut tenant.record_in_shadow_mode(), 201)?;
        }
        let decisions = list::fill(fixture, &tenant, wanted)?;
        record_outcomes(fixture, &tenant)?;
        let lines = |order: &str, limit: u64| -> Result<Vec<String>> {
            let ids = fixture.database.sql(&format!(
                "SELECT id FROM decisions WHERE tenant_id = '{}' ORDER BY {order} LIMIT {limit}",
                tenant.id
            ))?;
            Ok(ids.lines().map(str::to_owned).collect())
        };
        let middle = format!("sequence OFFSET {}", decisions / 2);
        let middle = lines(&middle, 1)?.pop().context("no decision")?;
        Ok(Self {
            middle: fixture.send(&mut tenant.get(&format!("/v1/decisions/{middle}")), 200)?,
            named: lines("md5(id::text)", NAMED)?,
            chains: chains.lines().map(str::to_owned).collect(),
            tenant,
            decisions,
        })
    }

    /// Returns the start of the names of rows.
    pub(super) fn title(&self) -> String {
        format!("growth to {} decisions", self.decisions)
    }

    /// Returns the filters of the list of decisions, in the same order for every tenant.
    pub(super) fn filters(&self) -> Vec<Filter> {
        let text =
            |pointer| self.middle.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let (policy, chain) = (text("/policy/id"), self.chains.first().map_or("", String::as_str));
        let time = text("/recorded_at");
        let filter = |name, query: String| Filter { name, query, depth: DEPTH };
        vec![
            Filter { name: "newest", query: String::new(), depth: self.decisions / 2 },
            filter("of one type", "&decision_type=bench_10".to_owned()),
            filter("denied, one in eight", "&decision=DENY".to_owned()),
            filter("of one actor in sixteen", "&actor_id=agent-3".to_owned()),
            filter("of one severity", "&severity=high".to_owned()),
            filter("that violate one rule", "&rule_code=R-0".to_owned()),
            filter("that violate a rule without violations", "&rule_code=R-9".to_owned()),
            filter("of one policy", format!("&policy_id={policy}")),
            filter("of one policy, denied", format!("&policy_id={policy}&decision=DENY")),
            filter("of one policy and rule", format!("&policy_id={policy}&rule_code=R-0")),
            filter("accepted", "&outcome=accepted".to_owned()),
            filter("without an outcome", "&outcome=none".to_owned()),
            filter("made milder by shadow mode", "&shadow_converted=true".to_owned()),
            filter("as strict as without shadow mode", "&shadow_converted=false".to_owned()),
            filter(
                "with one correlation ID",
                format!("&correlation_id={}", text("/correlation_id")),
            ),
            filter(
                "with one idempotency key",
                format!("&idempotency_key={}", text("/idempotency_key")),
            ),
            filter("of one chain", format!("&chain_id={chain}")),
            filter("of the newer half, by time", format!("&recorded_from={time}")),
            filter("of the older half, by time", format!("&recorded_to={time}")),
        ]
    }

    /// Returns a request for the first page of a filtered list.
    pub(super) fn page(&self, query: &str) -> Request {
        self.tenant.get(&format!("/v1/decisions?limit=50{query}"))
    }

    /// Returns a request for a page further down a filtered list; `None` if the list ends before.
    pub(super) fn deep_page(
        &self,
        fixture: &BenchFixture,
        filter: &Filter,
    ) -> Result<Option<Request>> {
        let Filter { query, depth, .. } = filter;
        let cursor = list::cursor_at_depth(fixture, &self.tenant, query, *depth)?;
        Ok(cursor.map(|cursor| self.page(&format!("{query}&cursor={cursor}"))))
    }

    /// Returns the paths in which each named decision or each chain takes the place of its name; a path
    /// without a name once.
    pub(super) fn paths(&self, path: &str) -> Vec<String> {
        let ids = [("{decision}", &self.named), ("{chain}", &self.chains)];
        match ids.into_iter().find(|(name, _)| path.contains(name)) {
            Some((name, ids)) => ids.iter().map(|id| path.replace(name, id)).collect(),
            None => vec![path.to_owned()],
        }
    }
}

/// Records the outcome `accepted` for every second of the newest decisions.
fn record_outcomes(fixture: &BenchFixture, tenant: &Tenant) -> Result<()> {
    let newest = fixture.database.sql(&format!(
        "SELECT id FROM decisions WHERE tenant_id = '{}' ORDER BY sequence DESC LIMIT {}",
        tenant.id,
        2 * OUTCOMES
    ))?;
    for id in newest.lines().step_by(2) {
        let path = format!("/v1/decisions/{id}/outcome");
        fixture.send(&mut tenant.post(&path, &json!({"status": "accepted"})), 201)?;
    }
    Ok(())
}
