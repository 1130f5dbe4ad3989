//! The metrics endpoint: its samples and its access token.

use std::collections::BTreeMap;

use server::config::{Environment, edge::EdgeConfig};

use crate::prelude::*;

/// The values of all samples by name and labels.
async fn read_metrics(client: &Client) -> BTreeMap<String, String> {
    let page = client.get("/metrics").await;
    assert_eq!(page.status, 200, "{}", page.text);
    assert_eq!(page.header("content-type"), Some("text/plain; version=0.0.4"));
    let lines = page.text.lines().filter(|line| !line.starts_with('#'));
    let sample = |line: &str| {
        let (name, value) = line.rsplit_once(' ').expect("a name and a value");
        (name.to_owned(), value.to_owned())
    };
    lines.map(sample).collect()
}

#[testkit::test]
async fn requests_and_decisions_are_counted_and_measured(service: TestService) {
    service.active("PAY-01").await;
    let body = json!({"context": payment(1)});
    for _ in 0..3 {
        service.key.post("/v1/decisions/evaluate", &body).await.expect(200);
    }
    for key in ["k-1", "k-1", "k-2"] {
        let recorded = service.key.post("/v1/decisions/record", &request(key, 20_000)).await;
        assert!(recorded.status < 300, "{}", recorded.text);
    }
    service.public.call("BREW", "/v1/decisions/record").await;
    service.public.get("/v1/receipts/secret-in-a-path").await;

    let metrics = read_metrics(&service.public).await;
    let tenant = service.tenant;
    let count = |name: &str| -> u64 {
        metrics.get(name).map_or(0, |value| value.parse().expect("a whole number"))
    };
    let http = |method: &str, route: &str, status: u16| {
        let labels = format!("method=\"{method}\",route=\"{route}\",status=\"{status}\"");
        count(&format!("govern_http_requests_total{{{labels}}}"))
    };
    assert_eq!(http("POST", "/v1/decisions/evaluate", 200), 3);
    assert_eq!(http("POST", "/v1/decisions/record", 201), 2);
    assert_eq!(http("POST", "/v1/decisions/record", 200), 1);
    assert_eq!(http("GET", "/v1/receipts/{decision_id}", 404), 1);
    // An unknown method is counted as `other`.
    assert_eq!(http("other", "/v1/decisions/record", 405), 1);
    let labels = "method=\"POST\",route=\"/v1/decisions/evaluate\",status_class=\"2xx\"";
    assert_eq!(count(&format!("govern_http_request_duration_seconds_count{{{labels}}}")), 3);

    let decisions = |verdict: &str, mode: &str| {
        let labels = format!("decision=\"{verdict}\",mode=\"{mode}\",tenant=\"{tenant}\"");
        count(&format!("govern_decisions_total{{{labels}}}"))
    };
    assert_eq!(decisions("REVIEW", "evaluate"), 3);
    // A repeated request records no further decision.
    assert_eq!(decisions("DENY", "record"), 2);
    assert_eq!(count("govern_record_seconds_count"), 2);
    // Each decision has its own group; the repeated request has none.
    assert_eq!(count("govern_record_group_records_sum"), 2);
    assert_eq!(count("govern_record_group_records_count"), 2);
    assert!(count("govern_evaluation_seconds_count") >= 5);
    assert!(count("govern_signing_seconds_count") >= 2);
    assert!(count("govern_store_connections_max") > 0);
    let connections = |state| count(&format!("govern_store_connections{{state=\"{state}\"}}"));
    assert!(connections("idle") + connections("busy") > 0);
    assert_eq!(count("govern_store_requests"), 0);
    assert_eq!(
        count(&format!("govern_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"))),
        1
    );
    assert_eq!(count("process_start_time_seconds"), 1_788_256_800);
    assert!(count("process_open_fds") > 0);
    assert!(count("process_resident_memory_bytes") > 1_000_000);
    for name in metrics.keys() {
        assert!(
            !name.contains("secret") && !name.contains('@') && !name.contains("svc_"),
            "{name}"
        );
    }
}

#[testkit::test]
async fn queues_and_sign_ins_are_counted(service: TestService) {
    assert_eq!(service.sign_in_status("admin@acme.example", "not the password").await, 401);
    let subscription = json!({"url": "https://1.1.1.1/hook", "severity_min": "low"});
    service.key.post("/v1/alerts/subscriptions", &subscription).await.expect(201);
    service.active("PAY-01").await;
    service.record("k", 20_000).await;
    service.sql("update outbox set due_at = '2020-01-01' returning id::text").await;

    let metrics = read_metrics(&service.public).await;
    assert_eq!(metrics["govern_sign_ins_total{result=\"failure\"}"], "1");
    assert_eq!(metrics["govern_webhook_queue_waiting"], "1");
    let overdue_seconds: f64 = metrics["govern_webhook_queue_overdue_seconds"].parse().unwrap();
    assert!(overdue_seconds > 1e8, "{overdue_seconds}");
    for name in [
        "govern_webhook_attempts_total{result=\"dead\"}",
        "govern_mail_attempts_total{result=\"dead\"}",
        "govern_mail_queue_waiting",
        "govern_mail_queue_overdue_seconds",
    ] {
        assert_eq!(metrics[name], "0", "{name}");
    }
    let types = service.public.get("/metrics").await.text;
    assert!(types.contains("# TYPE govern_build_info gauge"), "{types}");
}

#[tokio::test]
async fn metrics_accept_only_the_metrics_token() {
    let token = "a-token-for-operators";
    for environment in [Environment::Development, Environment::Production] {
        let edge = EdgeConfig { metrics_token: Some(token.to_owned()), ..EdgeConfig::default() };
        let service =
            TestServiceBuilder { edge, environment, ..TestServiceBuilder::default() }.start().await;
        for client in [&service.public, &service.key, &service.admin().await] {
            assert_eq!(client.get("/metrics").await.to_string(), "401 UNAUTHORIZED");
        }
        let prefix = &token[..token.len() - 1];
        for wrong in [prefix, &format!("{token}x"), "A-token-for-operators", ""] {
            let caller = service.public.with("authorization", format!("Bearer {wrong}"));
            assert_eq!(caller.get("/metrics").await.to_string(), "401 UNAUTHORIZED", "{wrong:?}");
        }
        let operator = service.public.with("authorization", format!("Bearer {token}"));
        assert!(!read_metrics(&operator).await.is_empty());
        assert_eq!(operator.get("/metrics?x=1").await.to_string(), "422 VALIDATION_ERROR");
        assert_eq!(operator.call("POST", "/metrics").await.to_string(), "405 METHOD_NOT_ALLOWED");
    }
    // A service in production without a token refuses every caller.
    let environment = Environment::Production;
    let service = TestServiceBuilder { environment, ..TestServiceBuilder::default() }.start().await;
    for caller in [&service.public, &service.public.with("authorization", "Bearer ")] {
        assert_eq!(caller.get("/metrics").await.to_string(), "401 UNAUTHORIZED");
    }
}
