//! Receivers that misbehave, processes that die, secrets that do not open.

use std::collections::BTreeMap;

use contract::webhook::FailureReason;
use governance::notify::webhook::{
    DeliveryResult, DeliveryWorker, SignedRequest, WebhookTransport,
};
use serde_json::json;
use server::webhook;
use tokio::{sync::Notify, task::JoinSet};

use super::{SHORT, deliveries, denied, mailer, read, ready, receiver::Receiver, subscribed, work};
use crate::{client::text, service::use_cases};

#[tokio::test]
async fn a_receiver_that_misbehaves_fails_with_its_reason() {
    let world = ready().await;
    let receiver = Receiver::start().await;
    let expected = [
        ("hang", "timeout"),
        ("drip", "timeout"),
        ("garbage", "connection_reset"),
        ("reset", "connection_reset"),
        ("flood", "body_too_large"),
        ("redirect", "http_status"),
    ];
    let mut reasons = BTreeMap::new();
    for (does, reason) in expected {
        reasons.insert(subscribed(&world, receiver.url(does)).await, reason);
    }
    let nobody = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let closed = format!("http://{}/", nobody.local_addr().expect("it is bound"));
    drop(nobody);
    reasons.insert(subscribed(&world, closed).await, "connection_reset");
    denied(&world, "k").await;
    let mailer = webhook::delivery_worker(&world.governance, SHORT).expect("a client");
    work(&world.governance, &mailer).await;
    let failed = deliveries(&world, "?status=failed").await;
    let found: BTreeMap<String, &str> = failed
        .iter()
        .map(|own| (text(&own["subscription_id"]).to_owned(), text(&own["failure_reason"])))
        .collect();
    assert_eq!(found, reasons);
    assert!(receiver.calls().iter().all(|call| call.path != "/ok"), "no redirection is followed");
    let sent = world.sql("select count(*)::text from webhook_attempts").await;
    assert_eq!(sent, ["7"]);
}

/// Delivers, and is killed before it can tell.
#[derive(Debug)]
struct HangingTransport(CapturingTransport, std::sync::Arc<Notify>);

/// Carries nothing anywhere but into itself.
#[derive(Clone, Debug, Default)]
struct CapturingTransport(std::sync::Arc<std::sync::Mutex<Vec<SignedRequest>>>);

impl CapturingTransport {
    fn requests(&self) -> Vec<SignedRequest> {
        self.0.lock().expect("nobody panics").clone()
    }
}

#[async_trait::async_trait]
impl WebhookTransport for CapturingTransport {
    async fn send(&self, parcel: SignedRequest) -> Result<u16, FailureReason> {
        self.0.lock().expect("nobody panics").push(parcel);
        Ok(200)
    }
}

#[async_trait::async_trait]
impl WebhookTransport for HangingTransport {
    async fn send(&self, parcel: SignedRequest) -> Result<u16, FailureReason> {
        self.0.send(parcel).await?;
        self.1.notify_one();
        std::future::pending().await
    }
}

fn header(parcel: &SignedRequest, name: &str) -> String {
    let found = parcel.headers.iter().find(|(own, _)| *own == name);
    found.map(|(_, value)| value.clone()).expect("every parcel has it")
}

#[tokio::test]
async fn a_worker_that_dies_between_the_answer_and_its_commit_sends_the_same_delivery_again() {
    let world = ready().await;
    subscribed(&world, "http://127.0.0.1:9/".to_owned()).await;
    denied(&world, "k").await;
    let (mailbox, told) = (CapturingTransport::default(), std::sync::Arc::<Notify>::default());
    let dying = DeliveryWorker::new(HangingTransport(mailbox.clone(), told.clone()));
    let now = || world.governance.clock().now();
    let mut claimed = dying.claim(&world.governance, now()).await.unwrap();
    assert_eq!(claimed.len(), 1);
    let (governance, one) = (world.governance.clone(), claimed.remove(0));
    let dying = tokio::spawn(async move { dying.deliver(&governance, one).await });
    told.notified().await;
    dying.abort();
    assert!(dying.await.expect_err("it was killed").is_cancelled());

    let next = DeliveryWorker::new(mailbox.clone());
    let other = use_cases(&world.database, world.clock.clone(), 2).await;
    assert_eq!(work(&other, &next).await, [], "the lease holds");
    world.clock.advance(30_000);
    assert_eq!(work(&other, &next).await, [DeliveryResult::Delivered]);
    let letters = mailbox.requests();
    for name in ["x-service-delivery-id", "x-service-attempt"] {
        assert_eq!(header(&letters[0], name), header(&letters[1], name), "{name}");
    }
    assert_eq!((letters.len(), &letters[0].body), (2, &letters[1].body));
    assert_eq!(deliveries(&world, "?status=delivered").await.len(), 1);
}

