//! What is new, as a page of the console hears it: for one tenant, one person, and no longer than the person
//! may look.

use contract::scope::Role;
use serde_json::json;

use crate::{
    client::{Client, text},
    console_pages::{Browser, attribute},
    service::{MINUTE_MS, TestService, request, world},
    streams::{Listener, SHORT, beating},
};

fn path(world: &TestService, since: &str) -> String {
    format!("/console/live?tenant={}{since}", world.tenant)
}

/// The next counts: new decisions, new alerts, open alerts; nothing once the stream has ended.
async fn counts(listener: &mut Listener) -> Option<String> {
    loop {
        let block = listener.block().await?;
        if let Some(data) = block.lines().find_map(|line| line.strip_prefix("data: ")) {
            assert!(block.contains("\nevent: news\n"), "{block}");
            return Some(data.to_owned());
        }
    }
}

async fn heard(listener: &mut Listener) -> String {
    counts(listener).await.expect("nobody has ended it")
}

async fn until_the_end(mut listener: Listener) {
    while counts(&mut listener).await.is_some() {}
}

async fn record(world: &TestService, key: &str, amount: u32) {
    world.key.post("/v1/decisions/record", &request(key, amount)).await.expect(201);
}

#[tokio::test]
async fn a_page_hears_what_came_after_it_and_how_many_alerts_are_open() {
    let world = beating(SHORT).await;
    world.active("PAY-01").await;
    record(&world, "before", 20_000).await;
    let viewer = world.person(Role::Viewer).await;
    let browser = Browser::of(&world, &viewer);
    let page = browser.page("alerts").await.text;
    assert_eq!(attribute(&page, "data-live"), "alerts");
    let since = format!("&since={}", attribute(&page, "data-since"));
    let log = browser.page("decisions?verdict=DENY").await.text;
    assert_eq!(attribute(&log, "data-live"), "decisions");
    assert_eq!(format!("&since={}", attribute(&log, "data-since")), since);
    assert!(!browser.page("alerts?status=acknowledged").await.text.contains("data-live"));

    let mut listener = Listener::open(&viewer, &path(&world, &since), None).await.expect("open");
    assert_eq!(heard(&mut listener).await, "0 0 1");
    record(&world, "after", 20_000).await;
    assert_eq!(heard(&mut listener).await, "1 1 2");
    // A page that is opened later hears of what came since its own mark, however often it asks.
    for _ in 0..2 {
        let mut late = Listener::open(&viewer, &path(&world, &since), None).await.expect("open");
        assert_eq!(heard(&mut late).await, "1 1 2");
    }
    let mut fresh = Listener::open(&viewer, &path(&world, ""), None).await.expect("open");
    assert_eq!(heard(&mut fresh).await, "0 0 2");
    // Allowed: a decision, and no alert.
    let mut allowed = request("allowed", 1);
    allowed["context"]["fields"]["purpose"] = "rent".into();
    world.key.post("/v1/decisions/record", &allowed).await.expect(201);
    assert_eq!(heard(&mut listener).await, "2 1 2");

    let alerts = world.key.get("/v1/alerts").await.expect(200);
    let first = format!("/v1/alerts/{}/acknowledge", text(&alerts["items"][0]["id"]));
    world.key.post(first, &json!({})).await.expect(200);
    assert_eq!(heard(&mut listener).await, "2 1 1");

    // What others do elsewhere is no news here: the next that is heard is of this tenant.
    world.neighbour().await.key.get("/v1/alerts").await.expect(200);
    record(&world, "last", 20_000).await;
    assert_eq!(heard(&mut listener).await, "3 2 2");
}

#[tokio::test]
async fn an_alert_that_no_decision_is_behind_is_heard_of_too() {
    let world = beating(SHORT).await;
    let viewer = world.person(Role::Viewer).await;
    let mut listener = Listener::open(&viewer, &path(&world, ""), None).await.expect("open");
    assert_eq!(heard(&mut listener).await, "0 0 0");
    // As the worker raises it, without an event in the audit log.
    let raise = "insert into alerts (tenant_id, id, alert_type, severity, message, data, created_at) \
                 select tenant_id, gen_random_uuid(), 'webhook_dead', 'high', 'Dead.', '{}', now() \
                 from tenants returning id::text";
    world.sql(raise).await;
    assert_eq!(heard(&mut listener).await, "0 1 1");
}

