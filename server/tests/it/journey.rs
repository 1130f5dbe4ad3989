//! From a policy to a decision on record.

use contract::scope::Scope;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::{TestResponse, text},
    service::{NOW, TestService, drafted, payment, policy, request, rules, world},
};

#[tokio::test]
async fn a_policy_decides_once_it_was_written_submitted_ratified_and_activated() {
    let world = world().await;
    let author = world.author().await;
    let made = author.post("/v1/policies", &policy("PAY-01")).await;
    let created = made.expect(201);
    let id = text(&created["policy"]["id"]);
    assert_eq!(made.header("location"), Some(&*format!("/v1/policies/{id}")));
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

    let ratifier = world.ratifier().await;
    let ratification = json!({"expected_revision": 1, "note": "As discussed."});
    let approved = ratifier.post(format!("{path}/ratify"), &ratification).await.expect(200);
    assert_eq!(approved["status"], "ratified");
    assert_eq!(approved["is_active"], false);
    assert_ne!(approved["ratified_by"], submitted["submitted_by"]);

    let undecided = world.key.post("/v1/decisions/evaluate", &evaluation(1)).await;
    assert_snapshot!(undecided, @"404 NO_ACTIVE_POLICIES");
    let active = ratifier.post(format!("{path}/activate"), &json!({})).await.expect(200);
    assert_eq!(active["is_active"], true);
    assert_eq!(active["status"], "ratified");
    assert_eq!(active["rules"], rules(10_000));
    assert_eq!(active["rules_digest"], created["version"]["rules_digest"]);
    let policy = author.get(format!("/v1/policies/{id}")).await.expect(200);
    assert_eq!(policy["is_active"], true);
    assert_eq!(policy["active_version"], 1);
    assert_eq!(policy.get("draft_version"), None);
    world.key.post("/v1/decisions/evaluate", &evaluation(1)).await.expect(200);
}

#[tokio::test]
async fn a_dry_run_tells_the_verdict_and_records_nothing() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let answer = world.key.post("/v1/decisions/evaluate", &evaluation(12_000)).await;
    let evaluated = answer.expect(200);
    let result = &evaluated["result"];
    assert_eq!(result["decision"], "DENY");
    assert_eq!(result["dry_run"], true);
    assert_eq!(result["timestamp"], NOW);
    assert_eq!((&result["rules_evaluated"], &result["rules_na"]), (&json!(2), &json!(1)));
    assert_eq!(result["na_rules"][0]["reason"], "region is \"US\", not \"EU\"");
    let codes = |violation: &Value| {
        [&violation["rule_code"], &violation["reason_code"], &violation["field"]]
            .map(|word| text(word).to_owned())
    };
    let violations: Vec<_> = result["violations"].as_array().unwrap().iter().map(codes).collect();
    let expected =
        [["AMOUNT", "VALUE_ABOVE_MAX", "amount"], ["PURPOSE", "FIELD_MISSING", "purpose"]];
    assert_eq!(violations, expected);
    for member in ["signature", "signature_kid", "signature_algorithm", "rules", "action"] {
        assert_eq!(result.get(member), None, "{member}");
    }
    assert_eq!(evaluated["evaluated_policies"][0]["policy_id"], version.policy);
    assert_eq!(answer.header("location"), None);
    assert_eq!(listed(&world, "").await, [""; 0]);
}

#[tokio::test]
async fn the_older_name_of_evaluate_answers_the_same() {
    let world = world().await;
    world.active("PAY-01").await;
    let [new, old] = ["evaluate", "dry-run"].map(|word| format!("/v1/decisions/{word}"));
    let new = world.key.post(new, &evaluation(12_000)).await.expect(200);
    let old = world.key.post(old, &evaluation(12_000)).await.expect(200);
    assert_eq!(new, old);
}

