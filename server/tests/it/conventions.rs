//! Conventions of all requests: absent bodies, null members and alternative request forms
//! (contract, section 1).

use std::collections::BTreeSet;

use server::router::{self, Endpoint, endpoints};

use crate::{
    prelude::*,
    routes::{self, Ids, path},
};

/// Returns the schema of the request body of a route, if it has one.
fn body_schema<'d>(document: &'d Value, route: &Endpoint) -> Option<&'d Value> {
    let operation = &document["paths"][route.path][route.method.to_lowercase()];
    let schema = &operation["requestBody"]["content"]["application/json"]["schema"]["$ref"];
    document.pointer(schema.as_str()?.trim_start_matches('#'))
}

/// Returns the members of a body schema: those that every variant requires, and the others.
fn members(schema: &Value) -> (BTreeSet<String>, BTreeSet<String>) {
    let variants = schema["oneOf"].as_array().or(schema["anyOf"].as_array());
    let variants: Vec<&Value> = variants.map_or(vec![schema], |variants| variants.iter().collect());
    let names = |variant: &Value| -> BTreeSet<String> {
        variant["properties"].as_object().into_iter().flat_map(|all| all.keys()).cloned().collect()
    };
    let required = |variant: &Value| -> BTreeSet<String> {
        let names = variant["required"].as_array().into_iter().flatten();
        names.map(|name| text(name).to_owned()).collect()
    };
    let all: BTreeSet<String> = variants.iter().flat_map(|variant| names(variant)).collect();
    let is_required =
        |name: &&String| variants.iter().all(|variant| required(variant).contains(*name));
    let required: BTreeSet<String> = all.iter().filter(is_required).cloned().collect();
    let optional = all.difference(&required).cloned().collect();
    (required, optional)
}

/// Returns a client that is authorized to call a route.
fn caller<'c>(
    route: &Endpoint,
    key: &'c Client,
    person: &'c Client,
    public: &'c Client,
) -> &'c Client {
    match route.permission() {
        Some(permission) if permission.scopes.is_none() => person,
        Some(_) => key,
        None => public,
    }
}

#[testkit::test]
async fn a_post_without_required_members_accepts_an_absent_body(service: TestService) {
    let (document, admin) = (router::document(), service.admin().await);
    let mut without_body = 0;
    for route in endpoints().into_iter().filter(|route| route.method == "POST") {
        let schema = body_schema(&document, &route).unwrap_or_else(|| panic!("{route:?}: a body"));
        let (required, _) = members(schema);
        let (admin, public) = (admin.without_session(), service.public.without_session());
        let client = caller(&route, &service.key, &admin, &public);
        let call = || client.call("POST", path(&route, &Ids::missing()));
        let absent_body = call().await;
        let empty_body = call().body("application/json", "").await;
        let plain_text = call().body("text/plain", "").await;
        let is_required = &document["paths"][route.path]["post"]["requestBody"]["required"];
        if *is_required == json!(false) {
            assert!(required.is_empty(), "{route:?}");
            for response in [&absent_body, &empty_body, &plain_text] {
                assert!(![415, 422].contains(&response.status), "{route:?}: {}", response.text);
            }
            without_body += 1;
        } else if ![400, 401, 403].contains(&absent_body.status) {
            assert_eq!(absent_body.to_string(), "415 UNSUPPORTED_MEDIA_TYPE", "{route:?}");
            assert_eq!(plain_text.to_string(), "415 UNSUPPORTED_MEDIA_TYPE", "{route:?}");
            assert_eq!(empty_body.to_string(), "422 VALIDATION_ERROR (JSON_SYNTAX)", "{route:?}");
        }
    }
    assert!(without_body > 10, "{without_body}");
}

