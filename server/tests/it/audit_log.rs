//! The audit log as people and programs read it: what it lists, and that it can be checked.

use std::collections::BTreeSet;

use contract::scope::Role;
use insta::assert_snapshot;
use receipt::{CanonicalJson, Digest};
use serde_json::{Value, json};

use crate::{
    client::{Client, text},
    service::{MINUTE_MS, NOW, TestService, request, world},
};

/// The events of a list.
async fn items(client: &Client, query: &str) -> Vec<Value> {
    let page = client.get(format!("/v1/audit-log?limit=200&{query}")).await.expect(200);
    assert_eq!(page["next_cursor"], Value::Null);
    page["items"].as_array().expect("a list").clone()
}

/// Number and action of each event.
async fn told(client: &Client, query: &str) -> String {
    let line = |item: &Value| format!("{} {}", item["seq"], text(&item["action"]));
    items(client, query).await.iter().map(line).collect::<Vec<_>>().join(", ")
}

/// A world in which a version was ratified and a decision recorded: with the events of both.
async fn populated() -> TestService {
    let world = world().await;
    let draft = world.draft("PAY-01").await;
    world.clock.advance(MINUTE_MS);
    world.author().await.post(draft.act("submit"), &json!({})).await.expect(200);
    world.clock.advance(MINUTE_MS);
    world.ratify(&draft).await;
    world.activate(&draft).await;
    world.clock.advance(MINUTE_MS);
    world.key.post("/v1/decisions/record", &request("k", 1)).await.expect(201);
    world
}

const ALL: &str = "13 decision.record, 12 snapshot.append, 11 policy_version.activate, \
                   10 policy_version.ratify, 9 session.begin, 8 user.create, \
                   7 policy_version.submit, 6 policy.create, 5 session.begin, 4 user.create, \
                   3 api_key.create, 2 user.create, 1 tenant.create";

#[tokio::test]
async fn events_are_listed_newest_first_by_number() {
    let world = populated().await;
    assert_eq!(told(&world.key, "").await, ALL);
    let mut path = "/v1/audit-log?limit=3".to_owned();
    let mut seqs = Vec::new();
    loop {
        let page = world.key.get(&path).await.expect(200);
        let items = page["items"].as_array().unwrap();
        assert!(items.len() <= 3);
        seqs.extend(items.iter().map(|item| item["seq"].as_i64().unwrap()));
        // What is written meanwhile moves no page.
        world.member(Role::Viewer).await;
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        path = format!("/v1/audit-log?limit=3&cursor={cursor}");
    }
    assert!(seqs.iter().copied().eq((1..=13).rev()), "{seqs:?}");
}

#[tokio::test]
async fn each_filter_names_its_events() {
    let world = populated().await;
    let all = items(&world.key, "").await;
    let by = |seq: usize| &all[13 - seq];
    let (author, version) = (&by(7)["actor"], text(&by(7)["object"]["id"]));
    for (query, expected) in [
        ("action=user.create".to_owned(), "8 user.create, 4 user.create, 2 user.create"),
        ("action=user".to_owned(), ""),
        (
            format!("actor_id={}", text(&author["id"])),
            "7 policy_version.submit, 6 policy.create, 5 session.begin",
        ),
        (
            format!("actor_email={}", text(&author["email"]).to_uppercase()),
            "7 policy_version.submit, 6 policy.create, 5 session.begin",
        ),
        ("actor_email=nobody@acme.example".to_owned(), ""),
        (
            "object_type=policy_version".to_owned(),
            "11 policy_version.activate, 10 policy_version.ratify, 7 policy_version.submit",
        ),
        (
            format!("object_id={version}"),
            "11 policy_version.activate, 10 policy_version.ratify, 7 policy_version.submit",
        ),
        (format!("object_id={version}&action=policy_version.ratify"), "10 policy_version.ratify"),
        ("from=2026-09-01T10:03:00Z".to_owned(), "13 decision.record, 12 snapshot.append"),
        (
            "from=2026-09-01T10:01:00Z&to=2026-09-01T12:01:59.999%2B02:00".to_owned(),
            "7 policy_version.submit",
        ),
        (format!("to={NOW}&object_type=tenant"), "1 tenant.create"),
    ] {
        assert_eq!(told(&world.key, &query).await, expected, "{query}");
    }
    for (query, faults) in [
        ("actor=x", "/actor unknown\n"),
        ("from=yesterday", "/from format\n"),
        ("from=2026-09-02T00:00:00Z&to=2026-09-01T00:00:00Z", "/from range\n"),
        ("action=&object_id=", "/action length\n/object_id length\n"),
    ] {
        let refused = world.key.get(format!("/v1/audit-log?{query}")).await;
        assert_eq!(refused.to_string(), "422 VALIDATION_ERROR", "{query}");
        assert_eq!(refused.faults(), faults, "{query}");
    }
}

