//! Replays: a decision made again of what was stored.

use contract::scope::{Role, Scope};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{id, policy_with, recorded, recorded_as};
use crate::service::{MINUTE_MS, TestService, drafted, request, rules, world};

async fn replay(world: &TestService, decision: &Value) -> Value {
    let path = format!("/v1/decisions/{}/replay", id(decision));
    world.key.post(path, &json!({})).await.expect(200)
}

#[tokio::test]
async fn a_replay_comes_out_as_it_was_recorded_whatever_policies_say_now() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let decision = recorded(&world, "k", 20_000).await;
    assert_eq!(decision["decision"], "DENY");
    let next = world.successor(&version, &rules(1_000_000)).await;
    world.activate(&next).await;
    assert_eq!(recorded(&world, "later", 20_000).await["decision"], "REVIEW");

    world.clock.advance(MINUTE_MS);
    let replay = replay(&world, &decision).await;
    assert_eq!(replay["matches"], true);
    assert_eq!(replay["differences"], json!([]));
    for side in ["original", "replay"] {
        let side = replay[side].as_object().unwrap();
        let names: Vec<&String> = side.keys().collect();
        assert_eq!(names, ["decision", "integrity_hash", "violations"]);
        for (name, value) in side {
            assert_eq!(value, &decision["result"][name], "{name}");
        }
    }
}

#[tokio::test]
async fn a_replay_sees_the_instant_the_actor_and_the_evidence_of_the_record() {
    let world = world().await;
    let rules = json!([
        {"code": "FRESH", "severity": "high", "rule_type": "temporal",
         "condition": {"field": "valid_to", "check": "not_expired"}},
        {"code": "PAPER", "severity": "high", "rule_type": "evidence",
         "condition": {"required_kinds": ["invoice"]}},
        {"code": "PEOPLE", "severity": "high", "rule_type": "distinct",
         "condition": {"fields": ["payee", "payer"], "include_actor": true}},
    ]);
    let author = world.author().await;
    let made = author.post("/v1/policies", &policy_with("PAPERS", &rules)).await.expect(201);
    let version = crate::service::Version {
        policy: made["policy"]["id"].as_str().unwrap().to_owned(),
        number: 1,
    };
    author.post(version.act("submit"), &json!({})).await.expect(200);
    world.ratify(&version).await;
    world.activate(&version).await;

    let context = json!({
        "decision_type": "payment",
        "fields": {"valid_to": "2026-09-01T10:00:30Z", "payee": "ann", "payer": "bob"},
        "evidence": [{"kind": "invoice", "data": {"total": 1}, "hash": "0".repeat(64)}],
    });
    let body = json!({"idempotency_key": "k", "context": context, "actor": {"id": "ann"}});
    let decision = recorded_as(&world.key, &body).await;
    let codes: Vec<&Value> = decision["result"]["violations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|violation| &violation["reason_code"])
        .collect();
    assert_eq!(codes, ["EVIDENCE_HASH_MISMATCH", "VALUES_NOT_DISTINCT"]);

    // By now the date has passed; the replay stands where the record stood.
    world.clock.advance(MINUTE_MS);
    assert_eq!(replay(&world, &decision).await["matches"], true);
    let metadata = json!({"timestamp": "2026-08-01T00:00:00+02:00", "actor_id": "bob"});
    let mut context = context.clone();
    context["metadata"] = metadata;
    let dated = json!({"idempotency_key": "dated", "context": context});
    let dated = recorded_as(&world.key, &dated).await;
    world.clock.advance(MINUTE_MS);
    assert_eq!(replay(&world, &dated).await["matches"], true);
}

#[tokio::test]
async fn a_replay_writes_nothing() {
    let world = world().await;
    world.active("PAY-01").await;
    let decision = recorded(&world, "k", 20_000).await;
    let count = "select string_agg(n::text, ' ') from (values \
                 ((select count(*) from decisions)), ((select count(*) from policy_snapshots)), \
                 ((select count(*) from audit_events))) as t (n)";
    let before = world.sql(count).await;
    replay(&world, &decision).await;
    assert_eq!(world.sql(count).await, before);
}

#[tokio::test]
async fn a_replay_says_where_it_differs_from_a_record_that_was_changed() {
    let world = world().await;
    world.active("PAY-01").await;
    let decision = recorded(&world, "k", 20_000).await;
    world
        .sql(
            "do $$ begin \
             alter table decisions disable trigger prevent_row_changes; \
             update decisions set context = replace(context, '20000', '30000'); \
             alter table decisions enable always trigger prevent_row_changes; \
             end $$",
        )
        .await;
    let replay = replay(&world, &decision).await;
    assert_eq!(replay["matches"], false);
    let paths: Vec<&Value> = replay["differences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|difference| &difference["path"])
        .collect();
    assert_eq!(paths, ["/integrity_hash", "/violations/0/actual_value", "/violations/0/reason"]);
    let value = &replay["differences"][1];
    assert_eq!(value["original"], 20_000);
    assert_eq!(value["replay"], 30_000);
    assert_eq!(replay["original"]["integrity_hash"], decision["result"]["integrity_hash"]);
}

#[tokio::test]
async fn a_replay_takes_no_body_or_an_empty_object() {
    let world = world().await;
    world.active("PAY-01").await;
    let decision = recorded(&world, "k", 1).await;
    let path = format!("/v1/decisions/{}/replay", id(&decision));
    let bare = world.key.call("POST", &path).await.expect(200);
    assert_eq!(bare["matches"], true);
    assert_eq!(world.key.post(&path, &json!({"x": 1})).await.faults(), "/x unknown\n");
    let refused = world.key.call("POST", format!("{path}?x=1")).await;
    assert_eq!(refused.faults(), "/x unknown\n");
}

#[tokio::test]
async fn a_replay_is_for_those_who_read_decisions() {
    let world = world().await;
    world.active("PAY-01").await;
    let decision = recorded(&world, "k", 1).await;
    let path = format!("/v1/decisions/{}/replay", id(&decision));
    let writer = world.key_with(&[Scope::DecisionsWrite, Scope::DecisionsEvaluate]).await;
    let refused = writer.post(&path, &json!({})).await;
    assert_snapshot!(refused, @"403 INSUFFICIENT_SCOPE (decisions:read)");
    world.person(Role::Viewer).await.post(&path, &json!({})).await.expect(200);
    let neighbour = world.neighbour().await;
    let foreign = neighbour.key.post(&path, &json!({})).await;
    assert_snapshot!(foreign, @"404 NOT_FOUND");
}

#[tokio::test]
async fn a_shadow_verdict_is_replayed_as_it_was_converted() {
    let world = world().await;
    let mut shadow = crate::service::policy("SHADOW");
    shadow["shadow_mode"] = json!(true);
    let made = world.author().await.post("/v1/policies", &shadow).await.expect(201);
    let version = crate::service::Version {
        policy: made["policy"]["id"].as_str().unwrap().to_owned(),
        number: 1,
    };
    world.author().await.post(version.act("submit"), &json!({})).await.expect(200);
    world.ratify(&version).await;
    world.activate(&version).await;
    drafted(world.author().await, "NOT-IN-FORCE").await;
    let decision = recorded_as(&world.key, &request("k", 20_000)).await;
    assert_eq!(decision["decision"], "ALERT");
    assert_eq!(replay(&world, &decision).await["matches"], true);
}
