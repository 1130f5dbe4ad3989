//! Webhooks: delivery of alerts to subscriptions, also when receivers fail and processes stop.

mod examples;
mod faults;
pub(crate) mod receiver;

use std::{collections::BTreeSet, time::Duration};

use governance::{
    Governance, ServiceOptions,
    notify::{
        outbound_policy::{AddressPolicy, OutboundPolicy},
        webhook::{DeliveryResult, DeliveryWorker},
    },
};
use server::{
    outbound::{CALL_TIMEOUT, SystemNames},
    webhook,
};
use tokio::task::JoinSet;

use crate::prelude::*;

/// Starts a service with an active policy whose webhooks may call this machine.
pub(crate) async fn service_with_webhooks() -> TestService {
    start_with_policy(local_calls()).await
}

/// Does the same as [`service_with_webhooks`], with one attempt for each delivery.
pub(crate) async fn service_with_one_attempt() -> TestService {
    let delivery_schedule = "0".parse().expect("a schedule");
    start_with_policy(ServiceOptions { delivery_schedule, ..local_calls() }).await
}

async fn start_with_policy(options: ServiceOptions) -> TestService {
    let service = test_service_with(options).await;
    service.active("PAY-01").await;
    service
}

/// Returns options that let webhooks call this machine.
fn local_calls() -> ServiceOptions {
    ServiceOptions { outbound_policy: local_policy(), ..ServiceOptions::default() }
}

fn local_policy() -> OutboundPolicy {
    let allow_list = "127.0.0.0/8".parse().expect("a list");
    OutboundPolicy::new(AddressPolicy::Public { allow_list, allows_http: true }, SystemNames)
}

pub(crate) fn delivery_worker(governance: &Governance) -> DeliveryWorker {
    webhook::delivery_worker(governance, CALL_TIMEOUT).expect("a client")
}

/// Subscribes a URL to every alert and returns the subscription ID.
pub(crate) async fn subscribe(service: &TestService, url: String) -> String {
    let draft = json!({"url": url, "severity_min": "low"});
    let created = service.key.post("/v1/alerts/subscriptions", &draft).await.expect(201);
    text(&created["subscription"]["id"]).to_owned()
}

pub(crate) async fn record_denied(service: &TestService, key: &str) -> Value {
    service.record(key, 20_000).await
}

/// Sends all due deliveries as one process and returns the result of each.
pub(crate) async fn send_due(
    governance: &Governance,
    worker: &DeliveryWorker,
) -> Vec<DeliveryResult> {
    let mut results = Vec::new();
    loop {
        let claimed = worker
            .claim(governance, governance.clock().now())
            .await
            .expect("the database is reachable");
        if claimed.is_empty() {
            return results;
        }
        let mut tasks = JoinSet::new();
        for delivery in claimed {
            let (governance, worker) = (governance.clone(), worker.clone());
            tasks.spawn(async move { worker.deliver(&governance, delivery).await });
        }
        let new_results = tasks.join_all().await;
        results.extend(
            new_results.into_iter().map(|result| result.expect("the database is reachable")),
        );
    }
}

/// The deliveries that match a filter, newest first.
pub(crate) async fn deliveries(service: &TestService, query: &str) -> Vec<Value> {
    let page = service.key.get(format!("/v1/alerts/deliveries{query}")).await.expect(200);
    items(&page).to_vec()
}

/// Reads a delivery with its attempts.
async fn read(service: &TestService, delivery: &Value) -> Value {
    service.key.get(path(delivery)).await.expect(200)
}

fn path(delivery: &Value) -> String {
    format!("/v1/alerts/deliveries/{}", text(&delivery["id"]))
}

