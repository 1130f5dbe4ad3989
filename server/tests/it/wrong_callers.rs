//! Calls every guarded route without the required tenant, credentials or recent sign-in. `endpoints.rs` calls them
//! without the required scope or role.

use crate::{
    prelude::*,
    routes::{self, Ids},
};

/// The query for the ID of the test author.
pub(crate) const MEMBER: &str = "select user_id::text from members where role = 'author'";

/// Starts a service with a decision and a submitted version, and returns their IDs.
async fn service_with_data() -> (TestService, Ids) {
    let service = test_service().await;
    service.active("PAY-01").await;
    let created =
        service.key.post("/v1/decisions/record", &chain_request("k", json!({}))).await.expect(201);
    let decision = created["decision"]["id"].as_str().expect("an id").to_owned();
    let version = service.submitted("PAY-02").await;
    let submission = service.seal(&version).await;
    let policy = version.policy;
    let group = service.key.post("/v1/policy-groups", &json!({"code": "G", "name": "Group"})).await;
    let group = text(&group.expect(201)["id"]).to_owned();
    let member = service.sql(MEMBER).await.concat();
    (service, Ids { policy, decision, group, member, submission, chain: CHAIN.to_owned() })
}

/// Asserts that every guarded route returns `expected`.
async fn assert_all_return(client: &Client, ids: &Ids, expected: &str) {
    for (route, _) in routes::guarded() {
        let response = routes::call(client, &route, ids).await;
        assert_eq!(response.to_string(), expected, "{} {}", route.method, route.path);
    }
}

#[tokio::test]
async fn the_tenant_header_is_checked_first() {
    let (service, ids) = service_with_data().await;
    let without = service.key.without("x-service-tenant-id");
    assert_all_return(&without, &ids, "400 MISSING_TENANT_ID").await;
    assert_all_return(&service.public, &ids, "400 MISSING_TENANT_ID").await;
    let empty = without.with("x-service-tenant-id", "");
    assert_all_return(&empty, &ids, "400 MISSING_TENANT_ID").await;
    let hex = service.tenant.to_string().replace('-', "");
    for tenant in ["acme", "00000000-0000-4000-8000-00000000000", &hex, "\u{fc}"] {
        let malformed = without.with("x-service-tenant-id", tenant);
        assert_all_return(&malformed, &ids, "400 INVALID_TENANT_ID").await;
    }
    let braced = service.public.with("x-service-tenant-id", format!("{{{}}}", service.tenant));
    assert_all_return(&braced, &ids, "400 INVALID_TENANT_ID").await;
}

