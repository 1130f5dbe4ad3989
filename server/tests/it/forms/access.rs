//! What opens a form, and what does not: on schema, contract and submission alike.

use contract::scope::Role;
use serde_json::{Value, json};

use super::{answers, path, published};
use crate::{
    client::{Client, text},
    service::{MINUTE_MS, TestService, world},
};

/// What a caller is told at the three doors of a form, who brings `key` as `name`.
async fn doors(client: &Client, form: &Value, name: &str, key: Option<&str>) -> [String; 3] {
    let mut body = answers(1, "first");
    let mut reader = client.clone();
    let mut query = String::new();
    if let Some(key) = key {
        body[name] = key.into();
        match name {
            "password" => reader = client.with("x-form-password", key),
            _ => query = format!("?{name}={key}"),
        }
    }
    [
        reader.get(path(form, &format!("/schema{query}"))).await.to_string(),
        reader.get(path(form, &format!("/api-contract{query}"))).await.to_string(),
        client.post(path(form, "/submit"), &body).await.to_string(),
    ]
}

/// The same answer at each door.
fn all(answer: &str) -> [String; 3] {
    [(); 3].map(|()| answer.to_owned())
}

async fn token(world: &TestService, form: &Value, draft: Value) -> String {
    let made = world.key.post(path(form, "/tokens"), &draft).await.expect(201);
    let url = format!("/f/{}?access_token={}", text(&form["id"]), text(&made["token"]));
    assert_eq!(made["url"], url);
    for (name, value) in draft.as_object().expect("an object") {
        assert_eq!(&made[name], value);
    }
    text(&made["token"]).to_owned()
}

#[tokio::test]
async fn a_token_opens_its_form_until_it_expires_or_is_used_up() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let form = published(&world, &version, json!({"access_mode": "token"})).await;
    let other = published(&world, &version, json!({"access_mode": "token"})).await;
    let public = &world.public;
    let with = |key| doors(public, &form, "access_token", key);
    assert_eq!(with(None).await, all("403 FORBIDDEN"));
    assert_eq!(with(Some("frm_forged")).await, all("403 FORBIDDEN"));
    assert_eq!(with(Some("")).await, all("403 FORBIDDEN"));
    let foreign = token(&world, &other, json!({})).await;
    assert_eq!(with(Some(&foreign)).await, all("403 FORBIDDEN"), "of another form");

    let ends = json!({"max_uses": 9, "expires_at": "2026-09-01T10:01:00.000Z"});
    let brief = token(&world, &form, ends).await;
    for below in ["/schema", "/api-contract"] {
        let opened = public.get(path(&form, &format!("{below}?access_token={brief}"))).await;
        assert_eq!((opened.status, opened.header("cache-control")), (200, Some("no-store")));
    }
    world.clock.advance(MINUTE_MS);
    assert_eq!(with(Some(&brief)).await, all("403 FORBIDDEN"), "expired");
    let past = json!({"expires_at": "2026-09-01T10:01:00Z"});
    let past = world.key.post(path(&form, "/tokens"), &past).await;
    assert_eq!(past.faults(), "/expires_at range\n");

    let once = token(&world, &form, json!({"max_uses": 1})).await;
    let opened = ["200", "200", "201"].map(str::to_owned);
    assert_eq!(with(Some(&once)).await, opened);
    // Used up: it opens nothing, but the same submission is answered as before.
    let spent = ["403 FORBIDDEN", "403 FORBIDDEN", "200"].map(str::to_owned);
    assert_eq!(with(Some(&once)).await, spent);
    let mut second = answers(1, "second");
    second["access_token"] = once.clone().into();
    let refused = world.public.post(path(&form, "/submit"), &second).await;
    assert_eq!(refused.to_string(), "403 FORBIDDEN");
    assert_eq!(refused.details(), json!({"access_mode": "token"}));
    let stored = world.sql("select encode(digest, 'escape') from form_tokens").await.concat();
    assert!(!stored.contains(&once), "the token itself is not kept");
}

