//! Webhooks: alerts that reach whoever subscribed, whatever receivers do and whichever process dies.

mod examples;
mod faults;
pub(crate) mod receiver;

use std::{collections::BTreeSet, time::Duration};

use governance::{
    Governance,
    notify::{
        outbound_policy::{AddressPolicy, OutboundPolicy},
        webhook::{DeliveryResult, DeliveryWorker},
    },
};
use serde_json::{Value, json};
use server::{
    outbound::{CALL_TIMEOUT, SystemNames},
    webhook,
};
use tokio::task::JoinSet;

use self::receiver::Receiver;
use crate::{
    client::text,
    service::{NOW, TestService, request, world},
};

/// A world with a policy in force, whose webhooks may call this machine.
pub(crate) async fn ready() -> TestService {
    let world = world().await;
    let world = may_call(world);
    world.active("PAY-01").await;
    world
}

/// The same world, whose webhooks may call this machine.
fn may_call(world: TestService) -> TestService {
    world.governance.set_outbound_policy(this_machine());
    world
}

fn this_machine() -> OutboundPolicy {
    let listed = "127.0.0.0/8".parse().expect("a list");
    OutboundPolicy::new(AddressPolicy::Public { listed, has_http: true }, SystemNames)
}

pub(crate) fn mailer(governance: &Governance) -> DeliveryWorker {
    webhook::delivery_worker(governance, CALL_TIMEOUT).expect("a client")
}

/// Subscribes an address to every alert; gives the id.
pub(crate) async fn subscribed(world: &TestService, url: String) -> String {
    let draft = json!({"url": url, "severity_min": "low"});
    let made = world.key.post("/v1/alerts/subscriptions", &draft).await.expect(201);
    text(&made["subscription"]["id"]).to_owned()
}

/// Records a denied payment.
pub(crate) async fn denied(world: &TestService, key: &str) -> Value {
    world.key.post("/v1/decisions/record", &request(key, 20_000)).await.expect(201)["decision"]
        .clone()
}

/// Does all that is due, as one process; what came of each.
pub(crate) async fn work(governance: &Governance, mailer: &DeliveryWorker) -> Vec<DeliveryResult> {
    let mut sent = Vec::new();
    loop {
        let claimed =
            mailer.claim(governance, governance.clock().now()).await.expect("the store is there");
        if claimed.is_empty() {
            return sent;
        }
        let mut under_way = JoinSet::new();
        for one in claimed {
            let (governance, mailer) = (governance.clone(), mailer.clone());
            under_way.spawn(async move { mailer.deliver(&governance, one).await });
        }
        let ended = under_way.join_all().await;
        sent.extend(ended.into_iter().map(|sent| sent.expect("the store is there")));
    }
}

/// The deliveries under a filter, newest first.
pub(crate) async fn deliveries(world: &TestService, query: &str) -> Vec<Value> {
    let page = world.key.get(format!("/v1/alerts/deliveries{query}")).await.expect(200);
    page["items"].as_array().expect("a list").clone()
}

/// A delivery with its attempts.
async fn read(world: &TestService, delivery: &Value) -> Value {
    world.key.get(path(delivery)).await.expect(200)
}

fn path(delivery: &Value) -> String {
    format!("/v1/alerts/deliveries/{}", text(&delivery["id"]))
}

#[tokio::test]
async fn an_alert_reaches_those_who_asked_for_it_and_nobody_else() {
    let world = ready().await;
    let receiver = Receiver::start().await;
    let all = subscribed(&world, receiver.url("ok/all")).await;
    for (path, types, severity) in [
        ("ok/payments", json!(["loan", "payment"]), "high"),
        ("ok/loans", json!(["loan"]), "low"),
        ("ok/critical", json!([]), "critical"),
    ] {
        let draft =
            json!({"url": receiver.url(path), "decision_types": types, "severity_min": severity});
        world.key.post("/v1/alerts/subscriptions", &draft).await.expect(201);
    }
    let neighbour = world.neighbour().await;
    let draft = json!({"url": receiver.url("ok/neighbour"), "severity_min": "low"});
    neighbour.key.post("/v1/alerts/subscriptions", &draft).await.expect(201);
    let decision = denied(&world, "k").await;
    let alert = world.key.get("/v1/alerts").await.expect(200)["items"][0].clone();
    assert_eq!(deliveries(&world, "?status=pending").await.len(), 2);
    assert_eq!(receiver.calls().len(), 0, "nothing is sent before it is committed");

    let mailer = mailer(&world.governance);
    assert_eq!(work(&world.governance, &mailer).await, [DeliveryResult::Delivered; 2]);
    let calls = receiver.calls();
    let paths: BTreeSet<&str> = calls.iter().map(|call| &*call.path).collect();
    assert_eq!(paths, BTreeSet::from(["/ok/all", "/ok/payments"]));
    let call = calls.iter().find(|call| call.path == "/ok/all").expect("it was called");
    let sent = deliveries(&world, &format!("?status=delivered&subscription_id={all}")).await;
    let delivery = read(&world, &sent[0]).await;
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
        ("x-service-tenant-id", &world.tenant.to_string()),
        ("x-service-timestamp", &world.clock.now().millis().to_string()),
        ("x-service-attempt", "1"),
        ("content-type", "application/json"),
    ];
    for (name, value) in headers {
        assert_eq!(call.header(name), value, "{name}");
    }
    let signature = call.header("x-service-signature").strip_prefix("sha256=").expect("its kind");
    assert!(signature.len() == 64 && signature.bytes().all(|b| b"0123456789abcdef".contains(&b)));
    let attempt = json!({"attempt": 1, "at": NOW, "duration_ms": 0, "status_code": 204});
    let expected = json!({
        "id": delivery["id"], "subscription_id": all, "alert_id": alert["id"],
        "event": "alert.created", "status": "delivered", "attempt_count": 1, "max_attempts": 6,
        "last_attempt_at": NOW, "last_status_code": 204, "delivered_at": NOW, "created_at": NOW,
        "attempts": [attempt],
    });
    assert_eq!(delivery, expected);
    let again = world.key.post(format!("{}/retry", path(&delivery)), &json!({})).await;
    assert_eq!(again.to_string(), "400 ALREADY_DELIVERED");
    assert_eq!(work(&world.governance, &mailer).await, []);
}

