//! The Authorization API of AuthZEN: its fixture for certifications, errors, lists and recorded decisions.

use crate::prelude::*;

const EVALUATION: &str = "/access/v1/evaluation";

const EVALUATIONS: &str = "/access/v1/evaluations";

/// Starts a service with the policy of the certification scenario of the standard, section "Required Policy
/// Behaviour". Returns it with a client that sends only an API key.
async fn service_with_fixture() -> (TestService, Client) {
    let service = test_service().await;
    let equals = |field: &str, value: Value| json!({"field": field, "equals": value});
    let list = |code: &str, when: Value, condition: Value| json!({"code": code, "severity": "high", "rule_type": "list", "when": when, "condition": condition});
    let is_write = equals("action.name", "write".into());
    let rules = json!([
        list(
            "BOB-WRITES",
            json!({"all": [is_write, equals("resource.id", "record-1".into())]}),
            json!({"field": "subject.id", "forbidden": ["bob"]}),
        ),
        list(
            "ARCHIVE",
            json!({"all": [is_write, equals("status", "archived".into())]}),
            json!({"field": "subject.properties.role", "allowed": ["admin"]}),
        ),
        list(
            "SOFT-DELETE",
            equals("action.name", "delete".into()),
            json!({"field": "action.properties.soft", "allowed": [true]}),
        ),
    ]);
    let policy = json!({
        "code": "RECORDS", "name": "Records", "decision_types": ["read", "write", "delete"],
        "rules": rules,
    });
    service.active_policy(&policy).await;
    let client = service.key.without("x-service-tenant-id");
    (service, client)
}

fn access(subject: Value, action: Value, resource: Value) -> Value {
    let with = |mut entity: Value, kind: &str| {
        if entity.is_string() {
            entity = json!({"id": entity});
        }
        entity["type"] = kind.into();
        entity
    };
    let action = if action.is_string() { json!({"name": action}) } else { action };
    json!({
        "subject": with(subject, "user"), "action": action, "resource": with(resource, "record"),
    })
}

fn named(subject: &str, action: &str, resource: &str) -> Value {
    access(subject.into(), action.into(), resource.into())
}

#[tokio::test]
async fn the_decisions_of_the_certification_scenario_are_correct() {
    let (_service, client) = service_with_fixture().await;
    let archived = || json!({"id": "record-2", "properties": {"status": "archived"}});
    let admin = || json!({"id": "bob", "properties": {"role": "admin"}});
    let delete = |soft: bool| json!({"name": "delete", "properties": {"soft": soft}});
    for (request, decision) in [
        (named("alice", "read", "record-1"), true),
        (named("alice", "write", "record-1"), true),
        (named("bob", "read", "record-1"), true),
        (named("bob", "write", "record-1"), false),
        (access("alice".into(), "write".into(), archived()), false),
        (access(admin(), "write".into(), archived()), true),
        (access("alice".into(), delete(true), "record-1".into()), true),
        (access("alice".into(), delete(false), "record-1".into()), false),
    ] {
        for path in [EVALUATION, EVALUATIONS] {
            let response = client.post(path, &request).await.expect(200);
            assert_eq!(response["decision"], decision, "{request} {response}");
        }
    }
    let mut request = named("alice", "read", "record-1");
    request["context"] = json!({"time": "2025-06-27T18:03-07:00", "ip": "192.168.1.1"});
    request["unknown"] = json!({"member": null});
    request["subject"]["unknown"] = json!(1);
    let call = client.post(EVALUATION, &request).header("x-request-id", "any text; 7");
    let response = call.await;
    assert_eq!(response.header("x-request-id"), Some("any text; 7"));
    assert_eq!(response.expect(200), json!({"decision": true, "context": {"verdict": "ALLOW"}}));
}

#[tokio::test]
async fn a_denial_explains_itself_and_a_missing_policy_denies() {
    let (_service, client) = service_with_fixture().await;
    let denied = client.post(EVALUATION, &named("bob", "write", "record-1")).await.expect(200);
    let violation = &denied["context"]["violations"][0];
    assert_eq!(
        (&violation["rule_code"], &violation["field"]),
        (&"BOB-WRITES".into(), &"subject.id".into())
    );
    let expected = json!({
        "decision": false,
        "context": {
            "verdict": "DENY", "reason": violation["reason"],
            "violations": [violation],
        },
    });
    assert_eq!(denied, expected);
    let unknown = client.post(EVALUATION, &named("bob", "fly", "record-1")).await.expect(200);
    let error = &unknown["context"]["error"];
    assert_eq!(unknown["decision"], false);
    assert_eq!((&error["status"], &error["code"]), (&404.into(), &"NO_ACTIVE_POLICIES".into()));
}