#[tokio::test]
async fn an_alert_is_delivered_to_matching_subscriptions_only() {
    let service = service_with_webhooks().await;
    let receiver = receiver::start().await;
    let all = subscribe(&service, receiver.url("ok/all")).await;
    for (path, types, severity) in [
        ("ok/payments", json!(["loan", "payment"]), "high"),
        ("ok/loans", json!(["loan"]), "low"),
        ("ok/critical", json!([]), "critical"),
    ] {
        let draft =
            json!({"url": receiver.url(path), "decision_types": types, "severity_min": severity});
        service.key.post("/v1/alerts/subscriptions", &draft).await.expect(201);
    }
    let neighbour = service.other_tenant().await;
    let draft = json!({"url": receiver.url("ok/neighbour"), "severity_min": "low"});
    neighbour.key.post("/v1/alerts/subscriptions", &draft).await.expect(201);
    let decision = record_denied(&service, "k").await;
    let alert = service.key.get("/v1/alerts").await.expect(200)["items"][0].clone();
    assert_eq!(deliveries(&service, "?status=pending").await.len(), 2);
    assert_eq!(receiver.requests().len(), 0, "the worker has not run yet");

    let worker = delivery_worker(&service.governance);
    assert_eq!(send_due(&service.governance, &worker).await, [DeliveryResult::Delivered; 2]);
    let calls = receiver.requests();
    let paths: BTreeSet<&str> = calls.iter().map(|call| &*call.path).collect();
    assert_eq!(paths, BTreeSet::from(["/ok/all", "/ok/payments"]));
    let call = calls.iter().find(|call| call.path == "/ok/all").expect("the receiver was called");
    let sent = deliveries(&service, &format!("?status=delivered&subscription_id={all}")).await;
    let delivery = read(&service, &sent[0]).await;
    assert_eq!(
        call.body,
        format!(
            "{{\"event\":\"alert.created\",\"timestamp\":\"{NOW}\",\"alert\":{{\"id\":{},\
             \"alert_type\":\"policy_violation\",\"severity\":\"high\",\"message\":{},\
             \"decision_id\":{},\"created_at\":\"{NOW}\"}}}}",
            alert["id"], alert["message"], decision["id"]
        )
    );
    let headers = [
        ("x-service-event", "alert.created"),
        ("x-service-delivery-id", text(&delivery["id"])),
        ("x-service-tenant-id", &service.tenant.to_string()),
        ("x-service-timestamp", &service.clock.now().millis().to_string()),
        ("x-service-attempt", "1"),
        ("content-type", "application/json"),
        ("webhook-id", text(&delivery["id"])),
        ("webhook-timestamp", &service.clock.now().millis().div_euclid(1_000).to_string()),
    ];
    for (name, value) in headers {
        assert_eq!(call.header(name), value, "{name}");
    }
    let signature = call.header("x-service-signature").strip_prefix("sha256=").expect("the scheme");
    assert!(signature.len() == 64 && signature.bytes().all(|b| b"0123456789abcdef".contains(&b)));
    let standard = call.header("webhook-signature").strip_prefix("v1,").expect("the scheme");
    assert!(standard.len() == 44 && standard.ends_with('='), "{standard}");
    let attempt = json!({"attempt": 1, "at": NOW, "duration_ms": 0, "status_code": 204});
    let expected = json!({
        "id": delivery["id"], "subscription_id": all, "alert_id": alert["id"],
        "event": "alert.created", "status": "delivered", "attempt_count": 1, "max_attempts": 6,
        "last_attempt_at": NOW, "last_status_code": 204, "delivered_at": NOW, "created_at": NOW,
        "attempts": [attempt],
    });
    assert_eq!(delivery, expected);
    let error = service.key.post(format!("{}/retry", path(&delivery)), &json!({})).await;
    assert_eq!(error.to_string(), "400 ALREADY_DELIVERED");
    assert_eq!(send_due(&service.governance, &worker).await, []);
}

