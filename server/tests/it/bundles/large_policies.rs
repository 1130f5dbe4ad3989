//! Policies that are as large as a bundle can contain.

use serde_json::{Value, json};
use verify::Overall;

use super::verify_bundle;
use crate::{
    client::text,
    service::{TestService, test_service},
    transparency::append_pending,
    trust::current_trust,
};

/// The length of the description of a rule. 128 such rules have less than the documented 8 MiB, 129 have more.
const DESCRIPTION_CHARS: usize = 65_200;

async fn activate(service: &TestService, code: &str, rules: usize) -> String {
    let rule = |number: usize| {
        json!({"code": format!("R-{number}"), "rule_type": "presence", "severity": "medium",
            "condition": {"required_fields": ["a"]}, "description": "x".repeat(DESCRIPTION_CHARS)})
    };
    let rules: Vec<_> = (0..rules).map(rule).collect();
    let policy = json!({"code": code, "name": code, "decision_types": ["payment"], "rules": rules});
    service.active_policy(&policy).await.policy
}

fn request(key: &str) -> Value {
    json!({"idempotency_key": key, "context": {"decision_type": "payment", "fields": {}}})
}

#[tokio::test]
async fn the_largest_policies_have_a_bundle_and_larger_ones_are_refused() {
    let service = test_service().await;
    let sequencer = service.log_with_registry().await;
    for number in 0..8 {
        activate(&service, &format!("P-{number}"), 16).await;
    }
    let key = &service.key;
    let created = key.post("/v1/decisions/record", &request("largest")).await.expect(201);
    append_pending(&service, &sequencer).await;
    let id = text(&created["decision"]["id"]);
    let bundle = service.public.get(format!("/v1/receipts/{id}/bundle")).await;
    assert_eq!(bundle.status, 200, "{}", bundle.text);
    let report = verify_bundle(bundle.text.as_bytes(), &current_trust(&service).await);
    assert_eq!(report.overall, Overall::Verified, "{report:?}");

    let small = activate(&service, "SMALL", 1).await;
    let refused = key.post("/v1/decisions/record", &request("larger")).await;
    let expected = "/context/decision_type too_large\n";
    assert_eq!((refused.status, &*refused.field_errors()), (422, expected));
    let context = json!({"context": request("k")["context"]});
    assert_eq!(key.post("/v1/decisions/evaluate", &context).await.field_errors(), expected);
    let recorded = key.get("/v1/decisions?decision_type=payment").await.expect(200);
    assert_eq!(recorded["items"].as_array().map(Vec::len), Some(1));
    let mut narrowed = request("narrowed");
    narrowed["policy_ids"] = json!([small]);
    key.post("/v1/decisions/record", &narrowed).await.expect(201);
}
