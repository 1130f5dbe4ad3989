//! API keys never exceed the person or the key that made them, over HTTP.

use clap::Parser as _;
use contract::scope::{Role, Scope};
use insta::assert_snapshot;
use serde_json::{Value, json};
use server::command::Govern;

use crate::{
    capabilities::asked,
    client::{Client, TestResponse, text},
    service::{MINUTE_MS, TestService, drafted, with_key, world},
};

const MEMBERS: &str = "/v1/admin/members";
const INVITE: &str = "/v1/admin/members/invite";
const USERS: &str = "/v1/admin/users";
const KEYS: &str = "/v1/api-keys";

/// The scopes of an attacker's key.
const MINTING: [&str; 4] = ["api-keys:admin", "members:write", "policies:read", "policies:write"];

async fn id(person: &Client) -> String {
    text(&person.get("/v1/session").await.expect(200)["user"]["id"]).to_owned()
}

fn member(id: &str) -> String {
    format!("{MEMBERS}/{id}")
}

/// A key that somebody made: its id, its secret and a caller with it.
struct Minted {
    id: String,
    secret: String,
    key: Client,
}

async fn minted(world: &TestService, by: &Client, scopes: &[&str]) -> Minted {
    let made = by.post(KEYS, &json!({"name": "a program", "scopes": scopes})).await.expect(201);
    let secret = text(&made["plaintext_key"]).to_owned();
    let key = with_key(&world.public, world.tenant, &secret);
    Minted { id: text(&made["key"]["id"]).to_owned(), secret, key }
}

/// A person's key, a key that it made, and one that this one made.
async fn line(world: &TestService, person: &Client) -> [Minted; 3] {
    let first = minted(world, person, &MINTING).await;
    let second = minted(world, &first.key, &MINTING).await;
    let third = minted(world, &second.key, &["policies:read", "policies:write"]).await;
    [first, second, third]
}

/// The status of a read with each key, in this process and in another one.
async fn statuses(world: &TestService, elsewhere: &Client, keys: &[Minted]) -> Vec<u16> {
    let mut statuses = Vec::new();
    for minted in keys {
        for process in [&world.public, elsewhere] {
            let caller = with_key(process, world.tenant, &minted.secret);
            statuses.push(caller.get("/v1/policies").await.status);
        }
    }
    statuses
}

async fn listed(world: &TestService, id: &str) -> Value {
    let page = world.key.get(format!("{KEYS}?limit=200")).await.expect(200);
    let items = page["items"].as_array().expect("a page has items");
    items.iter().find(|item| item["id"] == id).expect("it is listed").clone()
}

/// The details of the newest event of an action.
async fn details(world: &TestService, action: &str) -> Value {
    let page = world.key.get(format!("/v1/audit-log?action={action}&limit=1")).await.expect(200);
    page["items"][0]["details"].clone()
}

fn sorted<const N: usize>(keys: &[Minted; N]) -> Vec<String> {
    let mut ids: Vec<String> = keys.iter().map(|minted| minted.id.clone()).collect();
    ids.sort();
    ids
}

async fn count(world: &TestService, table: &str) -> String {
    world.sql(&format!("select count(*)::text from {table}")).await.concat()
}

