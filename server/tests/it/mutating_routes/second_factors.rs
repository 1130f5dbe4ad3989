//! Requests about second factors.

use contract::scope::Role;
use serde_json::json;

use crate::{
    client::{Call, text},
    passkeys::authenticator::{Authenticator, enroll, enroll_app, totp},
    service::{PASSWORD, TestService, user_id},
};

/// Returns a valid request about second factors by a new member.
pub(super) async fn prepare(service: &TestService, method: &str, path: &str) -> Call {
    let email = service.member(Role::Viewer).await;
    let person = service.sign_in(&email).await;
    let now_ms = service.clock.now().millis();
    let mut authenticator = Authenticator::new(1);
    authenticator.id = email.clone().into_bytes();
    match path.strip_prefix("/v1/session/").unwrap_or(path) {
        "second-factor" => {
            let (secret, _) = enroll_app(&person, now_ms).await;
            let browser = service.public.without_session();
            assert_eq!(browser.sign_in(&email, PASSWORD).await.status, 401);
            browser.post(path, &json!({"code": totp(&secret, now_ms, 0)}))
        }
        "passkey" => {
            enroll(&person, &mut authenticator).await;
            let browser = service.public.without_session();
            browser.post(path, &authenticator.answer(&browser, "sign_in").await)
        }
        "passkey-options" => person.post(path, &json!({"purpose": "confirm"})),
        "passkeys" => {
            let options = person.post("/v1/session/passkeys/options", &json!({})).await;
            let credential = authenticator.create(&options.expect(200));
            person.post(path, &json!({"name": "Laptop", "credential": credential}))
        }
        "passkeys/{passkey_id}" => {
            let created = enroll(&person, &mut authenticator).await;
            let path = path.replace("{passkey_id}", text(&created["passkey"]["id"]));
            let call = person.call(method, path);
            if method == "PATCH" { call.json(&json!({"name": "Phone"})) } else { call }
        }
        "totp/confirm" => {
            let setup = person.post("/v1/session/totp", &json!({})).await.expect(200);
            let code = totp(text(&setup["secret"]), now_ms, 0);
            person.post(path, &json!({"code": code}))
        }
        "totp" if method == "DELETE" => {
            enroll_app(&person, now_ms).await;
            person.delete(path)
        }
        "recovery-codes" => {
            enroll_app(&person, now_ms).await;
            person.post(path, &json!({}))
        }
        _ if path.contains("{user_id}") => {
            enroll_app(&person, now_ms).await;
            let id = user_id(&person).await;
            service.confine(&email).await;
            service.admin().await.post(path.replace("{user_id}", text(&id)), &json!({}))
        }
        _ => person.post(path, &json!({})),
    }
}