#[tokio::test]
async fn a_cursor_belongs_to_its_tenant_and_filter() {
    let world = populated().await;
    let neighbour = world.neighbour().await;
    let page = world.key.get("/v1/audit-log?limit=1&object_type=user").await.expect(200);
    let cursor = text(&page["next_cursor"]);
    let filtered = format!("/v1/audit-log?object_type=user&cursor={cursor}");
    assert_eq!(world.key.get(&filtered).await.expect(200)["items"].as_array().unwrap().len(), 2);
    for (client, path) in [
        (&world.key, format!("/v1/audit-log?cursor={cursor}")),
        (&world.key, format!("/v1/audit-log?action=user&cursor={cursor}")),
        (&world.key, format!("/v1/decisions?cursor={cursor}")),
        (&neighbour.key, filtered),
    ] {
        assert_eq!(client.get(&path).await.faults(), "/cursor cursor\n", "{path}");
    }
    assert_eq!(
        told(&neighbour.key, "").await,
        "4 session.begin, 3 api_key.create, 2 user.create, 1 tenant.create",
        "a tenant reads its own log"
    );
}

/// The names of an object's members.
fn names(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(|name| &**name).collect()
}

#[tokio::test]
async fn an_item_can_be_checked_with_what_it_carries() {
    let world = populated().await;
    let all = items(&world.key, "").await;
    for (item, before) in all.iter().zip(all.iter().skip(1).map(Some).chain([None])) {
        let event = CanonicalJson::parse(&serde_json::to_vec(&item["event"]).unwrap());
        let event = event.expect("the event is canonical as it comes");
        assert_eq!(event.digest.to_string(), text(&item["hash"]));
        assert_eq!(item.get("prev_hash"), before.map(|before| &before["hash"]));
        assert_eq!(item.get("prev_hash"), item["event"].get("prev"));
        for name in ["seq", "event_id", "occurred_at", "action", "object"] {
            assert_eq!(item[name], item["event"][name], "{name}");
        }
        assert_eq!(item["details"], item["event"].get("details").cloned().unwrap_or(json!({})));
        for name in ["type", "id"] {
            assert_eq!(item["actor"][name], item["event"]["actor"][name]);
        }
        let bound = item.get("personal").map(|personal| {
            let schema = "service-audit-personal/v1";
            let bound =
                json!({"data": personal["data"], "salt": personal["salt"], "schema": schema});
            Digest::compute(bound.to_string().as_bytes()).to_string()
        });
        assert_eq!(bound.as_deref(), item["event"].get("personal_digest").map(text));
    }
    let by_key = &all[0];
    assert_eq!(names(&by_key["actor"]), ["id", "key_name", "type"]);
    assert_eq!(by_key["actor"]["key_name"], "bootstrap");
    let by_person = &all[3];
    assert_eq!(
        names(by_person),
        [
            "action",
            "actor",
            "actor_email",
            "details",
            "event",
            "event_id",
            "hash",
            "object",
            "occurred_at",
            "personal",
            "prev_hash",
            "seq"
        ]
    );
    assert_eq!(names(&by_person["actor"]), ["email", "id", "type"]);
    assert_eq!(by_person["actor"]["type"], "human");
    let first = &all[12];
    assert_eq!(
        (&first["actor"], &first["details"]),
        (&json!({"type": "system", "id": "operator"}), &json!({}))
    );
    assert_eq!((first.get("personal"), first.get("prev_hash")), (None, None));
}

