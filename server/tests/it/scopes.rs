//! The specification's table of scopes, row by row: the routes that a key with one scope can call.

use std::collections::BTreeSet;

use contract::scope::Scope;
use serde_json::json;

use crate::{
    routes::{self, Ids},
    service::test_service,
};

/// Asserts that a key with only this scope can call exactly these routes (`METHOD path` without
/// `/v1/`).
async fn assert_allows(scope: Scope, expected: &[&str]) {
    let service = test_service().await;
    let key = service.create_key(&[scope]).await;
    let mut allowed_routes = BTreeSet::new();
    for (route, permission) in routes::guarded() {
        let requires_other_scope =
            permission.requires_capability() && scope != Scope::AuthoringCapability;
        let mut call = routes::call(&key, &route, &Ids::missing());
        if route.path == "/v1/api-keys" && route.method == "POST" {
            // A key can only create keys with its own scopes.
            call = call.json(&json!({"name": "another", "scopes": [scope.as_str()]}));
        }
        let response = call.await;
        let name = routes::name(&route);
        match &*response.to_string() {
            "403 HUMAN_REQUIRED" => {}
            error if requires_other_scope => assert_eq!(error, "403 FORBIDDEN", "{name}"),
            error if error.starts_with("403 INSUFFICIENT_SCOPE (") => {
                assert_ne!(error, format!("403 INSUFFICIENT_SCOPE ({scope})"), "{name}");
            }
            _ => assert!(allowed_routes.insert(name.clone()), "{name} occurs twice"),
        }
    }
    let expected: BTreeSet<String> = expected.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(allowed_routes, expected, "{scope}");
}

#[tokio::test]
async fn policies_read_lists_and_reads_policies_versions_and_groups() {
    let allowed_routes = [
        "GET authoring-capabilities",
        "GET authoring-capabilities/{id}",
        "GET forms",
        "GET forms/{form_id}",
        "GET policies",
        "GET policies/{id}",
        "GET policies/{id}/versions",
        "GET policies/{id}/versions/{version}",
        "GET policies/{id}/versions/{version}/approval",
        "GET policies/{id}/versions/{version}/diff",
        "GET policies/{id}/versions/{version}/submissions",
        "GET policy-groups",
        "GET policy-groups/{id}",
        "GET policy-groups/{id}/policies",
        "GET settings",
        "GET snapshots/{id}",
    ];
    assert_allows(Scope::PoliciesRead, &allowed_routes).await;
}

#[tokio::test]
async fn policies_write_creates_and_updates_policies_and_groups() {
    let allowed_routes = [
        "DELETE forms/{form_id}",
        "DELETE forms/{form_id}/tokens/{token_id}",
        "PATCH forms/{form_id}",
        "POST forms",
        "POST forms/{form_id}/tokens",
        "DELETE policies/{id}",
        "DELETE policies/{id}/versions/{version}",
        "DELETE policy-groups/{id}",
        "PATCH policies/{id}",
        "PATCH policies/{id}/versions/{version}",
        "PATCH policy-groups/{id}",
        "PATCH settings",
        "POST policies",
        "POST policies/{id}/deactivate",
        "POST policies/{id}/versions",
        "POST policies/{id}/versions/{version}/recall",
        "POST policies/{id}/versions/{version}/reject",
        "POST policies/{id}/versions/{version}/seal",
        "POST policies/{id}/versions/{version}/submit",
        "POST policy-groups",
    ];
    assert_allows(Scope::PoliciesWrite, &allowed_routes).await;
}

#[tokio::test]
async fn decisions_evaluate_evaluates_without_recording() {
    let allowed_routes = ["dry-run", "dryRun", "evaluate", "evaluate-batch"]
        .map(|name| format!("POST decisions/{name}"));
    let allowed_routes = allowed_routes.each_ref().map(String::as_str);
    assert_allows(Scope::DecisionsEvaluate, &allowed_routes).await;
}

#[tokio::test]
async fn decisions_read_lists_and_reads_recorded_decisions() {
    let allowed_routes = [
        "GET chains",
        "GET decisions",
        "GET decisions/export",
        "GET decisions/stream",
        "GET decisions/{id}",
        "POST decisions/{id}/replay",
    ];
    assert_allows(Scope::DecisionsRead, &allowed_routes).await;
}

