//! Second factors: passkeys of a software authenticator, one-time codes and recovery codes.

pub(crate) mod authenticator;

use governance::{access::operator, authoring::settings};

use self::authenticator::{
    Algorithm, Authenticator, BACKED_UP, BACKUP_ELIGIBLE, USER_PRESENT, USER_VERIFIED, encode,
    enroll, enroll_app, options, totp,
};
use crate::{
    mailbox::{Mailbox, token},
    prelude::*,
};

const PASSKEYS: &str = "/v1/session/passkeys";
const SECOND_FACTOR: &str = "/v1/session/second-factor";
const CONFIRM: &str = "/v1/session/confirm";

/// Changes an authenticator so that it misbehaves.
type Misbehavior<'m> = &'m dyn Fn(&mut Authenticator);

/// Starts a service at `https://govern.acme.example`.
async fn service() -> TestService {
    Mailbox::start().await.0
}

/// Sends the address and the password of a user in a new browser.
async fn start_sign_in(service: &TestService, email: &str) -> (Client, TestResponse) {
    let client = service.public.with("x-service-tenant-id", service.tenant).without_session();
    let credentials = json!({"email": email, "password": PASSWORD});
    let response = client.post("/v1/session", &credentials).await;
    (client, response)
}

/// Signs a user in up to the second factor.
async fn pending(service: &TestService, email: &str) -> Client {
    let (client, response) = start_sign_in(service, email).await;
    assert_eq!(response.to_string(), "401 SECOND_FACTOR_MISSING");
    client
}

/// Signs in with a passkey alone.
async fn sign_in_alone(service: &TestService, authenticator: &Authenticator) -> TestResponse {
    let client = service.public.without_session();
    let options = options(&client, "sign_in").await;
    let credential = authenticator.get(&options);
    client.post("/v1/session/passkey", &json!({"credential": credential})).await
}

/// Returns the client that signs in with a passkey alone.
async fn passkey_session(service: &TestService, authenticator: &Authenticator) -> Client {
    let client = service.public.with("x-service-tenant-id", service.tenant).without_session();
    let options = options(&client, "sign_in").await;
    let body = json!({"credential": authenticator.get(&options)});
    client.post("/v1/session/passkey", &body).await.expect(200);
    client
}

/// Returns why a passkey was refused.
fn reason(response: &TestResponse) -> String {
    assert_eq!(response.status, 401, "{response:?}");
    assert_eq!(response.json()["error"]["code"], "UNAUTHORIZED");
    text(&response.details()["reason"]).to_owned()
}

async fn method(client: &Client) -> Value {
    client.get("/v1/session").await.expect(200)["auth_method"].clone()
}

fn now_ms(service: &TestService) -> i64 {
    service.clock.now().millis()
}

/// Returns the subjects of the mails to an address.
async fn subjects(service: &TestService, mailbox: &Mailbox, email: &str) -> Vec<String> {
    let messages = mailbox.messages(service, email).await;
    messages.iter().map(|message| message.subject.as_str().to_owned()).collect()
}

/// Returns the actions of the audit log from the event `from` on.
async fn actions(service: &TestService, from: usize) -> Vec<String> {
    service.governance.finish_background().await;
    let actions = service.sql("select action from audit_events order by tenant_id, seq").await;
    actions[from..].to_vec()
}

#[tokio::test]
async fn a_passkey_that_verifies_its_user_signs_in_without_a_password() {
    for algorithm in [Algorithm::Es256, Algorithm::EdDsa] {
        let service = service().await;
        let admin = service.admin().await;
        let other = service.admin().await;
        let before = actions(&service, 0).await.len();
        let mut authenticator = Authenticator::with_algorithm(1, algorithm);
        authenticator.flags |= BACKUP_ELIGIBLE | BACKED_UP;
        authenticator.has_extensions = true;
        let created = enroll(&admin, &mut authenticator).await;
        assert_eq!(
            created["passkey"],
            json!({
                "id": created["passkey"]["id"], "name": "Laptop", "is_backed_up": true,
                "can_sign_in": true, "created_at": "2026-09-01T10:00:00.000Z",
            })
        );
        assert_eq!(created["recovery_codes"].as_array().map(Vec::len), Some(10));
        // The first factor ends all other sessions. The current one has used the passkey.
        assert_eq!((read_status(&other).await, read_status(&admin).await), (401, 200));
        assert_eq!(method(&admin).await, "password+passkey");
        let session = sign_in_alone(&service, &authenticator).await.expect(200);
        assert_eq!(session["auth_method"], "passkey");
        assert_eq!(session["user"]["email"], service.admin_email);
        let factors = admin.get("/v1/session/second-factors").await.expect(200);
        assert_eq!(factors["passkeys"][0]["last_used_at"], "2026-09-01T10:00:00.000Z");
        assert_eq!(factors["recovery_codes_left"], 10);
        assert_eq!(factors["totp"], Value::Null);
        assert_eq!(actions(&service, before).await, ["passkey.create", "session.begin"]);
        service.assert_audit_events_are_linked().await;
    }
}

