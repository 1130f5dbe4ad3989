//! The operator's key: it makes tenants, and opens none of them.

use contract::scope::{Role, Scope};
use governance::access::{
    operator::{self, key},
    permission::{self, Permission},
};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::{Client, text},
    routes::{self, Ids},
    service::{NOW, PASSWORD, TestService, world},
};

const PATH: &str = "/v1/admin/tenants";

async fn made(operator: &Client, name: &str, parent: Option<&Value>) -> Value {
    let mut body = json!({"name": name});
    if let Some(parent) = parent {
        body["parent_tenant_id"] = parent["tenant_id"].clone();
    }
    operator.post(PATH, &body).await.expect(201)
}

/// The routes of tenants.
fn of_tenants() -> impl Iterator<Item = (server::router::Route, Permission)> {
    routes::guarded().filter(|(_, permission)| *permission != permission::PROVISION)
}

async fn tenants(world: &TestService) -> String {
    world.sql("select count(*)::text from tenants").await.concat()
}

#[tokio::test]
async fn an_operator_makes_tenants_without_belonging_to_one() {
    let world = world().await;
    let operator = world.operator().await;
    let answer = operator.post(PATH, &json!({"name": "Borealis"})).await;
    let tenant = answer.expect(201);
    let expected = json!({"tenant_id": tenant["tenant_id"], "name": "Borealis", "created_at": NOW});
    assert_eq!(tenant, expected);
    let location = format!("{PATH}/{}", text(&tenant["tenant_id"]));
    assert_eq!(answer.header("location"), Some(&*location));
    // A tenant that the request names, be it anyone's, is no matter.
    let elsewhere = operator.with("x-service-tenant-id", world.tenant);
    let child = made(&elsewhere, "Child", Some(&tenant)).await;
    assert_eq!(child["parent_tenant_id"], tenant["tenant_id"]);

    let page = operator.get(PATH).await.expect(200);
    let names: Vec<&str> =
        page["items"].as_array().expect("a page").iter().map(|t| text(&t["name"])).collect();
    assert_eq!(names, ["Child", "Borealis", "Acme"]);
    assert_eq!(page["items"][0], child);
    let first = operator.get(format!("{PATH}?limit=1")).await.expect(200);
    made(&operator, "Later", None).await;
    let cursor = text(&first["next_cursor"]);
    let rest = operator.get(format!("{PATH}?limit=2&cursor={cursor}")).await.expect(200);
    assert_eq!(rest["items"], json!([tenant, page["items"][2]]));
    assert_eq!(rest["next_cursor"], Value::Null);
}

#[tokio::test]
async fn a_new_tenant_s_log_begins_with_who_made_it() {
    let world = world().await;
    let operator = world.operator().await;
    let tenant = made(&operator, "Borealis", None).await;
    let of_tenant = format!("tenant_id = '{}'", text(&tenant["tenant_id"]));
    let events = world.sql(&format!("select event from audit_events where {of_tenant}")).await;
    let event: Value = serde_json::from_str(&events.concat()).expect("one event");
    let key = world.sql("select id::text from operator_keys").await.concat();
    assert_eq!(event["action"], "tenant.create");
    assert_eq!(event["actor"], json!({"type": "api_key", "id": key}));
    let personal = format!("select personal from audit_personal where {of_tenant}");
    let personal = world.sql(&personal).await.concat();
    assert!(personal.contains("operations"), "the name of the key is beside it");
}

#[tokio::test]
async fn a_new_tenant_is_ready_for_its_people() {
    let world = world().await;
    let tenant = made(&world.operator().await, "Borealis", None).await;
    let id = text(&tenant["tenant_id"]).parse().expect("a tenant's id");
    let (owner, password) = ("first@borealis.example", PASSWORD.to_owned());
    let admin = operator::create_user(&world.governance, id, owner, password, Role::Admin);
    admin.await.expect("a person can be made");
    let request =
        key::KeyRequest { name: "first", owner, scopes: &[Scope::PoliciesRead], expires_at: None };
    let made = operator::create_key(&world.governance, id, request);
    let secret = made.await.expect("a key can be made").plaintext_key;
    let program = crate::service::with_key(&world.public, id, &secret);
    let settings = program.get("/v1/settings").await.expect(200);
    assert_eq!(settings["maker_checker_enabled"], true);
}