#[tokio::test]
async fn a_key_with_members_write_alone_gets_no_further_than_a_viewer() {
    let world = world().await;
    let attacker = world.key_with(&[Scope::MembersWrite]).await;
    let before = [count(&world, "users").await, count(&world, "audit_events").await];

    // The reproduced attack: make an account, read its set-up link, invite it as an admin, ratify.
    let account = json!({"email": "mallory@new.example", "display_name": "Mallory"});
    assert_snapshot!(attacker.post(USERS, &account).await, @"403 HUMAN_REQUIRED");
    assert_eq!([count(&world, "users").await, count(&world, "audit_events").await], before);

    let neighbour = world.neighbour().await;
    let person = id(&neighbour.admin).await;
    for role in Role::ALL.into_iter().filter(|role| *role != Role::Viewer) {
        let invitation = json!({"user_id": person, "role": role.as_str()});
        let refused = attacker.post(INVITE, &invitation).await;
        assert_eq!(refused.to_string(), "403 HUMAN_REQUIRED", "{role}");
        let other = id(&world.person(role).await).await;
        let refused = attacker.delete(member(&other)).await;
        assert_eq!(refused.to_string(), "403 HUMAN_REQUIRED", "{role}");
        let demoted = attacker.patch(member(&other), &json!({"role": "viewer"})).await;
        assert_eq!(demoted.to_string(), "403 HUMAN_REQUIRED", "{role}");
    }
    // What is left to it.
    attacker.post(INVITE, &json!({"user_id": person, "role": "viewer"})).await.expect(201);
    let promoted = attacker.patch(member(&person), &json!({"role": "admin"})).await;
    assert_snapshot!(promoted, @"403 HUMAN_REQUIRED");
    let handed = format!("{}?keys_to={}", member(&person), id(&world.admin().await).await);
    assert_snapshot!(attacker.delete(handed).await, @"403 HUMAN_REQUIRED");
    assert_eq!(attacker.delete(member(&person)).await.status, 204);
}

#[tokio::test]
async fn keys_of_a_removed_person_stop_at_the_next_request_in_every_process() {
    let world = world().await;
    let elsewhere = world.another_process().await;
    let (admin, leaving) = (world.admin().await, world.person(Role::Admin).await);
    let keys = line(&world, &leaving).await;
    let kept = minted(&world, &admin, &["policies:read"]).await;
    assert_eq!(statuses(&world, &elsewhere, &keys).await, [200; 6]);

    let person = id(&leaving).await;
    world.clock.advance(MINUTE_MS);
    assert_eq!(admin.delete(member(&person)).await.status, 204);
    assert_eq!(statuses(&world, &elsewhere, &keys).await, [401; 6]);
    assert_eq!(statuses(&world, &elsewhere, &[kept]).await, [200; 2]);
    // The removed admin does not come back with one of the keys.
    for minted in &keys {
        let again = json!({"user_id": person, "role": "viewer"});
        assert_eq!(minted.key.post(INVITE, &again).await.to_string(), "401 UNAUTHORIZED");
    }
    for minted in &keys {
        let record = listed(&world, &minted.id).await;
        assert_eq!(record["is_active"], false);
        assert_eq!(record["revoked_at"], "2026-09-01T10:01:00.000Z");
        assert_eq!(record["revoked_by"], id(&admin).await);
    }
    let told = details(&world, "member.remove").await;
    assert_eq!(told, json!({"role": "admin", "revoked_keys": sorted(&keys)}));
}

#[tokio::test]
async fn keys_of_a_demoted_person_stop_and_those_of_a_promoted_one_do_not() {
    let world = world().await;
    let elsewhere = world.another_process().await;
    let (admin, demoted) = (world.admin().await, world.person(Role::Admin).await);
    let keys = line(&world, &demoted).await;
    let path = member(&id(&demoted).await);
    admin.patch(&*path, &json!({"role": "ratifier"})).await.expect(200);
    assert_eq!(statuses(&world, &elsewhere, &keys).await, [401; 6]);
    let told = details(&world, "member.change_role").await;
    let expected = json!({
        "before": "admin", "after": "ratifier", "revoked_keys": sorted(&keys),
    });
    assert_eq!(told, expected);

    // A role that keeps every right keeps the keys; one that lacks a right does not.
    let email = world.member(Role::Auditor).await;
    let program = world.key_of(&email, &[Scope::PoliciesRead]).await;
    let path = member(&id(&world.sign_in(&email).await).await);
    for (role, status) in [("ratifier", 200), ("ratifier", 200), ("reviewer", 401)] {
        admin.patch(&*path, &json!({"role": role})).await.expect(200);
        assert_eq!(program.get("/v1/policies").await.status, status, "{role}");
    }
}

