//! Exports: decisions in bulk, and where they end.

use contract::scope::{Role, Scope};
use insta::assert_snapshot;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::{recorded, recorded_as};
use crate::{
    client::{Call, text},
    routes::EVER,
    service::{MINUTE_MS, TestService, request, world},
};

fn export(query: &str) -> String {
    format!("/v1/decisions/export?{EVER}{query}")
}

#[tokio::test]
async fn an_export_has_the_records_of_a_range_a_line_each() {
    let world = world().await;
    world.active("PAY-01").await;
    let first = recorded(&world, "first", 1).await;
    world.clock.advance(MINUTE_MS);
    let second = recorded(&world, "second", 20_000).await;
    let answer = world.key.get(export("")).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.header("content-type"), Some("application/x-ndjson"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let lines: Vec<&str> = answer.text.lines().collect();
    let stored = world.sql("select record from decisions order by sequence desc").await;
    assert_eq!(lines, stored, "byte for byte, newest first");
    let records: Vec<Value> =
        lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records, [second, first]);

    let early = "/v1/decisions/export?recorded_from=2026-09-01T00:00:00Z\
                 &recorded_to=2026-09-01T10:00:59.999Z&format=ndjson";
    assert_eq!(world.key.get(early).await.text.lines().count(), 1);
    let none = world.key.get(export("&decision=ALLOW")).await;
    assert_eq!((none.status, &*none.text), (200, ""));
    let foreign = world.neighbour().await.key.get(export("")).await;
    assert_eq!((foreign.status, &*foreign.text), (200, ""));
}

#[tokio::test]
async fn a_table_for_spreadsheets_holds_no_formulas() {
    let world = world().await;
    world.active("PAY-01").await;
    let mut body = request("=cmd|' /C calc'!A0", 20_000);
    body["actor"] = json!({"id": "+1, \"two\"\nthree"});
    body["context"]["metadata"] = json!({"correlation_id": "@SUM(A1)"});
    let decision = recorded_as(&world.key, &body).await;
    let answer = world.key.get(export("&format=csv")).await;
    assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8; header=present"));
    let (head, rows) = answer.text.split_once("\r\n").unwrap();
    assert_snapshot!(
        head,
        @"id,recorded_at,decision_type,decision,policy_id,policy_code,policy_version,rule_codes,rules_evaluated,rules_na,actor_id,correlation_id,idempotency_key,api_key_id,api_key_name,policy_snapshot_id,policy_snapshot_digest,integrity_hash,signature_kid"
    );
    assert!(
        rows.starts_with(&format!(
            "{},2026-09-01T10:00:00.000Z,payment,DENY,",
            super::id(&decision)
        ))
    );
    assert!(rows.contains(",PAY-01,1,AMOUNT PURPOSE,2,1,"), "{rows}");
    assert!(rows.contains(",\"'+1, \"\"two\"\"\nthree\",'@SUM(A1),'=cmd|' /C calc'!A0,"), "{rows}");
    assert!(rows.ends_with("\r\n"));
    let empty = world.key.get(export("&format=csv&decision=ALLOW")).await;
    assert_eq!(empty.text, format!("{head}\r\n"));
}

#[tokio::test]
async fn an_export_of_many_pages_has_every_decision_once() {
    let world = world().await;
    world.active("PAY-01").await;
    recorded(&world, "k", 1).await;
    copies(&world, 449, "").await;
    for (format, head) in [("ndjson", 0), ("csv", 1)] {
        let answer = world.key.get(export(&format!("&format={format}"))).await;
        let mut lines: Vec<&str> = answer.text.lines().collect();
        assert_eq!(lines.len(), 450 + head, "{format}");
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len(), 450 + head, "{format}");
    }
}

#[tokio::test]
async fn an_export_names_its_range_its_format_and_known_filters() {
    let world = world().await;
    for (query, faults) in [
        ("", "/recorded_from required\n/recorded_to required\n"),
        ("recorded_from=2026-09-01T00:00:00Z", "/recorded_to required\n"),
        (
            "recorded_from=x&format=xml&limit=5&cursor=a",
            "/recorded_from format\n/recorded_to required\n/format format\n/cursor unknown\n\
             /limit unknown\n",
        ),
        (
            "recorded_from=2026-09-02T00:00:00Z&recorded_to=2026-09-01T00:00:00Z",
            "/recorded_from range\n",
        ),
    ] {
        let refused = world.key.get(format!("/v1/decisions/export?{query}")).await;
        assert_eq!(refused.to_string(), "422 VALIDATION_ERROR", "{query}");
        assert_eq!(refused.faults(), faults, "{query}");
    }
    let events = "select count(*)::text from audit_events where action = 'decision.export'";
    assert_eq!(world.sql(events).await, ["0"], "what was refused left the house no data");
}