#[testkit::test]
async fn a_request_without_a_body_ignores_no_member(service: TestService) {
    let admin = service.admin().await;
    let mut checked = 0;
    for route in endpoints() {
        if !["GET", "DELETE"].contains(&route.method) {
            continue;
        }
        let (admin, public) = (admin.without_session(), service.public.without_session());
        let client = caller(&route, &service.key, &admin, &public);
        let call = || client.call(route.method, path(&route, &Ids::missing()));
        let response = call().body("application/json", r#"{"keys_to":"x"}"#).await;
        if [400, 401, 403].contains(&response.status) {
            continue;
        }
        let error = json!({
            "path": "/keys_to",
            "code": "unknown",
            "message": "`keys_to` is not a known member; this request takes no body",
        });
        assert_eq!(response.status, 422, "{route:?}: {}", response.text);
        assert_eq!(response.json()["error"]["details"]["errors"], json!([error]), "{route:?}");
        checked += 1;
        // Clients of other languages send an empty object or the content type alone.
        if route.method == "DELETE" {
            for body in ["", "{}"] {
                let response = call().body("application/json", body).await;
                assert!(![415, 422].contains(&response.status), "{route:?}: {}", response.text);
            }
            let text = call().body("application/x-www-form-urlencoded", "keys_to=x").await;
            assert_eq!(text.status, 422, "{route:?}: {}", text.text);
        }
    }
    assert!(checked > 40, "{checked}");
}

#[testkit::test]
async fn null_in_a_create_or_action_request_equals_an_absent_member(service: TestService) {
    let (document, admin) = (router::document(), service.admin().await);
    let mut checked = 0;
    for route in endpoints().into_iter().filter(|route| route.method == "POST") {
        let Some(schema) = body_schema(&document, &route) else { continue };
        let Some(body) = routes::body(&route) else { continue };
        let (admin, public) = (admin.without_session(), service.public.without_session());
        let client = caller(&route, &service.key, &admin, &public);
        for name in members(schema).1.into_iter().filter(|name| body.get(name).is_none()) {
            let mut body = body.clone();
            body[&name] = Value::Null;
            let response = client.post(path(&route, &Ids::missing()), &body).await;
            assert_ne!(response.status, 422, "{route:?} {name}: {}", response.text);
            checked += 1;
        }
        for name in members(schema).0 {
            let mut body = body.clone();
            body[&name] = Value::Null;
            let response = client.post(path(&route, &Ids::missing()), &body).await;
            assert!(
                [401, 403, 422].contains(&response.status),
                "{route:?} {name}: {}",
                response.text
            );
        }
    }
    assert!(checked > 40, "{checked}");
}

#[testkit::test]
async fn null_in_a_patch_clears_optional_members_and_is_refused_for_others(service: TestService) {
    let (document, admin) = (router::document(), service.admin().await);
    let mut cleared = 0;
    for route in endpoints().into_iter().filter(|route| route.method == "PATCH") {
        let schema = body_schema(&document, &route).expect("a patch has a body");
        let variants = schema["oneOf"].as_array().map_or(vec![schema], |all| all.iter().collect());
        let required = if route.path.ends_with("{version}") {
            json!({"expected_revision": 1})
        } else {
            json!({})
        };
        let (always, optional) = members(schema);
        for name in always.into_iter().chain(optional) {
            let is_clearable =
                variants.iter().any(|variant| accepts_null(&variant["properties"][&name]));
            let mut body = required.clone();
            body[&name] = Value::Null;
            let response = admin.patch(path(&route, &Ids::missing()), &body).await;
            if is_clearable {
                assert_ne!(response.status, 422, "{route:?} {name}: {}", response.text);
                cleared += 1;
            } else {
                let errors = response.field_errors();
                let refusal = format!("/{name} ");
                assert!(errors.contains(&refusal), "{route:?} {name}: {}", response.text);
            }
        }
    }
    assert!(cleared > 8, "{cleared}");
}

/// Returns whether the description of a member accepts `null`.
fn accepts_null(schema: &Value) -> bool {
    let types = schema["type"].as_array().into_iter().flatten();
    let mut alternatives = schema["anyOf"].as_array().into_iter().flatten();
    types.into_iter().any(|kind| kind == "null") || alternatives.any(|one| one["type"] == "null")
}

#[testkit::test]
async fn null_clears_the_change_reason_of_a_draft_and_the_password_of_a_form(service: TestService) {
    let version = service.draft("PAY-01").await;
    let edit = json!({"expected_revision": 1, "change_reason": "Raise the limit."});
    let edited = service.key.patch(version.path(), &edit).await.expect(200);
    assert_eq!(edited["change_reason"], "Raise the limit.");
    let edit = json!({"expected_revision": 2, "change_reason": null});
    let edited = service.key.patch(version.path(), &edit).await.expect(200);
    assert!(edited.get("change_reason").is_none(), "{edited}");

    service.active("PAY-02").await;
    let policies = service.key.get("/v1/policies?q=PAY-02").await.expect(200);
    let form = json!({
        "policy_id": policies["items"][0]["id"], "title": "Vendors", "decision_type": "payment",
        "fields": [{"name": "amount", "label": "Amount", "type": "number"}],
        "access_mode": "password", "password": "some words",
    });
    let form = service.key.post("/v1/forms", &form).await.expect(201);
    let path = format!("/v1/forms/{}", text(&form["id"]));
    let refusal = service.key.patch(&path, &json!({"password": null})).await;
    assert_eq!(refusal.field_errors(), "/password required\n");
    let open = json!({"password": null, "access_mode": "open"});
    service.key.patch(&path, &open).await.expect(200);
    let repeated = service.key.patch(&path, &json!({"access_mode": "password"})).await;
    assert_eq!(repeated.field_errors(), "/password required\n");
}

#[testkit::test]
async fn null_in_a_rule_is_not_stored(service: TestService) {
    let rule = json!({
        "code": "A", "rule_type": "threshold", "severity": "low",
        "condition": {"field": "amount", "max": 5},
        "when": {"field": "currency", "equals": "EUR"},
    });
    let mut with_nulls = rule.clone();
    for name in ["name", "description", "is_active", "source_ref", "replaces_rule_code"] {
        with_nulls[name] = Value::Null;
    }
    with_nulls["condition"]["min"] = Value::Null;
    with_nulls["condition"]["exclusive_min"] = Value::Null;
    with_nulls["when"]["in"] = Value::Null;
    with_nulls["when"]["case_sensitive"] = Value::Null;
    let create = async |code: &str, rule: &Value| {
        let mut body = policy(code);
        body["rules"] = json!([rule]);
        service.key.post("/v1/policies", &body).await.expect(201)["version"].clone()
    };
    let (plain, nulls) = (create("PAY-01", &rule).await, create("PAY-02", &with_nulls).await);
    assert_eq!(nulls["rules"], json!([rule]));
    assert_eq!(nulls["rules_digest"], plain["rules_digest"]);
}

#[testkit::test]
async fn chain_members_are_accepted_next_to_the_context(service: TestService) {
    service.active("PAY-01").await;
    let record = async |key: &str, change: Value| {
        let mut body = request(key, 1);
        for (name, value) in change.as_object().expect("members") {
            body[name] = value.clone();
        }
        service.key.post("/v1/decisions/record", &body).await
    };
    let first = record("a", json!({"chain_id": CHAIN, "chain": null})).await.expect(201);
    assert_eq!(first["decision"]["chain_step"], 1);
    let parent = &first["decision"]["id"];
    let chain_request = json!({"chain_id": CHAIN, "chain_step": 5, "parent_decision_id": parent});
    let second = record("b", chain_request).await.expect(201);
    assert_eq!(second["decision"]["chain_step"], 5);
    assert_eq!(second["decision"]["parent_decision_id"], *parent);

    let both = json!({"chain": {"chain_id": CHAIN}, "chain_id": CHAIN, "chain_step": 6});
    let refusal = record("c", both).await;
    assert_eq!(refusal.field_errors(), "/chain_id conflict\n/chain_step conflict\n");
    let refusal = record("d", json!({"chain_step": 6})).await;
    assert_eq!(refusal.field_errors(), "/chain_id required\n");
}

#[tokio::test]
async fn all_outputs_report_the_same_product_version() {
    let version = env!("CARGO_PKG_VERSION");
    let service = test_service().await;
    assert_eq!(service.public.get("/v1/health").await.expect(200)["version"], version);
    assert_eq!(router::document()["info"]["version"], version);
    let changelog = include_str!("../../../CHANGELOG.md");
    let mut headings = changelog.lines().filter(|line| line.starts_with("## "));
    let heading = headings.find(|heading| *heading != "## [Unreleased]");
    assert_eq!(heading, Some(format!("## [{version}]").as_str()));
    assert_eq!(server::command::version(), format!("govern {version}\n"));
}
