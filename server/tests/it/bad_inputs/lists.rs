//! Queries: page sizes, cursors, filters, and parameters that nobody knows.

use insta::assert_snapshot;
use serde_json::{Value, json};
use server::router;

use crate::{
    capabilities::EVERY,
    client::text,
    routes::{self, Ids},
    service::{TestService, request, world},
};

async fn faults(world: &TestService, path: &str) -> String {
    let refused = world.key.get(path).await;
    assert_eq!(refused.to_string(), "422 VALIDATION_ERROR", "{path}");
    refused.faults()
}

#[tokio::test]
async fn a_page_has_one_to_two_hundred_items() {
    let world = world().await;
    for list in
        ["/v1/policies", "/v1/policy-groups", "/v1/decisions", "/v1/api-keys", "/v1/admin/members"]
    {
        for limit in ["0", "201"] {
            assert_eq!(faults(&world, &format!("{list}?limit={limit}")).await, "/limit range\n");
        }
        for limit in ["", "5.0", "-1", "1e2", "ten", "%00", "4294967296", "5,5", "0x5"] {
            let path = format!("{list}?limit={limit}");
            let faults = faults(&world, &path).await;
            assert!(faults.starts_with("/limit "), "{path}: {faults}");
        }
        for limit in ["1", "200"] {
            assert_eq!(world.key.get(format!("{list}?limit={limit}")).await.status, 200);
        }
    }
}

#[tokio::test]
async fn a_parameter_is_known_and_given_once() {
    let world = world().await;
    assert_snapshot!(faults(&world, "/v1/policies?limit=5&limit=5").await, @"/limit repeated");
    assert_snapshot!(faults(&world, "/v1/policies?q=a&q=b&page=2&x").await, @"
    /q repeated
    /page unknown
    /x unknown
    ");
    let refused = world.key.get("/v1/decisions?limt=5").await;
    let error = &refused.details()["errors"][0];
    assert_snapshot!(text(&error["message"]), @"`limt` is not a parameter here; did you mean `limit`?");
}

#[tokio::test]
async fn no_route_ignores_a_parameter_that_it_does_not_know() {
    let (world, ids) = (world().await, Ids::missing());
    let operator = world.operator().await;
    let carrier = world.grant(&world.draft("PAY-01").await, &EVERY).await.key;
    for route in router::routes() {
        // With a filter that cannot be, the other walks keep a stream from being opened.
        let path = routes::path(&route, &ids).replace("?decision=NONE", "");
        let path = format!("{path}{}nonsense=1", if path.contains('?') { '&' } else { '?' });
        let admin = world.admin().await;
        // Human acts are a person's, some reads a carrier's, tenants the operator's, the rest a key's.
        let mut refused = None;
        for client in [&world.key, &admin, &carrier, &operator] {
            let mut call = client.call(&route.method, &path);
            if let Some(body) = routes::body(&route) {
                call = call.json(&body);
            }
            let answer = call.await;
            if answer.status != 403 {
                refused = Some(answer);
                break;
            }
        }
        let refused = refused.expect("a key or a person may call");
        assert_eq!(refused.status, 422, "{} {path}: {}", route.method, refused.text);
        assert_eq!(refused.faults(), "/nonsense unknown\n", "{} {path}", route.method);
    }
}

#[tokio::test]
async fn a_filter_that_cannot_be_is_refused() {
    let world = world().await;
    let long = "x".repeat(256);
    for (path, expected) in [
        ("/v1/policies?is_active=maybe", "/is_active format\n"),
        ("/v1/policies?is_active=True", "/is_active format\n"),
        ("/v1/policies?policy_group_id=x", "/policy_group_id format\n"),
        ("/v1/policies?q=", "/q length\n"),
        ("/v1/policies?q=%00", "/q nul\n"),
        ("/v1/decisions?decision=deny", "/decision format\n"),
        ("/v1/decisions?policy_id=x", "/policy_id format\n"),
        ("/v1/decisions?recorded_from=yesterday", "/recorded_from format\n"),
        ("/v1/decisions?recorded_to=2026-09-01", "/recorded_to format\n"),
        // An unescaped plus is a space.
        ("/v1/decisions?recorded_to=2026-09-01T10:00:00+02:00", "/recorded_to format\n"),
        (
            "/v1/decisions?recorded_from=2026-09-02T00:00:00Z&recorded_to=2026-09-01T00:00:00Z",
            "/recorded_from range\n",
        ),
        (&format!("/v1/decisions?idempotency_key={long}"), "/idempotency_key length\n"),
        (&format!("/v1/decisions?rule_code={long}"), "/rule_code length\n"),
    ] {
        assert_eq!(faults(&world, path).await, expected, "{path}");
    }
    // What is no UTF-8 finds nothing.
    let page = world.key.get("/v1/policies?q=%ff").await.expect(200);
    assert_eq!(page["items"], json!([]));
}

#[tokio::test]
async fn a_cursor_is_good_for_its_list_alone() {
    let world = world().await;
    world.active("PAY-01").await;
    world.active("PAY-02").await;
    for number in 0..2 {
        let body = request(&format!("k-{number}"), 1);
        world.key.post("/v1/decisions/record", &body).await.expect(201);
    }
    let cursor = async |path: &str| {
        let page = world.key.get(path).await.expect(200);
        text(&page["next_cursor"]).to_owned()
    };
    let decisions = cursor("/v1/decisions?limit=1").await;
    let policies = cursor("/v1/policies?limit=1").await;
    let filtered = cursor("/v1/decisions?limit=1&decision_type=payment").await;
    let next = async |path: &str, cursor: &str| {
        world
            .key
            .get(format!("{path}{}cursor={cursor}", if path.contains('?') { '&' } else { '?' }))
            .await
    };
    assert_eq!(next("/v1/decisions", &decisions).await.status, 200);
    assert_eq!(next("/v1/decisions?limit=7", &decisions).await.status, 200);

    let mut forged = decisions.clone().into_bytes();
    forged[8] = if forged[8] == b'A' { b'B' } else { b'A' };
    let forged = String::from_utf8(forged).unwrap();
    let cut = &decisions[..decisions.len() - 4];
    let padded = format!("{decisions}%3D%3D");
    for (path, cursor) in [
        ("/v1/decisions", &*forged),
        ("/v1/decisions", cut),
        ("/v1/decisions", &padded),
        ("/v1/decisions", "AAAA"),
        ("/v1/decisions", "1"),
        ("/v1/decisions", "%F0%9F%98%80"),
        ("/v1/decisions", &policies),
        ("/v1/decisions", &filtered),
        ("/v1/decisions?decision_type=loan", &filtered),
        ("/v1/decisions?correlation_id=payment", &filtered),
        ("/v1/policies", &decisions),
    ] {
        let refused = next(path, cursor).await;
        assert_eq!(refused.status, 422, "{path} {cursor}");
        assert_eq!(refused.faults(), "/cursor cursor\n", "{path} {cursor}");
    }
    assert_eq!(next("/v1/decisions", "").await.faults(), "/cursor length\n");
    let neighbour = world.neighbour().await;
    let path = format!("/v1/decisions?cursor={decisions}");
    let theirs = neighbour.key.get(path).await;
    assert_eq!(theirs.faults(), "/cursor cursor\n");
    // A person of the same tenant may go on where a key stopped: the list is the same.
    let path = format!("/v1/decisions?cursor={decisions}");
    let page = world.author().await.get(path).await.expect(200);
    assert_eq!(page["next_cursor"], Value::Null);
}
