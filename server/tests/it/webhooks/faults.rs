//! Webhook faults: misbehaving receivers, stopped workers and secrets that cannot be decrypted.

use std::collections::BTreeMap;

use contract::webhook::FailureReason;
use governance::notify::webhook::{
    DeliveryResult, DeliveryWorker, ReceiverResponse, SignedRequest, WebhookTransport,
};
use serde_json::json;
use server::webhook;
use tokio::{sync::Notify, task::JoinSet};

use super::{
    RECEIVER_TIMEOUT, deliveries, delivery_worker, read, receiver, record_denied, send_due,
    service_with_webhooks, subscribe,
};
use crate::{client::text, service::use_cases};

#[tokio::test]
async fn a_misbehaving_receiver_fails_with_its_failure_reason() {
    let service = service_with_webhooks().await;
    let receiver = receiver::start().await;
    let expected = [("hang", "timeout"), ("redirect", "http_status")];
    let mut reasons = BTreeMap::new();
    for (behavior, reason) in expected {
        reasons.insert(subscribe(&service, receiver.url(behavior)).await, reason);
    }
    let closed = "http://127.0.0.1:1/".to_owned();
    reasons.insert(subscribe(&service, closed).await, "connection_reset");
    record_denied(&service, "k").await;
    let worker = webhook::delivery_worker(&service.governance, RECEIVER_TIMEOUT).expect("a client");
    send_due(&service.governance, &worker).await;
    let failed = deliveries(&service, "?status=failed").await;
    let actual: BTreeMap<String, &str> = failed
        .iter()
        .map(|delivery| {
            (text(&delivery["subscription_id"]).to_owned(), text(&delivery["failure_reason"]))
        })
        .collect();
    assert_eq!(actual, reasons);
    assert!(
        receiver.requests().iter().all(|call| call.path != "/ok"),
        "no redirection is followed"
    );
    let attempts = service.sql("select count(*)::text from webhook_attempts").await;
    assert_eq!(attempts, ["3"]);
}

/// The response of a receiver that accepts a delivery.
fn accepted() -> ReceiverResponse {
    ReceiverResponse { status: 200, retry_after: None }
}

/// Captures a request and then never returns, until its task is cancelled.
#[derive(Debug)]
struct HangingTransport(CapturingTransport, std::sync::Arc<Notify>);

/// Stores requests instead of sending them.
#[derive(Clone, Debug, Default)]
struct CapturingTransport(std::sync::Arc<std::sync::Mutex<Vec<SignedRequest>>>);

impl CapturingTransport {
    fn requests(&self) -> Vec<SignedRequest> {
        self.0.lock().expect("no task panics").clone()
    }
}

#[async_trait::async_trait]
impl WebhookTransport for CapturingTransport {
    async fn send(&self, request: SignedRequest) -> Result<ReceiverResponse, FailureReason> {
        self.0.lock().expect("no task panics").push(request);
        Ok(accepted())
    }
}

#[async_trait::async_trait]
impl WebhookTransport for HangingTransport {
    async fn send(&self, request: SignedRequest) -> Result<ReceiverResponse, FailureReason> {
        self.0.send(request).await?;
        self.1.notify_one();
        std::future::pending().await
    }
}

fn header(request: &SignedRequest, name: &str) -> String {
    let header = request.headers.iter().find(|(other, _)| *other == name);
    header.map(|(_, value)| value.clone()).expect("every request has the header")
}

#[tokio::test]
async fn a_delivery_is_sent_again_if_the_worker_stops_before_its_commit() {
    let service = service_with_webhooks().await;
    subscribe(&service, "http://127.0.0.1:9/".to_owned()).await;
    record_denied(&service, "k").await;
    let (transport, sent) = (CapturingTransport::default(), std::sync::Arc::<Notify>::default());
    let first_worker = DeliveryWorker::new(HangingTransport(transport.clone(), sent.clone()));
    let now = || service.governance.clock().now();
    let mut claimed = first_worker.claim(&service.governance, now()).await.unwrap();
    assert_eq!(claimed.len(), 1);
    let (governance, delivery) = (service.governance.clone(), claimed.remove(0));
    let task = tokio::spawn(async move { first_worker.deliver(&governance, delivery).await });
    sent.notified().await;
    task.abort();
    assert!(task.await.expect_err("the task was cancelled").is_cancelled());

    let second_worker = DeliveryWorker::new(transport.clone());
    let other = use_cases(&service.database, service.clock.clone(), 2).await;
    assert_eq!(send_due(&other, &second_worker).await, [], "the lease has not expired");
    service.clock.advance(30_000);
    assert_eq!(send_due(&other, &second_worker).await, [DeliveryResult::Delivered]);
    let requests = transport.requests();
    for name in ["x-service-delivery-id", "x-service-attempt"] {
        assert_eq!(header(&requests[0], name), header(&requests[1], name), "{name}");
    }
    assert_eq!((requests.len(), &requests[0].body), (2, &requests[1].body));
    assert_eq!(deliveries(&service, "?status=delivered").await.len(), 1);
}

