//! Second factors: passkeys, one-time codes and recovery codes, and who changes them.

use governance::{access::operator, authoring::settings};

use super::{
    CONFIRM, PASSKEYS, SECOND_FACTOR, account, actions,
    authenticator::{Authenticator, USER_PRESENT, enroll, enroll_app, totp},
    code, method, now_ms, passkey_session, pending, reason, service, sign_in_alone, start_sign_in,
    subjects, try_create,
};
use crate::{
    mailbox::{Mailbox, token},
    prelude::*,
};

/// The path of a new passkey.
fn passkey_path(created: &Value) -> String {
    format!("{PASSKEYS}/{}", text(&created["passkey"]["id"]))
}

#[tokio::test]
async fn a_pending_sign_in_gives_access_to_nothing_and_ends_after_five_minutes() {
    let service = service().await;
    let (email, other) = (service.admin_email.clone(), service.member(Role::Author).await);
    let admin = service.sign_in(&email).await;
    let mut authenticator = Authenticator::new(1);
    enroll(&admin, &mut authenticator).await;
    let (browser, response) = start_sign_in(&service, &email).await;
    assert_eq!(response.details()["methods"], json!(["passkey", "recovery_code"]));
    for path in
        ["/v1/session", "/v1/policies", "/v1/session/second-factors", "/v1/session/sessions"]
    {
        assert_eq!(browser.get(path).await.to_string(), "401 UNAUTHORIZED", "{path}");
    }
    for path in ["totp", "recovery-codes", "passkeys/options", "confirm"] {
        let response = browser.post(format!("/v1/session/{path}"), &json!({"password": PASSWORD}));
        let status = response.await.status;
        assert!([401, 422].contains(&status), "{path}: {status}");
    }
    // The sign-in is listed nowhere and is not recorded before the second factor.
    let sessions = admin.get("/v1/session/sessions").await.expect(200);
    assert_eq!(sessions["items"].as_array().map(Vec::len), Some(1));
    // The passkey of another account, and the challenge of another pending sign-in.
    let author = service.sign_in(&other).await;
    let mut foreign = Authenticator::new(2);
    enroll(&author, &mut foreign).await;
    let body = foreign.answer(&browser, "second_factor").await;
    assert_eq!(reason(&browser.post(SECOND_FACTOR, &body).await), "unknown");
    let second = pending(&service, &email).await;
    let body = authenticator.answer(&second, "second_factor").await;
    assert_eq!(reason(&browser.post(SECOND_FACTOR, &body).await), "challenge");
    // Without a pending sign-in.
    let refused = service.public.without_session().post(SECOND_FACTOR, &body).await;
    assert_eq!(refused.to_string(), "401 UNAUTHORIZED");
    // After five minutes, the password must be entered again.
    service.clock.advance(5 * MINUTE_MS + 1);
    let options_refused =
        browser.post("/v1/session/passkey-options", &json!({"purpose": "second_factor"})).await;
    assert_eq!(options_refused.to_string(), "401 UNAUTHORIZED");
    assert_eq!(browser.post(SECOND_FACTOR, &json!({"code": "123456"})).await.status, 401);
    assert_eq!(read_status(&browser).await, 401);
}

