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

use serde_json::{Value, json};

use crate::{
    client::{Client, text, texts},
    service::{TestService, request},
};

/// Records a payment of `amount` under `key` and returns the decision.
async fn record_payment(service: &TestService, key: &str, amount: u32) -> Value {
    let body = request(key, amount);
    service.key.post("/v1/decisions/record", &body).await.expect(201)["decision"].clone()
}

/// Records `body` and returns the decision.
async fn record(client: &Client, body: &Value) -> Value {
    client.post("/v1/decisions/record", body).await.expect(201)["decision"].clone()
}

fn id(decision: &Value) -> &str {
    text(&decision["id"])
}

/// Returns the idempotency keys of a page's decisions, in page order.
fn keys(page: &Value) -> Vec<String> {
    texts(page, "idempotency_key")
}

/// Returns the body of a payment policy with these rules.
fn policy_with(code: &str, rules: &Value) -> Value {
    json!({"code": code, "name": code, "decision_types": ["payment"], "rules": rules})
}