#[tokio::test]
async fn a_subscription_shows_its_secret_once_and_belongs_to_its_tenant() {
    let world = ready().await;
    let receiver = Receiver::start().await;
    let draft = json!({"url": receiver.url("ok"), "severity_min": "medium"});
    let made = world.key.post("/v1/alerts/subscriptions", &draft).await;
    let location = made.header("location").expect("where it is").to_owned();
    let made = made.expect(201);
    let secret = text(&made["secret"]);
    assert!(secret.starts_with("whsec_") && secret.len() > 40, "{secret}");
    let expected = json!({
        "id": made["subscription"]["id"], "tenant_id": world.tenant, "webhook_url": receiver.url("ok"),
        "decision_types": [], "severity_min": "medium", "is_active": true, "has_secret": true,
        "created_at": NOW,
    });
    assert_eq!(made["subscription"], expected);
    assert_eq!(world.key.get(&location).await.expect(200), expected);
    let listed = world.key.get("/v1/alerts/subscriptions").await;
    assert_eq!(listed.expect(200), json!({"items": [expected], "next_cursor": null}));
    assert!(!listed.text.contains(secret));
    let stored = world.sql("select encode(secret, 'escape') from webhook_subscriptions").await;
    assert!(!stored.concat().contains(secret));

    // A sample, and what another tenant may do with any of it: nothing.
    let sample = world.key.post(format!("{location}/test"), &json!({})).await;
    let sample = (sample.header("location").expect("where it is").to_owned(), sample.expect(201));
    assert_eq!((&sample.1["status"], &sample.0), (&json!("pending"), &path(&sample.1)));
    let neighbour = world.neighbour().await.key;
    let retry = format!("{}/retry", sample.0);
    for answer in [
        neighbour.get(&location).await,
        neighbour.delete(&location).await,
        neighbour.post(format!("{location}/test"), &json!({})).await,
        neighbour.get(&sample.0).await,
        neighbour.post(&retry, &json!({})).await,
        neighbour
            .post("/v1/alerts/deliveries/redrive", &json!({"subscription_id": expected["id"]}))
            .await,
    ] {
        assert_eq!(answer.to_string(), "404 NOT_FOUND");
    }
    let refused = world.key.post(&retry, &json!({})).await;
    assert_eq!(refused.to_string(), "400 STILL_PENDING");
    assert_eq!(
        work(&world.governance, &mailer(&world.governance)).await,
        [DeliveryResult::Delivered]
    );
    assert!(receiver.calls()[0].body.contains("\"alert_type\":\"test\""));

    let gone = world.key.delete(&location).await;
    assert_eq!(gone.status, 204);
    assert_eq!(world.key.delete(&location).await.to_string(), "404 NOT_FOUND");
    denied(&world, "k").await;
    assert_eq!(deliveries(&world, "").await.len(), 1, "nothing is queued any more");
    for (draft, faults) in [
        (json!({"url": "http://10.0.0.1/", "severity_min": "low"}), "/url blocked_address\n"),
        (json!({"url": "https://u:p@example.com/", "severity_min": "low"}), "/url format\n"),
        (
            json!({"url": format!("https://e.com/{}", "x".repeat(2_048)), "severity_min": "low"}),
            "/url too_long\n",
        ),
        (json!({"url": "https://example.com/"}), "/severity_min required\n"),
        (
            json!({"url": "https://example.com/", "severity_min": "bad", "secret": "x"}),
            "/severity_min enum\n/secret unknown\n",
        ),
    ] {
        let refused = world.key.post("/v1/alerts/subscriptions", &draft).await;
        assert_eq!((refused.status, &*refused.faults()), (422, faults), "{draft}");
    }
}