#[tokio::test]
async fn two_workers_never_send_one_attempt_twice() {
    let world = ready().await;
    for number in 0..3 {
        subscribed(&world, format!("http://127.0.0.1:9/{number}")).await;
    }
    for number in 0..10 {
        denied(&world, &format!("k{number}")).await;
    }
    let mailbox = CapturingTransport::default();
    let other = use_cases(&world.database, world.clock.clone(), 2).await;
    let (one, two) = (DeliveryWorker::new(mailbox.clone()), DeliveryWorker::new(mailbox.clone()));
    let (first, second) = tokio::join!(work(&world.governance, &one), work(&other, &two));
    let rest = work(&world.governance, &one).await;
    let sent = [first, second, rest].concat();
    assert_eq!(sent, [DeliveryResult::Delivered; 30]);
    let mut ids: Vec<String> =
        mailbox.requests().iter().map(|letter| header(letter, "x-service-delivery-id")).collect();
    ids.sort();
    ids.dedup();
    assert_eq!((mailbox.requests().len(), ids.len()), (30, 30));
    assert_eq!(world.sql("select count(*)::text from outbox").await, ["0"]);
}

#[tokio::test]
async fn one_receiver_that_answers_nothing_holds_up_nobody() {
    let world = ready().await;
    let receiver = Receiver::start().await;
    let hole = subscribed(&world, receiver.url("hang")).await;
    for number in 0..20 {
        subscribed(&world, receiver.url(&format!("ok/{number}"))).await;
    }
    for number in 0..6 {
        denied(&world, &format!("k{number}")).await;
    }
    let mailer = mailer(&world.governance);
    let (mut under_way, mut delivered) = (JoinSet::new(), 0);
    let mut ever = 0;
    // It is never waited for: the others are all there while its calls hang.
    while delivered < 120 {
        let now = world.governance.clock().now();
        for one in mailer.claim(&world.governance, now).await.expect("the store is there") {
            let (governance, mailer) = (world.governance.clone(), mailer.clone());
            under_way.spawn(async move { mailer.deliver(&governance, one).await });
            ever += 1;
        }
        let ended = under_way.join_next().await.expect("something is under way");
        assert_eq!(
            ended.expect("nobody panics").expect("the store is there"),
            DeliveryResult::Delivered
        );
        delivered += 1;
    }
    assert_eq!(ever - delivered, 4, "the others of the same subscription wait for these");
    under_way.shutdown().await;
    let waiting = deliveries(&world, &format!("?subscription_id={hole}&status=pending")).await;
    assert_eq!(waiting.len(), 6);
}

/// Calls receivers that never answer, except those whose address ends so.
#[derive(Debug)]
struct Silent;

#[async_trait::async_trait]
impl WebhookTransport for Silent {
    async fn send(&self, parcel: SignedRequest) -> Result<u16, FailureReason> {
        if parcel.url.ends_with("/ok") { Ok(200) } else { std::future::pending().await }
    }
}