#[tokio::test]
async fn two_workers_do_not_send_an_attempt_twice() {
    let service = service_with_webhooks().await;
    for number in 0..3 {
        subscribe(&service, format!("http://127.0.0.1:9/{number}")).await;
    }
    for number in 0..10 {
        record_denied(&service, &format!("k{number}")).await;
    }
    let transport = CapturingTransport::default();
    let other = use_cases(&service.database, service.clock.clone(), 2).await;
    let (worker, other_worker) =
        (DeliveryWorker::new(transport.clone()), DeliveryWorker::new(transport.clone()));
    let (first, second) =
        tokio::join!(send_due(&service.governance, &worker), send_due(&other, &other_worker));
    let rest = send_due(&service.governance, &worker).await;
    let results = [first, second, rest].concat();
    assert_eq!(results, [DeliveryResult::Delivered; 30]);
    let mut ids: Vec<String> = transport
        .requests()
        .iter()
        .map(|request| header(request, "x-service-delivery-id"))
        .collect();
    ids.sort();
    ids.dedup();
    assert_eq!((transport.requests().len(), ids.len()), (30, 30));
    assert_eq!(service.sql("select count(*)::text from outbox").await, ["0"]);
}

#[tokio::test]
async fn a_receiver_that_does_not_respond_delays_no_other_receiver() {
    let service = service_with_webhooks().await;
    let receiver = receiver::start().await;
    let hanging = subscribe(&service, receiver.url("hang")).await;
    for number in 0..20 {
        subscribe(&service, receiver.url(&format!("ok/{number}"))).await;
    }
    for number in 0..6 {
        record_denied(&service, &format!("k{number}")).await;
    }
    let worker = delivery_worker(&service.governance);
    let (mut tasks, mut delivered) = (JoinSet::new(), 0);
    let mut claimed = 0;
    // All other deliveries succeed while the calls to this receiver hang.
    while delivered < 120 {
        let now = service.governance.clock().now();
        for delivery in
            worker.claim(&service.governance, now).await.expect("the database is reachable")
        {
            let (governance, worker) = (service.governance.clone(), worker.clone());
            tasks.spawn(async move { worker.deliver(&governance, delivery).await });
            claimed += 1;
        }
        let result = tasks.join_next().await.expect("a delivery is running");
        assert_eq!(
            result.expect("no task panics").expect("the database is reachable"),
            DeliveryResult::Delivered
        );
        delivered += 1;
    }
    assert_eq!(claimed - delivered, 4, "a subscription has at most four running deliveries");
    tasks.shutdown().await;
    let waiting = deliveries(&service, &format!("?subscription_id={hanging}&status=pending")).await;
    assert_eq!(waiting.len(), 6);
}

/// A transport that never returns, except for URLs that end with `/ok`.
#[derive(Debug)]
struct SilentTransport;

#[async_trait::async_trait]
impl WebhookTransport for SilentTransport {
    async fn send(&self, request: SignedRequest) -> Result<ReceiverResponse, FailureReason> {
        if request.url.ends_with("/ok") { Ok(accepted()) } else { std::future::pending().await }
    }
}

