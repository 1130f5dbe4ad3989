//! What holds for every request: absent bodies, nulls, and the forms that a request may take (contract,
//! section 1).

use std::collections::BTreeSet;

use serde_json::{Value, json};
use server::router::{self, Access, Route};

use crate::{
    client::{Client, text},
    routes::{self, Ids, path},
    service::{CHAIN, TestService, payment, policy, request, world},
};

/// The schema of a route's body, when it takes one.
fn body_schema<'d>(document: &'d Value, route: &Route) -> Option<&'d Value> {
    let says = &document["paths"][&route.path][route.method.to_lowercase()];
    let schema = &says["requestBody"]["content"]["application/json"]["schema"]["$ref"];
    document.pointer(schema.as_str()?.trim_start_matches('#'))
}

/// The members of a body in all its shapes: those that every shape requires, and the others.
fn members(schema: &Value) -> (BTreeSet<String>, BTreeSet<String>) {
    let shapes = schema["oneOf"].as_array().or(schema["anyOf"].as_array());
    let shapes: Vec<&Value> = shapes.map_or(vec![schema], |shapes| shapes.iter().collect());
    let names = |shape: &Value| -> BTreeSet<String> {
        shape["properties"].as_object().into_iter().flat_map(|all| all.keys()).cloned().collect()
    };
    let required = |shape: &Value| -> BTreeSet<String> {
        let names = shape["required"].as_array().into_iter().flatten();
        names.map(|name| text(name).to_owned()).collect()
    };
    let all: BTreeSet<String> = shapes.iter().flat_map(|shape| names(shape)).collect();
    let needed = |name: &&String| shapes.iter().all(|shape| required(shape).contains(*name));
    let required: BTreeSet<String> = all.iter().filter(needed).cloned().collect();
    let optional = all.difference(&required).cloned().collect();
    (required, optional)
}

/// Who may call a route.
fn caller<'c>(
    route: &Route,
    key: &'c Client,
    person: &'c Client,
    public: &'c Client,
) -> &'c Client {
    match route.access {
        Access::Guarded(permission) if permission.scopes.is_none() => person,
        Access::Guarded(_) => key,
        Access::Public => public,
    }
}

#[tokio::test]
async fn a_post_whose_members_are_all_optional_needs_no_body() {
    let world = world().await;
    let (document, admin) = (router::document(), world.admin().await);
    let mut bodiless = Vec::new();
    for route in router::routes().into_iter().filter(|route| route.method == "POST") {
        let schema = body_schema(&document, &route).unwrap_or_else(|| panic!("{route:?}: a body"));
        let (required, _) = members(schema);
        let (admin, public) = (admin.apart(), world.public.apart());
        let client = caller(&route, &world.key, &admin, &public);
        let call = || client.call("POST", path(&route, &Ids::missing()));
        let bare = call().await;
        let typed = call().body("application/json", "").await;
        let other = call().body("text/plain", "").await;
        let says = &document["paths"][&route.path]["post"]["requestBody"]["required"];
        let takes_nothing = *says == json!(false);
        if takes_nothing {
            assert!(required.is_empty(), "{route:?}");
            for answer in [&bare, &typed, &other] {
                assert!(![415, 422].contains(&answer.status), "{route:?}: {}", answer.text);
            }
            bodiless.push(route.path.clone());
        } else if ![400, 401, 403].contains(&bare.status) {
            assert_eq!(bare.to_string(), "415 UNSUPPORTED_MEDIA_TYPE", "{route:?}");
            assert_eq!(other.to_string(), "415 UNSUPPORTED_MEDIA_TYPE", "{route:?}");
            assert_eq!(typed.to_string(), "422 VALIDATION_ERROR (JSON_SYNTAX)", "{route:?}");
        }
    }
    for path in [
        "/v1/alerts/deliveries/redrive",
        "/v1/alerts/deliveries/{id}/retry",
        "/v1/alerts/subscriptions/{id}/test",
        "/v1/alerts/{id}/acknowledge",
        "/v1/audit-log/verify",
        "/v1/chains/{chain_id}/seal",
        "/v1/decisions/{id}/replay",
        "/v1/forms/{form_id}/tokens",
        "/v1/policies/{id}/versions/{version}/activate",
        "/v1/policies/{id}/versions/{version}/recall",
        "/v1/policies/{id}/versions/{version}/seal",
        "/v1/policies/{id}/versions/{version}/submit",
    ] {
        assert!(bodiless.iter().any(|known| known == path), "{path}: {bodiless:?}");
    }
}

#[tokio::test]
async fn a_body_that_is_sent_must_be_json() {
    let world = world().await;
    let call = world.key.call("POST", "/v1/audit-log/verify");
    let answer = call.clone().body("text/plain", "{}").await;
    assert_eq!(answer.to_string(), "415 UNSUPPORTED_MEDIA_TYPE");
    let answer = call.body("application/json", " ").await;
    assert_eq!(answer.to_string(), "422 VALIDATION_ERROR (JSON_SYNTAX)");
    let patch = world.key.call("PATCH", "/v1/settings").body("application/json", "").await;
    assert_eq!(patch.to_string(), "422 VALIDATION_ERROR (JSON_SYNTAX)");
}

