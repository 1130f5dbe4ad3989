//! What becomes of decisions once they were recorded.

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
    client::{Client, text},
    service::{TestService, request},
};

/// Records a payment of `amount` under `key`, and gives the decision.
async fn recorded(world: &TestService, key: &str, amount: u32) -> Value {
    let body = request(key, amount);
    world.key.post("/v1/decisions/record", &body).await.expect(201)["decision"].clone()
}

/// Records whatever `body` says, and gives the decision.
async fn recorded_as(client: &Client, body: &Value) -> Value {
    client.post("/v1/decisions/record", body).await.expect(201)["decision"].clone()
}

/// The id of a decision.
fn id(decision: &Value) -> &str {
    text(&decision["id"])
}

/// The idempotency keys of a page's decisions, in its order.
fn keys(page: &Value) -> Vec<String> {
    let items = page["items"].as_array().expect("a page has items");
    items.iter().map(|item| text(&item["idempotency_key"]).to_owned()).collect()
}

/// The policy on payments with rules of its own, as a body.
fn policy_with(code: &str, rules: &Value) -> Value {
    json!({"code": code, "name": code, "decision_types": ["payment"], "rules": rules})
}