#[tokio::test]
async fn all_invalid_credentials_return_the_same_error() {
    let (service, ids) = service_with_data().await;
    let revoked = service.create_key(Scope::ALL[..3].as_ref()).await;
    service.sql("update key_digests set revoked_at = now() where key_name = 'a program'").await;
    let expired = service.create_key(&Scope::ALL[..3]).await;
    let expire = "update key_digests set expires_at = '2026-09-01T10:00:00Z' \
                  where key_name = 'a program' and revoked_at is null";
    service.sql(expire).await;
    let anonymous = service.public.with("x-service-tenant-id", service.tenant);
    let signed_out = service.signed_in_member(Role::Admin).await;
    let cookie = signed_out.cookie().unwrap();
    signed_out.call("DELETE", "/v1/session").await;
    let admin = service.admin().await;
    let mut callers = vec![
        ("revoked", revoked),
        ("expired", expired),
        ("no credentials", anonymous.clone()),
        ("signed out", anonymous.with("cookie", cookie)),
        ("two keys", service.key.with("authorization", "Bearer svc_unknown")),
        ("another header", anonymous.with("x-api-key", "svc_key")),
        // A valid cookie does not replace an invalid key.
        ("invalid key, valid cookie", admin.with("authorization", "Bearer svc_unknown")),
    ];
    for header in ["Bearer svc_unknown", "Bearer ", "Bearer", "Basic YTpi", "svc_unknown", "\u{fc}"]
    {
        callers.push((header, anonymous.with("authorization", header)));
    }
    let mut bodies: Vec<Value> = Vec::new();
    for (name, client) in callers {
        for (route, _) in routes::guarded() {
            let response = routes::call(&client, &route, &ids).await;
            assert_eq!(response.to_string(), "401 UNAUTHORIZED", "{name}: {}", route.path);
            bodies.push(response.without_correlation_id());
        }
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
}

#[testkit::test]
async fn a_key_expires_at_its_expiry_time(service: TestService) {
    let key = service.create_key(&[Scope::PoliciesRead]).await;
    let expire = "update key_digests set expires_at = '2026-09-01T10:01:00Z' \
                  where key_name = 'a program'";
    service.sql(expire).await;
    service.clock.advance(MINUTE_MS - 1);
    assert_eq!(key.get("/v1/policies").await.status, 200);
    service.clock.advance(1);
    assert_eq!(key.get("/v1/policies").await.status, 401);
}

#[testkit::test]
async fn the_authorization_scheme_is_case_insensitive(service: TestService) {
    let body = json!({"name": "a program", "scopes": ["policies:read"]});
    let created = service.key.post("/v1/api-keys", &body).await.expect(201);
    let secret = text(&created["plaintext_key"]);
    for authorization in [format!("bearer {secret}"), format!("BEARER  {secret}")] {
        let call = service.public.get("/v1/policies").header("x-service-tenant-id", service.tenant);
        assert_eq!(call.header("authorization", authorization).await.status, 200);
    }
}

#[tokio::test]
async fn credentials_of_another_tenant_are_refused_everywhere() {
    let (service, ids) = service_with_data().await;
    let neighbour = service.other_tenant().await;
    for credentials in [&neighbour.key, &neighbour.admin] {
        let client = credentials.without("x-service-tenant-id");
        let client = client.with("x-service-tenant-id", service.tenant);
        assert_all_return(&client, &ids, "403 FORBIDDEN").await;
        // A tenant that does not exist returns the same error as another tenant.
        let client = credentials.without("x-service-tenant-id");
        let client = client.with("x-service-tenant-id", "00000000-0000-4000-8000-000000000000");
        assert_all_return(&client, &ids, "403 FORBIDDEN").await;
    }
}

/// The routes that require a sign-in or reauthentication in the last 15 minutes (contract, section
/// 2).
const RECENT_SIGN_IN_ROUTES: [&str; 14] = [
    "POST /v1/admin/identity-providers",
    "DELETE /v1/admin/identity-providers/{id}",
    "PATCH /v1/admin/identity-providers/{id}",
    "POST /v1/admin/members/invite",
    "DELETE /v1/admin/members/{user_id}",
    "PATCH /v1/admin/members/{user_id}",
    "POST /v1/admin/members/{user_id}/reset-second-factors",
    "POST /v1/api-keys",
    "POST /v1/authoring-capabilities",
    "POST /v1/policies/{id}/deactivate",
    "POST /v1/policies/{id}/versions/{version}/activate",
    "POST /v1/policies/{id}/versions/{version}/ratify",
    "POST /v1/policies/{id}/versions/{version}/submissions/{submission_id}/records",
    "PATCH /v1/settings",
];

#[tokio::test]
async fn only_these_actions_require_a_recent_sign_in() {
    let (service, ids) = service_with_data().await;
    let admin = service.admin().await;
    service.clock.advance(15 * MINUTE_MS + 1);
    let mut actual = Vec::new();
    for (route, _) in routes::guarded().filter(|(route, _)| route.method != "GET") {
        // Each action is called independently of the results of the earlier ones.
        let response = routes::call(&admin, &route, &ids).await.to_string();
        if response == "403 CONFIRMATION_REQUIRED" {
            actual.push(format!("{} {}", route.method, route.path));
        }
    }
    assert_eq!(actual, RECENT_SIGN_IN_ROUTES);
}

#[tokio::test]
async fn credentials_are_checked_before_the_body_is_read() {
    let (service, ids) = service_with_data().await;
    let anonymous = service.public.with("x-service-tenant-id", service.tenant);
    for (route, _) in routes::guarded().filter(|(route, _)| routes::body(route).is_some()) {
        let call = anonymous.call(route.method, routes::path(&route, &ids));
        let response: TestResponse = call.body("text/plain", "{").await;
        assert_eq!(response.to_string(), "401 UNAUTHORIZED", "{}", route.path);
    }
}