#[tokio::test]
async fn a_null_in_a_create_or_act_request_is_an_absent_member() {
    let world = world().await;
    let (document, admin) = (router::document(), world.admin().await);
    let mut checked = 0;
    for route in router::routes().into_iter().filter(|route| route.method == "POST") {
        let Some(schema) = body_schema(&document, &route) else { continue };
        let Some(body) = routes::body(&route) else { continue };
        let (admin, public) = (admin.apart(), world.public.apart());
        let client = caller(&route, &world.key, &admin, &public);
        for name in members(schema).1.into_iter().filter(|name| body.get(name).is_none()) {
            let mut body = body.clone();
            body[&name] = Value::Null;
            let answer = client.post(path(&route, &Ids::missing()), &body).await;
            assert_ne!(answer.status, 422, "{route:?} {name}: {}", answer.text);
            checked += 1;
        }
        for name in members(schema).0 {
            let mut body = body.clone();
            body[&name] = Value::Null;
            let answer = client.post(path(&route, &Ids::missing()), &body).await;
            assert!([401, 403, 422].contains(&answer.status), "{route:?} {name}: {}", answer.text);
        }
    }
    assert!(checked > 40, "{checked}");
}

/// The members that `null` clears, of each patch; it is refused for all others.
const CLEARABLE: &[(&str, &[&str])] = &[
    ("/v1/admin/members/{user_id}", &[]),
    ("/v1/forms/{form_id}", &["description", "password", "success_message"]),
    ("/v1/policies/{id}", &["description", "policy_group_id"]),
    ("/v1/policies/{id}/versions/{version}", &["change_reason", "codification"]),
    ("/v1/policy-groups/{id}", &["description"]),
    ("/v1/settings", &[]),
];

#[tokio::test]
async fn a_null_in_a_patch_clears_what_may_be_absent_and_is_refused_elsewhere() {
    let world = world().await;
    let (document, admin) = (router::document(), world.admin().await);
    let patches = router::routes().into_iter().filter(|route| route.method == "PATCH");
    let mut paths = Vec::new();
    for route in patches {
        let schema = body_schema(&document, &route).expect("a patch has a body");
        let known = CLEARABLE.iter().find(|(path, _)| *path == route.path);
        let (_, clearable) = known.unwrap_or_else(|| panic!("{route:?} is not listed"));
        let required = if route.path.ends_with("{version}") {
            json!({"expected_revision": 1})
        } else {
            json!({})
        };
        for name in members(schema).0.into_iter().chain(members(schema).1) {
            let mut body = required.clone();
            body[&name] = Value::Null;
            let answer = admin.patch(path(&route, &Ids::missing()), &body).await;
            if clearable.contains(&name.as_str()) {
                assert_ne!(answer.status, 422, "{route:?} {name}: {}", answer.text);
            } else {
                let faults = answer.faults();
                assert!(faults.contains(&format!("/{name} ")), "{route:?} {name}: {}", answer.text);
            }
        }
        paths.push(route.path);
    }
    assert_eq!(paths.len(), CLEARABLE.len(), "{paths:?}");
}

#[tokio::test]
async fn a_null_clears_the_reason_of_a_draft_and_the_password_of_a_form() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let edit = json!({"expected_revision": 1, "change_reason": "Raise the limit."});
    let edited = world.key.patch(version.path(), &edit).await.expect(200);
    assert_eq!(edited["change_reason"], "Raise the limit.");
    let edit = json!({"expected_revision": 2, "change_reason": null});
    let edited = world.key.patch(version.path(), &edit).await.expect(200);
    assert!(edited.get("change_reason").is_none(), "{edited}");

    world.active("PAY-02").await;
    let policies = world.key.get("/v1/policies?q=PAY-02").await.expect(200);
    let form = json!({
        "policy_id": policies["items"][0]["id"], "title": "Vendors", "decision_type": "payment",
        "fields": [{"name": "amount", "label": "Amount", "type": "number"}],
        "access_mode": "password", "password": "some words",
    });
    let form = world.key.post("/v1/forms", &form).await.expect(201);
    let path = format!("/v1/forms/{}", text(&form["id"]));
    let refused = world.key.patch(&path, &json!({"password": null})).await;
    assert_eq!(refused.faults(), "/password required\n");
    let open = json!({"password": null, "access_mode": "open"});
    world.key.patch(&path, &open).await.expect(200);
    let again = world.key.patch(&path, &json!({"access_mode": "password"})).await;
    assert_eq!(again.faults(), "/password required\n");
}

