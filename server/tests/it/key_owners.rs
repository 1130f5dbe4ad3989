//! API key ownership over HTTP: a key can do no more than the user or the key that created it.

use clap::Parser as _;
use server::command::Govern;

use crate::{capabilities::grant_request, prelude::*};

const MEMBERS: &str = "/v1/admin/members";
const INVITE: &str = "/v1/admin/members/invite";
const USERS: &str = "/v1/admin/users";
const KEYS: &str = "/v1/api-keys";

const ATTACKER_SCOPES: [&str; 4] =
    ["api-keys:admin", "members:write", "policies:read", "policies:write"];

pub(crate) async fn user_id(person: &Client) -> String {
    text(&person.get("/v1/session").await.expect(200)["user"]["id"]).to_owned()
}

fn member_path(id: &str) -> String {
    format!("{MEMBERS}/{id}")
}

struct CreatedKey {
    id: String,
    secret: String,
    client: Client,
}

async fn create_key(service: &TestService, creator: &Client, scopes: &[&str]) -> CreatedKey {
    let request = json!({"name": "a program", "scopes": scopes});
    let created = creator.post(KEYS, &request).await.expect(201);
    let secret = text(&created["plaintext_key"]).to_owned();
    let client = service.with_key(&secret);
    CreatedKey { id: text(&created["key"]["id"]).to_owned(), secret, client }
}

/// Creates a key of a user, a key of that key, and a key of the second one.
async fn create_nested_keys(service: &TestService, person: &Client) -> [CreatedKey; 3] {
    let first = create_key(service, person, &ATTACKER_SCOPES).await;
    let second = create_key(service, &first.client, &ATTACKER_SCOPES).await;
    let third = create_key(service, &second.client, &["policies:read", "policies:write"]).await;
    [first, second, third]
}

/// The status of a read with each key, in this process and in another one.
async fn statuses(service: &TestService, other_process: &Client, keys: &[CreatedKey]) -> Vec<u16> {
    let mut statuses = Vec::new();
    for key in keys {
        for process in [&service.public, other_process] {
            let caller = with_key(process, service.tenant, &key.secret);
            statuses.push(caller.get("/v1/policies").await.status);
        }
    }
    statuses
}

async fn find_key(service: &TestService, id: &str) -> Value {
    let page = service.key.get(format!("{KEYS}?limit=200")).await.expect(200);
    items(&page).iter().find(|item| item["id"] == id).expect("the key is listed").clone()
}

/// The details of the latest audit event of an action.
async fn latest_details(service: &TestService, action: &str) -> Value {
    let page = service.key.get(format!("/v1/audit-log?action={action}&limit=1")).await.expect(200);
    page["items"][0]["details"].clone()
}

fn sorted_ids<const N: usize>(keys: &[CreatedKey; N]) -> Vec<String> {
    let mut ids: Vec<String> = keys.iter().map(|key| key.id.clone()).collect();
    ids.sort();
    ids
}

async fn count(service: &TestService, table: &str) -> String {
    service.sql(&format!("select count(*)::text from {table}")).await.concat()
}

#[testkit::test]
async fn key_with_members_write_invites_and_removes_only_viewers(service: TestService) {
    let attacker = service.create_key(&[Scope::MembersWrite]).await;
    let before = [count(&service, "users").await, count(&service, "audit_events").await];

    // The attack: create an account, read its setup link, invite it as an admin and ratify.
    let account = json!({"email": "mallory@new.example", "display_name": "Mallory"});
    assert_snapshot!(attacker.post(USERS, &account).await, @"403 HUMAN_REQUIRED");
    assert_eq!([count(&service, "users").await, count(&service, "audit_events").await], before);

    let neighbour = service.other_tenant().await;
    let person = user_id(&neighbour.admin).await;
    for role in Role::ALL.into_iter().filter(|role| *role != Role::Viewer) {
        let invitation = json!({"user_id": person, "role": role.as_str()});
        let refused = attacker.post(INVITE, &invitation).await;
        assert_eq!(refused.to_string(), "403 HUMAN_REQUIRED", "{role}");
        let member = user_id(&service.signed_in_member(role).await).await;
        let refused = attacker.delete(member_path(&member)).await;
        assert_eq!(refused.to_string(), "403 HUMAN_REQUIRED", "{role}");
        let demoted = attacker.patch(member_path(&member), &json!({"role": "viewer"})).await;
        assert_eq!(demoted.to_string(), "403 HUMAN_REQUIRED", "{role}");
    }
    // The key can invite and remove a viewer.
    attacker.post(INVITE, &json!({"user_id": person, "role": "viewer"})).await.expect(201);
    let promoted = attacker.patch(member_path(&person), &json!({"role": "admin"})).await;
    assert_snapshot!(promoted, @"403 HUMAN_REQUIRED");
    let transfer =
        format!("{}?keys_to={}", member_path(&person), user_id(&service.admin().await).await);
    assert_snapshot!(attacker.delete(transfer).await, @"403 HUMAN_REQUIRED");
    assert_eq!(attacker.delete(member_path(&person)).await.status, 204);
}