#[tokio::test]
async fn an_authenticator_app_is_a_second_factor_whose_codes_work_once() {
    let (service, _, email, person) = account(Role::Author).await;
    let setup = person.post("/v1/session/totp", &json!({})).await.expect(200);
    let secret = text(&setup["secret"]);
    let uri = format!(
        "otpauth://totp/Govern:{}?secret={secret}&issuer=Govern&algorithm=SHA1&digits=6&period=30",
        email.replace('@', "%40")
    );
    assert_eq!((secret.len(), text(&setup["uri"])), (32, uri.as_str()));
    // Until a code confirms the secret, the account has no second factor.
    assert_eq!(start_sign_in(&service, &email).await.1.status, 200);
    let refused = person.post("/v1/session/totp/confirm", &code(&service, secret, 7)).await;
    assert_eq!(refused.field_errors(), "/code incorrect\n");
    let current = code(&service, secret, 0);
    let confirmed = person.post("/v1/session/totp/confirm", &current).await.expect(200);
    assert_eq!(confirmed["recovery_codes"].as_array().map(Vec::len), Some(10));
    assert_eq!(method(&person).await, "password+totp");
    let again = person.post("/v1/session/totp", &json!({})).await;
    assert_eq!(again.to_string(), "409 CONFLICT");
    // The secret is stored encrypted.
    let stored = service.sql("select encode(secret, 'escape') from totp_secrets").await.concat();
    assert!(!stored.contains(secret), "{stored}");

    let browser = pending(&service, &email).await;
    let send = async |code: Value| browser.post(SECOND_FACTOR, &code).await;
    // A used code, a code before a used one, and the code of a clock that is a minute fast.
    for refused in [current, code(&service, secret, -1), code(&service, secret, 2)] {
        assert_eq!(send(refused.clone()).await.to_string(), "401 UNAUTHORIZED", "{refused}");
    }
    // The clock of the device may be one step fast. Spaces are ignored.
    let next = totp(secret, now_ms(&service), 1);
    let spaced = json!({"code": format!("{} {}", &next[..3], &next[3..])});
    assert_eq!(send(spaced).await.expect(200)["auth_method"], "password+totp");
    assert_eq!(read_status(&browser).await, 200);
    // The sign-in is complete, so its pending state is gone.
    let next = json!({"code": next});
    assert_eq!(send(next.clone()).await.to_string(), "401 UNAUTHORIZED");
    let replayed = pending(&service, &email).await.post(SECOND_FACTOR, &next).await;
    assert_eq!(replayed.to_string(), "401 UNAUTHORIZED");
}

#[tokio::test]
async fn a_recovery_code_replaces_a_lost_factor_once() {
    let (service, mailbox, email, person) = account(Role::Author).await;
    let (_, codes) = enroll_app(&person, now_ms(&service)).await;
    let stored = service.sql("select encode(digest, 'escape') from recovery_codes").await.concat();
    assert!(!stored.contains(&codes[0].replace('-', "")), "{stored}");
    let before = actions(&service, 0).await.len();
    let browser = pending(&service, &email).await;
    // As a person types it.
    let typed = json!({"code": codes[0].to_uppercase().replace('-', " ")});
    let session = browser.post(SECOND_FACTOR, &typed).await.expect(200);
    assert_eq!(session["auth_method"], "password+recovery_code");
    assert_eq!(actions(&service, before).await, ["recovery_code.use", "session.begin"]);
    let used = pending(&service, &email).await.post(SECOND_FACTOR, &typed).await;
    assert_eq!(used.to_string(), "401 UNAUTHORIZED");
    let factors = browser.get("/v1/session/second-factors").await.expect(200);
    assert_eq!(factors["recovery_codes_left"], 9);
    // A new set voids the earlier codes. The codes of another account are not valid.
    let replaced = browser.post("/v1/session/recovery-codes", &json!({})).await.expect(200);
    let other_email = service.member(Role::Author).await;
    enroll_app(&service.sign_in(&other_email).await, now_ms(&service)).await;
    let refused =
        pending(&service, &email).await.post(SECOND_FACTOR, &json!({"code": codes[1]})).await;
    assert_eq!(refused.to_string(), "401 UNAUTHORIZED");
    let new_code = json!({"code": replaced["recovery_codes"][0]});
    let refused = pending(&service, &other_email).await.post(SECOND_FACTOR, &new_code).await;
    assert_eq!(refused.to_string(), "401 UNAUTHORIZED");
    pending(&service, &email).await.post(SECOND_FACTOR, &new_code).await.expect(200);
    // The owner is informed of each change.
    let subjects = subjects(&service, &mailbox, &email).await;
    for subject in [
        "An authenticator app was added to your Govern account",
        "A recovery code of your Govern account was used",
        "The recovery codes of your Govern account were replaced",
    ] {
        assert!(subjects.iter().any(|sent| sent == subject), "{subject}: {subjects:?}");
    }
}