#[tokio::test]
async fn a_subscription_returns_its_secret_once_and_is_private_to_its_tenant() {
    let service = service_with_webhooks().await;
    let receiver = receiver::start().await;
    let draft = json!({"url": receiver.url("ok"), "severity_min": "medium"});
    let created = service.key.post("/v1/alerts/subscriptions", &draft).await;
    let location = created.header("location").expect("a location").to_owned();
    let created = created.expect(201);
    let secret = text(&created["secret"]);
    assert!(secret.starts_with("whsec_") && secret.len() > 40, "{secret}");
    let expected = json!({
        "id": created["subscription"]["id"], "tenant_id": service.tenant, "webhook_url": receiver.url("ok"),
        "decision_types": [], "severity_min": "medium", "envelope": "govern", "is_active": true,
        "has_secret": true, "created_at": NOW,
    });
    assert_eq!(created["subscription"], expected);
    assert_eq!(service.key.get(&location).await.expect(200), expected);
    let listed = service.key.get("/v1/alerts/subscriptions").await;
    assert_eq!(listed.expect(200), json!({"items": [expected], "next_cursor": null}));
    assert!(!listed.text.contains(secret));
    let stored = service.sql("select encode(secret, 'escape') from webhook_subscriptions").await;
    assert!(!stored.concat().contains(secret));

    // Another tenant cannot use the subscription or its test delivery.
    let test = service.key.post(format!("{location}/test"), &json!({})).await;
    let (test_path, test) =
        (test.header("location").expect("a location").to_owned(), test.expect(201));
    assert_eq!((&test["status"], &test_path), (&json!("pending"), &path(&test)));
    let neighbour = service.other_tenant().await.key;
    let retry = format!("{test_path}/retry");
    for response in [
        neighbour.get(&location).await,
        neighbour.delete(&location).await,
        neighbour.post(format!("{location}/test"), &json!({})).await,
        neighbour.get(&test_path).await,
        neighbour.post(&retry, &json!({})).await,
        neighbour
            .post("/v1/alerts/deliveries/redrive", &json!({"subscription_id": expected["id"]}))
            .await,
    ] {
        assert_eq!(response.to_string(), "404 NOT_FOUND");
    }
    let error = service.key.post(&retry, &json!({})).await;
    assert_eq!(error.to_string(), "400 STILL_PENDING");
    assert_eq!(
        send_due(&service.governance, &delivery_worker(&service.governance)).await,
        [DeliveryResult::Delivered]
    );
    assert!(receiver.requests()[0].body.contains("\"alert_type\":\"test\""));

    assert_eq!(service.key.delete(&location).await.status, 204);
    assert_eq!(service.key.delete(&location).await.to_string(), "404 NOT_FOUND");
    record_denied(&service, "k").await;
    assert_eq!(deliveries(&service, "").await.len(), 1, "a deleted subscription gets no delivery");
    for (draft, errors) in [
        (json!({"url": "http://10.0.0.1/", "severity_min": "low"}), "/url blocked_address\n"),
        (json!({"url": "https://u:p@example.com/", "severity_min": "low"}), "/url format\n"),
        (
            json!({"url": format!("https://e.com/{}", "x".repeat(2_048)), "severity_min": "low"}),
            "/url too_long\n",
        ),
        (json!({"url": "https://example.com/"}), "/severity_min required\n"),
        (
            json!({"url": "https://example.com/", "severity_min": "bad", "envelope": "xml", "secret": "x"}),
            "/severity_min enum\n/envelope enum\n/secret unknown\n",
        ),
    ] {
        let error = service.key.post("/v1/alerts/subscriptions", &draft).await;
        assert_eq!((error.status, &*error.field_errors()), (422, errors), "{draft}");
    }
}

#[tokio::test]
async fn a_subscription_to_cloud_events_gets_each_alert_as_an_event() {
    let service = service_with_webhooks().await;
    let receiver = receiver::start().await;
    let draft =
        json!({"url": receiver.url("ok"), "severity_min": "low", "envelope": "cloudevents"});
    let created = service.key.post("/v1/alerts/subscriptions", &draft).await.expect(201);
    let subscription = &created["subscription"];
    assert_eq!(subscription["envelope"], "cloudevents");
    record_denied(&service, "k").await;
    let test = format!("/v1/alerts/subscriptions/{}/test", text(&subscription["id"]));
    service.key.post(test, &json!({})).await.expect(201);
    let worker = delivery_worker(&service.governance);
    assert_eq!(send_due(&service.governance, &worker).await, [DeliveryResult::Delivered; 2]);
    let alert = service.key.get("/v1/alerts").await.expect(200)["items"][0].clone();
    let mut calls = receiver.requests();
    calls.sort_by_key(|call| call.body.contains("\"alert_type\":\"test\""));
    let [call, sample] = &*calls else { panic!("{calls:?}") };
    assert_eq!(call.header("content-type"), "application/cloudevents+json; charset=utf-8");
    let event: Value = serde_json::from_str(&call.body).expect("JSON");
    let id = text(&alert["id"]);
    let expected = json!({
        "specversion": "1.0", "id": id, "source": format!("urn:uuid:{}", service.tenant),
        "type": "govern.alert.created", "subject": format!("alerts/{id}"), "time": NOW,
        "datacontenttype": "application/json",
        "data": {
            "id": id, "alert_type": "policy_violation", "severity": "high",
            "message": alert["message"], "decision_id": alert["decision_id"], "created_at": NOW,
        },
    });
    assert_eq!(event, expected);
    let sample: Value = serde_json::from_str(&sample.body).expect("JSON");
    assert_eq!(sample["type"], "govern.alert.created");
    assert_ne!(sample["id"], event["id"]);
}

