//! Policy analytics over HTTP.

use crate::prelude::*;

/// Returns the hourly analytics of a policy for two hours from `NOW`.
async fn hourly_analytics(service: &TestService, policy: &str) -> Value {
    let query = "bucket=hour&from=2026-09-01T10:00:00Z&to=2026-09-01T12:00:00Z";
    service.key.get(format!("/v1/policies/{policy}/analytics?{query}")).await.expect(200)
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

#[testkit::test]
async fn decisions_are_counted_by_bucket_and_verdict_and_rules_by_status(service: TestService) {
    let version = service.active("PAY").await;
    service.active("OTHER").await;
    let mut decisions = Vec::new();
    for (key, amount) in [("a", 1), ("b", 20_000), ("c", 30_000)] {
        let decision = service.record(key, amount).await;
        decisions.push(text(&decision["id"]).to_owned());
    }
    service.clock.advance(60 * MINUTE_MS);
    service.record("d", 2).await;
    for (id, status) in decisions[1..].iter().zip(["overridden", "accepted"]) {
        let path = format!("/v1/decisions/{id}/outcome");
        service.key.post(path, &json!({"status": status})).await.expect(201);
    }
    // No payment has a purpose, so the verdict of each is at least `REVIEW`.
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
    assert_eq!(hourly_analytics(&service, &version.policy).await, expected);
    let by_day = format!("/v1/policies/{}/analytics", version.policy);
    let by_day = service.key.get(by_day).await.expect(200);
    let days = by_day["buckets"].as_array().expect("a list");
    assert_eq!((days.len(), &by_day["bucket"]), (30, &json!("day")));
    assert_eq!(days[29]["decisions"], 4);
    assert_eq!(days[..29].iter().filter(|day| day["decisions"] != 0).count(), 0);
    assert_eq!(by_day["rules"], expected["rules"]);
}

#[testkit::test]
async fn versions_of_a_rule_are_counted_together(service: TestService) {
    let first = service.active("PAY").await;
    service.record("a", 7).await;
    let second = service.successor(&first, &rules(5)).await;
    service.activate(&second).await;
    service.record("b", 7).await;
    let analytics = hourly_analytics(&service, &first.policy).await;
    assert_eq!(analytics["buckets"][0], bucket(NOW, "2026-09-01T11:00:00.000Z", [0, 1, 1]));
    assert_eq!(analytics["rules"][0], rule("AMOUNT", [2, 1, 0, 0, 0]));
}
