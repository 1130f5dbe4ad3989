//! Outcomes: write-once records of what happened after a decision.

use tokio::task::JoinSet;

use super::id;
use crate::prelude::*;

async fn service_with_decision() -> (TestService, String) {
    let service = test_service().await;
    service.active("PAY-01").await;
    let decision = service.record("k", 1).await;
    let path = format!("/v1/decisions/{}", id(&decision));
    (service, path)
}

fn outcome(status: &str) -> Value {
    json!({"status": status})
}

#[tokio::test]
async fn outcome_is_shown_in_its_decision_but_not_in_lists_or_repeats() {
    let (service, path) = service_with_decision().await;
    let before = service.key.get(&path).await.expect(200);
    assert_eq!(before.get("outcome"), None, "absent, not null");

    service.clock.advance(MINUTE_MS);
    let body = json!({
        "status": "overridden",
        "note": "The treasurer approved it.",
        "reference_id": "CASE-7",
        "actor": {"id": "treasurer", "type": "human", "display_name": "T."},
        "occurred_at": "2026-09-01T12:00:30+02:00",
    });
    let response = service.key.post(format!("{path}/outcome"), &body).await;
    let created = response.expect(201);
    assert_eq!(response.header("location"), Some(&*path));
    let keys = service.sql("select api_key_id::text from key_digests").await;
    assert_eq!(
        created,
        json!({
            "decision_id": before["id"],
            "status": "overridden",
            "note": "The treasurer approved it.",
            "reference_id": "CASE-7",
            "actor": {"id": "treasurer", "type": "human", "display_name": "T."},
            "occurred_at": "2026-09-01T10:00:30.000Z",
            "recorded_at": "2026-09-01T10:01:00.000Z",
            "recorded_by": keys[0],
        })
    );

    let mut after = service.key.get(&path).await.expect(200);
    assert_eq!(after["outcome"], created);
    after.as_object_mut().unwrap().remove("outcome");
    assert_eq!(after, before, "the rest of the decision is unchanged");
    let list = service.key.get("/v1/decisions").await.expect(200);
    assert_eq!(list["items"][0].get("outcome"), None);
    let repeat = service.key.post("/v1/decisions/record", &crate::service::request("k", 1)).await;
    assert_eq!(repeat.expect(200)["decision"], before, "a repeat returns the recorded decision");
}

#[tokio::test]
async fn outcome_has_only_the_members_that_were_sent() {
    let (service, path) = service_with_decision().await;
    let created =
        service.key.post(format!("{path}/outcome"), &outcome("expired")).await.expect(201);
    let names: Vec<&String> = created.as_object().unwrap().keys().collect();
    assert_eq!(names, ["decision_id", "recorded_at", "recorded_by", "status"]);
}

#[tokio::test]
async fn second_outcome_is_rejected_even_if_identical() {
    let (service, path) = service_with_decision().await;
    let path = format!("{path}/outcome");
    service.key.post(&path, &outcome("accepted")).await.expect(201);
    for status in ["accepted", "abandoned"] {
        let refusal = service.key.post(&path, &outcome(status)).await;
        assert_eq!(refusal.to_string(), "409 CONFLICT", "{status}");
    }
    assert_eq!(service.sql("select status from outcomes").await, ["accepted"]);
    let events = "select count(*)::text from audit_events where action = 'decision.outcome'";
    assert_eq!(service.sql(events).await, ["1"]);
}

#[tokio::test]
async fn one_of_64_concurrent_outcomes_is_accepted() {
    let (service, path) = service_with_decision().await;
    let mut calls = JoinSet::new();
    for number in 0..64 {
        let body = json!({"status": "accepted", "reference_id": format!("r-{number}")});
        calls.spawn(service.key.post(format!("{path}/outcome"), &body).into_future());
    }
    let mut responses: Vec<String> =
        calls.join_all().await.iter().map(ToString::to_string).collect();
    responses.sort_unstable();
    assert_eq!(responses.iter().filter(|response| *response == "201").count(), 1);
    assert_eq!(responses.iter().filter(|response| *response == "409 CONFLICT").count(), 63);
    assert_eq!(service.sql("select count(*)::text from outcomes").await, ["1"]);
}

#[tokio::test]
async fn outcome_audit_event_contains_the_status_but_no_free_text() {
    let (service, path) = service_with_decision().await;
    let body = json!({"status": "escalated", "note": "call Ms Miller", "actor": {"id": "miller"}});
    service.key.post(format!("{path}/outcome"), &body).await.expect(201);
    let event = "select event from audit_events where action = 'decision.outcome'";
    let event: Value = serde_json::from_str(&service.sql(event).await[0]).unwrap();
    assert_eq!(event["details"], json!({"status": "escalated"}));
    assert_eq!(event["object"]["type"], "decision");
    assert!(path.ends_with(text(&event["object"]["id"])));
    assert!(!event.to_string().contains("iller"));
}
