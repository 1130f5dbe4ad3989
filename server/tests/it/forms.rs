//! Hosted forms over HTTP: looked after by a tenant, filled in by the public.

mod access;
mod cross_origin;
mod examples;
mod limits;
mod pages;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::{TestResponse, text},
    service::{MINUTE_MS, NOW, TestService, Version, world},
};

/// A form of a policy, whose questions are drawn from its rules.
pub(crate) fn draft(version: &Version) -> Value {
    json!({"policy_id": version.policy, "title": "Payment request"})
}

/// A published form of a policy with `members` beside.
pub(crate) async fn published(world: &TestService, version: &Version, members: Value) -> Value {
    let mut draft = draft(version);
    draft["is_published"] = true.into();
    for (name, value) in members.as_object().expect("an object") {
        draft[name] = value.clone();
    }
    world.key.post("/v1/forms", &draft).await.expect(201)
}

/// The path of a form, or of what is below it.
fn path(form: &Value, below: &str) -> String {
    format!("/v1/forms/{}{below}", text(&form["id"]))
}

/// Answers that the world's rules allow, under a key.
fn answers(amount: u32, key: &str) -> Value {
    json!({"values": {"amount": amount, "purpose": "Laptops"}, "idempotency_key": key})
}

/// A submission by nobody in particular.
async fn submit(world: &TestService, form: &Value, body: &Value) -> TestResponse {
    world.public.post(path(form, "/submit"), body).await
}

#[tokio::test]
async fn a_form_is_made_read_changed_published_and_deleted() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let made = world.key.post("/v1/forms", &draft(&version)).await;
    let form = made.expect(201);
    assert_eq!(made.header("location"), Some(&*path(&form, "")));
    let field =
        |name: &str, label: &str, kind: &str| json!({"name": name, "label": label, "type": kind});
    let mut amount = field("amount", "Amount", "number");
    amount["required"] = true.into();
    amount["help"] = "At most 10000.".into();
    let mut purpose = field("purpose", "Purpose", "text");
    purpose["required"] = true.into();
    let expected = json!({
        "id": form["id"], "tenant_id": world.tenant.to_string(), "policy_id": version.policy,
        "title": "Payment request", "decision_type": "payment", "access_mode": "open",
        "fields": [amount, purpose, field("region", "Region", "text"),
                   field("tax_number", "Tax number", "text")],
        "is_published": false, "token_budget": {"limit": 1_000, "window": "day"}, "tokens_used": 0,
        "branding": {}, "created_at": NOW, "created_by": form["created_by"], "updated_at": NOW,
    });
    assert_eq!(form, expected);
    assert_eq!(world.key.get(path(&form, "")).await.expect(200), form);
    assert_eq!(world.key.get("/v1/forms").await.expect(200)["items"], json!([form]));

    world.clock.advance(MINUTE_MS);
    let same = world.key.patch(path(&form, ""), &json!({"title": "Payment request"})).await;
    assert_eq!(same.expect(200), form, "nothing was asked for");
    let change = json!({
        "title": "Payments", "description": "words", "is_published": true, "access_mode": "password",
        "password": "open sesame", "token_budget": {"limit": 5, "window": "hour"},
        "branding": {"label": "Treasury"}, "success_message": "Thank you.",
        "fields": [{"name": "amount", "label": "How much", "type": "number", "min": 1}],
    });
    let patched = world.key.patch(path(&form, ""), &change).await.expect(200);
    let mut expected = form.clone();
    for (name, value) in change.as_object().unwrap() {
        expected[name] = value.clone();
    }
    expected.as_object_mut().unwrap().remove("password");
    expected["updated_at"] = "2026-09-01T10:01:00.000Z".into();
    assert_eq!(patched, expected, "and the password is shown nowhere");
    let hash = world.sql("select password_hash from forms").await.concat();
    assert!(hash.starts_with("$argon2id$"), "{hash}");

    assert_eq!(world.key.delete(path(&form, "")).await.status, 204);
    for gone in [world.key.get(path(&form, "")), world.public.get(path(&form, "/schema"))] {
        assert_eq!(gone.await.to_string(), "404 NOT_FOUND");
    }
    let acts = "select action from audit_events where object_type = 'form' order by seq";
    assert_eq!(world.sql(acts).await, ["form.create", "form.edit", "form.delete"]);
}