#[tokio::test]
async fn a_receiver_that_is_gone_ends_the_subscription() {
    let service = service_with_webhooks().await;
    let (receiver, other_receiver) = (receiver::start().await, receiver::start().await);
    let gone = subscribe(&service, receiver.url("410")).await;
    subscribe(&service, other_receiver.url("ok")).await;
    let worker = delivery_worker(&service.governance);
    record_denied(&service, "k").await;
    send_due(&service.governance, &worker).await;
    let of_gone = format!("?subscription_id={gone}");
    let dead = deliveries(&service, &of_gone).await.remove(0);
    assert_eq!((&dead["status"], &dead["last_status_code"]), (&json!("dead"), &json!(410)));
    assert_eq!(dead["attempt_count"], 1);
    let path_of_gone = format!("/v1/alerts/subscriptions/{gone}");
    let subscription = service.key.get(&path_of_gone).await.expect(200);
    assert_eq!(subscription["is_active"], false);
    let alerts = service.key.get("/v1/alerts?alert_type=webhook_dead").await.expect(200);
    assert_eq!(alerts["total"], 1);
    assert_eq!(alerts["items"][0]["data"]["subscription_id"], gone);

    // Nothing is sent to it any more: no later alert, no retry, no sample.
    record_denied(&service, "k2").await;
    service.clock.advance(60_000);
    send_due(&service.governance, &worker).await;
    assert_eq!((receiver.requests().len(), deliveries(&service, &of_gone).await.len()), (1, 1));
    for refused in [format!("{}/retry", path(&dead)), format!("{path_of_gone}/test")] {
        let refusal = service.key.post(&refused, &json!({})).await;
        assert_eq!(refusal.to_string(), "409 CONFLICT", "{refused}");
    }
    let webhooks = format!("/t/{}/webhooks", service.tenant);
    let page = service.admin().await.get(webhooks).header("accept", "text/html").await.html();
    assert!(page.contains(&format!("aria-describedby=\"inactive-{gone}\"")), "{page}");
    let redriven = service.key.post("/v1/alerts/deliveries/redrive", &json!({})).await.expect(200);
    assert_eq!(redriven, json!({"redriven": 0}));
    let events = format!(
        "select action || ' ' || actor_type from audit_events where object_id = '{gone}' order by seq"
    );
    let events = service.sql(&events).await;
    assert_eq!(events, ["webhook.create api_key", "webhook.deactivate system"]);
    let actor = "select actor_id from audit_events where action = 'webhook.deactivate'";
    assert_eq!(service.sql(actor).await, ["service"], "a task of the service, not its operator");
    assert_eq!(service.key.delete(&path_of_gone).await.status, 204);
}

#[tokio::test]
async fn the_next_attempt_waits_as_long_as_the_receiver_asks() {
    let service = service_with_webhooks().await;
    let receiver = receiver::start().await;
    let now = service.clock.now().millis();
    for (wait, expected) in [("1800", 1_800_000), ("86400", 3_600_000)] {
        let id = subscribe(&service, receiver.url(&format!("503/{wait}"))).await;
        record_denied(&service, wait).await;
        send_due(&service.governance, &delivery_worker(&service.governance)).await;
        let failed = deliveries(&service, &format!("?subscription_id={id}")).await.remove(0);
        let next: contract::time::Timestamp =
            text(&failed["next_attempt_at"]).parse().expect("a timestamp");
        assert_eq!(
            (&failed["status"], next.millis() - now),
            (&json!("failed"), expected),
            "{wait}"
        );
    }
}