#[tokio::test]
async fn wrong_codes_are_limited_and_audited() {
    let (service, _, email, person) = account(Role::Author).await;
    let (secret, codes) = enroll_app(&person, now_ms(&service)).await;
    let browser = pending(&service, &email).await;
    let fail_five_times = async || {
        for _ in 0..5 {
            let refused = browser.post(SECOND_FACTOR, &code(&service, &secret, 9)).await;
            assert_eq!(refused.to_string(), "401 UNAUTHORIZED");
        }
    };
    fail_five_times().await;
    // A correct code is refused too, in another browser as well, and with a recovery code.
    let other = pending(&service, &email).await;
    for (client, right) in
        [(&browser, code(&service, &secret, 0)), (&other, json!({"code": codes[0]}))]
    {
        let refused = client.post(SECOND_FACTOR, &right).await;
        assert_eq!(refused.to_string(), "429 TOO_MANY_REQUESTS");
    }
    service.governance.finish_background().await;
    let failed =
        service.sql("select count(*)::text from audit_events where action = 'session.fail'");
    assert_eq!(failed.await, ["5"]);
    // The limit of the account is 10 failures in an hour.
    service.clock.advance(MINUTE_MS);
    fail_five_times().await;
    service.clock.advance(2 * MINUTE_MS);
    let refused = browser.post(SECOND_FACTOR, &code(&service, &secret, 0)).await;
    assert_eq!(refused.to_string(), "429 TOO_MANY_REQUESTS");
    service.clock.advance(60 * MINUTE_MS);
    let browser = pending(&service, &email).await;
    browser.post(SECOND_FACTOR, &code(&service, &secret, 0)).await.expect(200);
}

#[tokio::test]
async fn a_tenant_that_requires_a_second_factor_refuses_sessions_without_one() {
    let service = service().await;
    let admin = service.admin().await;
    let member = service.signed_in_member(Role::Author).await;
    let required = json!({"second_factor_required": true});
    // An admin cannot exclude the own session, and a key cannot change the setting.
    assert_eq!(admin.patch("/v1/settings", &required).await.to_string(), "409 CONFLICT");
    assert_eq!(
        service.key.patch("/v1/settings", &required).await.to_string(),
        "403 HUMAN_REQUIRED"
    );
    enroll(&admin, &mut Authenticator::new(1)).await;
    let changed = admin.patch("/v1/settings", &required).await.expect(200);
    assert_eq!(changed["second_factor_required"], true);
    // It applies to the next request of each session. Keys are not affected.
    assert_eq!(member.get("/v1/policies").await.to_string(), "403 SECOND_FACTOR_REQUIRED");
    assert_eq!((read_status(&admin).await, read_status(&service.key).await), (200, 200));
    let session = member.get("/v1/session").await.expect(200);
    assert_eq!(session["memberships"], json!([]));
    assert_eq!(
        session["second_factor_required"],
        json!([{"tenant_id": service.tenant, "tenant_name": "Acme"}])
    );
    // The member adds a factor in the same session, and has access at once.
    enroll_app(&member, now_ms(&service)).await;
    assert_eq!(read_status(&member).await, 200);
    let session = member.get("/v1/session").await.expect(200);
    assert_eq!(session["memberships"][0]["role"], "author");
    assert_eq!(session["second_factor_required"], Value::Null);
    // A new sign-in without a factor has no access.
    let newcomer = service.signed_in_member(Role::Viewer).await;
    assert_eq!(newcomer.get("/v1/policies").await.to_string(), "403 SECOND_FACTOR_REQUIRED");
    // Turning it off weakens a safeguard.
    admin.patch("/v1/settings", &json!({"second_factor_required": false})).await.expect(200);
    assert_eq!(read_status(&newcomer).await, 200);
    let alerts = service.key.get("/v1/alerts").await.expect(200);
    let data = alerts["items"][0].to_string();
    assert!(data.contains("second_factor_required"), "{data}");
}

