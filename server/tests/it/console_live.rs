//! Live activity counts of console pages: tenant isolation, authentication and end of the stream.

use crate::{
    prelude::*,
    streams::{Listener, SHORT_HEARTBEAT, service_with_heartbeat},
};

fn path(service: &TestService, since: &str) -> String {
    format!("/console/live?tenant={}{since}", service.tenant)
}

async fn open(client: &Client, path: &str) -> Listener {
    Listener::open(client, path, None).await.expect("the stream is open")
}

/// Returns the next counts: new decisions, new alerts, open alerts, new deliveries.
///
/// Returns `None` at the end of the stream.
async fn read_counts(listener: &mut Listener) -> Option<String> {
    loop {
        let block = listener.block().await?;
        if let Some(data) = block.lines().find_map(|line| line.strip_prefix("data: ")) {
            assert!(block.contains("\nevent: news\n"), "{block}");
            return Some(data.to_owned());
        }
    }
}

async fn next_counts(listener: &mut Listener) -> String {
    read_counts(listener).await.expect("the stream is open")
}

async fn read_to_end(mut listener: Listener) {
    while read_counts(&mut listener).await.is_some() {}
}

#[tokio::test]
async fn the_stream_counts_new_items_since_the_page_was_rendered_and_open_alerts() {
    let service = service_with_heartbeat(SHORT_HEARTBEAT).await;
    service.active("PAY-01").await;
    service.record("before", 20_000).await;
    let viewer = service.signed_in_member(Role::Viewer).await;
    let browser = Browser::new(&service, &viewer);
    let page = browser.page("alerts").await.text;
    assert_eq!(attribute(&page, "data-live"), "alerts");
    let since = format!("&since={}", attribute(&page, "data-since"));
    let decisions = browser.page("decisions?verdict=DENY").await.text;
    assert_eq!(attribute(&decisions, "data-live"), "decisions");
    assert_eq!(format!("&since={}", attribute(&decisions, "data-since")), since);
    assert!(!browser.page("alerts?status=acknowledged").await.text.contains("data-live"));

    let mut listener = open(&viewer, &path(&service, &since)).await;
    assert_eq!(next_counts(&mut listener).await, "0 0 1 0");
    service.record("after", 20_000).await;
    assert_eq!(next_counts(&mut listener).await, "1 1 2 0");
    // Every stream with the same `since` position returns the same counts.
    for _ in 0..2 {
        let mut later = open(&viewer, &path(&service, &since)).await;
        assert_eq!(next_counts(&mut later).await, "1 1 2 0");
    }
    let mut fresh = open(&viewer, &path(&service, "")).await;
    assert_eq!(next_counts(&mut fresh).await, "0 0 2 0");
    // An allowed decision creates no alert.
    let mut allowed = request("allowed", 1);
    allowed["context"]["fields"]["purpose"] = "rent".into();
    service.key.post("/v1/decisions/record", &allowed).await.expect(201);
    assert_eq!(next_counts(&mut listener).await, "2 1 2 0");

    let alerts = service.key.get("/v1/alerts").await.expect(200);
    let first = format!("/v1/alerts/{}/acknowledge", text(&alerts["items"][0]["id"]));
    service.key.post(first, &json!({})).await.expect(200);
    assert_eq!(next_counts(&mut listener).await, "2 1 1 0");

    // Requests of another tenant send no event: the next event is from this tenant.
    service.other_tenant().await.key.get("/v1/alerts").await.expect(200);
    service.record("last", 20_000).await;
    assert_eq!(next_counts(&mut listener).await, "3 2 2 0");
}

#[tokio::test]
async fn an_alert_without_a_decision_is_counted() {
    let service = service_with_heartbeat(SHORT_HEARTBEAT).await;
    let viewer = service.signed_in_member(Role::Viewer).await;
    let mut listener = open(&viewer, &path(&service, "")).await;
    assert_eq!(next_counts(&mut listener).await, "0 0 0 0");
    // The delivery worker creates this alert without an audit event.
    let insert = "insert into alerts (tenant_id, id, alert_type, severity, message, data, created_at) \
                 select tenant_id, gen_random_uuid(), 'webhook_dead', 'high', 'Dead.', '{}', now() \
                 from tenants returning id::text";
    service.sql(insert).await;
    assert_eq!(next_counts(&mut listener).await, "0 1 1 0");
}

