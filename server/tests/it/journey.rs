//! The main workflow, from a policy to its recorded decisions.

use contract::scope::Scope;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::{text, texts},
    service::{
        NOW, TestService, payment, policy, record, record_text, request, rules, test_service,
    },
};

#[tokio::test]
async fn policy_is_evaluated_after_submission_ratification_and_activation() {
    let service = test_service().await;
    let author = service.author().await;
    let response = author.post("/v1/policies", &policy("PAY-01")).await;
    let created = response.expect(201);
    let id = text(&created["policy"]["id"]);
    assert_eq!(response.header("location"), Some(&*format!("/v1/policies/{id}")));
    assert_eq!(created["policy"]["is_active"], false);
    assert_eq!(created["policy"]["draft_version"], 1);
    assert_eq!(created["version"]["status"], "draft");
    assert_eq!(created["version"]["draft_revision"], 1);
    assert_eq!(created["version"]["created_at"], NOW);

    let path = format!("/v1/policies/{id}/versions/1");
    let submitted = author.post(format!("{path}/submit"), &json!({})).await.expect(200);
    assert_eq!(submitted["status"], "submitted");
    assert_eq!(submitted["submitted_at"], NOW);
    assert_eq!(submitted["submitted_by"], created["version"]["created_by"]);

    let ratifier = service.ratifier().await;
    let ratification = json!({"expected_revision": 1, "note": "As discussed."});
    let approved = ratifier.post(format!("{path}/ratify"), &ratification).await.expect(200);
    assert_eq!(approved["status"], "ratified");
    assert_eq!(approved["is_active"], false);
    assert_ne!(approved["ratified_by"], submitted["submitted_by"]);

    let inactive = service.key.post("/v1/decisions/evaluate", &evaluation(1)).await;
    assert_snapshot!(inactive, @"404 NO_ACTIVE_POLICIES");
    let active = ratifier.post(format!("{path}/activate"), &json!({})).await.expect(200);
    assert_eq!(active["is_active"], true);
    assert_eq!(active["status"], "ratified");
    assert_eq!(active["rules"], rules(10_000));
    assert_eq!(active["rules_digest"], created["version"]["rules_digest"]);
    let policy = author.get(format!("/v1/policies/{id}")).await.expect(200);
    assert_eq!(policy["is_active"], true);
    assert_eq!(policy["active_version"], 1);
    assert_eq!(policy.get("draft_version"), None);
    service.key.post("/v1/decisions/evaluate", &evaluation(1)).await.expect(200);
}

