//! Many contexts in one call.

use contract::scope::Scope;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::text,
    service::{TestService, payment, world},
};

const BATCH: &str = "/v1/decisions/evaluate-batch";

async fn evaluated(world: &TestService, contexts: &[Value]) -> Vec<Value> {
    let answer = world.key.post(BATCH, &json!({"contexts": contexts})).await.expect(200);
    answer["items"].as_array().expect("items").clone()
}

#[tokio::test]
async fn each_context_of_a_batch_comes_out_as_it_does_alone() {
    let world = world().await;
    world.active("PAY-01").await;
    let contexts = [payment(1), payment(20_000)];
    let items = evaluated(&world, &contexts).await;
    assert_eq!(items.len(), 2);
    for (context, item) in contexts.iter().zip(&items) {
        let alone = json!({"context": context});
        let alone = world.key.post("/v1/decisions/evaluate", &alone).await.expect(200);
        let timeless = |result: &Value| {
            let mut result = result.clone();
            result["evaluation_time_ms"] = Value::Null;
            result
        };
        assert_eq!(timeless(&item["result"]), timeless(&alone["result"]));
        assert_eq!(item["result"]["dry_run"], true);
        assert_eq!(item.get("error"), None);
    }
    assert_eq!(world.sql("select count(*)::text from decisions").await, ["0"]);
}

#[tokio::test]
async fn a_context_that_nothing_governs_is_refused_in_its_own_place() {
    let world = world().await;
    world.active("PAY-01").await;
    let loan = json!({"decision_type": "loan", "fields": {}});
    let items = evaluated(&world, &[payment(1), loan, payment(20_000)]).await;
    assert_eq!(items[0]["result"]["decision"], "REVIEW");
    assert_eq!(items[1].get("result"), None);
    assert_eq!(items[1]["error"]["code"], "NO_ACTIVE_POLICIES");
    let message = text(&items[1]["error"]["message"]);
    assert_snapshot!(message, @"no active policy governs decisions of type `loan`");
    assert_eq!(items[2]["result"]["decision"], "DENY");
    assert_eq!(evaluated(&world, &[]).await, [json!(null); 0]);
}

#[tokio::test]
async fn every_fault_of_every_context_is_named_and_nothing_is_decided() {
    let world = world().await;
    world.active("PAY-01").await;
    let body = json!({"contexts": [
        payment(1),
        {"decision_type": "", "fields": []},
        7,
        {"decision_type": "payment", "fields": {}, "feilds": {}},
    ]});
    assert_snapshot!(world.key.post(BATCH, &body).await.faults(), @"
    /contexts/1/decision_type too_short
    /contexts/1/fields type
    /contexts/2 type
    /contexts/3/feilds unknown
    ");
    for (body, faults) in [
        (json!({}), "/contexts required\n"),
        (json!({"contexts": {}}), "/contexts type\n"),
        (json!({"contexts": vec![payment(1); 101]}), "/contexts too_many\n"),
        (json!({"contexts": [], "explain": true}), "/explain unknown\n"),
    ] {
        assert_eq!(world.key.post(BATCH, &body).await.faults(), faults);
    }
    assert_eq!(evaluated(&world, &vec![payment(1); 100]).await.len(), 100);
}

#[tokio::test]
async fn a_batch_is_evaluated_by_those_who_evaluate() {
    let world = world().await;
    let body = json!({"contexts": []});
    world.key_with(&[Scope::DecisionsEvaluate]).await.post(BATCH, &body).await.expect(200);
    let reader = world.key_with(&[Scope::DecisionsRead, Scope::DecisionsWrite]).await;
    let refused = reader.post(BATCH, &body).await;
    assert_snapshot!(refused, @"403 INSUFFICIENT_SCOPE (decisions:evaluate)");
}
