//! Recorded decisions: lists, exports, outcomes, replays and snapshots.

mod batches;
mod exports;
mod lists;
mod narrowing;
mod outcomes;
mod policy_log;
mod replays;
mod schema_one;
mod snapshots;

use crate::prelude::*;

fn id(decision: &Value) -> &str {
    text(&decision["id"])
}

/// Returns the idempotency keys of a page's decisions, in page order.
fn keys(page: &Value) -> Vec<String> {
    texts(page, "idempotency_key")
}

fn policy_with(code: &str, rules: &Value) -> Value {
    json!({"code": code, "name": code, "decision_types": ["payment"], "rules": rules})
}