#[tokio::test]
async fn a_failing_delivery_is_retried_until_it_is_dead_and_creates_an_alert() {
    let service = service_with_webhooks().await;
    let receiver = receiver::start().await;
    let other_receiver = receiver::start().await;
    let failing = subscribe(&service, receiver.url("500")).await;
    subscribe(&service, other_receiver.url("ok")).await;
    let worker = delivery_worker(&service.governance);
    record_denied(&service, "k").await;
    let mut waits = Vec::new();
    for attempt in 1..=6 {
        send_due(&service.governance, &worker).await;
        receiver.called(attempt).await;
        let delivery =
            deliveries(&service, &format!("?subscription_id={failing}")).await[0].clone();
        assert_eq!(delivery["attempt_count"], attempt);
        assert_eq!(delivery["failure_reason"], "http_status");
        assert_eq!(delivery["last_status_code"], 500);
        let status = if attempt < 6 { "failed" } else { "dead" };
        assert_eq!(delivery["status"], status);
        let Some(next) = delivery["next_attempt_at"].as_str() else { break };
        let next: contract::time::Timestamp = next.parse().expect("a timestamp");
        let wait = next.millis() - service.clock.now().millis();
        waits.push(wait);
        service.clock.advance(wait - 1);
        assert_eq!(send_due(&service.governance, &worker).await, [], "no delivery is due");
        service.clock.advance(1);
    }
    for (wait, about) in waits.iter().zip([1_000, 2_000, 4_000, 8_000, 16_000]) {
        assert!((about * 8 / 10..=about * 12 / 10).contains(wait), "{waits:?}");
    }
    let calls = receiver.requests();
    let attempts: Vec<&str> = calls.iter().map(|call| call.header("x-service-attempt")).collect();
    assert_eq!(attempts, ["1", "2", "3", "4", "5", "6"]);
    let bodies: BTreeSet<_> =
        calls.iter().map(|call| (call.header("x-service-delivery-id"), &*call.body)).collect();
    assert_eq!(bodies.len(), 1, "all attempts have the same ID and body");
    let signatures: BTreeSet<_> =
        calls.iter().map(|call| call.header("x-service-signature")).collect();
    assert_eq!(signatures.len(), 6, "each attempt has its own signature");

    // A dead subscription creates one alert, which is not sent to the dead webhook.
    record_denied(&service, "k2").await;
    while deliveries(&service, "?status=dead").await.len() < 2 {
        send_due(&service.governance, &worker).await;
        service.clock.advance(20_000);
    }
    send_due(&service.governance, &worker).await;
    let alerts = service.key.get("/v1/alerts?alert_type=webhook_dead").await.expect(200);
    assert_eq!((&alerts["total"], &alerts["items"][0]["severity"]), (&json!(1), &json!("high")));
    assert_eq!(alerts["items"][0]["data"]["subscription_id"], failing);
    assert_eq!(alerts["items"][0]["data"]["failure_reason"], "http_status");
    let alert_calls =
        other_receiver.requests().iter().filter(|call| call.body.contains("webhook_dead")).count();
    assert_eq!(alert_calls, 1);
    assert_eq!(receiver.requests().len(), 12);

    // Retry one delivery, then redrive all dead deliveries.
    let dead = deliveries(&service, "?status=dead").await;
    let retried =
        service.key.post(format!("{}/retry", path(&dead[0])), &json!({})).await.expect(200);
    assert_eq!((&retried["status"], &retried["attempt_count"]), (&json!("pending"), &json!(0)));
    assert_eq!(
        retried["attempts"].as_array().map(Vec::len),
        Some(6),
        "earlier attempts are retained"
    );
    send_due(&service.governance, &worker).await;
    let failed = read(&service, &dead[0]).await;
    assert_eq!(
        (&failed["status"], &failed["attempts"][6]["attempt"]),
        (&json!("failed"), &json!(1))
    );
    let redrive = "/v1/alerts/deliveries/redrive";
    let later = json!({"since": "2100-01-01T00:00:00Z"});
    assert_eq!(service.key.post(redrive, &later).await.expect(200), json!({"redriven": 0}));
    let only = json!({"subscription_id": failing});
    assert_eq!(service.key.post(redrive, &only).await.expect(200), json!({"redriven": 1}));
    let stats = service.key.get("/v1/alerts/deliveries/stats").await.expect(200);
    assert_eq!(stats["by_status"], json!({"pending": 1, "delivered": 3, "failed": 1, "dead": 0}));
    let counts = stats["by_subscription"].as_array().expect("a list").iter();
    let counts: Vec<_> = counts.filter(|entry| entry["subscription_id"] == failing).collect();
    assert_eq!((&counts[0]["pending"], &counts[0]["delivered"]), (&json!(1), &json!(0)));
    assert!(stats["oldest_due_at"].is_string());
    // A cursor returns the next page and is rejected with another filter.
    let first = service.key.get("/v1/alerts/deliveries?limit=4").await.expect(200);
    let cursor = text(&first["next_cursor"]);
    let rest = deliveries(&service, &format!("?limit=4&cursor={cursor}")).await;
    assert_eq!(rest.len(), 1);
    let error = service.key.get(format!("/v1/alerts/deliveries?status=dead&cursor={cursor}")).await;
    assert_eq!(error.to_string(), "422 VALIDATION_ERROR");
}

/// The timeout for receivers that do not respond.
const RECEIVER_TIMEOUT: Duration = Duration::from_secs(1);