#[tokio::test]
async fn an_operator_s_key_opens_no_tenant() {
    let world = world().await;
    let operator = world.operator().await;
    let named = operator.with("x-service-tenant-id", world.tenant);
    for (route, _) in of_tenants() {
        let refused = routes::call(&named, &route, &Ids::missing()).await;
        assert_eq!(refused.to_string(), "403 FORBIDDEN", "{} {}", route.method, route.path);
        let missing = routes::call(&operator, &route, &Ids::missing()).await;
        assert_eq!(missing.to_string(), "400 MISSING_TENANT_ID", "{} {}", route.method, route.path);
    }
}

#[tokio::test]
async fn nobody_else_makes_tenants() {
    let world = world().await;
    let body = json!({"name": "Mine"});
    let every = world.key.post(PATH, &body).await;
    assert_snapshot!(every, @"403 INSUFFICIENT_SCOPE (tenants:provision)");
    assert_snapshot!(world.admin().await.post(PATH, &body).await, @"403 FORBIDDEN");
    assert_snapshot!(world.admin().await.get(PATH).await, @"403 FORBIDDEN");
    // Without a tenant only an operator's key is heard; a malformed one is refused first.
    let nameless = world.key.without("x-service-tenant-id");
    assert_snapshot!(nameless.post(PATH, &body).await, @"400 MISSING_TENANT_ID");
    let operator = world.operator().await.with("x-service-tenant-id", "acme");
    assert_snapshot!(operator.post(PATH, &body).await, @"400 INVALID_TENANT_ID");
    assert_eq!(tenants(&world).await, "1");
}

#[tokio::test]
async fn a_revoked_operator_s_key_is_an_unknown_key() {
    let world = world().await;
    let operator = world.operator().await;
    let [kept] = &key::list_of_operator(&world.governance).await.expect("a list")[..] else {
        panic!("there is one")
    };
    key::revoke_of_operator(&world.governance, kept.id).await.expect("it is there");
    let named = operator.with("x-service-tenant-id", world.tenant);
    let refused = named.get(PATH).await;
    assert_snapshot!(refused, @"401 UNAUTHORIZED");
    let unknown = named.without("authorization").with("authorization", "Bearer svc_unknown");
    assert_eq!(unknown.get(PATH).await.anonymous(), refused.anonymous());
    assert_eq!(named.get("/v1/policies").await.anonymous(), refused.anonymous());
    assert_snapshot!(operator.get(PATH).await, @"400 MISSING_TENANT_ID");
}

#[tokio::test]
async fn a_tenant_is_asked_for_without_faults() {
    let world = world().await;
    let operator = world.operator().await;
    let nowhere = "00000000-0000-4000-8000-000000000000";
    for (body, faults) in [
        (json!({}), "/name required\n"),
        (json!({"name": "", "parent": nowhere}), "/name too_short\n/parent unknown\n"),
        (json!({"name": "x".repeat(201)}), "/name too_long\n"),
        (json!({"name": "x", "parent_tenant_id": "acme"}), "/parent_tenant_id format\n"),
        (json!({"name": "x", "parent_tenant_id": nowhere}), "/parent_tenant_id unknown\n"),
    ] {
        assert_eq!(operator.post(PATH, &body).await.faults(), faults, "{body}");
    }
    assert_eq!(tenants(&world).await, "1");
}

#[tokio::test]
async fn a_tenant_has_at_most_eight_ancestors() {
    let world = world().await;
    let operator = world.operator().await;
    let mut last = json!({"tenant_id": world.tenant.to_string()});
    for level in 1..=8 {
        last = made(&operator, &format!("level {level}"), Some(&last)).await;
    }
    let body = json!({"name": "level 9", "parent_tenant_id": last["tenant_id"]});
    assert_eq!(operator.post(PATH, &body).await.faults(), "/parent_tenant_id too_deep\n");
    assert_eq!(tenants(&world).await, "9");
}