#[tokio::test]
async fn who_acted_is_gone_once_it_is_erased_and_the_log_is_intact() {
    let world = populated().await;
    let ratified = &items(&world.key, "action=policy_version.ratify").await[0];
    let email = text(&ratified["actor"]["email"]).to_owned();
    world.sql("delete from audit_personal").await;
    let erased = &items(&world.key, "action=policy_version.ratify").await[0];
    assert_eq!(names(&erased["actor"]), ["id", "type"]);
    assert_eq!(erased.get("personal"), None);
    assert_eq!(erased["event"], ratified["event"]);
    assert_eq!(told(&world.key, &format!("actor_email={email}")).await, "");
    let report = world.key.post("/v1/audit-log/verify", &json!({})).await.expect(200);
    assert_eq!(report["status"], "intact");
}

#[tokio::test]
async fn a_check_answers_how_the_log_is() {
    let world = populated().await;
    let auditor = world.person(Role::Auditor).await;
    let verify = async |range: Value| auditor.post("/v1/audit-log/verify", &range).await;
    let intact = verify(json!({})).await.expect(200);
    assert_eq!(names(&intact), ["checked", "head", "status", "unanchored_tail"]);
    let last = &items(&auditor, "").await[0];
    let head = json!({"seq": last["seq"], "hash": last["hash"]});
    assert_eq!(
        intact,
        json!({"status": "intact", "checked": 15, "head": head, "unanchored_tail": 15})
    );
    let part = verify(json!({"from_seq": 3, "to_seq": 5})).await.expect(200);
    assert_eq!((&part["status"], &part["checked"]), (&json!("intact"), &json!(3)));
    for (range, faults) in [
        (json!({"from_seq": 5, "to_seq": 3}), "/from_seq order\n"),
        (json!({"from_seq": 16}), "/from_seq range\n"),
        (json!({"to_seq": 16}), "/to_seq range\n"),
        (json!({"from_seq": 0, "to_seq": null}), "/from_seq range\n"),
        (json!({"from": 1}), "/from unknown\n"),
        (json!([]), " type\n"),
    ] {
        let refused = verify(range.clone()).await;
        assert_eq!(refused.to_string(), "422 VALIDATION_ERROR", "{range}");
        assert_eq!(refused.faults(), faults, "{range}");
    }

    world.clock.advance(5 * MINUTE_MS);
    let now = world.clock.now();
    governance::proof::audit::CheckpointWorker::default()
        .make(&world.governance, now)
        .await
        .unwrap();
    let anchored = verify(json!({})).await.expect(200);
    let checkpoint = json!({"seq": 15, "hash": head["hash"]});
    assert_eq!(anchored["last_checkpoint"], checkpoint);
    assert_eq!(anchored["unanchored_tail"], 0);

    let triggers = |state| format!("alter table audit_events {state} trigger user");
    world.sql(&triggers("disable")).await;
    world.sql("update audit_events set actor_id = 'somebody else' where seq = 8").await;
    let tampered = verify(json!({})).await.expect(200);
    assert_eq!((&tampered["status"], &tampered["checked"]), (&json!("tampered"), &json!(8)));
    let found = &tampered["first_divergence"];
    assert_eq!(names(found), ["actual", "expected", "kind", "seq"]);
    assert_eq!((&found["seq"], &found["kind"]), (&json!(8), &json!("columns")));
    assert_snapshot!(text(&found["actual"]), @"actor.id somebody else");

    world.sql("update audit_events set event = 'gone' where seq = 6").await;
    let unreadable = verify(json!({})).await.expect(200);
    assert_eq!(unreadable["status"], "unreadable");
    assert_eq!(unreadable["first_divergence"]["kind"], "JSON_SYNTAX");
    let listed = &items(&auditor, "action=policy.create").await[0];
    assert_eq!((&listed["event"], &listed["details"]), (&json!("gone"), &json!({})));
}

#[tokio::test]
async fn the_log_tells_the_same_to_everyone_who_may_read_it() {
    let world = populated().await;
    for role in [Role::Auditor, Role::Ratifier, Role::Admin] {
        world.person(role).await;
    }
    let mut seen = BTreeSet::new();
    let (auditor, admin) = (world.person(Role::Auditor).await, world.admin().await);
    for reader in [&world.key, &auditor, world.ratifier().await, &admin] {
        seen.insert(reader.get("/v1/audit-log?limit=200").await.text);
    }
    assert_eq!(seen.len(), 1);
}
