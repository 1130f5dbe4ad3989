//! Hosted forms over HTTP: management by a tenant and public submission.

mod access;
mod cross_origin;
mod examples;
mod formats;
mod limits;
mod numbers;
mod pages;
mod unreadable;

use crate::prelude::*;

/// Returns a form draft without fields: the service derives them from the rules of the policy.
pub(crate) fn draft(version: &Version) -> Value {
    json!({"policy_id": version.policy, "title": "Payment request"})
}

/// Publishes a form of a policy with additional `members`.
pub(crate) async fn publish_form(
    service: &TestService,
    version: &Version,
    members: Value,
) -> Value {
    let mut draft = draft(version);
    draft["is_published"] = true.into();
    for (name, value) in members.as_object().expect("an object") {
        draft[name] = value.clone();
    }
    service.key.post("/v1/forms", &draft).await.expect(201)
}

/// Publishes a form of a new active policy.
async fn published_form(service: &TestService, members: Value) -> Value {
    publish_form(service, &service.active("PAY-01").await, members).await
}

/// Returns the path of a form, followed by `suffix`.
fn path(form: &Value, suffix: &str) -> String {
    format!("/v1/forms/{}{suffix}", text(&form["id"]))
}

/// Returns a submission that the rules of the test policy allow.
fn submission(amount: u32, key: &str) -> Value {
    json!({"values": {"amount": amount, "purpose": "Laptops"}, "idempotency_key": key})
}

async fn submit(service: &TestService, form: &Value, body: &Value) -> TestResponse {
    service.public.post(path(form, "/submit"), body).await
}

#[testkit::test]
async fn form_can_be_created_read_changed_published_and_deleted(service: TestService) {
    let version = service.active("PAY-01").await;
    let created = service.key.post("/v1/forms", &draft(&version)).await;
    let form = created.expect(201);
    assert_eq!(created.header("location"), Some(&*path(&form, "")));
    let field =
        |name: &str, label: &str, kind: &str| json!({"name": name, "label": label, "type": kind});
    let mut amount = field("amount", "Amount", "number");
    amount["required"] = true.into();
    amount["help"] = "At most 10000.".into();
    let mut purpose = field("purpose", "Purpose", "text");
    purpose["required"] = true.into();
    let expected = json!({
        "id": form["id"], "tenant_id": service.tenant.to_string(), "policy_id": version.policy,
        "title": "Payment request", "decision_type": "payment", "access_mode": "open",
        "fields": [amount, purpose, field("region", "Region", "text"),
                   field("tax_number", "Tax number", "text")],
        "is_published": false, "token_budget": {"limit": 1_000, "window": "day"}, "tokens_used": 0,
        "branding": {}, "language": "auto", "created_at": NOW, "created_by": form["created_by"], "updated_at": NOW,
    });
    assert_eq!(form, expected);
    assert_eq!(service.key.get(path(&form, "")).await.expect(200), form);
    assert_eq!(service.key.get("/v1/forms").await.expect(200)["items"], json!([form]));

    service.clock.advance(MINUTE_MS);
    let unchanged = service.key.patch(path(&form, ""), &json!({"title": "Payment request"})).await;
    assert_eq!(unchanged.expect(200), form, "a patch without changes has no effect");
    let change = json!({
        "title": "Payments", "description": "For all payments", "is_published": true,
        "access_mode": "password", "password": "open sesame", "token_budget": {"limit": 5, "window": "hour"},
        "branding": {"label": "Treasury"}, "success_message": "Thank you.", "language": "de",
        "fields": [{"name": "amount", "label": "How much", "type": "number", "min": 1}],
    });
    let patched = service.key.patch(path(&form, ""), &change).await.expect(200);
    let mut expected = form.clone();
    for (name, value) in change.as_object().unwrap() {
        expected[name] = value.clone();
    }
    expected.as_object_mut().unwrap().remove("password");
    expected["updated_at"] = "2026-09-01T10:01:00.000Z".into();
    assert_eq!(patched, expected, "the password is not returned");
    let hash = service.sql("select password_hash from forms").await.concat();
    assert!(hash.starts_with("$argon2id$"), "{hash}");

    assert_eq!(service.key.delete(path(&form, "")).await.status, 204);
    for call in [service.key.get(path(&form, "")), service.public.get(path(&form, "/schema"))] {
        assert_eq!(call.await.to_string(), "404 NOT_FOUND");
    }
    let actions = "select action from audit_events where object_type = 'form' order by seq";
    assert_eq!(service.sql(actions).await, ["form.create", "form.edit", "form.delete"]);
}

