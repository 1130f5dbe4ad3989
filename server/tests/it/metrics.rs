//! The page of metrics: what operators read there, and who may.

use std::collections::BTreeMap;

use serde_json::json;
use server::config::{Environment, edge::EdgeConfig};

use crate::{
    client::Client,
    service::{TestServiceBuilder, payment, request, world},
};

/// Every line of the page, by its name and labels.
async fn read(client: &Client) -> BTreeMap<String, String> {
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

#[tokio::test]
async fn what_happens_is_counted_and_measured() {
    let world = world().await;
    world.active("PAY-01").await;
    let ask = json!({"context": payment(1)});
    for _ in 0..3 {
        world.key.post("/v1/decisions/evaluate", &ask).await.expect(200);
    }
    for key in ["k-1", "k-1", "k-2"] {
        let recorded = world.key.post("/v1/decisions/record", &request(key, 20_000)).await;
        assert!(recorded.status < 300, "{}", recorded.text);
    }
    world.public.call("BREW", "/v1/decisions/record").await;
    world.public.get("/v1/receipts/secret-in-a-path").await;

    let read = read(&world.public).await;
    let tenant = world.tenant;
    let count = |name: &str| -> u64 {
        read.get(name).map_or(0, |value| value.parse().expect("a whole number"))
    };
    let http = |method: &str, route: &str, status: u16| {
        let labels = format!("method=\"{method}\",route=\"{route}\",status=\"{status}\"");
        count(&format!("govern_http_requests_total{{{labels}}}"))
    };
    assert_eq!(http("POST", "/v1/decisions/evaluate", 200), 3);
    assert_eq!(http("POST", "/v1/decisions/record", 201), 2);
    assert_eq!(http("POST", "/v1/decisions/record", 200), 1);
    assert_eq!(http("GET", "/v1/receipts/{decision_id}", 404), 1);
    // A method that a caller made up is not a label.
    assert_eq!(http("other", "/v1/decisions/record", 405), 1);
    let labels = "method=\"POST\",route=\"/v1/decisions/evaluate\",status_class=\"2xx\"";
    assert_eq!(count(&format!("govern_http_request_duration_seconds_count{{{labels}}}")), 3);

    let decided = |verdict: &str, mode: &str| {
        let labels = format!("decision=\"{verdict}\",mode=\"{mode}\",tenant=\"{tenant}\"");
        count(&format!("govern_decisions_total{{{labels}}}"))
    };
    assert_eq!(decided("REVIEW", "evaluate"), 3);
    // A repeat is no further decision.
    assert_eq!(decided("DENY", "record"), 2);
    assert_eq!(count("govern_record_seconds_count"), 2);
    // Each was recorded by a transaction, and a repeat by none.
    assert_eq!(count("govern_record_group_records_sum"), 2);
    assert_eq!(count("govern_record_group_records_count"), 2);
    assert!(count("govern_evaluation_seconds_count") >= 5);
    assert!(count("govern_signing_seconds_count") >= 2);
    assert!(count("govern_store_connections_max") > 0);
    assert!(count("govern_store_connections{state=\"idle\"}") > 0);
    assert_eq!(count("govern_store_requests"), 0);
    assert_eq!(
        count(&format!("govern_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"))),
        1
    );
    assert_eq!(count("process_start_time_seconds"), 1_788_256_800);
    assert!(count("process_open_fds") > 0);
    assert!(count("process_resident_memory_bytes") > 1_000_000);
    for name in read.keys() {
        assert!(
            !name.contains("secret") && !name.contains('@') && !name.contains("svc_"),
            "{name}"
        );
    }
}

#[tokio::test]
async fn a_token_reads_the_metrics_and_nothing_else_does() {
    let token = "a-token-for-operators";
    for environment in [Environment::Development, Environment::Production] {
        let edge = EdgeConfig { metrics_token: Some(token.to_owned()), ..EdgeConfig::default() };
        let world =
            TestServiceBuilder { edge, environment, ..TestServiceBuilder::default() }.world().await;
        for client in [&world.public, &world.key, &world.admin().await] {
            assert_eq!(client.get("/metrics").await.to_string(), "401 UNAUTHORIZED");
        }
        for wrong in ["a-token-for-operator", "a-token-for-operators ", "A-token-for-operators", ""]
        {
            let stranger = world.public.with("authorization", format!("Bearer {wrong}x"));
            assert_eq!(stranger.get("/metrics").await.to_string(), "401 UNAUTHORIZED");
        }
        let operator = world.public.with("authorization", format!("Bearer {token}"));
        assert!(!read(&operator).await.is_empty());
        assert_eq!(operator.get("/metrics?x=1").await.to_string(), "422 VALIDATION_ERROR");
        assert_eq!(operator.call("POST", "/metrics").await.to_string(), "405 METHOD_NOT_ALLOWED");
    }
}

#[tokio::test]
async fn in_production_nobody_reads_the_metrics_without_a_token() {
    let world = TestServiceBuilder {
        environment: Environment::Production,
        ..TestServiceBuilder::default()
    }
    .world()
    .await;
    let guess = world.public.with("authorization", "Bearer ");
    for client in [&world.public, &world.key, &guess] {
        assert_eq!(client.get("/metrics").await.to_string(), "401 UNAUTHORIZED");
    }
}