#[tokio::test]
async fn dry_run_returns_the_verdict_and_records_nothing() {
    let service = test_service().await;
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

#[tokio::test]
async fn older_name_of_evaluate_returns_the_same_response() {
    let service = test_service().await;
    service.active("PAY-01").await;
    let [new, old] = ["evaluate", "dry-run"].map(|name| format!("/v1/decisions/{name}"));
    let new = service.key.post(new, &evaluation(12_000)).await.expect(200);
    let old = service.key.post(old, &evaluation(12_000)).await.expect(200);
    assert_eq!(new, old);
}

#[tokio::test]
async fn explain_returns_the_status_of_every_rule() {
    let service = test_service().await;
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

#[tokio::test]
async fn dry_run_and_record_of_one_context_have_the_same_hashes() {
    let service = test_service().await;
    service.active("PAY-01").await;
    let dry_run = service.key.post("/v1/decisions/evaluate", &evaluation(12_000)).await.expect(200);
    let decision = service.record("k-1", 12_000).await;
    let result = &decision["result"];
    for hash in [
        "integrity_hash",
        "evaluated_rules_hash",
        "policy_snapshot_digest",
        "policy_snapshot_id",
        "violations",
    ] {
        assert_eq!(dry_run["result"][hash], result[hash], "{hash}");
    }
    assert_eq!(result.get("dry_run"), None);
}

#[tokio::test]
async fn record_contains_actor_action_and_policy() {
    let service = test_service().await;
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

#[tokio::test]
async fn actor_of_the_context_is_used_without_an_actor_of_the_request() {
    let service = test_service().await;
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

#[tokio::test]
async fn timestamp_of_the_caller_makes_a_verdict_reproducible() {
    let service = test_service().await;
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

#[tokio::test]
async fn repeat_returns_the_stored_record_byte_for_byte() {
    let service = test_service().await;
    let version = service.active("PAY-01").await;
    let first = service.key.post("/v1/decisions/record", &request("k-1", 12_000)).await;
    first.expect(201);
    service.clock.advance(60_000);
    // A different order and different white space: the same request.
    let reordered = r#" { "context" : {"fields":{"region":"US","amount":12000.0},
        "decision_type":"payment"}, "idempotency_key":"k-1" } "#;
    let call = service.key.call("POST", "/v1/decisions/record");
    let repeat = call.body("application/json; charset=utf-8", reordered).await;
    assert_eq!(repeat.status, 200);
    assert_eq!(repeat.header("location"), None);
    assert_eq!(record_text(&repeat), record_text(&first));

    // The record does not depend on the current policies.
    let successor = service.successor(&version, &rules(50_000)).await;
    service.activate(&successor).await;
    let later = service.key.post("/v1/decisions/record", &request("k-1", 12_000)).await;
    assert_eq!((later.status, record_text(&later)), (200, record_text(&first)));
    service.deactivate(&version).await;
    let new_request = service.key.post("/v1/decisions/record", &request("k-2", 12_000)).await;
    assert_snapshot!(new_request, @"404 NO_ACTIVE_POLICIES");
    let later = service.key.post("/v1/decisions/record", &request("k-1", 12_000)).await;
    assert_eq!((later.status, record_text(&later)), (200, record_text(&first)));
    assert_eq!(list_keys(&service, "").await, ["k-1"]);
}

#[tokio::test]
async fn idempotency_key_cannot_be_used_for_another_request() {
    let service = test_service().await;
    service.active("PAY-01").await;
    service.record("k-1", 12_000).await;
    let other = service.key.post("/v1/decisions/record", &request("k-1", 12_001)).await;
    assert_snapshot!(other, @"422 IDEMPOTENCY_KEY_REUSED");
    // Keys are compared by their bytes, within one tenant.
    let new = service.key.post("/v1/decisions/record", &request("K-1", 12_001)).await;
    assert_eq!(new.expect(201)["is_new"], true);
    assert_eq!(list_keys(&service, "").await, ["K-1", "k-1"]);
}

#[tokio::test]
async fn two_tenants_can_use_the_same_idempotency_key() {
    let service = test_service().await;
    service.active("PAY-01").await;
    let neighbour = service.other_tenant().await;
    neighbour.activate_policy("PAY-01").await;
    service.record("k-1", 12_000).await;
    let foreign_record = record(&neighbour.key, &request("k-1", 1)).await;
    assert_eq!(foreign_record["tenant_id"], neighbour.tenant.to_string());
}

#[tokio::test]
async fn decision_filters_return_matching_decisions() {
    let service = test_service().await;
    let version = service.active("PAY-01").await;
    for (key, amount) in [("deny", 12_000), ("review", 1)] {
        service.record(key, amount).await;
        service.clock.advance(1_000);
    }
    let mut body = request("other", 1);
    body["context"]["decision_type"] = json!("payment");
    body["context"]["fields"]["purpose"] = json!("rent");
    body["context"]["metadata"] = json!({"correlation_id": "trace-1"});
    service.key.post("/v1/decisions/record", &body).await.expect(201);
    let policy = &version.policy;
    for (filter, expected) in [
        ("", &["other", "review", "deny"][..]),
        ("decision=DENY", &["deny"]),
        ("decision=ALLOW", &["other"]),
        ("decision=ALERT", &[]),
        ("decision_type=payment", &["other", "review", "deny"]),
        ("decision_type=loan", &[]),
        ("rule_code=PURPOSE", &["review", "deny"]),
        ("rule_code=AMOUNT&decision=DENY", &["deny"]),
        ("correlation_id=trace-1", &["other"]),
        ("idempotency_key=review", &["review"]),
        (&format!("policy_id={policy}"), &["other", "review", "deny"]),
        ("policy_id=00000000-0000-4000-8000-000000000000", &[]),
        ("recorded_from=2026-09-01T10:00:01Z", &["other", "review"]),
        ("recorded_to=2026-09-01T12:00:01%2B02:00", &["review", "deny"]),
        ("recorded_from=2026-09-01T10:00:01Z&recorded_to=2026-09-01T10:00:01Z", &["review"]),
    ] {
        assert_eq!(list_keys(&service, filter).await, expected, "{filter}");
    }
}

#[tokio::test]
async fn decision_pages_are_newest_first_and_stable_under_inserts() {
    let service = test_service().await;
    service.active("PAY-01").await;
    for number in 1..=5 {
        service.record(&format!("k-{number}"), number).await;
    }
    let first = service.key.get("/v1/decisions?limit=2").await.expect(200);
    assert_eq!(texts(&first, "idempotency_key"), ["k-5", "k-4"]);
    service.record("k-6", 6).await;
    let next =
        |page: &Value| format!("/v1/decisions?limit=2&cursor={}", text(&page["next_cursor"]));
    let second = service.key.get(next(&first)).await.expect(200);
    assert_eq!(texts(&second, "idempotency_key"), ["k-3", "k-2"]);
    let third = service.key.get(next(&second)).await.expect(200);
    assert_eq!(texts(&third, "idempotency_key"), ["k-1"]);
    assert_eq!(third["next_cursor"], Value::Null);
    let exact = service.key.get("/v1/decisions?limit=6").await.expect(200);
    assert_eq!((texts(&exact, "idempotency_key").len(), &exact["next_cursor"]), (6, &Value::Null));
}

#[tokio::test]
async fn policy_filters_return_matching_policies() {
    let service = test_service().await;
    service.active("PAY-01").await;
    let loans = json!({"code": "LOAN.1", "name": "Consumer loans", "decision_types": ["loan"]});
    service.key.post("/v1/policies", &loans).await.expect(201);
    let all = json!({"code": "any", "name": "100% of everything"});
    service.key.post("/v1/policies", &all).await.expect(201);
    for (filter, expected) in [
        ("", &["any", "LOAN.1", "PAY-01"][..]),
        ("q=loan", &["LOAN.1"]),
        ("q=PAY", &["PAY-01"]),
        ("q=%25", &["any"]),
        ("q=_", &[]),
        ("decision_type=loan", &["any", "LOAN.1"]),
        ("decision_type=payment&is_active=true", &["PAY-01"]),
        ("is_active=false", &["any", "LOAN.1"]),
        ("policy_group_id=00000000-0000-4000-8000-000000000000", &[]),
    ] {
        let page = service.key.get(format!("/v1/policies?{filter}")).await.expect(200);
        assert_eq!(texts(&page, "code"), expected, "{filter}");
    }
}

#[tokio::test]
async fn policy_in_shadow_mode_alerts_instead_of_denying() {
    let service = test_service().await;
    let mut body = policy("PAY-01");
    body["shadow_mode"] = json!(true);
    service.active_policy(&body).await;
    let result = service.record("k-1", 12_000).await["result"].clone();
    assert_eq!(result["decision"], "ALERT");
    assert_eq!(result["original_decision"], "DENY");
    assert_eq!((&result["shadow_converted"], &result["is_shadow"]), (&json!(true), &json!(true)));
    assert_eq!(result["violations"][0]["is_shadow"], true);
}

#[tokio::test]
async fn request_can_narrow_to_policies() {
    let service = test_service().await;
    let strict = service.active("STRICT").await;
    let mild = service.submitted("MILD").await;
    service.ratify(&mild).await;
    let mut body = json!({"context": payment(12_000), "policy_ids": [mild.policy]});
    let inactive = service.key.post("/v1/decisions/evaluate", &body).await;
    assert_snapshot!(inactive.field_errors(), @"/policy_ids/0 unknown");
    service.activate(&mild).await;
    let narrowed = service.key.post("/v1/decisions/evaluate", &body).await.expect(200);
    assert_eq!(narrowed["evaluated_policies"].as_array().map(Vec::len), Some(1));
    body["policy_ids"] = json!([mild.policy, strict.policy]);
    let both = service.key.post("/v1/decisions/evaluate", &body).await.expect(200);
    assert_eq!(both["evaluated_policies"].as_array().map(Vec::len), Some(2));
    body["policy_group_code"] = json!("nowhere");
    let group = service.key.post("/v1/decisions/evaluate", &body).await;
    assert_snapshot!(group.field_errors(), @"/policy_group_code unknown");
}

#[tokio::test]
async fn api_key_with_one_scope_can_use_its_endpoint() {
    let service = test_service().await;
    service.active("PAY-01").await;
    let evaluator = service.create_key(&[Scope::DecisionsEvaluate]).await;
    evaluator.post("/v1/decisions/evaluate", &evaluation(1)).await.expect(200);
    let recorder = service.create_key(&[Scope::DecisionsWrite]).await;
    let created = recorder.post("/v1/decisions/record", &request("k-1", 1)).await.expect(201);
    assert_eq!(created["decision"]["api_key_name"], "a program");
    let reader = service.create_key(&[Scope::DecisionsRead]).await;
    reader.get("/v1/decisions").await.expect(200);
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