#[tokio::test]
async fn one_tenant_with_a_hundred_dead_receivers_holds_up_no_other() {
    let world = ready().await;
    for number in 0..100 {
        subscribed(&world, format!("http://127.0.0.1:9/{number}")).await;
    }
    for number in 0..4 {
        denied(&world, &format!("k{number}")).await;
    }
    let neighbour = world.neighbour().await;
    let draft = json!({"url": "http://127.0.0.1:9/ok", "severity_min": "low"});
    let made = neighbour.key.post("/v1/alerts/subscriptions", &draft).await.expect(201);
    // Its delivery is the youngest of all.
    world.clock.advance(1_000);
    let sample = format!("/v1/alerts/subscriptions/{}/test", text(&made["subscription"]["id"]));
    neighbour.key.post(sample, &json!({})).await.expect(201);

    let mailer = DeliveryWorker::new(Silent);
    let now = world.governance.clock().now();
    let claimed = mailer.claim(&world.governance, now).await.expect("the store is there");
    assert_eq!(claimed.len(), 33, "32 of the one tenant, and the only one of the other");
    let mut under_way = JoinSet::new();
    for one in claimed {
        let (governance, mailer) = (world.governance.clone(), mailer.clone());
        under_way.spawn(async move { mailer.deliver(&governance, one).await });
    }
    let ended = under_way.join_next().await.expect("something is under way");
    assert_eq!(
        ended.expect("no task panics").expect("the store is there"),
        DeliveryResult::Delivered
    );
    let waiting = neighbour.key.get("/v1/alerts/deliveries?status=pending").await.expect(200);
    assert_eq!(waiting["items"], json!([]));
    let again = mailer.claim(&world.governance, now).await.expect("the store is there");
    assert_eq!(again.len(), 0, "the one tenant has no further slot");
    under_way.shutdown().await;
    let again = mailer.claim(&world.governance, now).await.expect("the store is there");
    assert_eq!(again.len(), 32, "other deliveries of it get theirs in turn");
}

#[tokio::test]
async fn of_many_that_are_being_sent_only_those_of_a_deleted_subscription_are_broken_off() {
    let world = ready().await;
    let mut ids = Vec::new();
    for number in 0..5 {
        ids.push(subscribed(&world, format!("http://127.0.0.1:9/{number}")).await);
    }
    denied(&world, "k").await;
    let mailer = DeliveryWorker::new(Silent);
    let mut under_way = JoinSet::new();
    let now = world.governance.clock().now();
    for one in mailer.claim(&world.governance, now).await.expect("the store is there") {
        let (governance, mailer) = (world.governance.clone(), mailer.clone());
        under_way.spawn(async move { mailer.deliver(&governance, one).await });
    }
    for id in &ids[..2] {
        assert_eq!(world.key.delete(format!("/v1/alerts/subscriptions/{id}")).await.status, 204);
    }
    for _ in 0..2 {
        let ended = under_way.join_next().await.expect("something is under way");
        assert_eq!(
            ended.expect("no task panics").expect("the store is there"),
            DeliveryResult::Void
        );
    }
    assert_eq!(deliveries(&world, "?status=dead").await.len(), 2);
    assert_eq!(deliveries(&world, "?status=pending").await.len(), 3);
    assert_eq!(under_way.len(), 3);
    under_way.shutdown().await;
}

#[tokio::test]
async fn a_secret_that_does_not_open_ends_its_delivery_and_nothing_else() {
    let world = ready().await;
    let receiver = Receiver::start().await;
    let lost = subscribed(&world, receiver.url("ok/lost")).await;
    let kept = subscribed(&world, receiver.url("ok/kept")).await;
    let lose = format!("update webhook_subscriptions set secret_key = 9 where id = '{lost}'");
    world.sql(&lose).await;
    denied(&world, "k").await;
    let mailer = mailer(&world.governance);
    let mut sent = work(&world.governance, &mailer).await;
    sent.sort_by_key(|sent| format!("{sent:?}"));
    let dead = DeliveryResult::Dead(FailureReason::SecretUnavailable);
    assert_eq!(
        sent,
        [dead, DeliveryResult::Delivered, DeliveryResult::Delivered],
        "the alert about it is sent too"
    );
    assert!(receiver.calls().iter().all(|call| call.path == "/ok/kept"));
    let delivery = deliveries(&world, "?status=dead").await[0].clone();
    assert_eq!(delivery["failure_reason"], "secret_unavailable");
    // A secret that was moved from another row opens as little.
    let moved = format!(
        "update webhook_subscriptions set secret_key = 1, \
         secret = (select secret from webhook_subscriptions where id = '{kept}') where id = '{lost}'"
    );
    world.sql(&moved).await;
    let retry = format!("/v1/alerts/deliveries/{}/retry", text(&delivery["id"]));
    world.key.post(retry, &json!({})).await.expect(200);
    assert_eq!(work(&world.governance, &mailer).await, [dead]);
}