#[tokio::test]
async fn a_revoked_token_opens_nothing_and_others_still_do() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let form = published(&world, &version, json!({"access_mode": "token"})).await;
    let other = published(&world, &version, json!({"access_mode": "token"})).await;
    let made = world.key.post(path(&form, "/tokens"), &json!({})).await;
    let place = made.header("location").expect("where it is").to_owned();
    let made = made.expect(201);
    let kept = token(&world, &form, json!({})).await;
    let with = |key| doors(&world.public, &form, "access_token", key);
    let revoked = Some(text(&made["token"]));
    assert_eq!(with(revoked).await, ["200", "200", "201"].map(str::to_owned));

    let elsewhere = path(&other, &format!("/tokens/{}", text(&made["id"])));
    assert_eq!(world.key.delete(elsewhere).await.to_string(), "404 NOT_FOUND");
    assert_eq!(world.neighbour().await.key.delete(&place).await.to_string(), "404 NOT_FOUND");
    let viewer = world.person(Role::Viewer).await;
    assert_eq!(viewer.delete(&place).await.to_string(), "403 FORBIDDEN");
    for _ in 0..2 {
        assert_eq!(world.key.delete(&place).await.status, 204);
    }
    let events = "select count(*)::text from audit_events where action = 'form_token.revoke'";
    assert_eq!(world.sql(events).await, ["1"]);
    assert_eq!(with(revoked).await, all("403 FORBIDDEN"), "not even for what was sent before");
    let schema = |key| world.public.get(path(&form, &format!("/schema?access_token={key}")));
    let (refused, forged) = (schema(text(&made["token"])).await, schema("frm_forged").await);
    assert_eq!(refused.anonymous(), forged.anonymous());
    assert_eq!(with(Some(&kept)).await, ["200", "200", "200"].map(str::to_owned));
}

#[tokio::test]
async fn a_password_opens_its_form_and_guesses_are_few() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let members = json!({"access_mode": "password", "password": "open-sesame"});
    let form = published(&world, &version, members).await;
    let with = |key| doors(&world.public, &form, "password", key);
    assert_eq!(with(None).await, all("403 FORBIDDEN"));
    assert_eq!(with(Some("close-sesame")).await, all("403 FORBIDDEN"));
    assert_eq!(with(Some("open-sesame")).await, ["200", "200", "201"].map(str::to_owned));
    for _ in 0..2 {
        let guess = world.public.with("x-form-password", "let-me-in");
        assert_eq!(guess.get(path(&form, "/schema")).await.to_string(), "403 FORBIDDEN");
    }
    assert_eq!(with(Some("open-sesame")).await, all("429 TOO_MANY_REQUESTS"));
    let open = json!({"access_mode": "open"});
    world.key.patch(path(&form, ""), &open).await.expect(200);
    assert_eq!(with(None).await[0], "200");
}

#[tokio::test]
async fn a_sign_in_of_a_member_opens_a_form_and_answers_in_that_name() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let form = published(&world, &version, json!({"access_mode": "console"})).await;
    let with = |client| doors(client, &form, "x", None);
    assert_eq!(with(&world.public).await, all("403 FORBIDDEN"));
    let neighbour = world.neighbour().await;
    assert_eq!(with(&neighbour.admin).await, all("403 FORBIDDEN"));
    let viewer = world.person(Role::Viewer).await;
    assert_eq!(with(&viewer).await, ["200", "200", "201"].map(str::to_owned));
    let decision = world.key.get("/v1/decisions").await.expect(200)["items"][0].clone();
    // A page of another site could send the cookie, and no header that names the tenant.
    let unnamed = viewer.without("x-service-tenant-id");
    let named_wrong = unnamed.with("x-service-tenant-id", neighbour.tenant);
    for client in [unnamed, named_wrong] {
        let refused = client.post(path(&form, "/submit"), &answers(1, "second")).await;
        assert_eq!(refused.to_string(), "403 FORBIDDEN");
    }
    let user = viewer.get("/v1/session").await.expect(200)["user"]["id"].clone();
    assert_eq!(decision["actor"], json!({"id": user, "type": "human"}));
    let actor = "select actor_type || ' ' || actor_id from audit_events \
                 where action = 'decision.record'";
    assert_eq!(world.sql(actor).await, [format!("human {}", text(&user))]);
}

#[tokio::test]
async fn a_password_never_travels_in_an_address() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let members = json!({"access_mode": "password", "password": "öffne dich"});
    let form = published(&world, &version, members).await;
    for below in ["/schema", "/api-contract"] {
        let query = path(&form, &format!("{below}?password=open"));
        assert_eq!(world.public.get(query).await.to_string(), "422 VALIDATION_ERROR");
        let opened =
            world.public.with("x-form-password", "öffne dich").get(path(&form, below)).await;
        assert_eq!((opened.status, opened.header("cache-control")), (200, Some("no-store")));
        let long = world.public.with("x-form-password", "x".repeat(300)).get(path(&form, below));
        assert_eq!(long.await.to_string(), "422 VALIDATION_ERROR");
    }
}