#[tokio::test]
async fn a_tenant_that_accepts_only_passkeys_refuses_passwords() {
    let service = service().await;
    let (admin, author) = (service.admin().await, service.signed_in_member(Role::Author).await);
    let email = service.member(Role::Viewer).await;
    let viewer = service.sign_in(&email).await;
    let only_passkeys = json!({"sign_in": "passkey"});
    assert_eq!(admin.patch("/v1/settings", &only_passkeys).await.to_string(), "409 CONFLICT");
    let mut authenticator = Authenticator::new(1);
    enroll(&admin, &mut authenticator).await;
    enroll_app(&viewer, now_ms(&service)).await;
    admin.patch("/v1/settings", &only_passkeys).await.expect(200);
    let alone = passkey_session(&service, &authenticator).await;
    // A passkey alone, and one after the password.
    for accepted in [&alone, &admin] {
        assert_eq!(read_status(accepted).await, 200);
    }
    for excluded in [&author, &viewer] {
        assert_eq!(excluded.get("/v1/policies").await.to_string(), "403 FORBIDDEN");
    }
    // A confirmation without a passkey does not count in this tenant.
    let (secret, _) = enroll_app(&alone, now_ms(&service)).await;
    service.clock.advance(16 * MINUTE_MS);
    let code = totp(&secret, now_ms(&service), 0);
    let confirmation = json!({"password": PASSWORD, "code": code});
    alone.post(CONFIRM, &confirmation).await.expect(200);
    let any = json!({"sign_in": "any"});
    assert_eq!(alone.patch("/v1/settings", &any).await.to_string(), "403 CONFIRMATION_REQUIRED");
    let body = authenticator.answer(&alone, "confirm").await;
    alone.post(CONFIRM, &body).await.expect(200);
    alone.patch("/v1/settings", &any).await.expect(200);
    assert_eq!(read_status(&author).await, 200);
    // The operator permits all sign-ins when no admin has a passkey any more.
    alone.patch("/v1/settings", &only_passkeys).await.expect(200);
    assert_eq!(read_status(&author).await, 403);
    settings::permit_all_sign_ins(&service.governance, service.tenant).await.expect("permitted");
    assert_eq!(read_status(&author).await, 200);
}

/// Ratifies a submitted version and returns the `auth_method` of its approval.
async fn ratified_with(service: &TestService, ratifier: &Client, code: &str) -> Value {
    let version = service.submitted(code).await;
    let ratification = json!({"expected_revision": 1});
    ratifier.post(version.action_path("ratify"), &ratification).await.expect(200);
    let approval = service.key.get(version.action_path("approval")).await.expect(200);
    approval["approval"]["ratifier"]["auth_method"].clone()
}

#[tokio::test]
async fn an_approval_says_how_its_ratifier_authenticated_last() {
    let (service, _, _, person) = account(Role::Ratifier).await;
    assert_eq!(ratified_with(&service, &person, "P-1").await, "password");
    let (secret, codes) = enroll_app(&person, now_ms(&service)).await;
    assert_eq!(ratified_with(&service, &person, "P-2").await, "password+totp");
    let mut authenticator = Authenticator::new(1);
    enroll(&person, &mut authenticator).await;
    service.clock.advance(16 * MINUTE_MS);
    let version = service.submitted("P-3").await;
    let refused =
        person.post(version.action_path("ratify"), &json!({"expected_revision": 1})).await;
    assert_eq!(refused.to_string(), "403 CONFIRMATION_REQUIRED");
    // The password alone is not enough for an account with a second factor.
    let confirm = async |body: Value| person.post(CONFIRM, &body).await;
    let refused = confirm(json!({"password": PASSWORD})).await;
    assert_eq!(refused.to_string(), "401 SECOND_FACTOR_MISSING");
    assert_eq!(refused.details()["methods"], json!(["passkey", "totp", "recovery_code"]));
    let wrong = json!({"password": "not the password", "code": totp(&secret, now_ms(&service), 0)});
    assert_eq!(confirm(wrong).await.to_string(), "401 UNAUTHORIZED");
    let neither = confirm(code(&service, &secret, 0)).await;
    assert_eq!(neither.to_string(), "422 VALIDATION_ERROR");
    let code = totp(&secret, now_ms(&service), 0);
    confirm(json!({"password": PASSWORD, "code": code})).await.expect(200);
    assert_eq!(ratified_with(&service, &person, "P-4").await, "password+totp");
    let mut both = authenticator.answer(&person, "confirm").await;
    both["password"] = PASSWORD.into();
    confirm(both).await.expect(200);
    assert_eq!(ratified_with(&service, &person, "P-5").await, "password+passkey");
    let body = authenticator.answer(&person, "confirm").await;
    confirm(body).await.expect(200);
    assert_eq!(ratified_with(&service, &person, "P-6").await, "passkey");
    confirm(json!({"password": PASSWORD, "code": codes[0]})).await.expect(200);
    assert_eq!(ratified_with(&service, &person, "P-7").await, "password+recovery_code");
    // A passkey without verification confirms nothing by itself.
    authenticator.flags = USER_PRESENT;
    let answer = authenticator.answer(&person, "confirm").await;
    assert_eq!(reason(&confirm(answer).await), "user_verification");
    // The session was started with the password and the app.
    assert_eq!(method(&person).await, "password+totp");
}

