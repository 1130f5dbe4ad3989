//! Batch evaluation: many contexts in one call.

use crate::prelude::*;

const BATCH: &str = "/v1/decisions/evaluate-batch";

async fn evaluate_batch(service: &TestService, contexts: &[Value]) -> Vec<Value> {
    let response = service.key.post(BATCH, &json!({"contexts": contexts})).await.expect(200);
    items(&response).to_vec()
}

#[testkit::test]
async fn each_batch_item_equals_its_single_evaluation(service: TestService) {
    service.active("PAY-01").await;
    let contexts = [payment(1), payment(20_000)];
    let items = evaluate_batch(&service, &contexts).await;
    assert_eq!(items.len(), 2);
    for (context, item) in contexts.iter().zip(&items) {
        let single = json!({"context": context});
        let single = service.key.post("/v1/decisions/evaluate", &single).await.expect(200);
        let without_time = |result: &Value| {
            let mut result = result.clone();
            result["evaluation_time_ms"] = Value::Null;
            result
        };
        assert_eq!(without_time(&item["result"]), without_time(&single["result"]));
        assert_eq!(item["result"]["dry_run"], true);
        assert_eq!(item.get("error"), None);
    }
    assert_eq!(service.sql("select count(*)::text from decisions").await, ["0"]);
}

#[testkit::test]
async fn ungoverned_context_fails_only_its_own_item(service: TestService) {
    service.active("PAY-01").await;
    let loan = json!({"decision_type": "loan", "fields": {}});
    let items = evaluate_batch(&service, &[payment(1), loan, payment(20_000)]).await;
    assert_eq!(items[0]["result"]["decision"], "REVIEW");
    assert_eq!(items[1].get("result"), None);
    assert_eq!(items[1]["error"]["code"], "NO_ACTIVE_POLICIES");
    let message = text(&items[1]["error"]["message"]);
    assert_snapshot!(message, @"no active policy governs decisions of type `loan`");
    assert_eq!(items[2]["result"]["decision"], "DENY");
    assert_eq!(evaluate_batch(&service, &[]).await, [json!(null); 0]);
}

#[testkit::test]
async fn a_batch_has_up_to_a_hundred_contexts(service: TestService) {
    service.active("PAY-01").await;
    assert_eq!(evaluate_batch(&service, &vec![payment(1); 100]).await.len(), 100);
}
