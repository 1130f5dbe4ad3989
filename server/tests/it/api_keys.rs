//! API keys over HTTP: creation, lists, expiry and revocation.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tokio::task::JoinSet;

use crate::prelude::*;

/// The body of a request for a key with these scopes.
fn key_request(scopes: &[&str]) -> Value {
    json!({"name": "Payments service", "scopes": scopes})
}

/// Creates a key and returns its record and a client that uses it.
async fn create_key(service: &TestService, by: &Client, body: &Value) -> (Value, Client) {
    let created = by.post("/v1/api-keys", body).await.expect(201);
    let caller = service.with_key(text(&created["plaintext_key"]));
    (created["key"].clone(), caller)
}

fn path(key: &Value) -> String {
    format!("/v1/api-keys/{}", text(&key["id"]))
}

/// Returns the record of a key from the list.
async fn find_in_list(service: &TestService, key: &Value) -> Value {
    let page = service.key.get("/v1/api-keys").await.expect(200);
    let items = items(&page);
    items.iter().find(|item| item["id"] == key["id"]).expect("the key is listed").clone()
}

#[testkit::test]
async fn a_new_key_shows_its_secret_once_and_is_limited_to_its_scopes(service: TestService) {
    let admin = service.admin().await;
    let response =
        admin.post("/v1/api-keys", &key_request(&["policies:read", "decisions:read"])).await;
    let created = response.expect(201);
    let secret = text(&created["plaintext_key"]);
    let token = secret.strip_prefix("svc_").expect("the fixed prefix");
    let is_base64url = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    assert!(token.len() == 43 && token.bytes().all(is_base64url), "{token}");

    let key = &created["key"];
    assert_eq!(response.header("location"), Some(&*path(key)));
    let admin_id = user_id(&admin).await;
    let expected = json!({
        "id": key["id"], "tenant_id": service.tenant.to_string(), "name": "Payments service",
        "key_preview": format!("svc_…{}", &token[39..]), "scopes": ["policies:read", "decisions:read"],
        "expires_at": null, "last_used_at": null, "is_active": true, "created_at": NOW,
        "created_by": admin_id, "revoked_at": null, "revoked_by": null,
    });
    assert_eq!(*key, expected);
    let page = service.key.get("/v1/api-keys").await;
    assert_eq!(page.expect(200)["items"][0], expected);
    assert!(!page.text.contains(token), "a list shows no secret");

    let caller = service.with_key(secret);
    caller.get("/v1/policies").await.expect(200);
    caller.get("/v1/decisions").await.expect(200);
    let page = service.key.get("/v1/api-keys").await.expect(200);
    assert_eq!(page["items"][0]["last_used_at"], NOW, "a use is visible before it is stored");
    let refusal = caller.post("/v1/api-keys", &key_request(&["policies:read"])).await;
    assert_snapshot!(refusal, @"403 INSUFFICIENT_SCOPE (api-keys:admin)");
    let stored = "select a::text || d::text from api_keys a, key_digests d";
    assert!(
        !service.sql(stored).await.concat().contains(token),
        "only a digest of the key is stored"
    );
}

#[testkit::test]
async fn a_revoked_key_is_rejected_permanently_and_stays_listed(service: TestService) {
    let (key, caller) = create_key(&service, &service.key, &key_request(&["policies:read"])).await;
    caller.get("/v1/policies").await.expect(200);
    let admin = service.admin().await;
    service.clock.advance(MINUTE_MS);
    let response = admin.call("DELETE", path(&key)).await;
    assert_eq!((response.status, &*response.text), (204, ""));
    let refusal = caller.get("/v1/policies").await;
    let unknown = service.with_key("svc_unknown").get("/v1/policies").await;
    assert_eq!(refusal.to_string(), "401 UNAUTHORIZED");
    assert_eq!(refusal.without_correlation_id(), unknown.without_correlation_id());

    let record = find_in_list(&service, &key).await;
    let admin_id = user_id(&admin).await;
    assert_eq!(record["is_active"], false);
    assert_eq!(record["revoked_at"], "2026-09-01T10:01:00.000Z");
    assert_eq!(record["revoked_by"], admin_id);
    // A second revocation by another caller changes nothing.
    service.clock.advance(MINUTE_MS);
    assert_eq!(service.key.call("DELETE", path(&key)).await.status, 204);
    assert_eq!(find_in_list(&service, &key).await, record);
    let events = "select count(*)::text from audit_events where action = 'api_key.revoke'";
    assert_eq!(service.sql(events).await, ["1"]);
}

/// Calls with a key until it is rejected. Calls that begin after the revocation must be rejected.
/// Returns the number of calls.
async fn call_until_rejected(caller: Client, is_revoked: Arc<AtomicBool>) -> usize {
    for calls in 1.. {
        let must_fail = is_revoked.load(Ordering::SeqCst);
        let response: TestResponse = caller.get("/v1/policies").await;
        match response.status {
            200 => assert!(!must_fail, "a revoked key was accepted"),
            401 => return calls,
            // An overloaded machine rejects every caller for a while.
            503 => {}
            _ => panic!("{response}: {}", response.text),
        }
    }
    unreachable!("a revoked key is rejected eventually")
}

#[testkit::test(flavor = "multi_thread")]
async fn a_revoked_key_is_rejected_by_every_process_from_the_next_call(service: TestService) {
    let other = service.start_process().await;
    let created =
        service.key.post("/v1/api-keys", &key_request(&["policies:read"])).await.expect(201);
    let is_revoked = Arc::new(AtomicBool::new(false));
    let mut callers = JoinSet::new();
    for process in [&service.public, &other] {
        for _ in 0..4 {
            let caller = with_key(process, service.tenant, text(&created["plaintext_key"]));
            callers.spawn(call_until_rejected(caller, is_revoked.clone()));
        }
    }
    // At least one call succeeds before the revocation.
    let early = with_key(&other, service.tenant, text(&created["plaintext_key"]));
    early.get("/v1/policies").await.expect(200);
    let revoked = service.key.call("DELETE", path(&created["key"])).await;
    is_revoked.store(true, Ordering::SeqCst);
    assert_eq!(revoked.status, 204);
    assert_eq!(callers.join_all().await.len(), 8);
}

#[testkit::test]
async fn the_creation_and_revocation_of_keys_are_audited(service: TestService) {
    let mut body = key_request(&["policies:read"]);
    body["expires_at"] = json!("2027-01-01T00:00:00Z");
    let (key, _) = create_key(&service, &service.admin().await, &body).await;
    service.key.call("DELETE", path(&key)).await;
    let events = format!("/v1/audit-log?object_id={}", text(&key["id"]));
    let log = service.key.get(events).await.expect(200);
    assert_eq!(texts(&log, "action"), ["api_key.revoke", "api_key.create"]);
    let created = &items(&log)[1];
    let details = json!({"scopes": ["policies:read"], "expires_at": "2027-01-01T00:00:00.000Z"});
    assert_eq!((&created["actor"]["type"], &created["details"]), (&json!("human"), &details));
    assert!(!log.to_string().contains("Payments service"), "names are not part of events");
}