#[tokio::test]
async fn keys_that_are_transferred_work_on_and_act_for_the_new_owner() {
    let world = world().await;
    let elsewhere = world.another_process().await;
    let (admin, leaving) = (world.admin().await, world.person(Role::Admin).await);
    let heir = world.person(Role::Admin).await;
    let (from, to) = (id(&leaving).await, id(&heir).await);
    let keys = line(&world, &leaving).await;
    let before = drafted(&keys[0].key, "BEFORE").await;
    keys[0].key.post(before.act("submit"), &json!({})).await.expect(200);
    let patch = json!({"role": "ratifier", "keys_to": to});
    admin.patch(member(&from), &patch).await.expect(200);
    assert_eq!(statuses(&world, &elsewhere, &keys).await, [200; 6]);
    let expected = json!({
        "before": "admin", "after": "ratifier", "transferred_keys": sorted(&keys), "keys_to": to,
    });
    assert_eq!(details(&world, "member.change_role").await, expected);
    assert_eq!(listed(&world, &keys[0].id).await["created_by"], to);
    assert_eq!(listed(&world, &keys[1].id).await["created_by"], keys[0].id);

    // Maker-checker compares the new owner for what the key makes now, and the old one for what it made.
    let after = drafted(&keys[2].key, "AFTER").await;
    keys[2].key.post(after.act("submit"), &json!({})).await.expect(200);
    let ratify = json!({"expected_revision": 1});
    let by = async |person: &Client, act: String| person.post(act, &ratify).await.to_string();
    assert_eq!(by(&leaving, before.act("ratify")).await, "403 MAKER_CHECKER_VIOLATION");
    assert_eq!(by(&heir, after.act("ratify")).await, "403 MAKER_CHECKER_VIOLATION");
    assert_eq!(by(&leaving, after.act("ratify")).await, "200");
    assert_eq!(by(&heir, before.act("ratify")).await, "200");

    // They end with the new owner.
    assert_eq!(admin.delete(member(&to)).await.status, 204);
    assert_eq!(statuses(&world, &elsewhere, &keys).await, [401; 6]);
}

#[tokio::test]
async fn keys_are_transferred_to_another_active_admin_only() {
    let world = world().await;
    let (admin, leaving) = (world.admin().await, world.person(Role::Admin).await);
    let person = id(&leaving).await;
    let ratifier = id(&world.person(Role::Ratifier).await).await;
    let stranger = id(&world.neighbour().await.admin).await;
    let missing = "00000000-0000-4000-8000-000000000000".to_owned();
    let program = minted(&world, &leaving, &["policies:read"]).await;
    let said = |answer: TestResponse| format!("{} {}", answer, answer.faults());
    for to in [&person, &ratifier, &stranger, &missing] {
        let removed = admin.delete(format!("{}?keys_to={to}", member(&person))).await;
        assert_eq!(said(removed), "422 VALIDATION_ERROR /keys_to unknown\n", "{to}");
        let patch = json!({"role": "viewer", "keys_to": to});
        let demoted = admin.patch(member(&person), &patch).await;
        assert_eq!(said(demoted), "422 VALIDATION_ERROR /keys_to unknown\n", "{to}");
    }
    let removed = admin.delete(format!("{}?keys_to=ada", member(&person))).await;
    assert_eq!(said(removed), "422 VALIDATION_ERROR /keys_to format\n");
    let demoted = admin.patch(member(&person), &json!({"role": "viewer", "keys_to": "ada"})).await;
    assert_eq!(said(demoted), "422 VALIDATION_ERROR /keys_to format\n");
    // Nothing has happened.
    assert_eq!(program.key.get("/v1/policies").await.status, 200);
    assert_eq!(admin.get(member(&person)).await.expect(200)["role"], "admin");
}