#[tokio::test]
async fn a_tenant_with_a_hundred_silent_receivers_delays_no_other_tenant() {
    let service = service_with_webhooks().await;
    for number in 0..100 {
        subscribe(&service, format!("http://127.0.0.1:9/{number}")).await;
    }
    for number in 0..4 {
        record_denied(&service, &format!("k{number}")).await;
    }
    let neighbour = service.other_tenant().await;
    let draft = json!({"url": "http://127.0.0.1:9/ok", "severity_min": "low"});
    let created = neighbour.key.post("/v1/alerts/subscriptions", &draft).await.expect(201);
    // The delivery of the other tenant is the newest.
    service.clock.advance(1_000);
    let test_path =
        format!("/v1/alerts/subscriptions/{}/test", text(&created["subscription"]["id"]));
    neighbour.key.post(test_path, &json!({})).await.expect(201);

    let worker = DeliveryWorker::new(SilentTransport);
    let now = service.governance.clock().now();
    let claimed = worker.claim(&service.governance, now).await.expect("the database is reachable");
    assert_eq!(claimed.len(), 33, "32 deliveries of one tenant and one of the other");
    let mut tasks = JoinSet::new();
    for delivery in claimed {
        let (governance, worker) = (service.governance.clone(), worker.clone());
        tasks.spawn(async move { worker.deliver(&governance, delivery).await });
    }
    let result = tasks.join_next().await.expect("a delivery is running");
    assert_eq!(
        result.expect("no task panics").expect("the database is reachable"),
        DeliveryResult::Delivered
    );
    let waiting = neighbour.key.get("/v1/alerts/deliveries?status=pending").await.expect(200);
    assert_eq!(waiting["items"], json!([]));
    let claimed = worker.claim(&service.governance, now).await.expect("the database is reachable");
    assert_eq!(claimed.len(), 0, "the tenant has no free slot");
    tasks.shutdown().await;
    let claimed = worker.claim(&service.governance, now).await.expect("the database is reachable");
    assert_eq!(claimed.len(), 32, "other deliveries of the tenant use the freed slots");
}

#[tokio::test]
async fn deleting_subscriptions_cancels_only_their_running_deliveries() {
    let service = service_with_webhooks().await;
    let mut ids = Vec::new();
    for number in 0..5 {
        ids.push(subscribe(&service, format!("http://127.0.0.1:9/{number}")).await);
    }
    record_denied(&service, "k").await;
    let worker = DeliveryWorker::new(SilentTransport);
    let mut tasks = JoinSet::new();
    let now = service.governance.clock().now();
    for delivery in worker.claim(&service.governance, now).await.expect("the database is reachable")
    {
        let (governance, worker) = (service.governance.clone(), worker.clone());
        tasks.spawn(async move { worker.deliver(&governance, delivery).await });
    }
    for id in &ids[..2] {
        assert_eq!(service.key.delete(format!("/v1/alerts/subscriptions/{id}")).await.status, 204);
    }
    for _ in 0..2 {
        let result = tasks.join_next().await.expect("a delivery is running");
        assert_eq!(
            result.expect("no task panics").expect("the database is reachable"),
            DeliveryResult::Void
        );
    }
    assert_eq!(deliveries(&service, "?status=dead").await.len(), 2);
    assert_eq!(deliveries(&service, "?status=pending").await.len(), 3);
    assert_eq!(tasks.len(), 3);
    tasks.shutdown().await;
}

#[tokio::test]
async fn a_secret_that_cannot_be_decrypted_ends_only_its_own_delivery() {
    let service = service_with_webhooks().await;
    let receiver = receiver::start().await;
    let broken = subscribe(&service, receiver.url("ok/broken")).await;
    let intact = subscribe(&service, receiver.url("ok/intact")).await;
    let statement =
        format!("update webhook_subscriptions set secret_key = 9 where id = '{broken}'");
    service.sql(&statement).await;
    record_denied(&service, "k").await;
    let worker = delivery_worker(&service.governance);
    let mut results = send_due(&service.governance, &worker).await;
    results.sort_by_key(|result| format!("{result:?}"));
    let dead = DeliveryResult::Dead(FailureReason::SecretUnavailable);
    assert_eq!(
        results,
        [dead, DeliveryResult::Delivered, DeliveryResult::Delivered],
        "the alert about it is sent too"
    );
    assert!(receiver.requests().iter().all(|call| call.path == "/ok/intact"));
    let delivery = deliveries(&service, "?status=dead").await[0].clone();
    assert_eq!(delivery["failure_reason"], "secret_unavailable");
    // A secret copied from another row cannot be decrypted either.
    let statement = format!(
        "update webhook_subscriptions set secret_key = 1, \
         secret = (select secret from webhook_subscriptions where id = '{intact}') where id = '{broken}'"
    );
    service.sql(&statement).await;
    let retry = format!("/v1/alerts/deliveries/{}/retry", text(&delivery["id"]));
    service.key.post(retry, &json!({})).await.expect(200);
    assert_eq!(send_due(&service.governance, &worker).await, [dead]);
}