#[testkit::test]
async fn all_errors_of_a_form_are_reported_together(service: TestService) {
    let version = service.active("PAY-01").await;
    let mut draft = draft(&version);
    draft["decision_type"] = "loan".into();
    assert_eq!(
        service.key.post("/v1/forms", &draft).await.field_errors(),
        "/decision_type unknown\n"
    );
    draft["decision_type"] = "payment".into();
    for (pattern, code) in [("(", "format"), ("[01]{1001}", "value"), ("(?Rm)a$", "value")] {
        draft["fields"] = json!([{"name": "a", "label": "A", "type": "text", "pattern": pattern}]);
        assert_eq!(
            service.key.post("/v1/forms", &draft).await.field_errors(),
            format!("/fields/0/pattern {code}\n")
        );
    }
    let without_fields = self::draft(&service.draft("PAY-02").await);
    assert_eq!(
        service.key.post("/v1/forms", &without_fields).await.field_errors(),
        "/fields required\n"
    );
    let other = service.other_tenant().await;
    let foreign = other.key.post("/v1/forms", &self::draft(&version)).await;
    assert_eq!(foreign.to_string(), "404 NOT_FOUND");
}

#[testkit::test]
async fn submission_is_recorded_and_signed_as_a_decision(service: TestService) {
    let version = service.active("PAY-01").await;
    // An active policy that the form does not use.
    service.active("PAY-02").await;
    let form = publish_form(&service, &version, json!({"success_message": "Thank you."})).await;
    let schema = service.public.get(path(&form, "/schema")).await;
    assert_eq!(schema.header("access-control-allow-origin"), Some("*"));
    let schema = schema.expect(200);
    assert_eq!(schema["json_schema"]["required"], json!(["amount", "purpose"]));
    assert_eq!(schema["ui"]["order"], json!(["amount", "purpose", "region", "tax_number"]));
    assert_eq!(schema["ui"]["help"], json!({"amount": "At most 10000."}));

    let mut body = submission(20_000, "k");
    body["respondent"] = json!({"id": "ada", "display_name": "Ada"});
    let first = submit(&service, &form, &body).await;
    let response = first.expect(201);
    let id = text(&response["decision_id"]);
    let receipt_url = format!("/f/{}/receipts/{id}", text(&form["id"]));
    assert_eq!(
        response,
        json!({
            "decision_id": id, "decision": "DENY", "message": "Thank you.",
            "receipt_url": receipt_url,
            "violations": [{
                "rule_code": "AMOUNT", "field": "amount",
                "reason": "amount is 20000, above the maximum of 10000",
            }],
        })
    );
    let repeat = submit(&service, &form, &body).await;
    assert_eq!(
        (repeat.status, repeat.json()),
        (200, response.clone()),
        "a repeated submission is recorded once"
    );
    let reused = submit(&service, &form, &submission(1, "k")).await;
    assert_eq!(reused.to_string(), "422 IDEMPOTENCY_KEY_REUSED");

    let decision = service.key.get(format!("/v1/decisions/{id}")).await.expect(200);
    let actor = json!({"type": "form_respondent", "display_name": "Ada", "declared_id": "ada"});
    assert_eq!(decision["actor"], actor, "a declared ID is not the ID of the actor");
    let by_actor = service.key.get("/v1/decisions?actor_id=ada").await.expect(200);
    assert_eq!(by_actor["items"], json!([]));
    assert_eq!(decision["context"]["fields"], body["values"]);
    assert_eq!(decision["context"]["metadata"]["form_id"], form["id"]);
    assert_eq!(decision["evaluated_policies"].as_array().map(Vec::len), Some(1));
    let receipt = service.public.get(path(&form, &format!("/receipts/{id}"))).await.expect(200);
    assert!(receipt["signature"].is_string());
    let public = format!("/v1/receipts/{id}");
    assert_eq!(service.public.get(&public).await.expect(200), receipt);
    let read = service.key.get(path(&form, "")).await.expect(200);
    assert_eq!(read["tokens_used"], 1, "the repeat uses no budget");

    // A form returns receipts of its own submissions only.
    let other = publish_form(&service, &version, json!({})).await;
    let other_receipt = service.public.get(path(&other, &format!("/receipts/{id}"))).await;
    assert_eq!(other_receipt.to_string(), "404 NOT_FOUND");
    service.key.patch(path(&form, ""), &json!({"is_published": false})).await.expect(200);
    for suffix in ["/schema", "/api-contract", &format!("/receipts/{id}")] {
        assert_eq!(service.public.get(path(&form, suffix)).await.to_string(), "404 NOT_FOUND");
    }
    assert_eq!(submit(&service, &form, &body).await.to_string(), "404 NOT_FOUND");
    service.key.delete(path(&form, "")).await;
    assert_eq!(
        service.public.get(&public).await.expect(200),
        receipt,
        "the receipt of the decision remains available"
    );
}