#[tokio::test]
async fn new_passkeys_that_are_not_valid_are_refused_with_a_reason() {
    let service = service().await;
    let admin = service.admin().await;
    let cases: [(&str, &str, Misbehavior<'_>); 8] = [
        ("another origin", "origin", &|it| it.origin = Some("https://evil.example".to_owned())),
        ("a frame", "origin", &|it| it.is_framed = true),
        ("another relying party", "relying_party", &|it| {
            it.relying_party = Some("evil.example".to_owned());
        }),
        ("a use", "type", &|it| it.kind = Some("webauthn.get".to_owned())),
        ("no user present", "user_presence", &|it| it.flags = USER_VERIFIED),
        ("a backup that cannot exist", "format", &|it| it.flags |= BACKED_UP),
        ("no ID", "format", &|it| it.id = Vec::new()),
        ("another algorithm", "algorithm", &|it| {
            *it = Authenticator::with_algorithm(9, Algorithm::Unsupported);
        }),
    ];
    for (case, expected, misbehave) in cases {
        let mut authenticator = Authenticator::new(1);
        misbehave(&mut authenticator);
        let options = admin.post(format!("{PASSKEYS}/options"), &json!({})).await.expect(200);
        let draft = json!({"name": "Laptop", "credential": authenticator.create(&options)});
        let refused = admin.post(PASSKEYS, &draft).await;
        assert_eq!(refused.to_string(), "422 VALIDATION_ERROR", "{case}");
        assert_eq!(refused.field_errors(), format!("/credential {expected}\n"), "{case}");
    }
    // Bytes that are not CBOR, and no bytes.
    let options = admin.post(format!("{PASSKEYS}/options"), &json!({})).await.expect(200);
    for attestation in ["", "o2NmbXQ", &encode(&[0x9f; 2_000]), &encode(&[0x81; 2_000])] {
        let mut credential = Authenticator::new(1).create(&options);
        credential["response"]["attestationObject"] = attestation.into();
        let draft = json!({"name": "Laptop", "credential": credential});
        let refused = admin.post(PASSKEYS, &draft).await;
        assert_eq!(refused.field_errors(), "/credential format\n");
    }
    assert_eq!(service.sql("select count(*)::text from passkeys").await, ["0"]);
}

#[tokio::test]
async fn uses_of_a_passkey_that_are_not_valid_are_refused_with_a_reason() {
    let service = service().await;
    let (admin, author) = (service.admin().await, service.signed_in_member(Role::Author).await);
    let mut authenticator = Authenticator::new(1);
    enroll(&admin, &mut authenticator).await;
    enroll(&author, &mut Authenticator::new(2)).await;
    let handle_of_author = {
        let id: uuid::Uuid = text(&user_id(&author).await).parse().expect("an ID");
        encode(id.as_bytes())
    };
    let own_handle = authenticator.user_handle.clone();
    let cases: [(&str, &str, Misbehavior<'_>); 10] = [
        ("another origin", "origin", &|it| it.origin = Some("https://evil.example".to_owned())),
        ("a frame", "origin", &|it| it.is_framed = true),
        ("another relying party", "relying_party", &|it| {
            it.relying_party = Some("evil.example".to_owned());
        }),
        ("a creation", "type", &|it| it.kind = Some("webauthn.create".to_owned())),
        ("no user present", "user_presence", &|it| it.flags = USER_VERIFIED),
        ("a user who is not verified", "user_verification", &|it| it.flags = USER_PRESENT),
        ("an unknown passkey", "unknown", &|it| it.id = vec![7; 16]),
        ("the account of another user", "unknown", &|it| {
            it.user_handle = Some(handle_of_author.clone());
        }),
        ("no account", "unknown", &|it| it.user_handle = None),
        ("the passkey of another user", "unknown", &|it| it.id = vec![2; 16]),
    ];
    for (case, expected, misbehave) in cases {
        let flags = authenticator.flags;
        misbehave(&mut authenticator);
        let refused = sign_in_alone(&service, &authenticator).await;
        assert_eq!(reason(&refused), expected, "{case}");
        authenticator.flags = flags;
        authenticator.id = vec![1; 16];
        authenticator.user_handle.clone_from(&own_handle);
        (authenticator.origin, authenticator.relying_party) = (None, None);
        (authenticator.kind, authenticator.is_framed) = (None, false);
    }
    // A signature of another key, and a changed response.
    let mut impostor = Authenticator::new(1);
    impostor.user_handle = own_handle;
    assert_eq!(reason(&sign_in_alone(&service, &impostor).await), "signature");
    let client = service.public.without_session();
    for (member, value) in
        [("signature", ""), ("authenticatorData", "AAAA"), ("clientDataJSON", "e30")]
    {
        let mut credential = authenticator.get(&options(&client, "sign_in").await);
        credential["response"][member] = value.into();
        let response = client.post("/v1/session/passkey", &json!({"credential": credential})).await;
        let expected = match member {
            "signature" => "signature",
            "authenticatorData" => "format",
            _ => "type",
        };
        assert_eq!(reason(&response), expected, "{member}");
    }
    sign_in_alone(&service, &authenticator).await.expect(200);
}

#[tokio::test]
async fn a_challenge_is_valid_once_for_five_minutes_and_for_one_step() {
    let service = service().await;
    let admin = service.admin().await;
    let mut authenticator = Authenticator::new(1);
    enroll(&admin, &mut authenticator).await;
    let client = service.public.without_session();
    let sign_in = async |credential: &Value| {
        client.post("/v1/session/passkey", &json!({"credential": credential})).await
    };
    // Replayed.
    let credential = authenticator.get(&options(&client, "sign_in").await);
    sign_in(&credential).await.expect(200);
    assert_eq!(reason(&sign_in(&credential).await), "challenge");
    // Too old, and just in time.
    let late = authenticator.get(&options(&client, "sign_in").await);
    service.clock.advance(5 * MINUTE_MS + 1);
    assert_eq!(reason(&sign_in(&late).await), "challenge");
    let in_time = authenticator.get(&options(&client, "sign_in").await);
    service.clock.advance(5 * MINUTE_MS);
    sign_in(&in_time).await.expect(200);
    // Issued for another step, and not issued.
    let confirm = authenticator.get(&options(&admin, "confirm").await);
    assert_eq!(reason(&sign_in(&confirm).await), "challenge");
    let forged =
        json!({"public_key": {"rpId": "govern.acme.example", "challenge": encode(&[1; 56])}});
    assert_eq!(reason(&sign_in(&authenticator.get(&forged)).await), "challenge");
    let challenge = options(&client, "sign_in").await;
    let body = json!({"credential": authenticator.get(&challenge)});
    let confirmed = admin.post(CONFIRM, &body).await;
    assert_eq!(reason(&confirmed), "challenge");
    // The challenge of another session.
    let other = passkey_session(&service, &authenticator).await;
    let body = json!({"credential": authenticator.get(&options(&other, "confirm").await)});
    assert_eq!(reason(&admin.post(CONFIRM, &body).await), "challenge");
    other.post(CONFIRM, &body).await.expect(200);
}

#[tokio::test]
async fn a_signature_counter_that_does_not_increase_is_refused_and_audited() {
    let service = service().await;
    let admin = service.admin().await;
    let mut authenticator = Authenticator::new(1);
    authenticator.sign_count = 5;
    enroll(&admin, &mut authenticator).await;
    authenticator.sign_count = 6;
    sign_in_alone(&service, &authenticator).await.expect(200);
    for copied in [6, 5, 0] {
        authenticator.sign_count = copied;
        assert_eq!(reason(&sign_in_alone(&service, &authenticator).await), "sign_count");
    }
    authenticator.sign_count = 7;
    sign_in_alone(&service, &authenticator).await.expect(200);
    let page = service.key.get("/v1/audit-log?action=passkey.refuse").await.expect(200);
    let refused = page["items"].as_array().expect("a list");
    assert_eq!(refused.len(), 3);
    assert_eq!(refused[0]["details"], json!({"reason": "sign_count"}));
}

#[tokio::test]
async fn a_passkey_that_has_not_verified_its_user_is_only_a_second_factor() {
    let service = service().await;
    let email = service.member(Role::Ratifier).await;
    let person = service.sign_in(&email).await;
    let mut key = Authenticator::new(1);
    key.flags = USER_PRESENT;
    let created = enroll(&person, &mut key).await;
    assert_eq!(created["passkey"]["can_sign_in"], false);
    // A person who finds the key could set its PIN, so verification alone proves nothing yet.
    key.flags |= USER_VERIFIED;
    assert_eq!(reason(&sign_in_alone(&service, &key).await), "user_verification");
    key.flags = USER_PRESENT;
    let browser = pending(&service, &email).await;
    let body = json!({"credential": key.get(&options(&browser, "second_factor").await)});
    let session = browser.post(SECOND_FACTOR, &body).await.expect(200);
    assert_eq!(session["auth_method"], "password+passkey");
    // Together with the password, the verification counts from then on.
    key.flags |= USER_VERIFIED;
    let browser = pending(&service, &email).await;
    let body = json!({"credential": key.get(&options(&browser, "second_factor").await)});
    browser.post(SECOND_FACTOR, &body).await.expect(200);
    sign_in_alone(&service, &key).await.expect(200);
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
    let body = json!({"credential": foreign.get(&options(&browser, "second_factor").await)});
    assert_eq!(reason(&browser.post(SECOND_FACTOR, &body).await), "unknown");
    let second = pending(&service, &email).await;
    let body = json!({"credential": authenticator.get(&options(&second, "second_factor").await)});
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
    let service = service().await;
    let email = service.member(Role::Author).await;
    let person = service.sign_in(&email).await;
    let setup = person.post("/v1/session/totp", &json!({})).await.expect(200);
    let secret = text(&setup["secret"]);
    let uri = format!(
        "otpauth://totp/Govern:{}?secret={secret}&issuer=Govern&algorithm=SHA1&digits=6&period=30",
        email.replace('@', "%40")
    );
    assert_eq!((secret.len(), text(&setup["uri"])), (32, uri.as_str()));
    // Until a code confirms the secret, the account has no second factor.
    assert_eq!(start_sign_in(&service, &email).await.1.status, 200);
    let wrong = json!({"code": totp(secret, now_ms(&service), 7)});
    let refused = person.post("/v1/session/totp/confirm", &wrong).await;
    assert_eq!(refused.field_errors(), "/code incorrect\n");
    let current = totp(secret, now_ms(&service), 0);
    let code = json!({"code": current});
    let confirmed = person.post("/v1/session/totp/confirm", &code).await.expect(200);
    assert_eq!(confirmed["recovery_codes"].as_array().map(Vec::len), Some(10));
    assert_eq!(method(&person).await, "password+totp");
    let again = person.post("/v1/session/totp", &json!({})).await;
    assert_eq!(again.to_string(), "409 CONFLICT");
    // The secret is stored encrypted.
    let stored = service.sql("select encode(secret, 'escape') from totp_secrets").await.concat();
    assert!(!stored.contains(secret), "{stored}");

    let browser = pending(&service, &email).await;
    let send = async |code: &str| browser.post(SECOND_FACTOR, &json!({"code": code})).await;
    assert_eq!(send(&current).await.to_string(), "401 UNAUTHORIZED", "a used code");
    let earlier = totp(secret, now_ms(&service), -1);
    assert_eq!(send(&earlier).await.to_string(), "401 UNAUTHORIZED", "a code before a used one");
    let too_late = totp(secret, now_ms(&service), 2);
    assert_eq!(
        send(&too_late).await.to_string(),
        "401 UNAUTHORIZED",
        "a clock that is a minute fast"
    );
    // The clock of the device may be one step fast. Spaces are ignored.
    let next = totp(secret, now_ms(&service), 1);
    let spaced = format!("{} {}", &next[..3], &next[3..]);
    assert_eq!(send(&spaced).await.expect(200)["auth_method"], "password+totp");
    assert_eq!(read_status(&browser).await, 200);
    // The sign-in is complete, so its pending state is gone.
    assert_eq!(send(&next).await.to_string(), "401 UNAUTHORIZED");
    let replayed =
        pending(&service, &email).await.post(SECOND_FACTOR, &json!({"code": next})).await;
    assert_eq!(replayed.to_string(), "401 UNAUTHORIZED");
}

#[tokio::test]
async fn a_recovery_code_replaces_a_lost_factor_once() {
    let (service, mailbox) = Mailbox::start().await;
    let email = service.member(Role::Author).await;
    let person = service.sign_in(&email).await;
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
    let (other_email, other) = {
        let email = service.member(Role::Author).await;
        let client = service.sign_in(&email).await;
        (email, client)
    };
    enroll_app(&other, now_ms(&service)).await;
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
    let service = service().await;
    let email = service.member(Role::Author).await;
    let person = service.sign_in(&email).await;
    let (secret, codes) = enroll_app(&person, now_ms(&service)).await;
    let browser = pending(&service, &email).await;
    for _ in 0..5 {
        let wrong = json!({"code": totp(&secret, now_ms(&service), 9)});
        assert_eq!(browser.post(SECOND_FACTOR, &wrong).await.to_string(), "401 UNAUTHORIZED");
    }
    // A correct code is refused too, in another browser as well, and with a recovery code.
    let right = json!({"code": totp(&secret, now_ms(&service), 0)});
    assert_eq!(browser.post(SECOND_FACTOR, &right).await.to_string(), "429 TOO_MANY_REQUESTS");
    let other = pending(&service, &email).await;
    let recovery = json!({"code": codes[0]});
    assert_eq!(other.post(SECOND_FACTOR, &recovery).await.to_string(), "429 TOO_MANY_REQUESTS");
    service.governance.finish_background().await;
    let failed =
        service.sql("select count(*)::text from audit_events where action = 'session.fail'");
    assert_eq!(failed.await, ["5"]);
    // The limit of the account is 10 failures in an hour.
    service.clock.advance(MINUTE_MS);
    for _ in 0..5 {
        let wrong = json!({"code": totp(&secret, now_ms(&service), 9)});
        assert_eq!(browser.post(SECOND_FACTOR, &wrong).await.to_string(), "401 UNAUTHORIZED");
    }
    service.clock.advance(2 * MINUTE_MS);
    let right = json!({"code": totp(&secret, now_ms(&service), 0)});
    let refused = browser.post(SECOND_FACTOR, &right).await;
    assert_eq!(refused.to_string(), "429 TOO_MANY_REQUESTS");
    service.clock.advance(60 * MINUTE_MS);
    let browser = pending(&service, &email).await;
    let right = json!({"code": totp(&secret, now_ms(&service), 0)});
    browser.post(SECOND_FACTOR, &right).await.expect(200);
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
    let credential = authenticator.get(&options(&alone, "confirm").await);
    alone.post(CONFIRM, &json!({"credential": credential})).await.expect(200);
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
    let service = service().await;
    let email = service.member(Role::Ratifier).await;
    let person = service.sign_in(&email).await;
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
    let neither = confirm(json!({"code": totp(&secret, now_ms(&service), 0)})).await;
    assert_eq!(neither.to_string(), "422 VALIDATION_ERROR");
    let code = totp(&secret, now_ms(&service), 0);
    confirm(json!({"password": PASSWORD, "code": code})).await.expect(200);
    assert_eq!(ratified_with(&service, &person, "P-4").await, "password+totp");
    let credential = authenticator.get(&options(&person, "confirm").await);
    confirm(json!({"password": PASSWORD, "credential": credential})).await.expect(200);
    assert_eq!(ratified_with(&service, &person, "P-5").await, "password+passkey");
    let credential = authenticator.get(&options(&person, "confirm").await);
    confirm(json!({"credential": credential})).await.expect(200);
    assert_eq!(ratified_with(&service, &person, "P-6").await, "passkey");
    confirm(json!({"password": PASSWORD, "code": codes[0]})).await.expect(200);
    assert_eq!(ratified_with(&service, &person, "P-7").await, "password+recovery_code");
    // A passkey without verification confirms nothing by itself.
    authenticator.flags = USER_PRESENT;
    let credential = authenticator.get(&options(&person, "confirm").await);
    assert_eq!(reason(&confirm(json!({"credential": credential})).await), "user_verification");
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
    let (service, mailbox) = Mailbox::start().await;
    let email = service.member(Role::Author).await;
    let person = service.sign_in(&email).await;
    let mut first = Authenticator::new(1);
    let id = text(&enroll(&person, &mut first).await["passkey"]["id"]).to_owned();
    let added = enroll(&person, &mut Authenticator::new(2)).await;
    assert_eq!(added["recovery_codes"], json!([]));
    let path = format!("{PASSKEYS}/{id}");
    // A passkey that was added before, also by another account.
    let other = service.signed_in_member(Role::Author).await;
    for client in [&person, &other] {
        let options = client.post(format!("{PASSKEYS}/options"), &json!({})).await.expect(200);
        let draft = json!({"name": "Copy", "credential": Authenticator::new(1).create(&options)});
        assert_eq!(client.post(PASSKEYS, &draft).await.to_string(), "409 CONFLICT");
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
    let credential = first.get(&options(&person, "confirm").await);
    person.post(CONFIRM, &json!({"credential": credential})).await.expect(200);
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
    service
        .sql(&format!(
            "update users set setup_tenant_id = '{0}', confined_tenant_id = '{0}' \
                          where user_id = '{id}' returning 'x'",
            service.tenant
        ))
        .await;
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
    let reset =
        operator::reset_second_factors(&service.governance, None, &service.admin_email).await;
    assert!(reset.expect("reset").had_second_factor);
    assert_eq!(read_status(&admin).await, 401);
    let again =
        operator::reset_second_factors(&service.governance, None, &service.admin_email).await;
    assert!(!again.expect("reset").had_second_factor);
    let tenant = Some(service.tenant);
    let confined = operator::reset_second_factors(&service.governance, tenant, &email).await;
    assert!(!confined.expect("reset").had_second_factor);
    let missing = operator::reset_second_factors(&service.governance, None, &email).await;
    assert_eq!(missing.expect_err("no proven account").status(), 404);
}

#[tokio::test]
async fn a_proven_address_removes_the_factors_that_an_admin_may_have_added() {
    let (service, mailbox) = Mailbox::start().await;
    let email = service.member(Role::Author).await;
    let person = service.sign_in(&email).await;
    let mut authenticator = Authenticator::new(1);
    enroll(&person, &mut authenticator).await;
    let confine = format!(
        "update users set setup_tenant_id = '{0}', confined_tenant_id = '{0}' where email = '{email}' \
         returning 'x'",
        service.tenant
    );
    service.sql(&confine).await;
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
    let credentials = json!({"email": email, "password": "four other words of mine"});
    browser.post("/v1/session", &credentials).await.expect(200);
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
    let confine = format!(
        "update users set setup_tenant_id = '{0}', confined_tenant_id = '{0}' where email = '{email}' \
         returning 'x'",
        service.tenant
    );
    service.sql(&confine).await;
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
    let created = enroll(&person, &mut Authenticator::new(1)).await;
    let passkey = format!("{PASSKEYS}/{}", text(&created["passkey"]["id"]));
    assert_eq!(person.delete("/v1/session/totp").await.status, 204);
    assert_eq!(method(&person).await, "password");
    // The account still has a passkey, so the password alone changes no factor.
    assert_eq!(person.delete(&passkey).await.to_string(), "403 CONFIRMATION_REQUIRED");

    let admin = service.admin().await;
    let setting = json!({"second_factor_required": true});
    let mut laptop = Authenticator::new(2);
    let created = enroll(&admin, &mut laptop).await;
    admin.patch("/v1/settings", &setting).await.expect(200);
    let path = format!("{PASSKEYS}/{}", text(&created["passkey"]["id"]));
    let alone = passkey_session(&service, &laptop).await;
    assert_eq!(admin.delete(&path).await.status, 204);
    assert_eq!(method(&admin).await, "password");
    assert_eq!(admin.get("/v1/policies").await.to_string(), "403 SECOND_FACTOR_REQUIRED");
    assert_eq!(read_status(&alone).await, 401);
}

#[tokio::test]
async fn removing_the_only_passkey_ends_the_session_that_it_started() {
    let service = service().await;
    let person = service.signed_in_member(Role::Author).await;
    let mut laptop = Authenticator::new(1);
    let created = enroll(&person, &mut laptop).await;
    let alone = passkey_session(&service, &laptop).await;
    let path = format!("{PASSKEYS}/{}", text(&created["passkey"]["id"]));
    assert_eq!(alone.delete(&path).await.status, 204);
    assert_eq!(alone.get("/v1/session").await.to_string(), "401 UNAUTHORIZED");
}

#[tokio::test]
async fn a_changed_password_ends_a_pending_sign_in() {
    let service = service().await;
    let email = service.member(Role::Author).await;
    let person = service.sign_in(&email).await;
    let (secret, _) = enroll_app(&person, now_ms(&service)).await;
    let browser = pending(&service, &email).await;
    let change = json!({"password": PASSWORD, "new_password": "four other words of mine"});
    person.post("/v1/session/password", &change).await.expect(200);
    let code = json!({"code": totp(&secret, now_ms(&service), 0)});
    assert_eq!(browser.post(SECOND_FACTOR, &code).await.to_string(), "401 UNAUTHORIZED");
    assert_eq!(read_status(&browser).await, 401);
}
