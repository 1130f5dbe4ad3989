//! Outcomes: what happened after a verdict, told once.

use contract::scope::{Role, Scope};
use insta::assert_snapshot;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{id, recorded};
use crate::{
    client::text,
    service::{MINUTE_MS, TestService, world},
};

async fn decided() -> (TestService, String) {
    let world = world().await;
    world.active("PAY-01").await;
    let decision = recorded(&world, "k", 1).await;
    let path = format!("/v1/decisions/{}", id(&decision));
    (world, path)
}

fn outcome(status: &str) -> Value {
    json!({"status": status})
}

#[tokio::test]
async fn an_outcome_is_recorded_and_shown_with_the_decision_alone() {
    let (world, path) = decided().await;
    let before = world.key.get(&path).await.expect(200);
    assert_eq!(before.get("outcome"), None, "absent, not null");

    world.clock.advance(MINUTE_MS);
    let body = json!({
        "status": "overridden",
        "note": "The treasurer said so.",
        "reference_id": "CASE-7",
        "actor": {"id": "treasurer", "type": "human", "display_name": "T."},
        "occurred_at": "2026-09-01T12:00:30+02:00",
    });
    let answer = world.key.post(format!("{path}/outcome"), &body).await;
    let made = answer.expect(201);
    assert_eq!(answer.header("location"), Some(&*path));
    let keys = world.sql("select api_key_id::text from key_digests").await;
    assert_eq!(
        made,
        json!({
            "decision_id": before["id"],
            "status": "overridden",
            "note": "The treasurer said so.",
            "reference_id": "CASE-7",
            "actor": {"id": "treasurer", "type": "human", "display_name": "T."},
            "occurred_at": "2026-09-01T10:00:30.000Z",
            "recorded_at": "2026-09-01T10:01:00.000Z",
            "recorded_by": keys[0],
        })
    );

    let mut after = world.key.get(&path).await.expect(200);
    assert_eq!(after["outcome"], made);
    after.as_object_mut().unwrap().remove("outcome");
    assert_eq!(after, before, "nothing else of the decision has changed");
    let list = world.key.get("/v1/decisions").await.expect(200);
    assert_eq!(list["items"][0].get("outcome"), None);
    let repeat = world.key.post("/v1/decisions/record", &crate::service::request("k", 1)).await;
    assert_eq!(repeat.expect(200)["decision"], before, "a repeat answers what was recorded");
}

#[tokio::test]
async fn an_outcome_has_no_more_than_it_was_given() {
    let (world, path) = decided().await;
    let made = world.key.post(format!("{path}/outcome"), &outcome("expired")).await.expect(201);
    let names: Vec<&String> = made.as_object().unwrap().keys().collect();
    assert_eq!(names, ["decision_id", "recorded_at", "recorded_by", "status"]);
}

#[tokio::test]
async fn a_second_outcome_is_refused_whatever_it_says() {
    let (world, path) = decided().await;
    let path = format!("{path}/outcome");
    world.key.post(&path, &outcome("accepted")).await.expect(201);
    for status in ["accepted", "abandoned"] {
        let refused = world.key.post(&path, &outcome(status)).await;
        assert_eq!(refused.to_string(), "409 CONFLICT", "{status}");
    }
    assert_eq!(world.sql("select status from outcomes").await, ["accepted"]);
    let events = "select count(*)::text from audit_events where action = 'decision.outcome'";
    assert_eq!(world.sql(events).await, ["1"]);
}

#[tokio::test]
async fn of_64_outcomes_at_once_one_is_taken() {
    let (world, path) = decided().await;
    let mut calls = JoinSet::new();
    for number in 0..64 {
        let body = json!({"status": "accepted", "reference_id": format!("r-{number}")});
        calls.spawn(world.key.post(format!("{path}/outcome"), &body).into_future());
    }
    let mut answers: Vec<String> = calls.join_all().await.iter().map(ToString::to_string).collect();
    answers.sort_unstable();
    assert_eq!(answers.iter().filter(|answer| *answer == "201").count(), 1);
    assert_eq!(answers.iter().filter(|answer| *answer == "409 CONFLICT").count(), 63);
    assert_eq!(world.sql("select count(*)::text from outcomes").await, ["1"]);
}