#[tokio::test]
async fn every_fault_of_a_form_is_named_at_once() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let bad = json!({
        "title": "", "fields": [{"name": "a", "label": "A", "type": "select"}], "access_mode": "password",
        "token_budget": {"limit": 0, "window": "week"}, "branding": {"logo": "x"}, "published": true,
    });
    assert_snapshot!(world.key.post("/v1/forms", &bad).await.faults(), @r"
    /policy_id required
    /title too_short
    /fields/0/options required
    /token_budget/limit range
    /token_budget/window enum
    /branding/logo unknown
    /password required
    /published unknown
    ");
    let mut draft = draft(&version);
    draft["decision_type"] = "loan".into();
    assert_eq!(world.key.post("/v1/forms", &draft).await.faults(), "/decision_type unknown\n");
    draft["decision_type"] = "payment".into();
    draft["fields"] = json!([{"name": "a", "label": "A", "type": "text", "pattern": "("}]);
    assert_eq!(world.key.post("/v1/forms", &draft).await.faults(), "/fields/0/pattern format\n");
    let not_yet = self::draft(&world.draft("PAY-02").await);
    assert_eq!(world.key.post("/v1/forms", &not_yet).await.faults(), "/fields required\n");
    let other = world.neighbour().await;
    let foreign = other.key.post("/v1/forms", &self::draft(&version)).await;
    assert_eq!(foreign.to_string(), "404 NOT_FOUND");
}

#[tokio::test]
async fn a_submission_is_decided_recorded_and_signed_as_every_decision_is() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    // Stricter, and not the form's policy.
    world.active("PAY-02").await;
    let form = published(&world, &version, json!({"success_message": "Thank you."})).await;
    let schema = world.public.get(path(&form, "/schema")).await;
    assert_eq!(schema.header("access-control-allow-origin"), Some("*"));
    let schema = schema.expect(200);
    assert_eq!(schema["json_schema"]["required"], json!(["amount", "purpose"]));
    assert_eq!(schema["ui"]["order"], json!(["amount", "purpose", "region", "tax_number"]));
    assert_eq!(schema["ui"]["help"], json!({"amount": "At most 10000."}));

    let mut body = answers(20_000, "k");
    body["respondent"] = json!({"id": "ada", "display_name": "Ada"});
    let first = submit(&world, &form, &body).await;
    let answer = first.expect(201);
    let id = text(&answer["decision_id"]);
    let receipt_url = format!("/f/{}/receipts/{id}", text(&form["id"]));
    assert_eq!(
        answer,
        json!({
            "decision_id": id, "decision": "DENY", "message": "Thank you.",
            "receipt_url": receipt_url,
            "violations": [{
                "rule_code": "AMOUNT", "field": "amount",
                "reason": "amount is 20000, above the maximum of 10000",
            }],
        })
    );
    let again = submit(&world, &form, &body).await;
    assert_eq!((again.status, again.json()), (200, answer.clone()), "sent twice, decided once");
    let reused = submit(&world, &form, &answers(1, "k")).await;
    assert_eq!(reused.to_string(), "422 IDEMPOTENCY_KEY_REUSED");

    let decision = world.key.get(format!("/v1/decisions/{id}")).await.expect(200);
    let actor = json!({"type": "form_respondent", "display_name": "Ada", "declared_id": "ada"});
    assert_eq!(decision["actor"], actor, "what a respondent declares is not an identity");
    let by_actor = world.key.get("/v1/decisions?actor_id=ada").await.expect(200);
    assert_eq!(by_actor["items"], json!([]));
    assert_eq!(decision["context"]["fields"], body["values"]);
    assert_eq!(decision["context"]["metadata"]["form_id"], form["id"]);
    assert_eq!(decision["evaluated_policies"].as_array().map(Vec::len), Some(1));
    let receipt = world.public.get(path(&form, &format!("/receipts/{id}"))).await.expect(200);
    assert!(receipt["signature"].is_string());
    let public = format!("/v1/receipts/{id}");
    assert_eq!(world.public.get(&public).await.expect(200), receipt);
    let read = world.key.get(path(&form, "")).await.expect(200);
    assert_eq!(read["tokens_used"], 1, "the repeat cost nothing");

    // Only what was submitted here has a receipt here.
    let other = published(&world, &version, json!({})).await;
    let elsewhere = world.public.get(path(&other, &format!("/receipts/{id}"))).await;
    assert_eq!(elsewhere.to_string(), "404 NOT_FOUND");
    world.key.patch(path(&form, ""), &json!({"is_published": false})).await.expect(200);
    for below in ["/schema", "/api-contract", &format!("/receipts/{id}")] {
        assert_eq!(world.public.get(path(&form, below)).await.to_string(), "404 NOT_FOUND");
    }
    assert_eq!(submit(&world, &form, &body).await.to_string(), "404 NOT_FOUND");
    world.key.delete(path(&form, "")).await;
    assert_eq!(world.public.get(&public).await.expect(200), receipt, "the decision stays");
}

