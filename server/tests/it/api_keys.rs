//! API keys over HTTP: made, listed, and revoked at once and for good.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use contract::scope::{Role, Scope};
use insta::assert_snapshot;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::{
    client::{Client, TestResponse, text},
    service::{MINUTE_MS, NOW, TestService, drafted, with_key, world},
};

/// The body that asks for a key with these scopes.
fn wanted(scopes: &[&str]) -> Value {
    json!({"name": "Payments service", "scopes": scopes})
}

/// A new key: its record, and whoever calls with it.
async fn made(world: &TestService, by: &Client, body: &Value) -> (Value, Client) {
    let made = by.post("/v1/api-keys", body).await.expect(201);
    let caller = with_key(&world.public, world.tenant, text(&made["plaintext_key"]));
    (made["key"].clone(), caller)
}

fn path(key: &Value) -> String {
    format!("/v1/api-keys/{}", text(&key["id"]))
}

/// The record of a key as the list has it.
async fn listed(world: &TestService, key: &Value) -> Value {
    let page = world.key.get("/v1/api-keys").await.expect(200);
    let items = page["items"].as_array().expect("a page has items");
    items.iter().find(|item| item["id"] == key["id"]).expect("it is listed").clone()
}

#[tokio::test]
async fn a_new_key_shows_its_secret_once_and_does_what_its_scopes_say() {
    let world = world().await;
    let admin = world.admin().await;
    let answer = admin.post("/v1/api-keys", &wanted(&["policies:read", "decisions:read"])).await;
    let created = answer.expect(201);
    let secret = text(&created["plaintext_key"]);
    let token = secret.strip_prefix("svc_").expect("the fixed prefix");
    let is_base64url = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    assert!(token.len() == 43 && token.bytes().all(is_base64url), "{token}");

    let key = &created["key"];
    assert_eq!(answer.header("location"), Some(&*path(key)));
    let me = admin.get("/v1/session").await.expect(200)["user"]["id"].clone();
    let expected = json!({
        "id": key["id"], "tenant_id": world.tenant.to_string(), "name": "Payments service",
        "key_preview": format!("svc_…{}", &token[39..]), "scopes": ["policies:read", "decisions:read"],
        "expires_at": null, "last_used_at": null, "is_active": true, "created_at": NOW,
        "created_by": me, "revoked_at": null, "revoked_by": null,
    });
    assert_eq!(*key, expected);
    let page = world.key.get("/v1/api-keys").await;
    assert_eq!(page.expect(200)["items"][0], expected);
    assert!(!page.text.contains(token), "a list shows no secret");

    let caller = with_key(&world.public, world.tenant, secret);
    caller.get("/v1/policies").await.expect(200);
    caller.get("/v1/decisions").await.expect(200);
    let refused = caller.post("/v1/api-keys", &wanted(&["policies:read"])).await;
    assert_snapshot!(refused, @"403 INSUFFICIENT_SCOPE (api-keys:admin)");
    let kept = "select a::text || d::text from api_keys a, key_digests d";
    assert!(!world.sql(kept).await.concat().contains(token), "the store keeps a digest alone");
}

#[tokio::test]
async fn a_key_is_asked_for_without_faults() {
    let world = world().await;
    for (body, faults) in [
        (json!({}), "/name required\n/scopes required\n"),
        (json!({"name": " ", "scopes": []}), "/name too_short\n/scopes too_few\n"),
        (
            json!({"name": "x".repeat(201), "scopes": "policies:read"}),
            "/name too_long\n/scopes type\n",
        ),
        (
            json!({"name": 7, "scopes": ["policies:read", "all", "tenants:provision", 7], "ttl": 1}),
            "/name type\n/scopes/1 enum\n/scopes/2 not_grantable\n/scopes/3 enum\n/ttl unknown\n",
        ),
        (wanted(&["policies:read", "alerts:read", "policies:read"]), "/scopes/2 duplicate\n"),
        (wanted(&["Policies:Read"]), "/scopes/0 enum\n"),
        (
            json!({"name": "k", "scopes": ["policies:read"], "expires_at": "2026-12-24"}),
            "/expires_at format\n",
        ),
        (
            json!({"name": "k", "scopes": ["policies:read"], "expires_at": NOW}),
            "/expires_at range\n",
        ),
    ] {
        let refused = world.key.post("/v1/api-keys", &body).await;
        assert_eq!(refused.to_string(), "422 VALIDATION_ERROR", "{body}");
        assert_eq!(refused.faults(), faults, "{body}");
    }
    assert_eq!(world.sql("select count(*)::text from api_keys").await, ["1"]);
    // As a record writes it: a key that does not expire.
    let body = json!({"name": "k", "scopes": ["policies:read"], "expires_at": null});
    made(&world, &world.key, &body).await;
}