#[tokio::test]
async fn nulls_of_a_context_are_data() {
    let world = world().await;
    world.active("PAY-01").await;
    let mut body = request("k", 1);
    body["context"]["fields"]["note"] = Value::Null;
    let made = world.key.post("/v1/decisions/record", &body).await.expect(201);
    assert_eq!(made["decision"]["context"]["fields"], body["context"]["fields"]);
    body["idempotency_key"] = json!("l");
    body["context"]["evidence"] = Value::Null;
    let refused = world.key.post("/v1/decisions/record", &body).await;
    assert_eq!(refused.faults(), "/context/evidence type\n");
}

#[tokio::test]
async fn nulls_of_a_rule_are_not_stored() {
    let world = world().await;
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
        world.key.post("/v1/policies", &body).await.expect(201)["version"].clone()
    };
    let (plain, nulls) = (create("PAY-01", &rule).await, create("PAY-02", &with_nulls).await);
    assert_eq!(nulls["rules"], json!([rule]));
    assert_eq!(nulls["rules_digest"], plain["rules_digest"]);
}

/// Creates a policy with one presence rule.
async fn presence(
    world: &TestService,
    code: &str,
    condition: Value,
) -> crate::client::TestResponse {
    let mut body = policy(code);
    body["rules"] = json!([{
        "code": "A", "rule_type": "presence", "severity": "low", "condition": condition,
    }]);
    world.key.post("/v1/policies", &body).await
}

#[tokio::test]
async fn members_of_a_presence_condition_may_be_empty_beside_one_that_is_not() {
    let world = world().await;
    for (number, condition) in [
        json!({"required_fields": [], "forbidden_fields": ["a"]}),
        json!({"required_fields": ["a"], "forbidden_fields": [], "min_length": {}}),
        json!({"required_fields": [], "forbidden_fields": [], "min_length": {"a": 1}}),
    ]
    .into_iter()
    .enumerate()
    {
        presence(&world, &format!("PAY-{number}"), condition).await.expect(201);
    }
    let empty = json!({"required_fields": [], "forbidden_fields": [], "min_length": {}});
    let refused = presence(&world, "PAY-9", empty).await;
    assert_eq!(refused.faults(), "/rules/0/condition/required_fields too_few\n");
}

#[tokio::test]
async fn the_place_in_a_chain_may_stand_beside_the_context() {
    let world = world().await;
    world.active("PAY-01").await;
    let record = async |key: &str, change: Value| {
        let mut body = request(key, 1);
        for (name, value) in change.as_object().expect("members") {
            body[name] = value.clone();
        }
        world.key.post("/v1/decisions/record", &body).await
    };
    let first = record("a", json!({"chain_id": CHAIN, "chain": null})).await.expect(201);
    assert_eq!(first["decision"]["chain_step"], 1);
    let parent = &first["decision"]["id"];
    let place = json!({"chain_id": CHAIN, "chain_step": 5, "parent_decision_id": parent});
    let second = record("b", place).await.expect(201);
    assert_eq!(second["decision"]["chain_step"], 5);
    assert_eq!(second["decision"]["parent_decision_id"], *parent);

    let both = json!({"chain": {"chain_id": CHAIN}, "chain_id": CHAIN, "chain_step": 6});
    let refused = record("c", both).await;
    assert_eq!(refused.faults(), "/chain_id conflict\n/chain_step conflict\n");
    let refused = record("d", json!({"chain_step": 6})).await;
    assert_eq!(refused.faults(), "/chain_id required\n");
}

#[tokio::test]
async fn a_dry_run_has_three_names() {
    let world = world().await;
    world.active("PAY-01").await;
    for path in ["evaluate", "dry-run", "dryRun"] {
        let path = format!("/v1/decisions/{path}");
        let made = world.key.post(path, &json!({"context": payment(1)})).await.expect(200);
        assert_eq!(made["result"]["dry_run"], true);
    }
}

#[tokio::test]
async fn one_member_can_be_read() {
    let world = world().await;
    let members = world.key.get("/v1/admin/members").await.expect(200);
    for member in members["items"].as_array().expect("a list") {
        let path = format!("/v1/admin/members/{}", text(&member["user_id"]));
        assert_eq!(world.key.get(path).await.expect(200), *member);
    }
    let stranger = "/v1/admin/members/00000000-0000-4000-8000-000000000000";
    assert_eq!(world.key.get(stranger).await.to_string(), "404 NOT_FOUND");
    let neighbour = world.neighbour().await;
    let theirs = neighbour.key.get("/v1/admin/members").await.expect(200);
    let path = format!("/v1/admin/members/{}", text(&theirs["items"][0]["user_id"]));
    assert_eq!(world.key.get(path).await.to_string(), "404 NOT_FOUND");
}

#[tokio::test]
async fn the_product_has_one_version() {
    let version = env!("CARGO_PKG_VERSION");
    let world = world().await;
    assert_eq!(world.public.get("/v1/health").await.expect(200)["version"], version);
    assert_eq!(router::document()["info"]["version"], version);
    let changelog = include_str!("../../../CHANGELOG.md");
    let heading = changelog.lines().find(|line| line.starts_with("## "));
    assert_eq!(heading, Some(format!("## [{version}]").as_str()));
    assert_eq!(server::command::version(), format!("govern {version}\n"));
}