#[tokio::test]
async fn explain_tells_how_every_rule_fared() {
    let world = world().await;
    world.active("PAY-01").await;
    let body = json!({"context": payment(12_000), "explain": true});
    let answer = world.key.post("/v1/decisions/evaluate", &body).await.expect(200);
    let rules = answer["result"]["rules"].as_array().unwrap().iter();
    let rules: Vec<String> =
        rules.map(|rule| format!("{} {}", rule["rule_code"], rule["outcome"])).collect();
    assert_snapshot!(rules.join("\n"), @r#"
    "AMOUNT" "violation"
    "PURPOSE" "violation"
    "TAX" "not_applicable"
    "#);
}

#[tokio::test]
async fn a_dry_run_and_a_record_of_one_context_have_the_same_hashes() {
    let world = world().await;
    world.active("PAY-01").await;
    let dry = world.key.post("/v1/decisions/evaluate", &evaluation(12_000)).await.expect(200);
    let recorded = recorded(&world, "k-1", 12_000).await;
    let real = &recorded["decision"]["result"];
    for hash in [
        "integrity_hash",
        "evaluated_rules_hash",
        "policy_snapshot_digest",
        "policy_snapshot_id",
        "violations",
    ] {
        assert_eq!(dry["result"][hash], real[hash], "{hash}");
    }
    assert_eq!(real.get("dry_run"), None);
}

#[tokio::test]
async fn a_record_is_kept_with_who_asked_what_and_why() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let mut body = request("order-7", 12_000);
    body["actor"] = json!({"id": "agent-3", "type": "agent", "display_name": "Buyer"});
    body["action"] = json!({"type": "payment", "reference_id": "P-7"});
    let call = world.key.post("/v1/decisions/record", &body);
    let answer = call.header("x-correlation-id", "trace-7").await;
    let recorded = answer.expect(201);
    let decision = &recorded["decision"];
    let id = text(&decision["id"]);
    assert_eq!(answer.header("location"), Some(&*format!("/v1/decisions/{id}")));
    assert_eq!(recorded["is_new"], true);
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
    assert_eq!(decision["governance_source"]["tenant_id"], world.tenant.to_string());
    assert_eq!(decision["governance_source"]["tenant_name"], "Acme");
    assert_eq!(decision["governance_source"]["level"], 0);
    assert_eq!(decision["result"]["signature_algorithm"], "Ed25519");
    let read = world.key.get(format!("/v1/decisions/{id}")).await.expect(200);
    assert_eq!(&read, decision);
}

#[tokio::test]
async fn the_actor_of_the_context_stands_in_for_the_request_s_own() {
    let world = world().await;
    world.active("PAY-01").await;
    let mut body = request("k-1", 1);
    body["context"]["metadata"] = json!({"actor_id": "agent-9"});
    let first = world.key.post("/v1/decisions/record", &body).await.expect(201);
    assert_eq!(first["decision"]["actor"], json!({"id": "agent-9"}));
    body["idempotency_key"] = json!("k-2");
    body["actor"] = json!({"id": "agent-1"});
    let second = world.key.post("/v1/decisions/record", &body).await.expect(201);
    assert_eq!(second["decision"]["actor"], json!({"id": "agent-1"}));
    let hash = |answer: &Value| answer["decision"]["result"]["integrity_hash"].clone();
    assert_ne!(hash(&first), hash(&second), "the actor is bound into the hash");
    assert_eq!(listed(&world, "actor_id=agent-9").await, ["k-1"]);
}

#[tokio::test]
async fn the_caller_s_own_instant_makes_a_verdict_reproducible() {
    let world = world().await;
    world.active("PAY-01").await;
    let mut body = json!({"context": payment(1)});
    body["context"]["metadata"] = json!({"timestamp": "2026-03-01T12:00:00+02:00"});
    let first = world.key.post("/v1/decisions/evaluate", &body).await.expect(200);
    world.clock.advance(1_000);
    let second = world.key.post("/v1/decisions/evaluate", &body).await.expect(200);
    // The answer says when it was given all the same: nobody dates the service back.
    assert_eq!(first["result"]["timestamp"], NOW);
    let undated = |mut answer: Value| {
        answer["result"]["timestamp"] = Value::Null;
        answer
    };
    assert_eq!(undated(first), undated(second));
}

#[tokio::test]
async fn a_repeat_answers_the_stored_record_byte_for_byte() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let first = world.key.post("/v1/decisions/record", &request("k-1", 12_000)).await;
    first.expect(201);
    world.clock.advance(60_000);
    // Other order, other white space: the same request.
    let spelt = r#" { "context" : {"fields":{"region":"US","amount":12000.0},
        "decision_type":"payment"}, "idempotency_key":"k-1" } "#;
    let call = world.key.call("POST", "/v1/decisions/record");
    let again = call.body("application/json; charset=utf-8", spelt).await;
    assert_eq!(again.status, 200);
    assert_eq!(again.header("location"), None);
    assert_eq!(stored(&again), stored(&first));

    // Whatever policies say now.
    let successor = world.successor(&version, &rules(50_000)).await;
    world.activate(&successor).await;
    let later = world.key.post("/v1/decisions/record", &request("k-1", 12_000)).await;
    assert_eq!((later.status, stored(&later)), (200, stored(&first)));
    let reason = json!({"reason": "no longer needed"});
    let deactivate = format!("{}/deactivate", version.of());
    world.ratifier().await.post(deactivate, &reason).await.expect(200);
    let fresh = world.key.post("/v1/decisions/record", &request("k-2", 12_000)).await;
    assert_snapshot!(fresh, @"404 NO_ACTIVE_POLICIES");
    let later = world.key.post("/v1/decisions/record", &request("k-1", 12_000)).await;
    assert_eq!((later.status, stored(&later)), (200, stored(&first)));
    assert_eq!(listed(&world, "").await, ["k-1"]);
}