#[tokio::test]
async fn an_outcome_has_one_of_five_statuses_and_a_note_of_2000_characters() {
    let (world, _) = decided().await;
    for (number, status) in
        ["accepted", "overridden", "escalated", "expired", "abandoned"].into_iter().enumerate()
    {
        let decision = recorded(&world, status, u32::try_from(number).unwrap()).await;
        let body = json!({"status": status, "note": "é".repeat(2_000)});
        let made = world.key.post(format!("/v1/decisions/{}/outcome", id(&decision)), &body).await;
        assert_eq!(made.expect(201)["status"], status);
    }
    let decision = recorded(&world, "bad", 1).await;
    let path = format!("/v1/decisions/{}/outcome", id(&decision));
    for (body, faults) in [
        (json!({}), "/status required\n"),
        (outcome("Accepted"), "/status enum\n"),
        (json!({"status": null}), "/status enum\n"),
        (json!({"status": "accepted", "note": "x".repeat(2_001)}), "/note too_long\n"),
        (
            json!({"status": "no", "note": 1, "reference_id": "", "actor": {"nam": "x"},
                   "occurred_at": "today", "outcome": true}),
            "/status enum\n/note type\n/reference_id too_short\n/actor/nam unknown\n\
             /occurred_at format\n/outcome unknown\n",
        ),
    ] {
        let refused = world.key.post(&path, &body).await;
        assert_eq!(refused.to_string(), "422 VALIDATION_ERROR", "{body}");
        assert_eq!(refused.faults(), faults, "{body}");
    }
    let decision = world.key.get(format!("/v1/decisions/{}", id(&decision))).await.expect(200);
    assert_eq!(decision.get("outcome"), None, "nothing half-written");
}

#[tokio::test]
async fn an_outcome_is_told_by_keys_that_record_and_people_from_operator_up() {
    let (world, path) = decided().await;
    let path = format!("{path}/outcome");
    let reader = world.key_with(&[Scope::DecisionsRead, Scope::DecisionsEvaluate]).await;
    let refused = reader.post(&path, &outcome("accepted")).await;
    assert_snapshot!(refused, @"403 INSUFFICIENT_SCOPE (decisions:write)");
    for role in [Role::Viewer, Role::Auditor] {
        let refused = world.person(role).await.post(&path, &outcome("accepted")).await;
        assert_eq!(refused.to_string(), "403 FORBIDDEN", "{role}");
    }
    let operator = world.person(Role::Operator).await;
    let made = operator.post(&path, &outcome("accepted")).await.expect(201);
    let who = "select user_id::text from users where email like 'operator%'";
    assert_eq!(text(&made["recorded_by"]), world.sql(who).await[0]);
}

#[tokio::test]
async fn an_outcome_of_nothing_or_of_a_neighbour_is_not_found() {
    let (world, path) = decided().await;
    let neighbour = world.neighbour().await;
    let nothing = "/v1/decisions/00000000-0000-4000-8000-000000000000/outcome";
    let missing = world.key.post(nothing, &outcome("accepted")).await;
    let foreign = neighbour.key.post(format!("{path}/outcome"), &outcome("accepted")).await;
    assert_snapshot!(missing, @"404 NOT_FOUND");
    assert_eq!(foreign.anonymous(), missing.anonymous());
    assert_eq!(world.sql("select count(*)::text from outcomes").await, ["0"]);
}

#[tokio::test]
async fn the_audit_log_knows_who_told_what_and_none_of_the_words() {
    let (world, path) = decided().await;
    let body = json!({"status": "escalated", "note": "call Ms Miller", "actor": {"id": "miller"}});
    world.key.post(format!("{path}/outcome"), &body).await.expect(201);
    let event = "select event from audit_events where action = 'decision.outcome'";
    let event: Value = serde_json::from_str(&world.sql(event).await[0]).unwrap();
    assert_eq!(event["details"], json!({"status": "escalated"}));
    assert_eq!(event["object"]["type"], "decision");
    assert!(path.ends_with(text(&event["object"]["id"])));
    assert!(!event.to_string().contains("iller"));
}
