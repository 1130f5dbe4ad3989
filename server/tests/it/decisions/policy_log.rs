//! The decision list of one policy.

use contract::scope::{Role, Scope};
use insta::assert_snapshot;
use serde_json::json;

use super::keys;
use crate::{
    client::text,
    service::{MINUTE_MS, TestService, Version, rules, test_service},
};

async fn list_keys(service: &TestService, version: &Version, query: &str) -> Vec<String> {
    let path = format!("{}/decisions?{query}", version.policy_path());
    keys(&service.key.get(path).await.expect(200))
}

#[tokio::test]
async fn policy_decisions_default_to_the_active_version() {
    let service = test_service().await;
    let first = service.active("PAY-01").await;
    service.record("old", 20_000).await;
    let second = service.successor(&first, &rules(100)).await;
    service.activate(&second).await;
    service.clock.advance(MINUTE_MS);
    service.record("new", 20_000).await;
    service.record("small", 1).await;
    // Decisions of another policy have a separate list.
    let other = service.active("PAY-02").await;
    service.record("both", 200).await;

    for (query, expected) in [
        ("", "both small new"),
        ("version=2", "both small new"),
        ("version=1", "old"),
        ("rule_code=AMOUNT", "both new"),
        ("rule_code=AMOUNT&version=1", "old"),
        ("rule_code=OTHER", ""),
        ("decision=REVIEW", "small"),
        ("recorded_from=2026-09-01T10:02:00Z", ""),
        ("recorded_to=2026-09-01T10:00:30Z&version=1", "old"),
    ] {
        assert_eq!(list_keys(&service, &first, query).await.join(" "), expected, "{query}");
    }
    assert_eq!(list_keys(&service, &other, "").await, ["both"]);
    let record =
        service.key.get(format!("{}/decisions?limit=1", first.policy_path())).await.expect(200);
    let id = text(&record["items"][0]["id"]);
    let read = service.key.get(format!("/v1/decisions/{id}")).await.expect(200);
    assert_eq!(record["items"][0], read, "items are decision records");
}

#[tokio::test]
async fn inactive_policy_has_no_decisions() {
    let service = test_service().await;
    let draft = service.draft("PAY-01").await;
    let path = format!("{}/decisions", draft.policy_path());
    let page = service.key.get(&path).await.expect(200);
    assert_eq!(page, json!({"items": [], "next_cursor": null}));
    assert_eq!(service.key.get(format!("{path}?version=1")).await.expect(200)["items"], json!([]));
    assert_snapshot!(service.key.get(format!("{path}?version=2")).await, @"404 NOT_FOUND");
    let missing = service.key.get(format!("{path}?version=4294967295")).await;
    assert_snapshot!(missing, @"404 NOT_FOUND");
}

#[tokio::test]
async fn policy_decision_cursors_are_bound_to_their_list() {
    let service = test_service().await;
    let version = service.active("PAY-01").await;
    for number in 0..3 {
        service.record(&format!("k-{number}"), 1).await;
    }
    let path = format!("{}/decisions", version.policy_path());
    let first = service.key.get(format!("{path}?limit=2")).await.expect(200);
    assert_eq!(keys(&first), ["k-2", "k-1"]);
    service.record("late", 1).await;
    let cursor = text(&first["next_cursor"]);
    let second = service.key.get(format!("{path}?limit=2&cursor={cursor}")).await.expect(200);
    assert_eq!(keys(&second), ["k-0"]);
    assert!(second["next_cursor"].is_null());

    let other = service.active("PAY-02").await;
    let general = service.key.get("/v1/decisions?limit=1").await.expect(200);
    for (path, cursor) in [
        (format!("{path}?decision=DENY"), cursor),
        (format!("{}/decisions?limit=1", other.policy_path()), cursor),
        (format!("{path}?limit=1"), text(&general["next_cursor"])),
    ] {
        let refusal = service.key.get(format!("{path}&cursor={cursor}")).await;
        assert_eq!(refusal.field_errors(), "/cursor cursor\n", "{path}");
    }
    // Each version has its own list.
    let next = service.successor(&version, &rules(5)).await;
    service.activate(&next).await;
    let refusal = service.key.get(format!("{path}?cursor={cursor}")).await;
    assert_eq!(refusal.field_errors(), "/cursor cursor\n");
    let named = service.key.get(format!("{path}?limit=2&version=1&cursor={cursor}")).await;
    assert_eq!(keys(&named.expect(200)), ["k-0"]);
}

#[tokio::test]
async fn invalid_policy_decision_parameters_are_rejected() {
    let service = test_service().await;
    let version = service.active("PAY-01").await;
    let long = format!("rule_code={}", "x".repeat(101));
    for (query, errors) in [
        ("limit=0", "/limit range\n"),
        ("limit=201", "/limit range\n"),
        ("limit=5.0", "/limit format\n"),
        ("limit=1&limit=1", "/limit repeated\n"),
        ("version=0", "/version format\n"),
        ("version=active", "/version format\n"),
        ("decision=allow", "/decision format\n"),
        (&long, "/rule_code length\n"),
        ("policy_id=x", "/policy_id unknown\n"),
        (
            "recorded_from=2026-09-02T00:00:00Z&recorded_to=2026-09-01T00:00:00Z",
            "/recorded_from range\n",
        ),
    ] {
        let refusal = service.key.get(format!("{}/decisions?{query}", version.policy_path())).await;
        assert_eq!(refusal.to_string(), "422 VALIDATION_ERROR", "{query}");
        assert_eq!(refusal.field_errors(), errors, "{query}");
    }
}

#[tokio::test]
async fn policy_decisions_require_both_scopes_and_the_tenant_of_the_policy() {
    let service = test_service().await;
    let version = service.active("PAY-01").await;
    let path = format!("{}/decisions", version.policy_path());
    let policies = service.create_key(&[Scope::PoliciesRead]).await;
    assert_snapshot!(policies.get(&path).await, @"403 INSUFFICIENT_SCOPE (decisions:read)");
    let decisions = service.create_key(&[Scope::DecisionsRead]).await;
    assert_snapshot!(decisions.get(&path).await, @"403 INSUFFICIENT_SCOPE (policies:read)");
    let both = service.create_key(&[Scope::PoliciesRead, Scope::DecisionsRead]).await;
    both.get(&path).await.expect(200);
    service.signed_in_member(Role::Viewer).await.get(&path).await.expect(200);
    let foreign = service.other_tenant().await.key.get(&path).await;
    assert_snapshot!(foreign, @"404 NOT_FOUND");
}