#[tokio::test]
async fn a_key_is_not_used_for_another_request() {
    let world = world().await;
    world.active("PAY-01").await;
    recorded(&world, "k-1", 12_000).await;
    let other = world.key.post("/v1/decisions/record", &request("k-1", 12_001)).await;
    assert_snapshot!(other, @"422 IDEMPOTENCY_KEY_REUSED");
    // Keys are compared by their bytes, within one tenant.
    assert_eq!(recorded(&world, "K-1", 12_001).await["is_new"], true);
    assert_eq!(listed(&world, "").await, ["K-1", "k-1"]);
}

#[tokio::test]
async fn two_tenants_may_use_one_idempotency_key() {
    let world = world().await;
    world.active("PAY-01").await;
    let neighbour = world.neighbour().await;
    let theirs = drafted(&neighbour.key, "PAY-01").await;
    // The neighbour's key acts for its admin: with maker-checker on, another person must ratify.
    world.sql("update settings set maker_checker_enabled = false").await;
    neighbour.key.post(theirs.act("submit"), &json!({})).await.expect(200);
    let ratification = json!({"expected_revision": 1});
    neighbour.admin.post(theirs.act("ratify"), &ratification).await.expect(200);
    neighbour.admin.post(theirs.act("activate"), &json!({})).await.expect(200);
    recorded(&world, "k-1", 12_000).await;
    let theirs = neighbour.key.post("/v1/decisions/record", &request("k-1", 1)).await.expect(201);
    assert_eq!(theirs["decision"]["tenant_id"], neighbour.tenant.to_string());
}

#[tokio::test]
async fn decisions_are_found_by_what_they_are_about() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    for (key, amount) in [("deny", 12_000), ("review", 1)] {
        recorded(&world, key, amount).await;
        world.clock.advance(1_000);
    }
    let mut body = request("other", 1);
    body["context"]["decision_type"] = json!("payment");
    body["context"]["fields"]["purpose"] = json!("rent");
    body["context"]["metadata"] = json!({"correlation_id": "trace-1"});
    world.key.post("/v1/decisions/record", &body).await.expect(201);
    let policy = &version.policy;
    for (filter, found) in [
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
        assert_eq!(listed(&world, filter).await, found, "{filter}");
    }
}

#[tokio::test]
async fn pages_go_from_new_to_old_and_stand_still_under_inserts() {
    let world = world().await;
    world.active("PAY-01").await;
    for number in 1..=5 {
        recorded(&world, &format!("k-{number}"), number).await;
    }
    let first = world.key.get("/v1/decisions?limit=2").await.expect(200);
    assert_eq!(keys(&first), ["k-5", "k-4"]);
    recorded(&world, "k-6", 6).await;
    let next =
        |page: &Value| format!("/v1/decisions?limit=2&cursor={}", text(&page["next_cursor"]));
    let second = world.key.get(next(&first)).await.expect(200);
    assert_eq!(keys(&second), ["k-3", "k-2"]);
    let third = world.key.get(next(&second)).await.expect(200);
    assert_eq!(keys(&third), ["k-1"]);
    assert_eq!(third["next_cursor"], Value::Null);
    let exact = world.key.get("/v1/decisions?limit=6").await.expect(200);
    assert_eq!((keys(&exact).len(), &exact["next_cursor"]), (6, &Value::Null));
}