#[testkit::test]
async fn invalid_submission_reports_each_error_and_uses_no_budget(service: TestService) {
    let version = service.active("PAY-01").await;
    let form = publish_form(&service, &version, json!({})).await;
    let invalid = json!({"values": {"amount": "2,5oo", "region": 7, "amnt": 1}});
    assert_snapshot!(submit(&service, &form, &invalid).await.field_errors(), @r"
    /values/amount type
    /values/purpose required
    /values/region type
    /values/amnt unknown
    ");
    let unknown = json!({"values": {}, "fields": {}});
    assert_eq!(submit(&service, &form, &unknown).await.field_errors(), "/fields unknown\n");
    let large = json!({"values": {"amount": 1, "purpose": "x".repeat(262_144)}});
    assert_eq!(submit(&service, &form, &large).await.to_string(), "413 PAYLOAD_TOO_LARGE");
    assert_eq!(service.key.get(path(&form, "")).await.expect(200)["tokens_used"], 0);
    assert_eq!(service.sql("select count(*)::text from decisions").await, ["0"]);

    service.deactivate(&version).await;
    let without_policy = submit(&service, &form, &submission(1, "k")).await;
    assert_eq!(without_policy.to_string(), "404 NO_ACTIVE_POLICIES");
    assert_eq!(service.key.get(path(&form, "")).await.expect(200)["tokens_used"], 0);
}

#[testkit::test]
async fn form_has_at_most_500_fields(service: TestService) {
    let version = service.active("PAY-01").await;
    let field = |number: u32| json!({"name": format!("f{number}"), "label": "F", "type": "number"});
    let fields: Vec<Value> = (0..500).map(field).collect();
    let form = publish_form(&service, &version, json!({"fields": fields})).await;
    let invalid = json!({"values": {"f0": "x", "f499": null}});
    assert_eq!(
        submit(&service, &form, &invalid).await.field_errors(),
        "/values/f0 type\n/values/f499 type\n"
    );
    let values: serde_json::Map<String, Value> =
        (0..500).map(|number| (format!("f{number}"), json!(number))).collect();
    submit(&service, &form, &json!({"values": values})).await.expect(201);
    let mut too_many = draft(&version);
    too_many["fields"] = (0..=500).map(field).collect();
    assert_eq!(service.key.post("/v1/forms", &too_many).await.field_errors(), "/fields too_many\n");
}
