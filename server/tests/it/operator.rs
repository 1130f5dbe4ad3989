//! Operator keys: they create tenants and cannot access a tenant.

use governance::access::{
    operator::key,
    permission::{self, Permission},
};

use crate::{
    prelude::*,
    routes::{self, Ids},
};

const PATH: &str = "/v1/admin/tenants";

async fn create_tenant(operator: &Client, name: &str, parent: Option<&Value>) -> Value {
    let mut body = json!({"name": name});
    if let Some(parent) = parent {
        body["parent_tenant_id"] = parent["tenant_id"].clone();
    }
    operator.post(PATH, &body).await.expect(201)
}

/// The guarded routes that require a tenant.
fn tenant_routes() -> impl Iterator<Item = (server::router::Endpoint, Permission)> {
    routes::guarded().filter(|(_, permission)| *permission != permission::PROVISION)
}

async fn count_tenants(service: &TestService) -> String {
    service.sql("select count(*)::text from tenants").await.concat()
}

#[testkit::test]
async fn operator_creates_and_lists_tenants(service: TestService) {
    let operator = service.operator().await;
    let response = operator.post(PATH, &json!({"name": "Borealis"})).await;
    let tenant = response.expect(201);
    let expected = json!({"tenant_id": tenant["tenant_id"], "name": "Borealis", "created_at": NOW});
    assert_eq!(tenant, expected);
    assert_eq!(response.header("location"), Some(PATH), "a tenant is read from the list");
    // The tenant header of the request has no effect.
    let with_header = operator.with("x-service-tenant-id", service.tenant);
    let child = create_tenant(&with_header, "Child", Some(&tenant)).await;
    assert_eq!(child["parent_tenant_id"], tenant["tenant_id"]);

    let page = operator.get(PATH).await.expect(200);
    assert_eq!(texts(&page, "name"), ["Child", "Borealis", "Acme"]);
    assert_eq!(page["items"][0], child);
    let first = operator.get(format!("{PATH}?limit=1")).await.expect(200);
    create_tenant(&operator, "Later", None).await;
    let cursor = text(&first["next_cursor"]);
    let rest = operator.get(format!("{PATH}?limit=2&cursor={cursor}")).await.expect(200);
    assert_eq!(rest["items"], json!([tenant, page["items"][2]]));
    assert_eq!(rest["next_cursor"], Value::Null);
}

#[testkit::test]
async fn audit_log_of_a_new_tenant_starts_with_the_operator(service: TestService) {
    let operator = service.operator().await;
    let tenant = create_tenant(&operator, "Borealis", None).await;
    let filter = format!("tenant_id = '{}'", text(&tenant["tenant_id"]));
    let events = service.sql(&format!("select event from audit_events where {filter}")).await;
    let event: Value = serde_json::from_str(&events.concat()).expect("one event");
    let key = service.sql("select id::text from operator_keys").await.concat();
    assert_eq!(event["action"], "tenant.create");
    assert_eq!(event["actor"], json!({"type": "api_key", "id": key}));
    let personal = format!("select personal from audit_personal where {filter}");
    let personal = service.sql(&personal).await.concat();
    assert!(personal.contains("operations"), "the key name is stored as personal data");
}

#[testkit::test]
async fn operator_key_cannot_access_a_tenant(service: TestService) {
    let operator = service.operator().await;
    let with_header = operator.with("x-service-tenant-id", service.tenant);
    for (route, _) in tenant_routes() {
        let refused = routes::call(&with_header, &route, &Ids::missing()).await;
        assert_eq!(refused.to_string(), "403 FORBIDDEN", "{} {}", route.method, route.path);
        let missing = routes::call(&operator, &route, &Ids::missing()).await;
        assert_eq!(missing.to_string(), "400 MISSING_TENANT_ID", "{} {}", route.method, route.path);
    }
}

#[testkit::test]
async fn revoked_operator_key_returns_the_error_of_an_unknown_key(service: TestService) {
    let operator = service.operator().await;
    let [stored_key] = &key::list_of_operator(&service.governance).await.expect("a list")[..]
    else {
        panic!("one operator key")
    };
    key::revoke_of_operator(&service.governance, stored_key.id).await.expect("the key exists");
    let with_header = operator.with("x-service-tenant-id", service.tenant);
    let refused = with_header.get(PATH).await;
    assert_snapshot!(refused, @"401 UNAUTHORIZED");
    let unknown = with_header.without("authorization").with("authorization", "Bearer svc_unknown");
    assert_eq!(unknown.get(PATH).await.without_correlation_id(), refused.without_correlation_id());
    assert_eq!(
        with_header.get("/v1/policies").await.without_correlation_id(),
        refused.without_correlation_id()
    );
    assert_snapshot!(operator.get(PATH).await, @"400 MISSING_TENANT_ID");
}

#[testkit::test]
async fn tenant_has_at_most_eight_ancestors(service: TestService) {
    let operator = service.operator().await;
    let mut last = json!({"tenant_id": service.tenant.to_string()});
    for level in 1..=8 {
        last = create_tenant(&operator, &format!("level {level}"), Some(&last)).await;
    }
    let body = json!({"name": "level 9", "parent_tenant_id": last["tenant_id"]});
    assert_eq!(operator.post(PATH, &body).await.field_errors(), "/parent_tenant_id too_deep\n");
    assert_eq!(count_tenants(&service).await, "9");
}
