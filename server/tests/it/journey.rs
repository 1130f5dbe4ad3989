//! The main workflow, from a policy to its recorded decisions.

use crate::prelude::*;

#[testkit::test]
async fn dry_run_returns_the_verdict_and_records_nothing(service: TestService) {
    let version = service.active("PAY-01").await;
    let response = service.key.post("/v1/decisions/evaluate", &evaluation(12_000)).await;
    let dry_run = response.expect(200);
    let result = &dry_run["result"];
    assert_eq!(result["decision"], "DENY");
    assert_eq!(result["dry_run"], true);
    assert_eq!(result["timestamp"], NOW);
    assert_eq!((&result["rules_evaluated"], &result["rules_na"]), (&json!(2), &json!(1)));
    assert_eq!(result["na_rules"][0]["reason"], "region is \"US\", not \"EU\"");
    let codes = |violation: &Value| {
        [&violation["rule_code"], &violation["reason_code"], &violation["field"]]
            .map(|value| text(value).to_owned())
    };
    let violations: Vec<_> = result["violations"].as_array().unwrap().iter().map(codes).collect();
    let expected =
        [["AMOUNT", "VALUE_ABOVE_MAX", "amount"], ["PURPOSE", "FIELD_MISSING", "purpose"]];
    assert_eq!(violations, expected);
    for member in ["signature", "signature_kid", "signature_algorithm", "rules", "action"] {
        assert_eq!(result.get(member), None, "{member}");
    }
    assert_eq!(dry_run["evaluated_policies"][0]["policy_id"], version.policy);
    assert_eq!(response.header("location"), None);
    assert_eq!(list_keys(&service, "").await, [""; 0]);
}

#[testkit::test]
async fn explain_returns_the_status_of_every_rule(service: TestService) {
    service.active("PAY-01").await;
    let body = json!({"context": payment(12_000), "explain": true});
    let response = service.key.post("/v1/decisions/evaluate", &body).await.expect(200);
    let rules = response["result"]["rules"].as_array().unwrap().iter();
    let rules: Vec<String> =
        rules.map(|rule| format!("{} {}", rule["rule_code"], rule["outcome"])).collect();
    assert_snapshot!(rules.join("\n"), @r#"
    "AMOUNT" "violation"
    "PURPOSE" "violation"
    "TAX" "not_applicable"
    "#);
}

#[testkit::test]
async fn record_contains_actor_action_and_policy(service: TestService) {
    let version = service.active("PAY-01").await;
    let mut body = request("order-7", 12_000);
    body["actor"] = json!({"id": "agent-3", "type": "agent", "display_name": "Buyer"});
    body["action"] = json!({"type": "payment", "reference_id": "P-7"});
    let call = service.key.post("/v1/decisions/record", &body);
    let response = call.header("x-correlation-id", "trace-7").await;
    let record = response.expect(201);
    let decision = &record["decision"];
    let id = text(&decision["id"]);
    assert_eq!(response.header("location"), Some(&*format!("/v1/decisions/{id}")));
    assert_eq!(record["is_new"], true);
    assert_eq!(decision["decision"], "DENY");
    assert_eq!(decision["idempotency_key"], "order-7");
    assert_eq!(decision["correlation_id"], "trace-7");
    assert_eq!(decision["context"]["metadata"], json!({"correlation_id": "trace-7"}));
    assert_eq!(decision["recorded_at"], NOW);
    assert_eq!(decision["created_at"], NOW);
    assert_eq!(decision["actor"], body["actor"]);
    assert_eq!(decision["result"]["action"], body["action"]);
    assert_eq!(decision["api_key_name"], "bootstrap");
    assert_eq!(decision["policy"]["id"], version.policy);
    assert_eq!(decision["policy"]["version"], 1);
    assert_eq!(decision["governance_source"]["tenant_id"], service.tenant.to_string());
    assert_eq!(decision["governance_source"]["tenant_name"], "Acme");
    assert_eq!(decision["governance_source"]["level"], 0);
    assert_eq!(decision["result"]["signature_algorithm"], "Ed25519");
    let read = service.key.get(format!("/v1/decisions/{id}")).await.expect(200);
    assert_eq!(&read, decision);
}

#[testkit::test]
async fn actor_of_the_context_is_used_without_an_actor_of_the_request(service: TestService) {
    service.active("PAY-01").await;
    let mut body = request("k-1", 1);
    body["context"]["metadata"] = json!({"actor_id": "agent-9"});
    let first = service.key.post("/v1/decisions/record", &body).await.expect(201);
    assert_eq!(first["decision"]["actor"], json!({"id": "agent-9"}));
    body["idempotency_key"] = json!("k-2");
    body["actor"] = json!({"id": "agent-1"});
    let second = service.key.post("/v1/decisions/record", &body).await.expect(201);
    assert_eq!(second["decision"]["actor"], json!({"id": "agent-1"}));
    let hash = |response: &Value| response["decision"]["result"]["integrity_hash"].clone();
    assert_ne!(hash(&first), hash(&second), "the actor is bound into the hash");
    assert_eq!(list_keys(&service, "actor_id=agent-9").await, ["k-1"]);
}

#[testkit::test]
async fn timestamp_of_the_caller_makes_a_verdict_reproducible(service: TestService) {
    service.active("PAY-01").await;
    let mut body = json!({"context": payment(1)});
    body["context"]["metadata"] = json!({"timestamp": "2026-03-01T12:00:00+02:00"});
    let first = service.key.post("/v1/decisions/evaluate", &body).await.expect(200);
    service.clock.advance(1_000);
    let second = service.key.post("/v1/decisions/evaluate", &body).await.expect(200);
    // The response still contains the time of the service, which the caller cannot change.
    assert_eq!(first["result"]["timestamp"], NOW);
    let without_timestamp = |mut response: Value| {
        response["result"]["timestamp"] = Value::Null;
        response
    };
    assert_eq!(without_timestamp(first), without_timestamp(second));
}

/// Returns the body of a dry run.
fn evaluation(amount: u32) -> Value {
    json!({"context": payment(amount)})
}

/// Lists the idempotency keys of the decisions that match a filter.
async fn list_keys(service: &TestService, filter: &str) -> Vec<String> {
    let page = service.key.get(format!("/v1/decisions?{filter}")).await.expect(200);
    texts(&page, "idempotency_key")
}
