//! Request bodies: malformed JSON, and JSON that violates the contract.

use crate::{
    prelude::*,
    routes::{self, Ids},
};

#[testkit::test]
async fn a_misspelt_member_is_rejected_with_a_suggestion(service: TestService) {
    let mut body = policy("PAY-01");
    body["desciption"] = json!("");
    body["rules"][0]["sevrity"] = json!("high");
    body["rules"][0]["condition"]["mx"] = json!(1);
    body["zzz"] = json!(1);
    let refusal = service.key.post("/v1/policies", &body).await;
    let messages: Vec<String> = refusal.details()["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| format!("{}: {}", text(&error["path"]), text(&error["message"])))
        .collect();
    assert_snapshot!(messages.join("\n"), @"
    /desciption: `desciption` is not a known member; did you mean `description`?
    /zzz: `zzz` is not a known member
    /rules/0/condition/mx: `mx` is not a known member; did you mean `max`?
    /rules/0/sevrity: `sevrity` is not a known member; did you mean `severity`?
    ");
}

#[testkit::test]
async fn a_revision_may_have_a_fraction_of_zero(service: TestService) {
    let version = service.draft("PAY-01").await;
    let call = service.key.call("PATCH", version.path());
    let edit = call.body("application/json", "{\"expected_revision\":1.0}").await;
    assert_eq!(edit.expect(200)["draft_revision"], 2);
}

#[testkit::test]
async fn free_form_members_are_stored_unchanged(service: TestService) {
    service.active("PAY-01").await;
    let free = json!({"": 1, "a b": [null, true, {"x": -0.5}], "emoji": "\u{1f600}", "n": null});
    let mut body = request("k", 1);
    body["context"]["fields"] = free.clone();
    body["context"]["metadata"] = json!({"anything": free, "correlation_id": "c"});
    body["context"]["evidence"] = json!([{"kind": "invoice", "data": free}]);
    body["action"] = json!({"type": "payment", "metadata": free});
    let created = service.key.post("/v1/decisions/record", &body).await.expect(201);
    assert_eq!(created["decision"]["context"], body["context"]);
    assert_eq!(created["decision"]["result"]["action"], body["action"]);
    assert!(created["decision"]["result"]["evidence_manifest_digest"].is_string());
    let id = text(&created["decision"]["id"]);
    let stored = service.key.get(format!("/v1/decisions/{id}")).await.expect(200);
    assert_eq!(stored, created["decision"]);
}

#[testkit::test]
async fn hostile_texts_are_stored_unchanged(service: TestService) {
    service.active("PAY-01").await;
    for (number, hostile) in [
        "'; drop table decisions; --",
        "$1",
        "\\",
        "\\u0000",
        "<script>alert(1)</script>",
        "\u{202e}\u{200f}",
        "%s%n",
        "../../etc/passwd",
    ]
    .iter()
    .enumerate()
    {
        let mut body = json!({"idempotency_key": hostile, "context": payment(1)});
        body["context"]["decision_type"] = json!("payment");
        body["context"]["fields"][*hostile] = json!(hostile);
        body["actor"] = json!({"id": hostile});
        let created = service.key.post("/v1/decisions/record", &body).await.expect(201);
        assert_eq!(created["decision"]["idempotency_key"], *hostile);
        let policy = json!({"code": format!("H{number}"), "name": hostile});
        let created = service.key.post("/v1/policies", &policy).await.expect(201);
        assert_eq!(created["policy"]["name"], *hostile);
    }
}

/// Values that are invalid for most members.
fn unexpected_values() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(-1),
        json!(0.5),
        json!(9_007_199_254_740_991_u64),
        json!(""),
        json!("\u{10fffd}"),
        json!("9999-12-31T23:59:59.999Z"),
        json!("x".repeat(70_000)),
        json!([]),
        json!([[[]], {}]),
        json!({}),
        json!({"field": "amount", "equals": {"a": 1}}),
    ]
}

/// Collects the JSON Pointers to all values within `value`.
fn collect_pointers(value: &Value, pointer: &str, pointers: &mut Vec<String>) {
    pointers.push(pointer.to_owned());
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                collect_pointers(member, &format!("{pointer}/{name}"), pointers);
            }
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                collect_pointers(element, &format!("{pointer}/{index}"), pointers);
            }
        }
        _ => {}
    }
}

#[testkit::test]
async fn an_unexpected_value_does_not_cause_an_internal_error(service: TestService) {
    let version = service.active("PAY-01").await;
    let ids = Ids { policy: version.policy, ..Ids::missing() };
    let admin = service.admin().await;
    let mut full = request("k", 1);
    full["actor"] = json!({"id": "a", "type": "t"});
    full["action"] = json!({"type": "t", "metadata": {"a": 1}});
    full["context"]["evidence"] = json!([{"kind": "k", "hash": "h", "data": {"a": 1}}]);
    full["context"]["metadata"] = json!({"timestamp": "2026-09-01T10:00:00Z", "actor_id": "a"});
    full["context"]["source_artifact"] = json!({"type": "PDF", "byte_size": 1});
    for (route, permission) in routes::guarded() {
        let Some(sample) = routes::body(&route) else { continue };
        let valid = if route.path.ends_with("/record") { full.clone() } else { sample };
        let client = if permission.scopes.is_some() { &service.key } else { &admin };
        let mut pointers = Vec::new();
        collect_pointers(&valid, "", &mut pointers);
        for pointer in pointers {
            for value in unexpected_values() {
                let mut body = valid.clone();
                *body.pointer_mut(&pointer).expect("the pointer exists") = value;
                let call = client.call(route.method, routes::path(&route, &ids));
                let response = call.json(&body).await;
                assert!(response.status < 500, "{} {pointer}: {response}", route.path);
            }
        }
    }
}

#[testkit::test]
async fn a_body_cannot_name_the_actor(service: TestService) {
    let version = service.submitted("PAY-01").await;
    let draft = service.draft("PAY-02").await;
    let submission = service.seal(&draft).await;
    let ratifier = service.ratifier().await;
    let user_id = user_id(ratifier).await;
    let records = draft.action_path(&format!("submissions/{submission}/records"));
    let correction = json!({"expected_revision": 1, "rules": [], "change_reason": "better"});
    for (path, body, names) in [
        (
            version.action_path("ratify"),
            json!({"expected_revision": 1}),
            &["ratified_by", "ratifier", "ratifier_id", "user_id", "on_behalf_of"][..],
        ),
        (version.action_path("activate"), json!({}), &["activated_by", "user_id"]),
        (version.action_path("reject"), json!({"reason": "because"}), &["rejected_by"]),
        (draft.action_path("submit"), json!({}), &["submitted_by"]),
        (draft.action_path("seal"), json!({}), &["sealed_by"]),
        (records, json!({"verdict": "ACCEPT"}), &["recorded_by", "reviewer"]),
        (draft.action_path("set-aside"), json!({"reason": "because"}), &["closed_by"]),
        (draft.action_path("supersede"), correction, &["created_by", "closed_by"]),
    ] {
        for name in names {
            let mut body = body.clone();
            body[name] = user_id.clone();
            let refusal = ratifier.post(&path, &body).await;
            assert_eq!(refusal.to_string(), "422 VALIDATION_ERROR", "{path} {name}");
            assert_eq!(refusal.field_errors(), format!("/{name} unknown\n"), "{path}");
        }
    }
    assert_eq!(service.read(&version).await["status"], "submitted");
    assert_eq!(service.read(&draft).await["status"], "draft");
}