#[tokio::test]
async fn second_factors_and_reauthentications_that_exclude_each_other_are_rejected() {
    let service = service().await;
    let person = service.admin().await;
    for (path, body, errors) in [
        (SECOND_FACTOR, json!({}), "/code required\n"),
        (SECOND_FACTOR, json!({"code": "1", "credential": {}}), "/credential conflict\n"),
        (CONFIRM, json!({}), "/password required\n"),
        (CONFIRM, json!({"code": "1"}), "/password required\n"),
        (CONFIRM, json!({"code": "1", "credential": {}}), "/credential conflict\n"),
        (
            CONFIRM,
            json!({"password": PASSWORD, "code": "1", "credential": {}}),
            "/credential conflict\n",
        ),
    ] {
        assert_eq!(person.post(path, &body).await.field_errors(), errors, "{path} {body}");
    }
}

#[tokio::test]
async fn changes_need_a_recent_sign_in_and_end_other_sessions() {
    let (service, mailbox, email, person) = account(Role::Author).await;
    let mut first = Authenticator::new(1);
    let path = passkey_path(&enroll(&person, &mut first).await);
    let added = enroll(&person, &mut Authenticator::new(2)).await;
    assert_eq!(added["recovery_codes"], json!([]));
    // A passkey that was added before, also by another account.
    let other = service.signed_in_member(Role::Author).await;
    for client in [&person, &other] {
        let copy = try_create(client, Authenticator::new(1), |_| ()).await;
        assert_eq!(copy.to_string(), "409 CONFLICT");
    }
    // The passkeys of others do not exist.
    assert_eq!(other.patch(&path, &json!({"name": "Mine"})).await.to_string(), "404 NOT_FOUND");
    assert_eq!(other.delete(&path).await.to_string(), "404 NOT_FOUND");
    let renamed = person.patch(&path, &json!({"name": "Phone"})).await.expect(200);
    assert_eq!(renamed["name"], "Phone");

    service.clock.advance(15 * MINUTE_MS + 1);
    let old = [
        person.post(format!("{PASSKEYS}/options"), &json!({})).await,
        person.post("/v1/session/totp", &json!({})).await,
        person.post("/v1/session/recovery-codes", &json!({})).await,
        person.delete(&path).await,
        person.delete("/v1/session/totp").await,
    ];
    for response in old {
        assert_eq!(response.to_string(), "403 CONFIRMATION_REQUIRED");
    }
    let body = first.answer(&person, "confirm").await;
    person.post(CONFIRM, &body).await.expect(200);
    let browser = passkey_session(&service, &first).await;
    assert_eq!(person.delete(&path).await.status, 204);
    assert_eq!((read_status(&browser).await, read_status(&person).await), (401, 200));
    assert_eq!(reason(&sign_in_alone(&service, &first).await), "unknown");
    // With the last factor, the recovery codes are removed, and the password is enough again.
    let last = person.get("/v1/session/second-factors").await.expect(200);
    let path = format!("{PASSKEYS}/{}", text(&last["passkeys"][0]["id"]));
    assert_eq!(person.delete(path).await.status, 204);
    assert_eq!(service.sql("select count(*)::text from recovery_codes").await, ["0"]);
    // The confirmation with the removed passkey no longer counts.
    let refused = person.post("/v1/session/recovery-codes", &json!({})).await;
    assert_eq!(refused.to_string(), "403 CONFIRMATION_REQUIRED");
    person.post(CONFIRM, &json!({"password": PASSWORD})).await.expect(200);
    let refused = person.post("/v1/session/recovery-codes", &json!({})).await;
    assert_eq!(refused.to_string(), "409 CONFLICT");
    assert_eq!(start_sign_in(&service, &email).await.1.status, 200);
    let subjects = subjects(&service, &mailbox, &email).await;
    let removed = "A passkey was removed from your Govern account";
    assert_eq!(subjects.iter().filter(|subject| *subject == removed).count(), 2, "{subjects:?}");
}

