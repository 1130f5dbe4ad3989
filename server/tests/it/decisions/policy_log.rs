//! The decision list of one policy.

use super::keys;
use crate::prelude::*;

async fn list_keys(service: &TestService, version: &Version, query: &str) -> Vec<String> {
    let path = format!("{}/decisions?{query}", version.policy_path());
    keys(&service.key.get(path).await.expect(200))
}

#[testkit::test]
async fn policy_decisions_default_to_the_active_version(service: TestService) {
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

#[testkit::test]
async fn inactive_policy_has_no_decisions(service: TestService) {
    let draft = service.draft("PAY-01").await;
    let path = format!("{}/decisions", draft.policy_path());
    let page = service.key.get(&path).await.expect(200);
    assert_eq!(page, json!({"items": [], "next_cursor": null}));
    assert_eq!(service.key.get(format!("{path}?version=1")).await.expect(200)["items"], json!([]));
    assert_snapshot!(service.key.get(format!("{path}?version=2")).await, @"404 NOT_FOUND");
    let missing = service.key.get(format!("{path}?version=4294967295")).await;
    assert_snapshot!(missing, @"404 NOT_FOUND");
}
