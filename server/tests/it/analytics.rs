//! How a policy fares, over HTTP.

use contract::scope::Scope;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::text,
    service::{MINUTE_MS, NOW, TestService, request, rules, world},
};

/// What is said of a policy in the hour of `NOW` and the one after.
async fn two_hours(world: &TestService, policy: &str) -> Value {
    let query = "bucket=hour&from=2026-09-01T10:00:00Z&to=2026-09-01T12:00:00Z";
    world.key.get(format!("/v1/policies/{policy}/analytics?{query}")).await.expect(200)
}

fn bucket(from: &str, to: &str, [allow, review, deny]: [i64; 3]) -> Value {
    json!({
        "from": from, "to": to, "decisions": allow + review + deny,
        "verdicts": {"ALLOW": allow, "ALERT": 0, "REVIEW": review, "DENY": deny},
    })
}

fn rule(code: &str, [evaluated, violated, na, outcomes, overridden]: [i64; 5]) -> Value {
    json!({
        "rule_code": code, "evaluated": evaluated, "violated": violated, "na": na,
        "outcomes": outcomes, "overridden": overridden,
    })
}

#[tokio::test]
async fn decisions_are_counted_by_bucket_and_verdict_and_rules_by_how_they_fared() {
    let world = world().await;
    let version = world.active("PAY").await;
    world.active("OTHER").await;
    let mut denied = Vec::new();
    for (key, amount) in [("a", 1), ("b", 20_000), ("c", 30_000)] {
        let made = world.key.post("/v1/decisions/record", &request(key, amount)).await.expect(201);
        denied.push(text(&made["decision"]["id"]).to_owned());
    }
    world.clock.advance(60 * MINUTE_MS);
    world.key.post("/v1/decisions/record", &request("d", 2)).await.expect(201);
    for (id, status) in denied[1..].iter().zip(["overridden", "accepted"]) {
        let path = format!("/v1/decisions/{id}/outcome");
        world.key.post(path, &json!({"status": status})).await.expect(201);
    }
    // A payment has no purpose here, so every one of them is to be reviewed at least.
    let expected = json!({
        "policy_id": version.policy, "bucket": "hour", "is_complete": true,
        "from": NOW, "to": "2026-09-01T12:00:00.000Z",
        "buckets": [
            bucket(NOW, "2026-09-01T11:00:00.000Z", [0, 1, 2]),
            bucket("2026-09-01T11:00:00.000Z", "2026-09-01T12:00:00.000Z", [0, 1, 0]),
        ],
        "rules": [
            rule("AMOUNT", [4, 2, 0, 2, 1]),
            rule("PURPOSE", [4, 4, 0, 2, 1]),
            rule("TAX", [0, 0, 4, 0, 0]),
        ],
    });
    assert_eq!(two_hours(&world, &version.policy).await, expected);
    let by_day = format!("/v1/policies/{}/analytics", version.policy);
    let by_day = world.key.get(by_day).await.expect(200);
    let days = by_day["buckets"].as_array().expect("a list");
    assert_eq!((days.len(), &by_day["bucket"]), (30, &json!("day")));
    assert_eq!(days[29]["decisions"], 4);
    assert_eq!(days[..29].iter().filter(|day| day["decisions"] != 0).count(), 0);
    assert_eq!(by_day["rules"], expected["rules"]);
}

#[tokio::test]
async fn versions_of_a_rule_are_counted_together() {
    let world = world().await;
    let first = world.active("PAY").await;
    world.key.post("/v1/decisions/record", &request("a", 7)).await.expect(201);
    let second = world.successor(&first, &rules(5)).await;
    world.activate(&second).await;
    world.key.post("/v1/decisions/record", &request("b", 7)).await.expect(201);
    let said = two_hours(&world, &first.policy).await;
    assert_eq!(said["buckets"][0], bucket(NOW, "2026-09-01T11:00:00.000Z", [0, 1, 1]));
    assert_eq!(said["rules"][0], rule("AMOUNT", [2, 1, 0, 0, 0]));
}

#[tokio::test]
async fn a_policy_that_never_decided_has_empty_counts() {
    let world = world().await;
    let version = world.draft("PAY").await;
    let said = two_hours(&world, &version.policy).await;
    assert_eq!(said["buckets"][1]["decisions"], 0);
    assert_eq!(said["rules"], json!([]));
}

#[tokio::test]
async fn a_span_is_asked_for_without_faults() {
    let world = world().await;
    let path = format!("/v1/policies/{}/analytics", world.draft("PAY").await.policy);
    for (query, faults) in [
        ("bucket=week", "/bucket format\n"),
        ("from=yesterday&to=x", "/from format\n/to format\n"),
        ("from=2026-09-02T00:00:00Z&to=2026-09-01T00:00:00Z", "/from range\n"),
        ("bucket=hour&from=2026-01-01T00:00:00Z", "/from range\n"),
        ("from=0001-01-01T00:00:00Z&to=9999-12-31T00:00:00Z", "/from range\n"),
        ("until=2026-01-01T00:00:00Z", "/until unknown\n"),
    ] {
        let refused = world.key.get(format!("{path}?{query}")).await;
        assert_eq!(refused.faults(), faults, "{query}: {refused}");
    }
    let reader = world.key_with(&[Scope::PoliciesRead]).await;
    assert_snapshot!(reader.get(path).await, @"403 INSUFFICIENT_SCOPE (decisions:read)");
    let neighbour = world.neighbour().await;
    let theirs = format!("/v1/policies/{}/analytics", world.draft("THEIRS").await.policy);
    assert_snapshot!(neighbour.key.get(theirs).await, @"404 NOT_FOUND");
}
