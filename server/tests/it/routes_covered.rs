//! The router serves every specified route, and the `OpenAPI` document lists the same routes.

use std::collections::BTreeSet;

use serde_json::Value;
use server::router::{self, Access};

use crate::{
    client::text,
    routes::{self, Ids},
    service::test_service,
};

/// The routes of the specification and of the contract (sections 2, 4, 5 and 7).
const SPECIFIED: &str = "
    GET /v1/health
    GET /v1/ready
    GET /v1/.well-known/signing-keys
    GET /v1/.well-known/trust-registry
    POST /v1/session
    GET /v1/session
    DELETE /v1/session
    GET /v1/session/sessions
    DELETE /v1/session/sessions/{session_id}
    POST /v1/session/confirm
    POST /v1/session/second-factor
    POST /v1/session/passkey
    POST /v1/session/passkey-options
    GET /v1/session/second-factors
    POST /v1/session/passkeys/options
    POST /v1/session/passkeys
    PATCH /v1/session/passkeys/{passkey_id}
    DELETE /v1/session/passkeys/{passkey_id}
    POST /v1/session/totp
    DELETE /v1/session/totp
    POST /v1/session/totp/confirm
    POST /v1/session/recovery-codes
    POST /v1/session/password
    POST /v1/session/setup
    POST /v1/session/reset
    GET /v1/session/invitations
    POST /v1/session/invitations/{tenant_id}/accept
    POST /v1/session/invitations/{tenant_id}/decline
    POST /v1/cli/token
    POST /v1/cli/revoke
    POST /v1/api-keys
    GET /v1/api-keys
    GET /v1/api-keys/{id}
    DELETE /v1/api-keys/{id}
    GET /v1/settings
    PATCH /v1/settings
    POST /v1/policies
    GET /v1/policies
    GET /v1/policies/{id}
    PATCH /v1/policies/{id}
    DELETE /v1/policies/{id}
    POST /v1/policies/{id}/deactivate
    GET /v1/policies/{id}/versions
    POST /v1/policies/{id}/versions
    GET /v1/policies/{id}/versions/{version}
    PATCH /v1/policies/{id}/versions/{version}
    DELETE /v1/policies/{id}/versions/{version}
    POST /v1/policies/{id}/versions/{version}/submit
    POST /v1/policies/{id}/versions/{version}/recall
    POST /v1/policies/{id}/versions/{version}/reject
    POST /v1/policies/{id}/versions/{version}/seal
    GET /v1/policies/{id}/versions/{version}/submissions
    POST /v1/policies/{id}/versions/{version}/submissions/{submission_id}/records
    GET /v1/policies/{id}/versions/{version}/comments
    POST /v1/policies/{id}/versions/{version}/comments
    POST /v1/policies/{id}/versions/{version}/comments/{comment_id}/resolve
    POST /v1/policies/{id}/versions/{version}/comments/{comment_id}/reopen
    POST /v1/policies/{id}/versions/{version}/ratify
    POST /v1/policies/{id}/versions/{version}/activate
    POST /v1/policies/{id}/versions/{version}/set-aside
    POST /v1/policies/{id}/versions/{version}/supersede
    GET /v1/policies/{id}/versions/{version}/diff
    GET /v1/policies/{id}/versions/{version}/approval
    GET /v1/policies/{id}/decisions
    GET /v1/policies/{id}/analytics
    POST /v1/policy-groups
    GET /v1/policy-groups
    GET /v1/policy-groups/{id}
    PATCH /v1/policy-groups/{id}
    DELETE /v1/policy-groups/{id}
    GET /v1/policy-groups/{id}/policies
    POST /v1/authoring-capabilities
    GET /v1/authoring-capabilities
    GET /v1/authoring-capabilities/{id}
    DELETE /v1/authoring-capabilities/{id}
    POST /v1/authoring-capabilities/{id}/carry
    GET /v1/authoring-capabilities/current
    GET /v1/authoring-capabilities/current/pending-work
    POST /v1/decisions/evaluate
    POST /v1/decisions/dry-run
    POST /v1/decisions/dryRun
    POST /v1/decisions/evaluate-batch
    POST /v1/decisions/record
    GET /v1/decisions
    GET /v1/decisions/{id}
    GET /v1/decisions/export
    GET /v1/decisions/stream
    POST /v1/decisions/{id}/outcome
    POST /v1/decisions/{id}/replay
    GET /v1/snapshots/{id}
    GET /v1/receipts/{decision_id}
    GET /v1/receipts/{decision_id}/bundle
    GET /v1/chains
    POST /v1/chains/{chain_id}/seal
    GET /v1/chains/{chain_id}/seal
    GET /v1/chains/{chain_id}/verify
    GET /v1/chains/{chain_id}/bundle
    POST /v1/forms
    GET /v1/forms
    GET /v1/forms/{form_id}
    PATCH /v1/forms/{form_id}
    DELETE /v1/forms/{form_id}
    POST /v1/forms/{form_id}/tokens
    DELETE /v1/forms/{form_id}/tokens/{token_id}
    GET /v1/forms/{form_id}/schema
    GET /v1/forms/{form_id}/api-contract
    POST /v1/forms/{form_id}/submit
    GET /v1/forms/{form_id}/receipts/{decision_id}
    GET /v1/alerts
    GET /v1/alerts/{id}
    POST /v1/alerts/{id}/acknowledge
    POST /v1/alerts/{id}/assign
    POST /v1/alerts/{id}/snooze
    POST /v1/alerts/acknowledge
    POST /v1/alerts/subscriptions
    GET /v1/alerts/subscriptions
    GET /v1/alerts/subscriptions/{id}
    DELETE /v1/alerts/subscriptions/{id}
    POST /v1/alerts/subscriptions/{id}/test
    GET /v1/alerts/deliveries
    GET /v1/alerts/deliveries/stats
    GET /v1/alerts/deliveries/{id}
    POST /v1/alerts/deliveries/{id}/retry
    POST /v1/alerts/deliveries/redrive
    GET /v1/admin/members
    GET /v1/admin/members/{user_id}
    POST /v1/admin/members/invite
    PATCH /v1/admin/members/{user_id}
    DELETE /v1/admin/members/{user_id}
    POST /v1/admin/members/{user_id}/reset-second-factors
    POST /v1/admin/users
    GET /v1/admin/users/{user_id}
    GET /v1/admin/identity-providers
    POST /v1/admin/identity-providers
    GET /v1/admin/identity-providers/{id}
    PATCH /v1/admin/identity-providers/{id}
    DELETE /v1/admin/identity-providers/{id}
    POST /v1/admin/identity-providers/{id}/test
    POST /v1/admin/tenants
    GET /v1/admin/tenants
    GET /v1/audit-log
    POST /v1/audit-log/verify
    GET /v1/log/checkpoint
    GET /v1/log/rekor
    GET /v1/log/tile/{path}