#[testkit::test]
async fn removing_a_member_revokes_their_keys_in_every_process(service: TestService) {
    let other_process = service.start_process().await;
    let (admin, leaving) = (service.admin().await, service.signed_in_member(Role::Admin).await);
    let keys = create_nested_keys(&service, &leaving).await;
    let admin_key = create_key(&service, &admin, &["policies:read"]).await;
    assert_eq!(statuses(&service, &other_process, &keys).await, [200; 6]);

    let person = user_id(&leaving).await;
    service.clock.advance(MINUTE_MS);
    assert_eq!(admin.delete(member_path(&person)).await.status, 204);
    assert_eq!(statuses(&service, &other_process, &keys).await, [401; 6]);
    assert_eq!(statuses(&service, &other_process, &[admin_key]).await, [200; 2]);
    // The keys cannot invite the removed admin again.
    for key in &keys {
        let invitation = json!({"user_id": person, "role": "viewer"});
        assert_eq!(key.client.post(INVITE, &invitation).await.to_string(), "401 UNAUTHORIZED");
    }
    for key in &keys {
        let record = find_key(&service, &key.id).await;
        assert_eq!(record["is_active"], false);
        assert_eq!(record["revoked_at"], "2026-09-01T10:01:00.000Z");
        assert_eq!(record["revoked_by"], user_id(&admin).await);
    }
    let details = latest_details(&service, "member.remove").await;
    assert_eq!(details, json!({"role": "admin", "revoked_keys": sorted_ids(&keys)}));
}

#[testkit::test]
async fn demotion_revokes_keys_and_promotion_does_not(service: TestService) {
    let other_process = service.start_process().await;
    let (admin, demoted) = (service.admin().await, service.signed_in_member(Role::Admin).await);
    let keys = create_nested_keys(&service, &demoted).await;
    let path = member_path(&user_id(&demoted).await);
    admin.patch(&*path, &json!({"role": "ratifier"})).await.expect(200);
    assert_eq!(statuses(&service, &other_process, &keys).await, [401; 6]);
    let details = latest_details(&service, "member.change_role").await;
    let expected = json!({
        "before": "admin", "after": "ratifier", "revoked_keys": sorted_ids(&keys),
    });
    assert_eq!(details, expected);

    // Keys stay valid if the new role has all rights of the old role.
    let email = service.member(Role::Auditor).await;
    let program = service.create_key_of(&email, &[Scope::PoliciesRead]).await;
    let path = member_path(&user_id(&service.sign_in(&email).await).await);
    for (role, status) in [("ratifier", 200), ("ratifier", 200), ("reviewer", 401)] {
        admin.patch(&*path, &json!({"role": role})).await.expect(200);
        assert_eq!(program.get("/v1/policies").await.status, status, "{role}");
    }
}

#[testkit::test]
async fn transferred_keys_stay_valid_and_act_for_the_new_owner(service: TestService) {
    let other_process = service.start_process().await;
    let (admin, leaving) = (service.admin().await, service.signed_in_member(Role::Admin).await);
    let new_owner = service.signed_in_member(Role::Admin).await;
    let (from, to) = (user_id(&leaving).await, user_id(&new_owner).await);
    let keys = create_nested_keys(&service, &leaving).await;
    let before = create_draft(&keys[0].client, "BEFORE").await;
    keys[0].client.post(before.action_path("submit"), &json!({})).await.expect(200);
    let patch = json!({"role": "ratifier", "keys_to": to});
    admin.patch(member_path(&from), &patch).await.expect(200);
    assert_eq!(statuses(&service, &other_process, &keys).await, [200; 6]);
    let expected = json!({
        "before": "admin", "after": "ratifier", "transferred_keys": sorted_ids(&keys), "keys_to": to,
    });
    assert_eq!(latest_details(&service, "member.change_role").await, expected);
    assert_eq!(find_key(&service, &keys[0].id).await["created_by"], to);
    assert_eq!(find_key(&service, &keys[1].id).await["created_by"], keys[0].id);

    // Maker-checker uses the new owner for new versions and the old owner for earlier ones.
    let after = create_draft(&keys[2].client, "AFTER").await;
    keys[2].client.post(after.action_path("submit"), &json!({})).await.expect(200);
    let request = json!({"expected_revision": 1});
    let ratify =
        async |person: &Client, path: String| person.post(path, &request).await.to_string();
    assert_eq!(ratify(&leaving, before.action_path("ratify")).await, "403 MAKER_CHECKER_VIOLATION");
    assert_eq!(
        ratify(&new_owner, after.action_path("ratify")).await,
        "403 MAKER_CHECKER_VIOLATION"
    );
    assert_eq!(ratify(&leaving, after.action_path("ratify")).await, "200");
    assert_eq!(ratify(&new_owner, before.action_path("ratify")).await, "200");

    // Removing the new owner revokes the keys.
    assert_eq!(admin.delete(member_path(&to)).await.status, 204);
    assert_eq!(statuses(&service, &other_process, &keys).await, [401; 6]);
}