#[tokio::test]
async fn what_is_asked_for_anew_while_it_is_being_sent_waits_for_no_lease() {
    let world = ready().await;
    let receiver = Receiver::start().await;
    let id = subscribed(&world, receiver.url("500")).await;
    let mailer = mailer(&world.governance);
    let answers = async |does: &str| {
        let url = receiver.url(does);
        let change =
            format!("update webhook_subscriptions set webhook_url = '{url}' where id = '{id}'");
        world.sql(&change).await;
    };
    for (does, came_of_it) in
        [("slow", DeliveryResult::Delivered), ("slow-500", DeliveryResult::Void)]
    {
        answers("500").await;
        denied(&world, does).await;
        let failed = [DeliveryResult::Failed(FailureReason::HttpStatus)];
        assert_eq!(work(&world.governance, &mailer).await, failed);
        let delivery = deliveries(&world, "?status=failed").await[0].clone();
        answers(does).await;
        world.clock.advance(20_000);
        let now = world.governance.clock().now();
        let mut claimed = mailer.claim(&world.governance, now).await.expect("the store is there");
        let claimed = claimed.pop().expect("its second attempt is due");
        let calls = receiver.calls().len();
        let sending = {
            let (governance, mailer) = (world.governance.clone(), mailer.clone());
            tokio::spawn(async move { mailer.deliver(&governance, claimed).await })
        };
        receiver.called(calls + 1).await;
        let retry = format!("/v1/alerts/deliveries/{}/retry", text(&delivery["id"]));
        world.key.post(retry, &json!({})).await.expect(200);
        assert_eq!(work(&world.governance, &mailer).await, [], "it is not sent twice at a time");
        let sent = sending.await.expect("it goes on").expect("the store is there");
        assert_eq!(sent, came_of_it, "{does}");
        answers("ok").await;
        let rest =
            if sent == DeliveryResult::Void { vec![DeliveryResult::Delivered] } else { Vec::new() };
        assert_eq!(work(&world.governance, &mailer).await, rest, "{does}");
        let delivery = read(&world, &delivery).await;
        assert_eq!(delivery["status"], "delivered", "{does}");
        assert!(delivery.get("next_attempt_at").is_none(), "{delivery}");
    }
}

#[tokio::test]
async fn deleting_a_subscription_breaks_off_what_is_being_sent() {
    let world = ready().await;
    let receiver = Receiver::start().await;
    let id = subscribed(&world, receiver.url("hang")).await;
    denied(&world, "sent").await;
    let mailer = mailer(&world.governance);
    let governance = world.governance.clone();
    let sending = {
        let (governance, mailer) = (governance.clone(), mailer.clone());
        tokio::spawn(async move { work(&governance, &mailer).await })
    };
    receiver.called(1).await;
    denied(&world, "waiting").await;
    assert_eq!(world.key.delete(format!("/v1/alerts/subscriptions/{id}")).await.status, 204);
    assert_eq!(sending.await.expect("it goes on"), [DeliveryResult::Void]);
    let dead = deliveries(&world, "?status=dead").await;
    assert_eq!(dead.len(), 2);
    for delivery in &dead {
        assert_eq!(delivery["failure_reason"], "subscription_deleted");
    }
    let attempts = async |delivery| read(&world, delivery).await["attempts"].clone();
    let begun = attempts(&dead[1]).await;
    assert_eq!(begun.as_array().map(Vec::len), Some(1), "what was begun is told");
    assert_eq!(begun[0]["failure_reason"], "subscription_deleted", "it did not come to a time-out");
    assert_eq!(attempts(&dead[0]).await, json!([]));
    let retry = format!("/v1/alerts/deliveries/{}/retry", text(&dead[0]["id"]));
    assert_eq!(world.key.post(retry, &json!({})).await.to_string(), "409 CONFLICT");
    assert_eq!(world.sql("select count(*)::text from outbox").await, ["0"]);
    assert_eq!(world.key.get("/v1/alerts?alert_type=webhook_dead").await.expect(200)["total"], 0);
}