#[tokio::test]
async fn answers_that_do_not_fit_are_told_one_by_one_and_cost_nothing() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let form = published(&world, &version, json!({})).await;
    let wrong = json!({"values": {"amount": "2,5oo", "region": 7, "amnt": 1}});
    assert_snapshot!(submit(&world, &form, &wrong).await.faults(), @r"
    /values/amount type
    /values/purpose required
    /values/region type
    /values/amnt unknown
    ");
    let unknown = json!({"values": {}, "fields": {}});
    assert_eq!(submit(&world, &form, &unknown).await.faults(), "/fields unknown\n");
    let large = json!({"values": {"amount": 1, "purpose": "x".repeat(262_144)}});
    assert_eq!(submit(&world, &form, &large).await.to_string(), "413 PAYLOAD_TOO_LARGE");
    assert_eq!(world.key.get(path(&form, "")).await.expect(200)["tokens_used"], 0);
    assert_eq!(world.sql("select count(*)::text from decisions").await, ["0"]);

    let because = json!({"reason": "because"});
    let deactivate = format!("{}/deactivate", version.of());
    world.ratifier().await.post(deactivate, &because).await.expect(200);
    let nobody_decides = submit(&world, &form, &answers(1, "k")).await;
    assert_eq!(nobody_decides.to_string(), "404 NO_ACTIVE_POLICIES");
    assert_eq!(world.key.get(path(&form, "")).await.expect(200)["tokens_used"], 0);
}

#[tokio::test]
async fn five_hundred_fields_are_asked_and_answered() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let field = |number: u32| json!({"name": format!("f{number}"), "label": "F", "type": "number"});
    let fields: Vec<Value> = (0..500).map(field).collect();
    let form = published(&world, &version, json!({"fields": fields})).await;
    let wrong = json!({"values": {"f0": "x", "f499": null}});
    assert_eq!(
        submit(&world, &form, &wrong).await.faults(),
        "/values/f0 type\n/values/f499 type\n"
    );
    let values: serde_json::Map<String, Value> =
        (0..500).map(|number| (format!("f{number}"), json!(number))).collect();
    submit(&world, &form, &json!({"values": values})).await.expect(201);
    let mut more = draft(&version);
    more["fields"] = (0..=500).map(field).collect();
    assert_eq!(world.key.post("/v1/forms", &more).await.faults(), "/fields too_many\n");
}