#[tokio::test]
async fn a_key_makes_keys_of_its_own_scopes_only() {
    let world = world().await;
    let scopes = [Scope::ApiKeysAdmin, Scope::PoliciesRead];
    let administrator = world.key_with(&scopes).await;
    let (key, _) = made(&world, &administrator, &wanted(&["policies:read"])).await;
    let page = administrator.get("/v1/api-keys").await.expect(200);
    assert_eq!(key["created_by"], page["items"][1]["id"], "the key that made it");
    for (scopes, required) in [
        (&["decisions:write"][..], "decisions:write"),
        (&["policies:read", "policies:write", "audit:read"], "policies:write"),
        (&["authoring:capability"], "authoring:capability"),
    ] {
        let refused = administrator.post("/v1/api-keys", &wanted(scopes)).await;
        assert_eq!(refused.to_string(), format!("403 INSUFFICIENT_SCOPE ({required})"));
        assert_eq!(refused.details(), json!({"required": required}));
    }
    // An admin grants whatever can be granted.
    let all: Vec<&str> =
        Scope::ALL.iter().filter(|scope| scope.grantable()).map(|scope| scope.as_str()).collect();
    let (key, _) = made(&world, &world.admin().await, &wanted(&all)).await;
    assert_eq!(key["scopes"], json!(all));
}

#[tokio::test]
async fn a_key_acts_for_the_person_behind_whoever_made_it() {
    let world = world().await;
    let scopes = ["policies:read", "policies:write"];
    let admin = world.admin().await;
    let (_, of_admin) = made(&world, &admin, &wanted(&scopes)).await;
    let (_, of_key) = made(&world, &world.key, &wanted(&scopes)).await;
    for (code, program) in [("PAY-01", of_admin), ("PAY-02", of_key)] {
        let version = drafted(&program, code).await;
        program.post(version.act("submit"), &json!({})).await.expect(200);
        let body = json!({"expected_revision": 1});
        let refused = admin.post(version.act("ratify"), &body).await;
        assert_eq!(refused.to_string(), "403 MAKER_CHECKER_VIOLATION", "{code}");
        world.ratify(&version).await;
    }
}