#[tokio::test]
async fn new_deliveries_are_counted_for_users_who_can_read_them() {
    let service = service_with_heartbeat(SHORT_HEARTBEAT).await;
    service.active("PAY-01").await;
    let webhook = json!({"url": "https://1.1.1.1/hook", "severity_min": "low"});
    service.key.post("/v1/alerts/subscriptions", &webhook).await.expect(201);
    service.record("before", 20_000).await;
    let operator = service.signed_in_member(Role::Operator).await;
    let page = Browser::new(&service, &operator).page("webhooks/deliveries").await.text;
    assert_eq!(attribute(&page, "data-live"), "deliveries");
    assert_eq!(
        attribute(&page, "data-refresh"),
        "3000",
        "a pending delivery is read again: {page}"
    );
    let path = path(&service, &format!("&since={}", attribute(&page, "data-since")));

    let mut listener = open(&operator, &path).await;
    assert_eq!(next_counts(&mut listener).await, "0 0 1 0");
    service.record("after", 20_000).await;
    assert_eq!(next_counts(&mut listener).await, "1 1 2 1");
    let viewer = service.signed_in_member(Role::Viewer).await;
    let mut listener = open(&viewer, &path).await;
    assert_eq!(next_counts(&mut listener).await, "1 1 2 0");
}

#[testkit::test]
async fn only_signed_in_members_can_open_the_stream(service: TestService) {
    let viewer = service.signed_in_member(Role::Viewer).await;
    let other_admin = service.other_tenant().await.admin;
    let live_path = |query: &str| format!("/console/live?{query}");
    let own_path = path(&service, "");
    for (client, path, expected) in [
        (&Client::new(service.address), own_path.clone(), "401 UNAUTHORIZED"),
        (&service.key, own_path.clone(), "401 UNAUTHORIZED"),
        (&other_admin, own_path.clone(), "403 FORBIDDEN"),
        (&viewer, live_path("tenant=x"), "422 VALIDATION_ERROR"),
        (&viewer, live_path(""), "422 VALIDATION_ERROR"),
        (&viewer, format!("{own_path}&since=yesterday"), "422 VALIDATION_ERROR"),
        (&viewer, format!("{own_path}&more=1"), "422 VALIDATION_ERROR"),
    ] {
        let refusal = Listener::open(client, &path, None).await.err().expect("a refusal");
        assert_eq!(refusal.to_string(), expected, "{path}");
    }
    // Positions that the service did not issue are accepted and return valid counts.
    for since in
        ["0.0.0", "-1.-1.-1", "9223372036854775807.9223372036854775807.9223372036854775807"]
    {
        let path = format!("{own_path}&since={since}");
        let mut listener = open(&viewer, &path).await;
        assert_eq!(next_counts(&mut listener).await, "0 0 0 0", "{since}");
    }
}

#[tokio::test]
async fn the_stream_ends_with_the_session_the_membership_and_the_process() {
    let mut service = service_with_heartbeat(SHORT_HEARTBEAT).await;
    let open = async |service: &TestService, client: &Client| {
        let mut listener = open(client, &path(service, "")).await;
        next_counts(&mut listener).await;
        listener
    };
    let signed_out = service.signed_in_member(Role::Viewer).await;
    let listener = open(&service, &signed_out).await;
    signed_out.without_session().delete("/v1/session").await;
    read_to_end(listener).await;

    let removed_member = service.signed_in_member(Role::Viewer).await;
    let listener = open(&service, &removed_member).await;
    let id = user_id(&removed_member).await;
    let response = service.admin().await.delete(format!("/v1/admin/members/{}", text(&id))).await;
    assert!(response.status < 300, "{response}");
    read_to_end(listener).await;

    // A stream does not count as activity: the session expires while the stream is open.
    let idle = service.signed_in_member(Role::Viewer).await;
    let listener = open(&service, &idle).await;
    for _ in 0..31 {
        service.clock.advance(MINUTE_MS);
        let _ = Listener::open(&idle, &path(&service, ""), None).await;
    }
    read_to_end(listener).await;
    assert_eq!(idle.get("/v1/policies").await.status, 401);

    let last = service.signed_in_member(Role::Viewer).await;
    let listener = open(&service, &last).await;
    service.stop().await.expect("the process stops without waiting for streams");
    read_to_end(listener).await;
}

#[testkit::test]
async fn the_stream_counts_towards_the_limit_of_twenty_streams_per_user(service: TestService) {
    let viewer = service.signed_in_member(Role::Viewer).await;
    let mut listeners = Vec::new();
    for number in 0..20 {
        let own = path(&service, "");
        let path = if number % 2 == 0 { &own } else { "/v1/decisions/stream" };
        listeners.push(open(&viewer, path).await);
    }
    let refusal =
        Listener::open(&viewer, &path(&service, ""), None).await.err().expect("a refusal");
    assert_eq!(refusal.to_string(), "429 TOO_MANY_REQUESTS");
    let other = service.signed_in_member(Role::Viewer).await;
    Listener::open(&other, &path(&service, ""), None).await.expect("the limit applies per user");
    // A page whose stream fails can request the counts once.
    let once = path(&service, "&since=0.0.0&once=true");
    let response = viewer.get(&once).await;
    assert_eq!((response.status, response.text.as_str()), (200, "0 0 0 0"));
    assert_eq!(Client::new(service.address).get(&once).await.status, 401);
}