#[tokio::test]
async fn lists_have_defaults_separate_failures_and_three_semantics() {
    let (_service, client) = service_with_fixture().await;
    let record = json!({"type": "record", "id": "record-1"});
    let evaluations = json!([
        {"resource": record},
        {},
        {"resource": record, "action": {"name": "delete"}},
        {"resource": record, "action": {"name": "fly"}},
        {"resource": record, "subject": {"type": "user", "id": "alice"}},
    ]);
    for (semantic, expected) in [
        (None, "false:DENY false:400 false:DENY false:404 true:ALLOW"),
        (Some("execute_all"), "false:DENY false:400 false:DENY false:404 true:ALLOW"),
        (Some("deny_on_first_deny"), "false:DENY"),
        (Some("permit_on_first_permit"), "false:DENY false:400 false:DENY false:404 true:ALLOW"),
    ] {
        let body = json!({
            "subject": {"type": "user", "id": "bob"}, "action": {"name": "write"},
            "evaluations": evaluations, "options": {"evaluations_semantic": semantic},
        });
        let response = client.post(EVALUATIONS, &body).await.expect(200);
        let decisions = response["evaluations"].as_array().expect("a list").iter();
        let decisions = decisions.map(|item| {
            let context = &item["context"];
            let verdict = context["verdict"].as_str().map(str::to_owned);
            let verdict = verdict.unwrap_or_else(|| context["error"]["status"].to_string());
            format!("{}:{verdict}", item["decision"])
        });
        assert_eq!(decisions.collect::<Vec<_>>().join(" "), expected, "{semantic:?}");
        assert!(response.get("decision").is_none());
    }
    let mut body = named("alice", "read", "record-1");
    body["evaluations"] = json!([]);
    assert_eq!(client.post(EVALUATIONS, &body).await.expect(200)["decision"], true);
    body["evaluations"] = vec![json!({}); 101].into();
    assert_eq!(client.post(EVALUATIONS, &body).await.status, 400);
    body["evaluations"] = json!([{}]);
    body["options"] = json!({"evaluations_semantic": "any"});
    let error = client.post(EVALUATIONS, &body).await;
    assert!(error.status == 400 && error.text.starts_with("/options/evaluations_semantic: "));
}