#[tokio::test]
async fn a_retry_during_a_running_attempt_does_not_wait_for_the_lease() {
    let service = service_with_webhooks().await;
    let receiver = receiver::start().await;
    let id = subscribe(&service, receiver.url("500")).await;
    let worker = delivery_worker(&service.governance);
    let set_behavior = async |behavior: &str| {
        let url = receiver.url(behavior);
        let statement =
            format!("update webhook_subscriptions set webhook_url = '{url}' where id = '{id}'");
        service.sql(&statement).await;
    };
    for (behavior, expected) in
        [("slow", DeliveryResult::Delivered), ("slow-500", DeliveryResult::Void)]
    {
        set_behavior("500").await;
        record_denied(&service, behavior).await;
        let failed = [DeliveryResult::Failed(FailureReason::HttpStatus)];
        assert_eq!(send_due(&service.governance, &worker).await, failed);
        let delivery = deliveries(&service, "?status=failed").await[0].clone();
        set_behavior(behavior).await;
        service.clock.advance(20_000);
        let now = service.governance.clock().now();
        let mut claimed =
            worker.claim(&service.governance, now).await.expect("the database is reachable");
        let claimed = claimed.pop().expect("the second attempt is due");
        let calls = receiver.requests().len();
        let task = {
            let (governance, worker) = (service.governance.clone(), worker.clone());
            tokio::spawn(async move { worker.deliver(&governance, claimed).await })
        };
        receiver.called(calls + 1).await;
        let retry = format!("/v1/alerts/deliveries/{}/retry", text(&delivery["id"]));
        service.key.post(retry, &json!({})).await.expect(200);
        assert_eq!(
            send_due(&service.governance, &worker).await,
            [],
            "a running delivery is not sent again"
        );
        let result = task.await.expect("the task ends").expect("the database is reachable");
        assert_eq!(result, expected, "{behavior}");
        set_behavior("ok").await;
        let rest = if result == DeliveryResult::Void {
            vec![DeliveryResult::Delivered]
        } else {
            Vec::new()
        };
        assert_eq!(send_due(&service.governance, &worker).await, rest, "{behavior}");
        let delivery = read(&service, &delivery).await;
        assert_eq!(delivery["status"], "delivered", "{behavior}");
        assert!(delivery.get("next_attempt_at").is_none(), "{delivery}");
    }
}

#[tokio::test]
async fn deleting_a_subscription_cancels_its_running_delivery() {
    let service = service_with_webhooks().await;
    let receiver = receiver::start().await;
    let id = subscribe(&service, receiver.url("hang")).await;
    record_denied(&service, "sent").await;
    let worker = delivery_worker(&service.governance);
    let governance = service.governance.clone();
    let task = {
        let (governance, worker) = (governance.clone(), worker.clone());
        tokio::spawn(async move { send_due(&governance, &worker).await })
    };
    receiver.called(1).await;
    record_denied(&service, "waiting").await;
    assert_eq!(service.key.delete(format!("/v1/alerts/subscriptions/{id}")).await.status, 204);
    assert_eq!(task.await.expect("the task ends"), [DeliveryResult::Void]);
    let dead = deliveries(&service, "?status=dead").await;
    assert_eq!(dead.len(), 2);
    for delivery in &dead {
        assert_eq!(delivery["failure_reason"], "subscription_deleted");
    }
    let attempts = async |delivery| read(&service, delivery).await["attempts"].clone();
    let running_attempts = attempts(&dead[1]).await;
    assert_eq!(
        running_attempts.as_array().map(Vec::len),
        Some(1),
        "the running attempt is recorded"
    );
    assert_eq!(
        running_attempts[0]["failure_reason"], "subscription_deleted",
        "the attempt did not time out"
    );
    assert_eq!(attempts(&dead[0]).await, json!([]));
    let retry = format!("/v1/alerts/deliveries/{}/retry", text(&dead[0]["id"]));
    assert_eq!(service.key.post(retry, &json!({})).await.to_string(), "409 CONFLICT");
    assert_eq!(service.sql("select count(*)::text from outbox").await, ["0"]);
    assert_eq!(service.key.get("/v1/alerts?alert_type=webhook_dead").await.expect(200)["total"], 0);
}