#[tokio::test]
async fn decisions_write_records_decisions() {
    let allowed_routes =
        ["POST chains/{chain_id}/seal", "POST decisions/record", "POST decisions/{id}/outcome"];
    assert_allows(Scope::DecisionsWrite, &allowed_routes).await;
}

#[tokio::test]
async fn alerts_read_lists_and_reads_alerts() {
    let allowed_routes = [
        "GET alerts",
        "GET alerts/deliveries",
        "GET alerts/deliveries/stats",
        "GET alerts/deliveries/{id}",
        "GET alerts/{id}",
    ];
    assert_allows(Scope::AlertsRead, &allowed_routes).await;
}

#[tokio::test]
async fn alerts_write_acknowledges_assigns_and_snoozes_alerts_and_manages_subscriptions() {
    let allowed_routes = [
        "DELETE alerts/subscriptions/{id}",
        "GET alerts/subscriptions",
        "GET alerts/subscriptions/{id}",
        "POST alerts/acknowledge",
        "POST alerts/deliveries/redrive",
        "POST alerts/deliveries/{id}/retry",
        "POST alerts/subscriptions",
        "POST alerts/subscriptions/{id}/test",
        "POST alerts/{id}/acknowledge",
        "POST alerts/{id}/assign",
        "POST alerts/{id}/snooze",
    ];
    assert_allows(Scope::AlertsWrite, &allowed_routes).await;
}

#[tokio::test]
async fn audit_read_reads_audit_events() {
    assert_allows(Scope::AuditRead, &["GET audit-log"]).await;
}

#[tokio::test]
async fn audit_admin_verifies_the_log() {
    assert_allows(Scope::AuditAdmin, &["POST audit-log/verify"]).await;
}

#[tokio::test]
async fn members_read_lists_members() {
    assert_allows(Scope::MembersRead, &["GET admin/members", "GET admin/members/{user_id}"]).await;
}

#[tokio::test]
async fn members_write_invites_and_removes_members() {
    // Changing a role and creating an account require a signed-in admin.
    let allowed_routes = ["DELETE admin/members/{user_id}", "POST admin/members/invite"];
    assert_allows(Scope::MembersWrite, &allowed_routes).await;
}

#[tokio::test]
async fn api_keys_admin_creates_lists_and_revokes_keys() {
    let allowed_routes =
        ["DELETE api-keys/{id}", "GET api-keys", "GET api-keys/{id}", "POST api-keys"];
    assert_allows(Scope::ApiKeysAdmin, &allowed_routes).await;
}

#[tokio::test]
async fn authoring_capability_allows_only_the_actions_of_a_capability() {
    let allowed_routes = [
        "GET authoring-capabilities/current",
        "GET authoring-capabilities/current/pending-work",
        "GET policies/{id}/versions/{version}",
        "GET policies/{id}/versions/{version}/submissions",
        "PATCH policies/{id}/versions/{version}",
        "POST policies/{id}/versions/{version}/seal",
        "POST policies/{id}/versions/{version}/submit",
    ];
    assert_allows(Scope::AuthoringCapability, &allowed_routes).await;
    // Without a capability, every route returns an error.
    let service = test_service().await;
    let key = service.create_key(&[Scope::AuthoringCapability]).await;
    for (route, permission) in routes::guarded() {
        let response = routes::call(&key, &route, &Ids::missing()).await;
        let name = routes::name(&route);
        assert_eq!(response.status, 403, "{name}");
        let is_capability_missing = response.to_string() == "403 AUTHORING_CAPABILITY_MISSING";
        assert_eq!(is_capability_missing, permission.actions.is_some(), "{name}");
    }
}

#[tokio::test]
async fn only_operator_keys_have_tenants_provision() {
    // An API key never has this scope, even with every scope that can be granted.
    let service = test_service().await;
    let error = service.key.get("/v1/admin/tenants").await;
    assert_eq!(error.to_string(), "403 INSUFFICIENT_SCOPE (tenants:provision)");
    service.operator().await.get("/v1/admin/tenants").await.expect(200);
}