#[testkit::test]
async fn keys_are_transferred_only_to_another_active_admin(service: TestService) {
    let (admin, leaving) = (service.admin().await, service.signed_in_member(Role::Admin).await);
    let person = user_id(&leaving).await;
    let ratifier = user_id(&service.signed_in_member(Role::Ratifier).await).await;
    let outsider = user_id(&service.other_tenant().await.admin).await;
    let missing = "00000000-0000-4000-8000-000000000000".to_owned();
    let program = create_key(&service, &leaving, &["policies:read"]).await;
    let summary = |response: TestResponse| format!("{} {}", response, response.field_errors());
    for to in [&person, &ratifier, &outsider, &missing] {
        let removed = admin.delete(format!("{}?keys_to={to}", member_path(&person))).await;
        assert_eq!(summary(removed), "422 VALIDATION_ERROR /keys_to unknown\n", "{to}");
        let patch = json!({"role": "viewer", "keys_to": to});
        let demoted = admin.patch(member_path(&person), &patch).await;
        assert_eq!(summary(demoted), "422 VALIDATION_ERROR /keys_to unknown\n", "{to}");
    }
    let removed = admin.delete(format!("{}?keys_to=ada", member_path(&person))).await;
    assert_eq!(summary(removed), "422 VALIDATION_ERROR /keys_to format\n");
    let demoted =
        admin.patch(member_path(&person), &json!({"role": "viewer", "keys_to": "ada"})).await;
    assert_eq!(summary(demoted), "422 VALIDATION_ERROR /keys_to format\n");
    // The key and the member are unchanged.
    assert_eq!(program.client.get("/v1/policies").await.status, 200);
    assert_eq!(admin.get(member_path(&person)).await.expect(200)["role"], "admin");
}

#[testkit::test]
async fn capability_is_revoked_with_its_issuer_and_not_transferred(service: TestService) {
    let (admin, issuer) = (service.admin().await, service.signed_in_member(Role::Admin).await);
    let version = create_draft(&issuer, "PAY-01").await;
    let request = grant_request(&version, &["policy.draft.edit", "policy.read"]);
    let response = issuer.post("/v1/authoring-capabilities", &request).await.expect(201);
    let program = service.with_key(text(&response["plaintext_key"]));
    program.get(version.path()).await.expect(200);
    let correction = json!({
        "expected_revision": 1, "rules": [], "change_reason": "because",
    });
    assert_eq!(admin.post(version.action_path("supersede"), &correction).await.status, 409);

    let admin_id = user_id(&admin).await;
    let transfer = format!("{}?keys_to={admin_id}", member_path(&user_id(&issuer).await));
    assert_eq!(admin.delete(transfer).await.status, 204);
    assert_snapshot!(program.get(version.path()).await, @"401 UNAUTHORIZED");
    let grant = text(&response["capability"]["id"]);
    let capability = admin.get(format!("/v1/authoring-capabilities/{grant}")).await.expect(200);
    assert_eq!(capability["revoked_by"], admin_id);
    let expected = json!({
        "role": "admin", "revoked_keys": [response["key"]["id"]], "revoked_capabilities": [grant],
    });
    assert_eq!(latest_details(&service, "member.remove").await, expected);
    // The capability no longer blocks the version.
    admin.post(version.action_path("supersede"), &correction).await.expect(201);
}

#[test]
fn key_create_command_requires_an_owner() {
    let command = ["govern", "key", "create", "--name", "k", "--scopes", "policies:read"];
    let tenant = ["--tenant", "00000000-0000-4000-8000-000000000000"];
    let ownerless = command.iter().chain(&tenant);
    let refused = Govern::try_parse_from(ownerless.clone()).expect_err("an owner is required");
    assert!(refused.to_string().contains("--owner <OWNER>"), "{refused}");
    let owned = ownerless.chain(&["--owner", "ada@example.com"]);
    Govern::try_parse_from(owned).expect("a complete command line");
}