#[tokio::test]
async fn an_export_is_an_event_without_anybodys_words() {
    let world = world().await;
    world.active("PAY-01").await;
    let answer = world.key.get(export("&format=csv&decision=DENY&actor_id=ms-miller")).await;
    let event = "select event from audit_events where action = 'decision.export'";
    let event: Value = serde_json::from_str(&world.sql(event).await[0]).unwrap();
    assert_eq!(event["object"]["type"], "decision_export");
    let name = format!("attachment; filename=\"decisions-{}.csv\"", text(&event["object"]["id"]));
    assert_eq!(answer.header("content-disposition"), Some(&*name));
    assert_eq!(
        event["details"],
        json!({
            "format": "csv",
            "recorded_from": "2000-01-01T00:00:00.000Z",
            "recorded_to": "2100-01-01T00:00:00.000Z",
            "decision": "DENY",
            "also_by": ["actor_id"],
        })
    );
}

#[tokio::test]
async fn an_export_is_for_keys_that_read_decisions_and_people_who_audit() {
    let world = world().await;
    let writer = world.key_with(&[Scope::DecisionsWrite, Scope::AuditRead]).await;
    let refused = writer.get(export("")).await;
    assert_snapshot!(refused, @"403 INSUFFICIENT_SCOPE (decisions:read)");
    let reader = world.key_with(&[Scope::DecisionsRead]).await;
    assert_eq!(reader.get(export("")).await.status, 200);
    for role in Role::ALL {
        let status = world.person(role).await.get(export("")).await.status;
        let may = matches!(role, Role::Auditor | Role::Ratifier | Role::Admin);
        assert_eq!(status, if may { 200 } else { 403 }, "{role}");
    }
}

#[tokio::test]
async fn an_export_ends_where_the_key_is_revoked_and_looks_incomplete() {
    let world = large().await;
    let revoke = "update key_digests set revoked_at = now()";
    assert_cut(&world, world.key.get(export("")), revoke).await;
}

#[tokio::test]
async fn an_export_ends_where_the_person_is_removed() {
    let world = large().await;
    let auditor = world.person(Role::Auditor).await;
    let remove = "delete from members where role = 'auditor'";
    assert_cut(&world, auditor.get(export("")), remove).await;
}

#[tokio::test]
async fn an_export_that_nobody_stops_ends_with_its_last_chunk() {
    let world = large().await;
    let whole = cut(&world, world.key.get(export("")), "select 'nothing happens'").await;
    assert!(whole.ends_with(b"\r\n0\r\n\r\n"));
}

/// A world with more decisions than any buffer between here and there holds.
async fn large() -> TestService {
    let world = world().await;
    world.active("PAY-01").await;
    recorded(&world, "k", 1).await;
    copies(&world, 600, &"x".repeat(60_000)).await;
    world
}

/// Copies of the one decision, with `padding` in their records.
async fn copies(world: &TestService, count: u32, padding: &str) {
    let insert = format!(
        "insert into decisions (tenant_id, id, sequence, idempotency_key, request_digest, \
             decision_type, decision, correlation_id, policy_id, policy_version, snapshot_id, \
             actor_id, policy_ids, rule_codes, recorded_at, record, context, integrity, \
             statement, receipt_digest) \
         select tenant_id, gen_random_uuid(), 1000000 + n, 'copy-' || n, request_digest, \
             decision_type, decision, correlation_id, policy_id, policy_version, snapshot_id, \
             actor_id, policy_ids, rule_codes, recorded_at, \
             replace(record, '\"idempotency_key\":\"k\"', \
                 '\"idempotency_key\":\"copy-' || n || '{padding}\"'), \
             context, integrity, statement, receipt_digest \
         from decisions, generate_series(1, {count}) as n"
    );
    world.sql(&insert).await;
}

/// Begins `call`, does `act` once the first bytes are there, and gives all that arrived.
async fn cut(world: &TestService, call: Call, act: &str) -> Vec<u8> {
    let mut socket = TcpStream::connect(world.address).await.expect("it listens");
    let head = call.header("connection", "close").head(0);
    socket.write_all(&head).await.expect("it reads");
    let mut bytes = vec![0; 4_096];
    socket.read_exact(&mut bytes).await.expect("an answer begins");
    assert!(bytes.starts_with(b"HTTP/1.1 200 "), "{:?}", bytes.escape_ascii());
    world.sql(act).await;
    // A connection that is reset has ended too.
    let _ = socket.read_to_end(&mut bytes).await;
    bytes
}

async fn assert_cut(world: &TestService, call: Call, act: &str) {
    let part = cut(world, call, act).await;
    assert!(!part.ends_with(b"0\r\n\r\n"), "the last chunk must be missing");
    let lines = String::from_utf8_lossy(&part).lines().count();
    assert!((1..601).contains(&lines), "{lines}");
}
