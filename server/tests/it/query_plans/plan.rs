//! Query plans with the numbers of rows that were read, as `auto_explain` reports them to the client.

use std::{
    collections::BTreeSet,
    fmt,
    sync::{Arc, Mutex},
};

use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::layer::{Context, Layer};

use crate::prelude::*;

/// Makes new sessions of the database report the plan of each statement, also of those in functions.
pub(super) const REPORT_PLANS: &str = "do $$
    declare
        setting text;
    begin
        foreach setting in array array['session_preload_libraries = ''auto_explain''',
            'auto_explain.log_min_duration = 0', 'auto_explain.log_analyze = on',
            'auto_explain.log_timing = off', 'auto_explain.log_nested_statements = on',
            'auto_explain.log_format = ''json''', 'auto_explain.log_level = ''notice''']
        loop
            execute format('alter database %I set %s', current_database(), setting);
        end loop;
    end $$";

/// The target of the events in which the driver reports the notices of the server.
const NOTICES: &str = "sqlx::postgres::notice";

/// Collects the plans of the statements that this thread runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Plans(Arc<Mutex<Vec<Plan>>>);

impl Plans {
    /// Returns the plans since the last call.
    pub(super) fn take(&self) -> Vec<Plan> {
        std::mem::take(&mut *self.0.lock().expect("no plan is read in a panic"))
    }
}

impl<S: Subscriber> Layer<S> for Plans {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if event.metadata().target() == NOTICES {
            event.record(&mut self.clone());
        }
    }
}

impl Visit for Plans {
    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}

    fn record_str(&mut self, _: &Field, message: &str) {
        let Some((_, plan)) = message.split_once("plan:\n") else { return };
        let plan: Value = serde_json::from_str(plan).expect("a plan is JSON");
        let statement = plan["Query Text"].as_str().expect("a plan has its statement").to_owned();
        let plan = Plan { statement, root: plan["Plan"].clone() };
        self.0.lock().expect("no plan is read in a panic").push(plan);
    }
}

/// The plan of a statement that has run.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) statement: String,
    root: Value,
}

/// A node of a plan that reads or sorts many rows.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) rows: f64,
    pub(super) is_seq_scan: bool,
    node: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} rows", self.node, self.rows)
    }
}

impl Plan {
    /// Returns the sequential scans of `tables`, the scans that read more than `rows_max` of their rows, and the sorts
    /// of more than `rows_max` rows.
    pub(super) fn findings(&self, tables: &BTreeSet<String>, rows_max: f64) -> Vec<Finding> {
        let mut findings = Vec::new();
        collect(&self.root, tables, rows_max, &mut findings);
        findings
    }
}

fn collect(node: &Value, tables: &BTreeSet<String>, rows_max: f64, findings: &mut Vec<Finding>) {
    let children = node["Plans"].as_array().map_or(&[][..], Vec::as_slice);
    let kind = node["Node Type"].as_str().expect("a node has a type");
    let table = node["Relation Name"].as_str().filter(|table| tables.contains(*table));
    let has_run = number(node, "Actual Loops") > 0.0;
    let rows = match (table, children) {
        (Some(_), _) => rows_read(node),
        (None, [input, ..]) if kind.ends_with("Sort") => {
            number(input, "Actual Rows") * number(input, "Actual Loops")
        }
        _ => 0.0,
    };
    let is_seq_scan = kind == "Seq Scan" && table.is_some();
    if has_run && (is_seq_scan || rows > rows_max) {
        let index = node["Index Name"].as_str().or(table).unwrap_or_default();
        findings.push(Finding { rows, is_seq_scan, node: format!("{kind} {index}") });
    }
    for child in children {
        collect(child, tables, rows_max, findings);
    }
}

/// Returns the number of rows that a scan has read, with those that its filter removed.
fn rows_read(scan: &Value) -> f64 {
    let removed = ["Rows Removed by Filter", "Rows Removed by Index Recheck"];
    let read: f64 = removed.iter().map(|name| number(scan, name)).sum();
    (number(scan, "Actual Rows") + read) * number(scan, "Actual Loops")
}

fn number(node: &Value, name: &str) -> f64 {
    node[name].as_f64().unwrap_or_default()
}
