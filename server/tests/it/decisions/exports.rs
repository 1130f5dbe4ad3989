//! Exports of decisions: content, filters, access and early termination.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{client::Call, prelude::*, routes::EVER};

fn export(query: &str) -> String {
    format!("/v1/decisions/export?{EVER}{query}")
}

#[testkit::test]
async fn export_contains_one_line_per_record_of_the_range(service: TestService) {
    service.active("PAY-01").await;
    let first = service.record("first", 1).await;
    service.clock.advance(MINUTE_MS);
    let second = service.record("second", 20_000).await;
    let response = service.key.get(export("")).await;
    assert_eq!(response.status, 200, "{}", response.text);
    assert_eq!(response.header("content-type"), Some("application/x-ndjson"));
    assert_eq!(response.header("cache-control"), Some("no-store"));
    let lines: Vec<&str> = response.text.lines().collect();
    service.decompress_decisions().await;
    let stored = "select decision_text(texts, 1) from decisions order by sequence desc";
    let stored_records = service.sql(stored).await;
    assert_eq!(lines, stored_records, "byte for byte, newest first");
    let records: Vec<Value> =
        lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records, [second, first]);

    let early = "/v1/decisions/export?recorded_from=2026-09-01T00:00:00Z\
                 &recorded_to=2026-09-01T10:00:59.999Z&format=ndjson";
    assert_eq!(service.key.get(early).await.text.lines().count(), 1);
    let none = service.key.get(export("&decision=ALLOW")).await;
    assert_eq!((none.status, &*none.text), (200, ""));
    let foreign = service.other_tenant().await.key.get(export("")).await;
    assert_eq!((foreign.status, &*foreign.text), (200, ""));
}

#[testkit::test]
async fn csv_export_escapes_formulas(service: TestService) {
    service.active("PAY-01").await;
    let mut body = request("=cmd|' /C calc'!A0", 20_000);
    body["actor"] = json!({"id": "+1, \"two\"\nthree"});
    body["context"]["metadata"] = json!({"correlation_id": "＝SUM(A1)"});
    let decision = record(&service.key, &body).await;
    let response = service.key.get(export("&format=csv")).await;
    assert_eq!(response.header("content-type"), Some("text/csv; charset=utf-8; header=present"));
    let (head, rows) = response.text.split_once("\r\n").unwrap();
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
    assert!(
        rows.contains(",\"'+1, \"\"two\"\"\nthree\",'＝SUM(A1),'=cmd|' /C calc'!A0,"),
        "{rows}"
    );
    assert!(rows.ends_with("\r\n"));
    let empty = service.key.get(export("&format=csv&decision=ALLOW")).await;
    assert_eq!(empty.text, format!("{head}\r\n"));
}

#[testkit::test]
async fn export_of_many_pages_contains_every_decision_once(service: TestService) {
    service.active("PAY-01").await;
    service.record("k", 1).await;
    copy_decision(&service, 449, "").await;
    for (format, head) in [("ndjson", 0), ("csv", 1)] {
        let response = service.key.get(export(&format!("&format={format}"))).await;
        let mut lines: Vec<&str> = response.text.lines().collect();
        assert_eq!(lines.len(), 450 + head, "{format}");
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len(), 450 + head, "{format}");
    }
}

#[testkit::test]
async fn export_audit_event_omits_free_text_filter_values(service: TestService) {
    service.active("PAY-01").await;
    let response =
        service.key.get(export("&format=csv&severity=high&decision=DENY&actor_id=ms-miller")).await;
    let event = "select event from audit_events where action = 'decision.export'";
    let event: Value = serde_json::from_str(&service.sql(event).await[0]).unwrap();
    assert_eq!(event["object"]["type"], "decision_export");
    let name = format!("attachment; filename=\"decisions-{}.csv\"", text(&event["object"]["id"]));
    assert_eq!(response.header("content-disposition"), Some(&*name));
    assert_eq!(
        event["details"],
        json!({
            "format": "csv",
            "recorded_from": "2000-01-01T00:00:00.000Z",
            "recorded_to": "2100-01-01T00:00:00.000Z",
            "decision": "DENY",
            "severity": "high",
            "also_by": ["actor_id"],
        })
    );
}

#[tokio::test]
async fn only_an_export_whose_caller_loses_access_is_truncated() {
    let service = service_with_large_export().await;
    let auditor = service.signed_in_member(Role::Auditor).await;
    let remove = "delete from members where role = 'auditor'";
    let revoke = "update key_digests set revoked_at = now()";
    for (client, statement, is_complete) in [
        (&service.key, "select 'nothing happens'", true),
        (&auditor, remove, false),
        (&service.key, revoke, false),
    ] {
        let bytes = execute_during_export(&service, client.get(export("")), statement).await;
        assert_eq!(bytes.ends_with(b"\r\n0\r\n\r\n"), is_complete, "{statement}");
        let lines = String::from_utf8_lossy(&bytes).lines().count();
        assert!(is_complete || (1..601).contains(&lines), "{statement}: {lines}");
    }
}

/// Returns a service with more decisions than the buffers of a connection can store.
async fn service_with_large_export() -> TestService {
    let service = test_service().await;
    service.active("PAY-01").await;
    service.record("k", 1).await;
    copy_decision(&service, 600, &"x".repeat(60_000)).await;
    service
}

/// Inserts `count` copies of the only decision, with `padding` in their records.
async fn copy_decision(service: &TestService, count: u32, padding: &str) {
    service.decompress_decisions().await;
    let insert = format!(
        "insert into decisions (tenant_id, id, sequence, idempotency_key, request_digest, \
             decision_type, decision, correlation_id, policy_id, policy_version, snapshot_id, \
             actor_id, policy_ids, rule_codes, recorded_at, texts, receipt_digest) \
         select tenant_id, gen_random_uuid(), 1000000 + n, 'copy-' || n, request_digest, \
             decision_type, decision, correlation_id, policy_id, policy_version, snapshot_id, \
             actor_id, policy_ids, rule_codes, recorded_at, \
             change_text(texts, 1, '\"idempotency_key\":\"k\"', \
                 '\"idempotency_key\":\"copy-' || n || '{padding}\"'), \
             receipt_digest \
         from decisions, generate_series(1, {count}) as n"
    );
    service.sql(&insert).await;
}

/// Starts `call`, executes `statement` after the first bytes and returns all bytes that arrive.
async fn execute_during_export(service: &TestService, call: Call, statement: &str) -> Vec<u8> {
    let mut socket =
        TcpStream::connect(service.address).await.expect("the service accepts connections");
    let head = call.header("connection", "close").head(0);
    socket.write_all(&head).await.expect("the service reads the request");
    let mut bytes = vec![0; 4_096];
    socket.read_exact(&mut bytes).await.expect("the response starts");
    assert!(bytes.starts_with(b"HTTP/1.1 200 "), "{:?}", bytes.escape_ascii());
    service.sql(statement).await;
    // A reset connection has also ended.
    let _ = socket.read_to_end(&mut bytes).await;
    bytes
}