#[tokio::test]
async fn an_invalid_request_gets_status_400_and_a_message() {
    let (_service, client) = service_with_fixture().await;
    for (member, value) in [
        ("/subject", Value::Null),
        ("/action", Value::Null),
        ("/resource", Value::Null),
        ("/subject/type", Value::Null),
        ("/subject/id", Value::Null),
        ("/action/name", Value::Null),
        ("/resource/type", Value::Null),
        ("/resource/id", Value::Null),
        ("/subject", json!("alice")),
        ("/action/name", json!(123)),
        ("/context", json!({"govern": {"record": true}})),
    ] {
        let mut request = named("alice", "read", "record-1");
        request["context"] = json!({});
        *request.pointer_mut(member).expect("a member") = value;
        let call = client.post(EVALUATION, &request).header("x-request-id", "7");
        let error = call.await;
        assert_eq!((error.status, error.header("x-request-id")), (400, Some("7")), "{member}");
        assert!(error.text.starts_with(member), "{member}: {}", error.text);
    }
    let call = || client.call("POST", EVALUATION);
    for call in [
        call(),
        call().body("application/json", ""),
        call().body("application/json", "{"),
        call().body("text/plain", named("alice", "read", "record-1").to_string()),
    ] {
        let error = call.await;
        assert_eq!(error.status, 400, "{}", error.text);
    }
    let error = client.post(EVALUATION, &json!([])).await;
    assert_eq!(error.text, "the body must be an object");
    let error = client.post(EVALUATION, &json!({})).await;
    insta::assert_snapshot!(error.text, @r"
    3 fields are invalid
    /subject: `subject` is required
    /action: `action` is required
    /resource: `resource` is required
    ");
}

#[tokio::test]
async fn the_key_names_the_tenant_and_needs_its_scopes() {
    let (service, client) = service_with_fixture().await;
    let request = named("alice", "read", "record-1");
    let mut recorded = request.clone();
    recorded["context"] = json!({"govern": {"idempotency_key": "k"}});
    let tenant = |id: &dyn std::fmt::Display| client.with("x-service-tenant-id", id);
    let neighbour = service.other_tenant().await;
    assert_eq!(tenant(&service.tenant).post(EVALUATION, &request).await.status, 200);
    assert_eq!(tenant(&neighbour.tenant).post(EVALUATION, &request).await.status, 403);
    let own = neighbour.key.without("x-service-tenant-id");
    let denied = own.post(EVALUATION, &request).await.expect(200);
    assert_eq!(denied["context"]["error"]["code"], "NO_ACTIVE_POLICIES");

    let evaluator = service.create_key(&[Scope::DecisionsEvaluate]).await;
    assert_eq!(evaluator.post(EVALUATION, &request).await.status, 200);
    assert_eq!(evaluator.post(EVALUATION, &recorded).await.status, 403);
    let list = json!({"evaluations": [recorded]});
    assert_eq!(evaluator.post(EVALUATIONS, &list).await.status, 403);
    let writer = service.create_key(&[Scope::DecisionsWrite]).await;
    assert_eq!(writer.post(EVALUATION, &recorded).await.status, 403);
    for anonymous in [
        service.public.clone(),
        service.public.with("authorization", "Bearer svc_unknown"),
        service.admin().await.without("x-service-tenant-id"),
    ] {
        let error = anonymous.post(EVALUATION, &request).await;
        let scheme = error.header("www-authenticate");
        assert_eq!((error.status, scheme), (401, Some("Bearer")), "{}", error.text);
    }
}

#[tokio::test]
async fn a_decision_is_recorded_once_under_its_idempotency_key() {
    let (service, client) = service_with_fixture().await;
    let count = || service.sql("select count(*)::text from decisions");
    let mut request = named("bob", "write", "record-1");
    client.post(EVALUATION, &request).header("x-request-id", "r-0").await.expect(200);
    assert_eq!(count().await, ["0"], "an evaluation is a dry run by default");

    request["context"] = json!({"ip": "::1", "govern": {"idempotency_key": "bob-1"}});
    let call = |id: &str| client.post(EVALUATION, &request).header("x-request-id", id);
    let first = call("r-1").await.expect(200);
    assert_eq!((&first["decision"], &first["context"]["verdict"]), (&false.into(), &"DENY".into()));
    assert_eq!(
        call("r-2").await.expect(200),
        first,
        "a repeated request returns the same decision"
    );
    let list = json!({"evaluations": [request, request]});
    let listed = client.post(EVALUATIONS, &list).await.expect(200);
    assert_eq!(listed, json!({"evaluations": [first, first]}));
    assert_eq!(count().await, ["1"]);

    let id = text(&first["context"]["decision_id"]);
    let decision = service.key.get(format!("/v1/decisions/{id}")).await.expect(200);
    assert_eq!(decision["actor"], json!({"id": "bob", "type": "user"}));
    assert_eq!(decision["idempotency_key"], "bob-1");
    let expected = json!({
        "decision_type": "write",
        "fields": {
            "subject": {"type": "user", "id": "bob"}, "action": {"name": "write"},
            "resource": {"type": "record", "id": "record-1"}, "context": {"ip": "::1"},
        },
        "metadata": {"correlation_id": "r-1"},
    });
    assert_eq!(decision["context"], expected);
    service.public.get(format!("/v1/receipts/{id}")).await.expect(200);

    request["resource"]["id"] = "record-2".into();
    let error = client.post(EVALUATION, &request).await;
    assert_eq!(error.status, 400, "the key belongs to another request: {}", error.text);
    assert_eq!(count().await, ["1"]);
}

#[testkit::test]
async fn the_metadata_names_the_endpoints(service: TestService) {
    let path = "/.well-known/authzen-configuration";
    let response = service.public.get(path).await;
    assert_eq!(response.header("content-type"), Some("application/json"));
    let url = service.governance.link("");
    let expected = json!({
        "policy_decision_point": url,
        "access_evaluation_endpoint": format!("{url}{EVALUATION}"),
        "access_evaluations_endpoint": format!("{url}{EVALUATIONS}"),
    });
    assert_eq!(response.expect(200), expected);
}