#[tokio::test]
async fn a_grant_ends_with_the_rights_of_its_issuer_and_is_not_transferred() {
    let world = world().await;
    let (admin, issuer) = (world.admin().await, world.person(Role::Admin).await);
    let version = drafted(&issuer, "PAY-01").await;
    let wanted = asked(&version, &["policy.draft.edit", "policy.read"]);
    let issued = issuer.post("/v1/authoring-capabilities", &wanted).await.expect(201);
    let program = with_key(&world.public, world.tenant, text(&issued["plaintext_key"]));
    program.get(version.path()).await.expect(200);
    let correction = json!({
        "expected_revision": 1, "rules": [], "change_reason": "because",
    });
    assert_eq!(admin.post(version.act("supersede"), &correction).await.status, 409);

    let heir = id(&admin).await;
    let gone = format!("{}?keys_to={heir}", member(&id(&issuer).await));
    assert_eq!(admin.delete(gone).await.status, 204);
    assert_snapshot!(program.get(version.path()).await, @"401 UNAUTHORIZED");
    let grant = text(&issued["capability"]["id"]);
    let read = admin.get(format!("/v1/authoring-capabilities/{grant}")).await.expect(200);
    assert_eq!(read["revoked_by"], heir);
    let expected = json!({
        "role": "admin", "revoked_keys": [issued["key"]["id"]], "revoked_capabilities": [grant],
    });
    assert_eq!(details(&world, "member.remove").await, expected);
    // The version is bound no longer.
    admin.post(version.act("supersede"), &correction).await.expect(201);
}

#[tokio::test]
async fn a_key_that_expires_makes_no_key_that_is_valid_for_longer() {
    let world = world().await;
    let until = |at: &str| json!({"name": "k", "scopes": ["api-keys:admin", "policies:read"], "expires_at": at});
    let end = "2026-09-01T11:00:00.000Z";
    let made = world.admin().await.post(KEYS, &until(end)).await.expect(201);
    let key = with_key(&world.public, world.tenant, text(&made["plaintext_key"]));
    let never = json!({"name": "k", "scopes": ["policies:read"]});
    let refused = key.post(KEYS, &never).await;
    assert_eq!(refused.faults(), "/expires_at required\n");
    assert_eq!(
        refused.details()["errors"][0]["message"],
        format!("is required, because the calling key expires at `{end}`")
    );
    let null = json!({"name": "k", "scopes": ["policies:read"], "expires_at": null});
    assert_eq!(key.post(KEYS, &null).await.faults(), "/expires_at required\n");
    let later = until("2026-09-01T11:00:00.001Z");
    assert_eq!(key.post(KEYS, &later).await.faults(), "/expires_at range\n");
    assert_eq!(count(&world, "api_keys").await, "2", "the bootstrap key and the expiring one");

    let same = key.post(KEYS, &until(end)).await.expect(201);
    let child = with_key(&world.public, world.tenant, text(&same["plaintext_key"]));
    assert_eq!(child.post(KEYS, &later).await.faults(), "/expires_at range\n");
    world.clock.advance(60 * MINUTE_MS);
    for caller in [&key, &child] {
        assert_eq!(caller.get("/v1/policies").await.to_string(), "401 UNAUTHORIZED");
    }
}

#[test]
fn a_key_of_the_command_line_names_its_owner() {
    let line = ["govern", "key", "create", "--name", "k", "--scopes", "policies:read"];
    let tenant = ["--tenant", "00000000-0000-4000-8000-000000000000"];
    let ownerless = line.iter().chain(&tenant);
    let refused = Govern::try_parse_from(ownerless.clone()).expect_err("an owner is required");
    assert!(refused.to_string().contains("--owner <OWNER>"), "{refused}");
    let owned = ownerless.chain(&["--owner", "ada@example.com"]);
    Govern::try_parse_from(owned).expect("a whole command line");
}
