//! Policies that are as large as a bundle can contain.

use verify::Overall;

use super::verify_bundle;
use crate::prelude::*;

/// The length of the description of a rule. 128 such rules have less than the documented 8 MiB, 129 have more.
const DESCRIPTION_CHARS: usize = 65_200;

fn policy(code: &str, rules: usize) -> Value {
    let rule = |number: usize| {
        json!({"code": format!("R-{number}"), "rule_type": "presence", "severity": "medium",
            "condition": {"required_fields": ["a"]}, "description": "x".repeat(DESCRIPTION_CHARS)})
    };
    let rules: Vec<_> = (0..rules).map(rule).collect();
    json!({"code": code, "name": code, "decision_types": ["payment"], "rules": rules})
}

fn request(key: &str) -> Value {
    json!({"idempotency_key": key, "context": {"decision_type": "payment", "fields": {}}})
}

#[tokio::test]
async fn the_largest_policies_have_a_bundle_and_larger_ones_are_not_activated() {
    let service = test_service().await;
    let sequencer = service.log_with_registry().await;
    for number in 0..8 {
        service.active_policy(&policy(&format!("P-{number}"), 16)).await;
    }
    let key = &service.key;
    let created = key.post("/v1/decisions/record", &request("largest")).await.expect(201);
    append_pending(&service, &sequencer).await;
    let id = text(&created["decision"]["id"]);
    let bundle = service.public.get(format!("/v1/receipts/{id}/bundle")).await;
    assert_eq!(bundle.status, 200, "{}", bundle.text);
    let report = verify_bundle(bundle.text.as_bytes(), &current_trust(&service).await);
    assert_eq!(report.overall, Overall::Verified, "{report:?}");

    let larger = create_policy(service.author().await, &policy("LARGER", 1)).await;
    service.submit(&larger).await;
    service.ratify(&larger).await;
    let refused = service.ratifier().await.post(larger.action_path("activate"), &json!({})).await;
    assert_eq!(refused.status, 409, "{}", refused.text);
    key.post("/v1/decisions/record", &request("next")).await.expect(201);
}