#[tokio::test]
async fn policies_are_found_by_what_they_are_about() {
    let world = world().await;
    world.active("PAY-01").await;
    let loans = json!({"code": "LOAN.1", "name": "Consumer loans", "decision_types": ["loan"]});
    world.key.post("/v1/policies", &loans).await.expect(201);
    let all = json!({"code": "any", "name": "100% of everything"});
    world.key.post("/v1/policies", &all).await.expect(201);
    for (filter, found) in [
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
        let page = world.key.get(format!("/v1/policies?{filter}")).await.expect(200);
        let items = page["items"].as_array().unwrap().iter();
        let codes: Vec<&str> = items.map(|policy| text(&policy["code"])).collect();
        assert_eq!(codes, found, "{filter}");
    }
}

#[tokio::test]
async fn a_policy_in_shadow_mode_alerts_and_does_not_deny() {
    let world = world().await;
    let mut body = policy("PAY-01");
    body["shadow_mode"] = json!(true);
    let made = world.author().await.post("/v1/policies", &body).await.expect(201);
    let path = format!("/v1/policies/{}/versions/1", text(&made["policy"]["id"]));
    world.author().await.post(format!("{path}/submit"), &json!({})).await.expect(200);
    let ratifier = world.ratifier().await;
    let ratification = json!({"expected_revision": 1});
    ratifier.post(format!("{path}/ratify"), &ratification).await.expect(200);
    ratifier.post(format!("{path}/activate"), &json!({})).await.expect(200);
    let result = recorded(&world, "k-1", 12_000).await["decision"]["result"].clone();
    assert_eq!(result["decision"], "ALERT");
    assert_eq!(result["original_decision"], "DENY");
    assert_eq!((&result["shadow_converted"], &result["is_shadow"]), (&json!(true), &json!(true)));
    assert_eq!(result["violations"][0]["is_shadow"], true);
}

#[tokio::test]
async fn a_request_may_narrow_to_policies_of_its_choice() {
    let world = world().await;
    let strict = world.active("STRICT").await;
    let mild = world.submitted("MILD").await;
    world.ratify(&mild).await;
    let mut body = json!({"context": payment(12_000), "policy_ids": [mild.policy]});
    let inactive = world.key.post("/v1/decisions/evaluate", &body).await;
    assert_snapshot!(inactive.faults(), @"/policy_ids/0 unknown");
    world.activate(&mild).await;
    let narrowed = world.key.post("/v1/decisions/evaluate", &body).await.expect(200);
    assert_eq!(narrowed["evaluated_policies"].as_array().map(Vec::len), Some(1));
    body["policy_ids"] = json!([mild.policy, strict.policy]);
    let both = world.key.post("/v1/decisions/evaluate", &body).await.expect(200);
    assert_eq!(both["evaluated_policies"].as_array().map(Vec::len), Some(2));
    body["policy_group_code"] = json!("nowhere");
    let group = world.key.post("/v1/decisions/evaluate", &body).await;
    assert_snapshot!(group.faults(), @"/policy_group_code unknown");
}

#[tokio::test]
async fn a_key_of_one_purpose_suffices_for_it() {
    let world = world().await;
    world.active("PAY-01").await;
    let evaluator = world.key_with(&[Scope::DecisionsEvaluate]).await;
    evaluator.post("/v1/decisions/evaluate", &evaluation(1)).await.expect(200);
    let recorder = world.key_with(&[Scope::DecisionsWrite]).await;
    let made = recorder.post("/v1/decisions/record", &request("k-1", 1)).await.expect(201);
    assert_eq!(made["decision"]["api_key_name"], "a program");
    let reader = world.key_with(&[Scope::DecisionsRead]).await;
    reader.get("/v1/decisions").await.expect(200);
}

/// A body that only evaluates.
fn evaluation(amount: u32) -> Value {
    json!({"context": payment(amount)})
}

/// A decision on a payment, recorded anew.
pub(crate) async fn recorded(world: &TestService, key: &str, amount: u32) -> Value {
    world.key.post("/v1/decisions/record", &request(key, amount)).await.expect(201)
}

/// The idempotency keys of the decisions that a filter finds.
async fn listed(world: &TestService, filter: &str) -> Vec<String> {
    let page = world.key.get(format!("/v1/decisions?{filter}")).await.expect(200);
    keys(&page)
}

fn keys(page: &Value) -> Vec<String> {
    let items = page["items"].as_array().expect("a page has items");
    items.iter().map(|decision| text(&decision["idempotency_key"]).to_owned()).collect()
}

/// The bytes of the record within the answer to a record call.
fn stored(answer: &TestResponse) -> &str {
    let end = answer.text.rfind(",\"is_new\":").expect("an answer to a record call");
    &answer.text[..end]
}