";

fn served_routes() -> BTreeSet<String> {
    router::routes().iter().map(|route| format!("{} {}", route.method, route.path)).collect()
}

#[test]
fn the_router_serves_exactly_the_specified_routes() {
    let specified = SPECIFIED.lines().map(str::trim).filter(|line| !line.is_empty());
    let specified: BTreeSet<String> = specified.map(str::to_owned).collect();
    assert_eq!(served_routes(), specified);
}

#[tokio::test]
async fn the_openapi_document_lists_exactly_the_served_routes() {
    let document = test_service().await.public.get("/openapi.json").await.expect(200);
    assert!(text(&document["openapi"]).starts_with("3.1"));
    let mut documented_routes = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            documented_routes.insert(format!("{} {path}", method.to_uppercase()));
            let responses = operation["responses"].as_object().map(serde_json::Map::len);
            assert!(responses.is_some_and(|responses| responses > 0), "{method} {path}");
        }
    }
    assert_eq!(documented_routes, served_routes());
}

#[tokio::test]
async fn every_reference_in_the_openapi_document_resolves() {
    let document = test_service().await.public.get("/openapi.json").await.expect(200);
    let mut references = Vec::new();
    collect_references(&document, &mut references);
    assert!(!references.is_empty());
    for reference in references {
        let pointer = reference.strip_prefix('#').expect("a reference within the document");
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

fn collect_references<'v>(value: &'v Value, references: &mut Vec<&'v str>) {
    match value {
        Value::Object(members) => {
            references.extend(members.get("$ref").and_then(Value::as_str));
            for member in members.values() {
                collect_references(member, references);
            }
        }
        Value::Array(elements) => {
            for element in elements {
                collect_references(element, references);
            }
        }
        _ => {}
    }
}

#[tokio::test]
async fn every_route_exists_and_only_public_routes_accept_calls_without_a_tenant() {
    let service = test_service().await;
    for route in router::routes() {
        let response = routes::call(&service.public, &route, &Ids::missing()).await;
        match route.access {
            Access::Guarded(_) => assert_eq!(response.to_string(), "400 MISSING_TENANT_ID"),
            Access::Public => assert_ne!(response.status, 400, "{route:?}"),
        }
        assert_ne!(response.status, 405, "{route:?}");
    }
}
