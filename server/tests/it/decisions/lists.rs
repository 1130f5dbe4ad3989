//! The decision list: filters and pages.

use super::keys;
use crate::{prelude::*, routes::EVER};

/// Lists the idempotency keys of the decisions that match `query`.
async fn list_keys(service: &TestService, query: &str) -> Vec<String> {
    keys(&service.key.get(format!("/v1/decisions?{query}")).await.expect(200))
}

/// Sets the chain and step of a recorded decision directly in the database.
async fn set_chain_step(service: &TestService, key: &str, step: u32) {
    let update = format!(
        "update decisions set chain_id = '{CHAIN}', chain_step = {step} \
         where idempotency_key = '{key}'"
    );
    service.change_rows("decisions", &update).await;
}

#[testkit::test]
async fn each_filter_returns_only_matching_decisions(service: TestService) {
    let first = service.active("PAY-01").await;
    service.record("review", 1).await;
    service.clock.advance(MINUTE_MS);
    let deny = service.record("deny", 20_000).await;
    service.clock.advance(MINUTE_MS);
    let mut other = policy("ALL-01");
    other["decision_types"] = json!([]);
    other["rules"] = json!([{"code": "NAMED", "severity": "critical", "rule_type": "presence",
                             "condition": {"required_fields": ["name"]}}]);
    let second = service.active_policy(&other).await;
    let mut both = request("both", 20_000);
    both["actor"] = json!({"id": "ann"});
    both["context"]["metadata"] = json!({"correlation_id": "corr-1"});
    record(&service.key, &both).await;
    let loan = json!({"decision_type": "loan", "fields": {"name": "n"}});
    record(&service.key, &json!({"idempotency_key": "loan", "context": loan})).await;
    set_chain_step(&service, "deny", 2).await;
    set_chain_step(&service, "both", 1).await;
    let deny = format!("/v1/decisions/{}/outcome", text(&deny["id"]));
    service.key.post(deny, &json!({"status": "overridden"})).await.expect(201);

    let (pay, all) = (&first.policy, &second.policy);
    for (query, expected) in [
        (String::new(), "loan both deny review"),
        ("decision_type=payment".into(), "both deny review"),
        ("decision_type=Payment".into(), ""),
        ("decision=DENY".into(), "both deny"),
        ("decision=ALLOW".into(), "loan"),
        ("correlation_id=corr-1".into(), "both"),
        ("idempotency_key=deny".into(), "deny"),
        (format!("policy_id={pay}"), "both deny review"),
        (format!("policy_id={all}"), "loan both"),
        ("policy_id=00000000-0000-4000-8000-000000000000".into(), ""),
        ("rule_code=AMOUNT".into(), "both deny"),
        ("rule_code=NAMED".into(), "both"),
        ("rule_code=amount".into(), ""),
        ("actor_id=ann".into(), "both"),
        ("severity=critical".into(), "both"),
        ("severity=high".into(), "deny"),
        ("severity=medium".into(), "review"),
        ("severity=low".into(), ""),
        ("outcome=overridden".into(), "deny"),
        ("outcome=accepted".into(), ""),
        ("outcome=none".into(), "loan both review"),
        (format!("outcome=overridden&policy_id={pay}"), "deny"),
        (format!("outcome=none&policy_id={pay}"), "both review"),
        ("outcome=overridden&rule_code=AMOUNT".into(), "deny"),
        (format!("outcome=none&chain_id={CHAIN}"), "both"),
        ("shadow_converted=true".into(), ""),
        ("shadow_converted=false&decision=DENY".into(), "both deny"),
        (format!("chain_id={CHAIN}"), "both deny"),
        (format!("chain_id={CHAIN}&rule_code=AMOUNT"), "both deny"),
        (format!("chain_id={CHAIN}&policy_id={all}"), "both"),
        (format!("policy_id={pay}&rule_code=NAMED"), "both"),
        (format!("policy_id={all}&decision=DENY"), "both"),
        ("recorded_from=2026-09-01T10:02:00Z".into(), "loan both"),
        ("recorded_to=2026-09-01T10:01:00Z".into(), "deny review"),
        (
            "recorded_from=2026-09-01T12:01:00%2B02:00&recorded_to=2026-09-01T10:01:00Z".into(),
            "deny",
        ),
        ("decision_type=payment&decision=DENY&rule_code=AMOUNT&actor_id=ann".into(), "both"),
    ] {
        assert_eq!(list_keys(&service, &query).await.join(" "), expected, "{query}");
    }
    let neighbour = service.other_tenant().await;
    for query in [format!("policy_id={pay}"), "rule_code=AMOUNT".into(), String::new()] {
        let page = neighbour.key.get(format!("/v1/decisions?{query}")).await.expect(200);
        assert_eq!(page["items"], json!([]), "{query}");
    }
}

#[testkit::test]
async fn chain_is_listed_in_step_order_across_pages(service: TestService) {
    service.active("PAY-01").await;
    for (key, step) in [("c", 30), ("a", 1), ("d", 31), ("b", 2)] {
        service.record(key, 1).await;
        set_chain_step(&service, key, step).await;
    }
    service.record("unchained", 1).await;
    let first =
        service.key.get(format!("/v1/decisions?chain_id={CHAIN}&limit=3")).await.expect(200);
    assert_eq!(keys(&first), ["a", "b", "c"]);
    let cursor = text(&first["next_cursor"]);
    let path = format!("/v1/decisions?chain_id={CHAIN}&limit=3&cursor={cursor}");
    let second = service.key.get(path).await.expect(200);
    assert_eq!(keys(&second), ["d"]);
    assert!(second["next_cursor"].is_null());
    let foreign = service.key.get(format!("/v1/decisions?cursor={cursor}")).await;
    assert_eq!(foreign.field_errors(), "/cursor cursor\n");
}

/// Records decisions of almost 1 MiB each, and returns their idempotency keys, newest first.
async fn record_large(service: &TestService, count: usize) -> Vec<String> {
    let mut names = Vec::new();
    for number in 0..count {
        let mut body = request(&format!("large-{number}"), 1);
        for field in 0..15 {
            body["context"]["fields"][format!("text_{field}")] = "x".repeat(60_000).into();
        }
        record(&service.key, &body).await;
        names.insert(0, format!("large-{number}"));
    }
    names
}

#[testkit::test]
async fn a_page_of_large_decisions_ends_early_and_its_cursor_continues(service: TestService) {
    let version = service.active("PAY-01").await;
    let expected = record_large(&service, 9).await;
    for list in [
        "/v1/decisions?limit=200".to_owned(),
        format!("/v1/decisions?limit=200&policy_id={}", version.policy),
        format!("/v1/policies/{}/decisions?limit=200", version.policy),
    ] {
        let (mut listed, mut path) = (Vec::new(), list.clone());
        loop {
            let response = service.key.get(&path).await;
            assert!(response.text.len() < 5 << 20, "{list}: {} bytes", response.text.len());
            let page = response.expect(200);
            listed.extend(keys(&page));
            let Some(cursor) = page["next_cursor"].as_str() else { break };
            path = format!("{list}&cursor={cursor}");
        }
        assert_eq!(listed, expected, "{list}");
    }
    let export = service.key.get(format!("/v1/decisions/export?{EVER}")).await;
    assert_eq!(export.text.lines().count(), expected.len());
}