#[tokio::test]
async fn the_operator_and_the_admin_of_a_confined_account_reset_second_factors() {
    let service = service().await;
    let admin = service.admin().await;
    let email = service.member(Role::Author).await;
    let person = service.sign_in(&email).await;
    enroll(&person, &mut Authenticator::new(1)).await;
    let id = text(&user_id(&person).await).to_owned();
    let path = format!("/v1/admin/members/{id}/reset-second-factors");
    // A proven account may belong to other tenants too, so one admin cannot reset it.
    assert_eq!(admin.post(&path, &json!({})).await.to_string(), "403 FORBIDDEN");
    assert_eq!(person.post(&path, &json!({})).await.to_string(), "403 FORBIDDEN");
    let neighbour = service.other_tenant().await;
    assert_eq!(neighbour.admin.post(&path, &json!({})).await.to_string(), "404 NOT_FOUND");
    service.confine(&email).await;
    let before = actions(&service, 0).await.len();
    assert_eq!(neighbour.admin.post(&path, &json!({})).await.to_string(), "404 NOT_FOUND");
    assert_eq!(admin.post(&path, &json!({})).await.status, 204);
    assert_eq!(actions(&service, 0).await.len(), before + 1);
    assert_eq!(read_status(&person).await, 401, "all sessions end");
    assert_eq!(start_sign_in(&service, &email).await.1.status, 200);
    // Without a factor, nothing changes.
    assert_eq!(admin.post(&path, &json!({})).await.status, 204);
    assert_eq!(actions(&service, 0).await.len(), before + 2, "only the sign-in");

    enroll(&admin, &mut Authenticator::new(2)).await;
    let reset = async |tenant, email: &str| {
        let reset = operator::reset_second_factors(&service.governance, tenant, email).await;
        reset.map(|reset| reset.had_second_factor).map_err(|error| error.status())
    };
    assert_eq!(reset(None, &service.admin_email).await, Ok(true));
    assert_eq!(read_status(&admin).await, 401);
    assert_eq!(reset(None, &service.admin_email).await, Ok(false));
    assert_eq!(reset(Some(service.tenant), &email).await, Ok(false));
    assert_eq!(reset(None, &email).await, Err(404), "no proven account");
}

#[tokio::test]
async fn a_proven_address_removes_the_factors_that_an_admin_may_have_added() {
    let (service, mailbox, email, person) = account(Role::Author).await;
    let mut authenticator = Authenticator::new(1);
    enroll(&person, &mut authenticator).await;
    service.confine(&email).await;
    sign_in_alone(&service, &authenticator).await.expect(200);
    service.public.post("/v1/session/reset", &json!({"email": email})).await;
    let link = token(&mailbox.newest(&service, &email).await);
    assert_eq!(service.set_password(&link, "four other words of mine").await.status, 204);
    assert_eq!(reason(&sign_in_alone(&service, &authenticator).await), "unknown");
    assert_eq!(service.sql("select count(*)::text from recovery_codes").await, ["0"]);
    let newest = actions(&service, 0).await;
    assert!(
        newest.ends_with(&["user.reset_password".to_owned(), "second_factor.reset".to_owned()])
    );
    // The reset of a proven account does not remove factors: access to the mail is one factor only.
    let browser = service.public.with("x-service-tenant-id", service.tenant).without_session();
    browser.sign_in(&email, "four other words of mine").await.expect(200);
    let mut other = Authenticator::new(2);
    enroll(&browser, &mut other).await;
    service.clock.advance(3 * MINUTE_MS);
    service.public.post("/v1/session/reset", &json!({"email": email})).await;
    let link = token(&mailbox.newest(&service, &email).await);
    assert_eq!(service.set_password(&link, PASSWORD).await.status, 204);
    pending(&service, &email).await;
    sign_in_alone(&service, &other).await.expect(200);
}

