//! The audit log over HTTP: lists, filters and verification.

use receipt::{CanonicalJson, Digest};

use crate::prelude::*;

async fn events(client: &Client, query: &str) -> Vec<Value> {
    let page = client.get(format!("/v1/audit-log?limit=200&{query}")).await.expect(200);
    assert_eq!(page["next_cursor"], Value::Null);
    items(&page).to_vec()
}

/// Returns the number and action of each event that matches a query.
async fn summary(client: &Client, query: &str) -> String {
    let line = |item: &Value| format!("{} {}", item["seq"], text(&item["action"]));
    events(client, query).await.iter().map(line).collect::<Vec<_>>().join(", ")
}

/// A service with the events of a ratified version and a recorded decision.
async fn populated() -> TestService {
    let service = test_service().await;
    let draft = service.draft("PAY-01").await;
    service.clock.advance(MINUTE_MS);
    service.submit(&draft).await;
    service.clock.advance(MINUTE_MS);
    service.ratify(&draft).await;
    service.activate(&draft).await;
    service.clock.advance(MINUTE_MS);
    service.record("k", 1).await;
    service
}

#[tokio::test]
async fn each_filter_selects_matching_events() {
    let service = populated().await;
    let all = events(&service.key, "").await;
    let event = |seq: usize| &all[13 - seq];
    let (author, version) = (&event(7)["actor"], text(&event(7)["object"]["id"]));
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
        ("actor_email=unknown@acme.example".to_owned(), ""),
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
        assert_eq!(summary(&service.key, &query).await, expected, "{query}");
    }
}

/// The names of an object's members.
fn names(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(|name| &**name).collect()
}

#[tokio::test]
async fn an_item_contains_everything_needed_to_verify_it() {
    let service = populated().await;
    let all = events(&service.key, "").await;
    for (item, previous) in all.iter().zip(all.iter().skip(1).map(Some).chain([None])) {
        let event = CanonicalJson::parse(&serde_json::to_vec(&item["event"]).unwrap());
        let event = event.expect("the event is canonical");
        assert_eq!(event.digest.to_string(), text(&item["hash"]));
        assert_eq!(item.get("prev_hash"), previous.map(|previous| &previous["hash"]));
        assert_eq!(item.get("prev_hash"), item["event"].get("prev"));
        for name in ["seq", "event_id", "occurred_at", "action", "object"] {
            assert_eq!(item[name], item["event"][name], "{name}");
        }
        assert_eq!(item["details"], item["event"].get("details").cloned().unwrap_or(json!({})));
        for name in ["type", "id"] {
            assert_eq!(item["actor"][name], item["event"]["actor"][name]);
        }
        let digest = item.get("personal").map(|personal| {
            let schema = "service-audit-personal/v1";
            let digest =
                json!({"data": personal["data"], "salt": personal["salt"], "schema": schema});
            Digest::compute(digest.to_string().as_bytes()).to_string()
        });
        assert_eq!(digest.as_deref(), item["event"].get("personal_digest").map(text));
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
async fn erasing_personal_data_removes_actor_details_and_keeps_the_log_intact() {
    let service = populated().await;
    let ratified = &events(&service.key, "action=policy_version.ratify").await[0];
    let email = text(&ratified["actor"]["email"]).to_owned();
    service.sql("delete from audit_personal").await;
    let erased = &events(&service.key, "action=policy_version.ratify").await[0];
    assert_eq!(names(&erased["actor"]), ["id", "type"]);
    assert_eq!(erased.get("personal"), None);
    assert_eq!(erased["event"], ratified["event"]);
    assert_eq!(summary(&service.key, &format!("actor_email={email}")).await, "");
    let report = service.key.post("/v1/audit-log/verify", &json!({})).await.expect(200);
    assert_eq!(report["status"], "intact");
}

#[tokio::test]
async fn verification_reports_the_state_of_the_log() {
    let service = populated().await;
    let auditor = service.signed_in_member(Role::Auditor).await;
    let verify = async |range: Value| auditor.post("/v1/audit-log/verify", &range).await;
    let intact = verify(json!({})).await.expect(200);
    assert_eq!(names(&intact), ["checked", "head", "status", "unanchored_tail"]);
    let last = &events(&auditor, "").await[0];
    let head = json!({"seq": last["seq"], "hash": last["hash"]});
    assert_eq!(
        intact,
        json!({"status": "intact", "checked": 15, "head": head, "unanchored_tail": 15})
    );
    let part = verify(json!({"from_seq": 3, "to_seq": 5})).await.expect(200);
    assert_eq!((&part["status"], &part["checked"]), (&json!("intact"), &json!(3)));

    service.clock.advance(5 * MINUTE_MS);
    let now = service.clock.now();
    governance::proof::audit::CheckpointWorker::default()
        .run_once(&service.governance, now)
        .await
        .unwrap();
    let anchored = verify(json!({})).await.expect(200);
    let checkpoint = json!({"seq": 15, "hash": head["hash"]});
    assert_eq!(anchored["last_checkpoint"], checkpoint);
    assert_eq!(anchored["unanchored_tail"], 0);

    let triggers = |state| format!("alter table audit_events {state} trigger user");
    service.sql(&triggers("disable")).await;
    service.sql("update audit_events set actor_id = 'another actor' where seq = 8").await;
    let tampered = verify(json!({})).await.expect(200);
    assert_eq!((&tampered["status"], &tampered["checked"]), (&json!("tampered"), &json!(8)));
    let divergence = &tampered["first_divergence"];
    assert_eq!(names(divergence), ["actual", "expected", "kind", "seq"]);
    assert_eq!((&divergence["seq"], &divergence["kind"]), (&json!(8), &json!("columns")));
    assert_snapshot!(text(&divergence["actual"]), @"actor.id another actor");

    service.sql("update audit_events set event = 'gone' where seq = 6").await;
    let unreadable = verify(json!({})).await.expect(200);
    assert_eq!(unreadable["status"], "unreadable");
    assert_eq!(unreadable["first_divergence"]["kind"], "JSON_SYNTAX");
    let listed = &events(&auditor, "action=policy.create").await[0];
    assert_eq!((&listed["event"], &listed["details"]), (&json!("gone"), &json!({})));
}
