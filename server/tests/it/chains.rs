//! Chains: what callers may ask of them, and what anyone may check.

mod page;
mod positions;
mod races;
mod seals;
mod tampering;

use serde_json::{Value, json};

use crate::{
    client::{Client, TestResponse, text},
    service::{CHAIN, TestService, chained, world},
};

/// A world with a policy in force.
async fn ready() -> TestService {
    let world = world().await;
    world.active("PAY-01").await;
    world
}

/// Asks for a record at a place of the chain.
async fn at(client: &Client, key: &str, place: Value) -> TestResponse {
    client.post("/v1/decisions/record", &chained(key, place)).await
}

/// Records a decision at a place of the chain.
async fn recorded(client: &Client, key: &str, place: Value) -> Value {
    at(client, key, place).await.expect(201)["decision"].clone()
}

/// What anyone is told of the chain.
async fn verified(world: &TestService) -> Value {
    world.public.get(format!("/v1/chains/{CHAIN}/verify")).await.expect(200)
}

/// The chain must verify, with `steps` in one line; gives what was told.
async fn sound(world: &TestService, steps: usize) -> Value {
    let told = verified(world).await;
    assert_eq!(told["problems"], json!([]), "{told}");
    assert_eq!((&told["valid"], &told["steps"]), (&json!(true), &json!(steps)));
    let items = told["items"].as_array().expect("a list");
    assert_eq!(items.len(), steps);
    for (place, item) in items.iter().enumerate() {
        assert_eq!(item["position"], json!(place + 1));
        assert_eq!(item["link"]["position"], item["position"]);
        assert_eq!((&item["link_valid"], &item["signature_valid"]), (&json!(true), &json!(true)));
        let before = place
            .checked_sub(1)
            .map_or(&Value::Null, |before| &items[before]["chain_integrity_hash"]);
        assert_eq!(&item["link"]["prev"], before, "each link names the one before");
    }
    told
}

/// The numbers of the steps in order of recording.
fn steps(told: &Value) -> Vec<u64> {
    let items = told["items"].as_array().expect("a list").iter();
    items.map(|item| item["chain_step"].as_u64().expect("a number")).collect()
}

/// A member of a decision as text.
fn member<'a>(decision: &'a Value, name: &str) -> &'a str {
    text(&decision[name])
}