#[tokio::test]
async fn a_factor_is_added_only_to_an_account_with_a_proven_address() {
    let (service, mailbox) = Mailbox::start().await;
    let email = service.member(Role::Author).await;
    service.confine(&email).await;
    let person = service.sign_in(&email).await;
    for path in ["/v1/session/passkeys/options", "/v1/session/totp"] {
        let refused = person.post(path, &json!({})).await;
        assert_eq!(refused.to_string(), "403 FORBIDDEN (ADDRESS_NOT_PROVEN)", "{path}");
        assert!(refused.text.contains("password reset"), "{}", refused.text);
    }
    let draft = json!({"name": "Laptop", "credential": {}});
    assert_eq!(
        person.post(PASSKEYS, &draft).await.to_string(),
        "403 FORBIDDEN (ADDRESS_NOT_PROVEN)"
    );
    let page = Browser::new(&service, &person).client("theme=dark").get("/account").await.html();
    assert!(page.contains("as soon as your email address is confirmed"), "{page}");
    assert!(!page.contains("Set up authenticator app"), "{page}");
    // A mailed link proves the address.
    service.public.post("/v1/session/reset", &json!({"email": email})).await;
    let link = token(&mailbox.newest(&service, &email).await);
    assert_eq!(service.set_password(&link, PASSWORD).await.status, 204);
    enroll(&service.sign_in(&email).await, &mut Authenticator::new(1)).await;
}

#[tokio::test]
async fn a_session_does_not_name_a_removed_factor() {
    let service = service().await;
    let person = service.signed_in_member(Role::Author).await;
    enroll_app(&person, now_ms(&service)).await;
    assert_eq!(method(&person).await, "password+totp");
    let mut only = Authenticator::new(1);
    let passkey = passkey_path(&enroll(&person, &mut only).await);
    assert_eq!(person.delete("/v1/session/totp").await.status, 204);
    assert_eq!(method(&person).await, "password");
    // The account still has a passkey, so the password alone changes no factor.
    assert_eq!(person.delete(&passkey).await.to_string(), "403 CONFIRMATION_REQUIRED");
    // Without its only passkey, a session that was started with it ends.
    let alone = passkey_session(&service, &only).await;
    assert_eq!(alone.delete(&passkey).await.status, 204);
    assert_eq!(alone.get("/v1/session").await.to_string(), "401 UNAUTHORIZED");

    let admin = service.admin().await;
    let setting = json!({"second_factor_required": true});
    let mut laptop = Authenticator::new(2);
    let created = enroll(&admin, &mut laptop).await;
    admin.patch("/v1/settings", &setting).await.expect(200);
    let path = passkey_path(&created);
    let alone = passkey_session(&service, &laptop).await;
    assert_eq!(admin.delete(&path).await.status, 204);
    assert_eq!(method(&admin).await, "password");
    assert_eq!(admin.get("/v1/policies").await.to_string(), "403 SECOND_FACTOR_REQUIRED");
    assert_eq!(read_status(&alone).await, 401);
}

#[tokio::test]
async fn a_changed_password_ends_a_pending_sign_in() {
    let (service, _, email, person) = account(Role::Author).await;
    let (secret, _) = enroll_app(&person, now_ms(&service)).await;
    let browser = pending(&service, &email).await;
    let change = json!({"password": PASSWORD, "new_password": "four other words of mine"});
    person.post("/v1/session/password", &change).await.expect(200);
    let code = code(&service, &secret, 0);
    assert_eq!(browser.post(SECOND_FACTOR, &code).await.to_string(), "401 UNAUTHORIZED");
    assert_eq!(read_status(&browser).await, 401);
}