#[tokio::test]
async fn keys_are_listed_newest_first_on_pages_that_new_keys_do_not_move() {
    let world = world().await;
    for number in 1..=4 {
        let body = json!({"name": format!("key {number}"), "scopes": ["policies:read"]});
        made(&world, &world.key, &body).await;
    }
    let first = world.key.get("/v1/api-keys?limit=2").await.expect(200);
    made(&world, &world.key, &wanted(&["policies:read"])).await;
    let cursor = text(&first["next_cursor"]);
    let second = world.key.get(format!("/v1/api-keys?limit=2&cursor={cursor}")).await.expect(200);
    let cursor = text(&second["next_cursor"]);
    let third = world.key.get(format!("/v1/api-keys?cursor={cursor}")).await.expect(200);
    let names: Vec<&str> = [&first, &second, &third]
        .iter()
        .flat_map(|page| page["items"].as_array().expect("a page has items"))
        .map(|key| text(&key["name"]))
        .collect();
    assert_eq!(names, ["key 4", "key 3", "key 2", "key 1", "bootstrap"]);
    assert_eq!(third["next_cursor"], Value::Null);
    let neighbour = world.neighbour().await;
    let theirs = neighbour.key.get(format!("/v1/api-keys?cursor={cursor}")).await;
    assert_eq!(theirs.faults(), "/cursor cursor\n");
    let theirs = neighbour.key.get("/v1/api-keys").await.expect(200);
    assert_eq!(theirs["items"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn a_revoked_key_is_refused_for_good_and_stays_on_record() {
    let world = world().await;
    let (key, caller) = made(&world, &world.key, &wanted(&["policies:read"])).await;
    caller.get("/v1/policies").await.expect(200);
    let admin = world.admin().await;
    world.clock.advance(MINUTE_MS);
    let answer = admin.call("DELETE", path(&key)).await;
    assert_eq!((answer.status, &*answer.text), (204, ""));
    let refused = caller.get("/v1/policies").await;
    let unknown = with_key(&world.public, world.tenant, "svc_unknown").get("/v1/policies").await;
    assert_eq!(refused.to_string(), "401 UNAUTHORIZED");
    assert_eq!(refused.anonymous(), unknown.anonymous());

    let record = listed(&world, &key).await;
    let me = admin.get("/v1/session").await.expect(200)["user"]["id"].clone();
    assert_eq!(record["is_active"], false);
    assert_eq!(record["revoked_at"], "2026-09-01T10:01:00.000Z");
    assert_eq!(record["revoked_by"], me);
    // Again, by another: it was revoked once.
    world.clock.advance(MINUTE_MS);
    assert_eq!(world.key.call("DELETE", path(&key)).await.status, 204);
    assert_eq!(listed(&world, &key).await, record);
    let events = "select count(*)::text from audit_events where action = 'api_key.revoke'";
    assert_eq!(world.sql(events).await, ["1"]);
}

#[tokio::test]
async fn a_key_of_another_tenant_looks_like_a_missing_one() {
    let world = world().await;
    let (key, caller) = made(&world, &world.key, &wanted(&["policies:read"])).await;
    let neighbour = world.neighbour().await;
    let theirs = neighbour.key.call("DELETE", path(&key)).await;
    let missing = "/v1/api-keys/00000000-0000-4000-8000-000000000000";
    let missing = neighbour.admin.call("DELETE", missing).await;
    assert_snapshot!(theirs, @"404 NOT_FOUND");
    assert_eq!(theirs.anonymous(), missing.anonymous());
    assert_snapshot!(neighbour.key.call("DELETE", "/v1/api-keys/x").await, @"404 NOT_FOUND");
    caller.get("/v1/policies").await.expect(200);
}

#[tokio::test]
async fn a_key_expires_at_the_instant_it_was_made_for() {
    let world = world().await;
    let body = json!({
        "name": "k", "scopes": ["policies:read"], "expires_at": "2026-09-01T12:01:00+02:00",
    });
    let (key, caller) = made(&world, &world.key, &body).await;
    assert_eq!(key["expires_at"], "2026-09-01T10:01:00.000Z");
    world.clock.advance(MINUTE_MS - 1);
    caller.get("/v1/policies").await.expect(200);
    world.clock.advance(1);
    let refused = caller.get("/v1/policies").await;
    let unknown = with_key(&world.public, world.tenant, "svc_unknown").get("/v1/policies").await;
    assert_eq!(refused.anonymous(), unknown.anonymous());
    assert_eq!(listed(&world, &key).await["is_active"], true, "nobody revoked it");
}

/// Calls with a key until it is refused. A call that began after the key was revoked must be.
async fn until_refused(caller: Client, is_revoked: Arc<AtomicBool>) -> usize {
    for calls in 1.. {
        let must_fail = is_revoked.load(Ordering::SeqCst);
        let answer: TestResponse = caller.get("/v1/policies").await;
        match answer.status {
            200 => assert!(!must_fail, "a revoked key was let in"),
            401 => return calls,
            // A machine with more to do than it can lets nobody in for a while.
            503 => {}
            _ => panic!("{answer}: {}", answer.text),
        }
    }
    unreachable!("a revoked key is refused at some time")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_key_is_refused_by_every_process_from_the_next_call_on() {
    let world = world().await;
    let other = world.another_process().await;
    let created = world.key.post("/v1/api-keys", &wanted(&["policies:read"])).await.expect(201);
    let is_revoked = Arc::new(AtomicBool::new(false));
    let mut callers = JoinSet::new();
    for process in [&world.public, &other] {
        for _ in 0..4 {
            let caller = with_key(process, world.tenant, text(&created["plaintext_key"]));
            callers.spawn(until_refused(caller, is_revoked.clone()));
        }
    }
    // Some calls are answered before the key goes.
    let early = with_key(&other, world.tenant, text(&created["plaintext_key"]));
    early.get("/v1/policies").await.expect(200);
    let revoked = world.key.call("DELETE", path(&created["key"])).await;
    is_revoked.store(true, Ordering::SeqCst);
    assert_eq!(revoked.status, 204);
    assert_eq!(callers.join_all().await.len(), 8);
}

#[tokio::test]
async fn what_became_of_keys_is_in_the_audit_log() {
    let world = world().await;
    let body = json!({
        "name": "Payments service", "scopes": ["policies:read"], "expires_at": "2027-01-01T00:00:00Z",
    });
    let (key, _) = made(&world, &world.admin().await, &body).await;
    world.key.call("DELETE", path(&key)).await;
    let events = format!(
        "select event from audit_events where object_id = '{}' order by seq",
        text(&key["id"])
    );
    let events = world.sql(&events).await;
    let told: Vec<Value> =
        events.iter().map(|event| serde_json::from_str(event).expect("JSON")).collect();
    let acts: Vec<_> =
        told.iter().map(|event| (&event["action"], &event["actor"]["type"])).collect();
    let made = (&json!("api_key.create"), &json!("human"));
    assert_eq!(acts, [made, (&json!("api_key.revoke"), &json!("api_key"))]);
    let facts = json!({"scopes": ["policies:read"], "expires_at": "2027-01-01T00:00:00.000Z"});
    assert_eq!(told[0]["details"], facts);
    assert!(!events.concat().contains("Payments service"), "names are beside events, not in them");
}

#[tokio::test]
async fn keys_are_an_admin_s_business() {
    let world = world().await;
    let (key, caller) = made(&world, &world.key, &wanted(&["policies:read"])).await;
    for role in Role::ALL.into_iter().filter(|role| *role != Role::Admin) {
        let person = world.person(role).await;
        let mint = person.post("/v1/api-keys", &wanted(&["policies:read"])).await;
        assert_eq!(mint.to_string(), "403 FORBIDDEN", "{role}");
        assert_eq!(person.get("/v1/api-keys").await.to_string(), "403 FORBIDDEN", "{role}");
        let revoke = person.call("DELETE", path(&key)).await;
        assert_eq!(revoke.to_string(), "403 FORBIDDEN", "{role}");
    }
    caller.get("/v1/policies").await.expect(200);
}
