//! The decisions of one policy.

use contract::scope::{Role, Scope};
use insta::assert_snapshot;
use serde_json::json;

use super::{keys, recorded};
use crate::{
    client::text,
    service::{MINUTE_MS, TestService, Version, rules, world},
};

async fn log(world: &TestService, version: &Version, query: &str) -> Vec<String> {
    let path = format!("{}/decisions?{query}", version.of());
    keys(&world.key.get(path).await.expect(200))
}

#[tokio::test]
async fn a_policy_shows_the_decisions_of_its_active_version_unless_another_is_named() {
    let world = world().await;
    let first = world.active("PAY-01").await;
    recorded(&world, "old", 20_000).await;
    let second = world.successor(&first, &rules(100)).await;
    world.activate(&second).await;
    world.clock.advance(MINUTE_MS);
    recorded(&world, "new", 20_000).await;
    recorded(&world, "small", 1).await;
    // Another policy has no part in these.
    let other = world.active("PAY-02").await;
    recorded(&world, "both", 200).await;

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
        assert_eq!(log(&world, &first, query).await.join(" "), expected, "{query}");
    }
    assert_eq!(log(&world, &other, "").await, ["both"]);
    let record = world.key.get(format!("{}/decisions?limit=1", first.of())).await.expect(200);
    let id = text(&record["items"][0]["id"]);
    let read = world.key.get(format!("/v1/decisions/{id}")).await.expect(200);
    assert_eq!(record["items"][0], read, "items are decision records");
}

#[tokio::test]
async fn a_policy_that_is_not_in_force_has_no_decisions_to_show() {
    let world = world().await;
    let draft = world.draft("PAY-01").await;
    let path = format!("{}/decisions", draft.of());
    let page = world.key.get(&path).await.expect(200);
    assert_eq!(page, json!({"items": [], "next_cursor": null}));
    assert_eq!(world.key.get(format!("{path}?version=1")).await.expect(200)["items"], json!([]));
    assert_snapshot!(world.key.get(format!("{path}?version=2")).await, @"404 NOT_FOUND");
    let far = world.key.get(format!("{path}?version=4294967295")).await;
    assert_snapshot!(far, @"404 NOT_FOUND");
}

#[tokio::test]
async fn the_log_of_a_policy_has_pages_of_its_own() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    for number in 0..3 {
        recorded(&world, &format!("k-{number}"), 1).await;
    }
    let path = format!("{}/decisions", version.of());
    let first = world.key.get(format!("{path}?limit=2")).await.expect(200);
    assert_eq!(keys(&first), ["k-2", "k-1"]);
    recorded(&world, "late", 1).await;
    let cursor = text(&first["next_cursor"]);
    let second = world.key.get(format!("{path}?limit=2&cursor={cursor}")).await.expect(200);
    assert_eq!(keys(&second), ["k-0"]);
    assert!(second["next_cursor"].is_null());

    let other = world.active("PAY-02").await;
    let general = world.key.get("/v1/decisions?limit=1").await.expect(200);
    for (path, cursor) in [
        (format!("{path}?decision=DENY"), cursor),
        (format!("{}/decisions?limit=1", other.of()), cursor),
        (format!("{path}?limit=1"), text(&general["next_cursor"])),
    ] {
        let refused = world.key.get(format!("{path}&cursor={cursor}")).await;
        assert_eq!(refused.faults(), "/cursor cursor\n", "{path}");
    }
    // Another version is another list.
    let next = world.successor(&version, &rules(5)).await;
    world.activate(&next).await;
    let refused = world.key.get(format!("{path}?cursor={cursor}")).await;
    assert_eq!(refused.faults(), "/cursor cursor\n");
    let named = world.key.get(format!("{path}?limit=2&version=1&cursor={cursor}")).await;
    assert_eq!(keys(&named.expect(200)), ["k-0"]);
}

#[tokio::test]
async fn the_parameters_of_a_policy_log_are_checked() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let long = format!("rule_code={}", "x".repeat(101));
    for (query, faults) in [
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
        let refused = world.key.get(format!("{}/decisions?{query}", version.of())).await;
        assert_eq!(refused.to_string(), "422 VALIDATION_ERROR", "{query}");
        assert_eq!(refused.faults(), faults, "{query}");
    }
}

#[tokio::test]
async fn the_log_of_a_policy_needs_both_scopes_and_its_own_tenant() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let path = format!("{}/decisions", version.of());
    let policies = world.key_with(&[Scope::PoliciesRead]).await;
    assert_snapshot!(policies.get(&path).await, @"403 INSUFFICIENT_SCOPE (decisions:read)");
    let decisions = world.key_with(&[Scope::DecisionsRead]).await;
    assert_snapshot!(decisions.get(&path).await, @"403 INSUFFICIENT_SCOPE (policies:read)");
    let both = world.key_with(&[Scope::PoliciesRead, Scope::DecisionsRead]).await;
    both.get(&path).await.expect(200);
    world.person(Role::Viewer).await.get(&path).await.expect(200);
    let foreign = world.neighbour().await.key.get(&path).await;
    assert_snapshot!(foreign, @"404 NOT_FOUND");
}
