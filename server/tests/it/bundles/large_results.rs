//! Results that repeat long values: refused before anything is recorded, and otherwise exported in a bundle.

use verify::Overall;

use super::verify_bundle;
use crate::prelude::*;

/// The documented limit of what a result repeats.
const RESULT_BYTES_MAX: usize = 8 << 20;
const FIELDS: usize = 50;

fn names() -> Vec<String> {
    (0..FIELDS).map(|number| format!("f{number}")).collect()
}

/// A request whose fields all have the same text, so that each pair of them is a violation.
fn request(key: &str, text_bytes: usize) -> Value {
    let fields: Value =
        names().into_iter().map(|name| (name, json!("x".repeat(text_bytes)))).collect();
    json!({"idempotency_key": key, "context": {"decision_type": "payment", "fields": fields}})
}

async fn activate_distinct_rule(service: &TestService) {
    let rule = json!({"code": "D", "rule_type": "distinct", "severity": "high",
        "condition": {"fields": names()}});
    let policy = json!({"code": "D", "name": "D", "decision_types": ["payment"], "rules": [rule]});
    service.active_policy(&policy).await;
}

#[tokio::test]
async fn a_result_that_repeats_too_much_is_refused_and_a_large_one_has_a_bundle() {
    let service = test_service().await;
    let sequencer = service.log_with_registry().await;
    activate_distinct_rule(&service).await;
    let key = &service.key;

    let too_large = request("too-large", 20_000);
    let refused = key.post("/v1/decisions/record", &too_large).await;
    assert_eq!((refused.status, &*refused.field_errors()), (422, "/context too_large\n"));
    let context = json!({"context": too_large["context"]});
    assert_eq!(key.post("/v1/decisions/evaluate", &context).await.status, 422);
    let batch = json!({"contexts": [too_large["context"], request("k", 1)["context"]]});
    let items = key.post("/v1/decisions/evaluate-batch", &batch).await.expect(200);
    assert_eq!(items["items"][0]["error"]["code"], "VALIDATION_ERROR");
    assert_eq!(items["items"][1]["result"]["decision"], "DENY");
    let recorded = key.get("/v1/decisions?decision_type=payment").await.expect(200);
    assert_eq!(recorded["items"], json!([]));

    let pairs = FIELDS * (FIELDS - 1) / 2;
    let text_bytes = RESULT_BYTES_MAX / pairs - 500;
    let created = key.post("/v1/decisions/record", &request("large", text_bytes)).await.expect(201);
    append_pending(&service, &sequencer).await;
    let id = text(&created["decision"]["id"]);
    let bundle = service.public.get(format!("/v1/receipts/{id}/bundle")).await;
    assert_eq!(bundle.status, 200, "{}", bundle.text);
    let report = verify_bundle(bundle.text.as_bytes(), &current_trust(&service).await);
    assert_eq!(report.overall, Overall::Verified, "{report:?}");
}