#[tokio::test]
async fn what_fails_is_tried_again_until_it_is_given_up_and_people_hear_of_it() {
    let world = ready().await;
    let receiver = Receiver::start().await;
    let watcher = Receiver::start().await;
    let failing = subscribed(&world, receiver.url("500")).await;
    subscribed(&world, watcher.url("ok")).await;
    let mailer = mailer(&world.governance);
    denied(&world, "k").await;
    let mut waits = Vec::new();
    for attempt in 1..=6 {
        work(&world.governance, &mailer).await;
        receiver.called(attempt).await;
        let delivery = deliveries(&world, &format!("?subscription_id={failing}")).await[0].clone();
        assert_eq!(delivery["attempt_count"], attempt);
        assert_eq!(delivery["failure_reason"], "http_status");
        assert_eq!(delivery["last_status_code"], 500);
        let status = if attempt < 6 { "failed" } else { "dead" };
        assert_eq!(delivery["status"], status);
        let Some(next) = delivery["next_attempt_at"].as_str() else { break };
        let next: contract::time::Timestamp = next.parse().expect("an instant");
        let wait = next.millis() - world.clock.now().millis();
        waits.push(wait);
        world.clock.advance(wait - 1);
        assert_eq!(work(&world.governance, &mailer).await, [], "not before its time");
        world.clock.advance(1);
    }
    for (wait, about) in waits.iter().zip([1_000, 2_000, 4_000, 8_000, 16_000]) {
        assert!((about * 8 / 10..=about * 12 / 10).contains(wait), "{waits:?}");
    }
    let calls = receiver.calls();
    let attempts: Vec<&str> = calls.iter().map(|call| call.header("x-service-attempt")).collect();
    assert_eq!(attempts, ["1", "2", "3", "4", "5", "6"]);
    let alike: BTreeSet<_> =
        calls.iter().map(|call| (call.header("x-service-delivery-id"), &*call.body)).collect();
    assert_eq!(alike.len(), 1, "id and body stay");
    let fresh: BTreeSet<_> = calls.iter().map(|call| call.header("x-service-signature")).collect();
    assert_eq!(fresh.len(), 6, "the signature is new each time");

    // People hear of it: once, and not by the webhook that is dead.
    denied(&world, "k2").await;
    while deliveries(&world, "?status=dead").await.len() < 2 {
        work(&world.governance, &mailer).await;
        world.clock.advance(20_000);
    }
    work(&world.governance, &mailer).await;
    let told = world.key.get("/v1/alerts?alert_type=webhook_dead").await.expect(200);
    assert_eq!((&told["total"], &told["items"][0]["severity"]), (&json!(1), &json!("high")));
    assert_eq!(told["items"][0]["data"]["subscription_id"], failing);
    assert_eq!(told["items"][0]["data"]["failure_reason"], "http_status");
    let heard = watcher.calls().iter().filter(|call| call.body.contains("webhook_dead")).count();
    assert_eq!(heard, 1);
    assert_eq!(receiver.calls().len(), 12);

    // By force: one, then all that are dead.
    let dead = deliveries(&world, "?status=dead").await;
    let forced = world.key.post(format!("{}/retry", path(&dead[0])), &json!({})).await.expect(200);
    assert_eq!((&forced["status"], &forced["attempt_count"]), (&json!("pending"), &json!(0)));
    assert_eq!(forced["attempts"].as_array().map(Vec::len), Some(6), "what was tried is kept");
    work(&world.governance, &mailer).await;
    let failed = read(&world, &dead[0]).await;
    assert_eq!(
        (&failed["status"], &failed["attempts"][6]["attempt"]),
        (&json!("failed"), &json!(1))
    );
    let redrive = "/v1/alerts/deliveries/redrive";
    let later = json!({"since": "2100-01-01T00:00:00Z"});
    assert_eq!(world.key.post(redrive, &later).await.expect(200), json!({"redriven": 0}));
    let only = json!({"subscription_id": failing});
    assert_eq!(world.key.post(redrive, &only).await.expect(200), json!({"redriven": 1}));
    let stats = world.key.get("/v1/alerts/deliveries/stats").await.expect(200);
    assert_eq!(stats["by_status"], json!({"pending": 1, "delivered": 3, "failed": 1, "dead": 0}));
    let own = stats["by_subscription"].as_array().expect("a list").iter();
    let own: Vec<_> = own.filter(|own| own["subscription_id"] == failing).collect();
    assert_eq!((&own[0]["pending"], &own[0]["delivered"]), (&json!(1), &json!(0)));
    assert!(stats["oldest_due_at"].is_string());
    // A page, and the next one; a cursor of another filter is refused.
    let first = world.key.get("/v1/alerts/deliveries?limit=4").await.expect(200);
    let cursor = text(&first["next_cursor"]);
    let rest = deliveries(&world, &format!("?limit=4&cursor={cursor}")).await;
    assert_eq!(rest.len(), 1);
    let foreign = world.key.get(format!("/v1/alerts/deliveries?status=dead&cursor={cursor}")).await;
    assert_eq!(foreign.to_string(), "422 VALIDATION_ERROR");
}

/// How long receivers that say nothing are waited for here.
const SHORT: Duration = Duration::from_secs(1);