#[tokio::test]
async fn only_a_member_who_is_signed_in_hears_anything() {
    let world = world().await;
    let viewer = world.person(Role::Viewer).await;
    let stranger = world.neighbour().await.admin;
    let of = |query: &str| format!("/console/live?{query}");
    let own = path(&world, "");
    for (client, path, expected) in [
        (&Client::new(world.address), own.clone(), "401 UNAUTHORIZED"),
        (&world.key, own.clone(), "401 UNAUTHORIZED"),
        (&stranger, own.clone(), "403 FORBIDDEN"),
        (&viewer, of("tenant=x"), "422 VALIDATION_ERROR"),
        (&viewer, of(""), "422 VALIDATION_ERROR"),
        (&viewer, format!("{own}&since=yesterday"), "422 VALIDATION_ERROR"),
        (&viewer, format!("{own}&more=1"), "422 VALIDATION_ERROR"),
    ] {
        let refused = Listener::open(client, &path, None).await.err().expect("a refusal");
        assert_eq!(refused.to_string(), expected, "{path}");
    }
    // Numbers that nobody gave out name no place, and harm nothing.
    for since in ["0.0", "-1.-1", "9223372036854775807.9223372036854775807"] {
        let path = format!("{own}&since={since}");
        let mut listener = Listener::open(&viewer, &path, None).await.expect("it is open");
        assert_eq!(heard(&mut listener).await, "0 0 0", "{since}");
    }
}

#[tokio::test]
async fn it_ends_with_the_session_the_membership_and_the_process() {
    let mut world = beating(SHORT).await;
    let open = async |world: &TestService, client: &Client| {
        let opened = Listener::open(client, &path(world, ""), None).await;
        let mut listener = opened.expect("it is open");
        heard(&mut listener).await;
        listener
    };
    let out = world.person(Role::Viewer).await;
    let listener = open(&world, &out).await;
    out.apart().delete("/v1/session").await;
    until_the_end(listener).await;

    let gone = world.person(Role::Viewer).await;
    let listener = open(&world, &gone).await;
    let id = gone.get("/v1/session").await.expect(200)["user"]["id"].clone();
    let removed = world.admin().await.delete(format!("/v1/admin/members/{}", text(&id))).await;
    assert!(removed.status < 300, "{removed}");
    until_the_end(listener).await;

    // To listen is no use of a session: it grows idle under an open stream.
    let idle = world.person(Role::Viewer).await;
    let listener = open(&world, &idle).await;
    for _ in 0..31 {
        world.clock.advance(MINUTE_MS);
        let _ = Listener::open(&idle, &path(&world, ""), None).await;
    }
    until_the_end(listener).await;
    assert_eq!(idle.get("/v1/policies").await.status, 401);

    let last = world.person(Role::Viewer).await;
    let listener = open(&world, &last).await;
    world.stop().await.expect("it stops without waiting for listeners");
    until_the_end(listener).await;
}

#[tokio::test]
async fn it_takes_one_of_the_twenty_streams_of_a_person() {
    let world = world().await;
    let viewer = world.person(Role::Viewer).await;
    let mut open = Vec::new();
    for number in 0..20 {
        let own = path(&world, "");
        let path = if number % 2 == 0 { &own } else { "/v1/decisions/stream" };
        open.push(Listener::open(&viewer, path, None).await.expect("it is open"));
    }
    let refused = Listener::open(&viewer, &path(&world, ""), None).await.err().expect("a refusal");
    assert_eq!(refused.to_string(), "429 TOO_MANY_REQUESTS");
    let other = world.person(Role::Viewer).await;
    Listener::open(&other, &path(&world, ""), None).await.expect("others have their own");
}
