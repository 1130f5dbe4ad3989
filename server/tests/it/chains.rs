//! Decision chains: recording, sealing and public verification.

mod page;
mod positions;
mod races;
mod seals;
mod tampering;

use crate::prelude::*;

async fn with_active_policy() -> TestService {
    let service = test_service().await;
    service.active("PAY-01").await;
    service
}

/// Sends a record request with these members of `chain`.
async fn at(client: &Client, key: &str, chain: Value) -> TestResponse {
    client.post("/v1/decisions/record", &chain_request(key, chain)).await
}

/// Records a decision with these members of `chain`.
async fn record(client: &Client, key: &str, chain: Value) -> Value {
    at(client, key, chain).await.expect(201)["decision"].clone()
}

/// Returns the public verification of the chain.
async fn verify(service: &TestService) -> Value {
    service.public.get(format!("/v1/chains/{CHAIN}/verify")).await.expect(200)
}

/// Checks that the chain verifies and has `steps` links. Returns the verification.
async fn assert_verified(service: &TestService, steps: usize) -> Value {
    let verification = verify(service).await;
    assert_eq!(verification["problems"], json!([]), "{verification}");
    assert_eq!((&verification["valid"], &verification["steps"]), (&json!(true), &json!(steps)));
    let items = items(&verification);
    assert_eq!(items.len(), steps);
    for (index, item) in items.iter().enumerate() {
        assert_eq!(item["position"], json!(index + 1));
        assert_eq!(item["link"]["position"], item["position"]);
        assert_eq!((&item["link_valid"], &item["signature_valid"]), (&json!(true), &json!(true)));
        let previous = index
            .checked_sub(1)
            .map_or(&Value::Null, |previous| &items[previous]["chain_integrity_hash"]);
        assert_eq!(&item["link"]["prev"], previous, "each link names the previous one");
    }
    verification
}

/// The step numbers in the order of recording.
fn steps(verification: &Value) -> Vec<u64> {
    let items = items(verification).iter();
    items.map(|item| item["chain_step"].as_u64().expect("a number")).collect()
}

/// A member of a decision as text.
fn member<'a>(decision: &'a Value, name: &str) -> &'a str {
    text(&decision[name])
}
