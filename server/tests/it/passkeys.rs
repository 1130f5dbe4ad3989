//! Passkeys of a software authenticator.

pub(crate) mod authenticator;
mod second_factors;

use self::authenticator::{
    Algorithm, Authenticator, BACKED_UP, BACKUP_ELIGIBLE, USER_PRESENT, USER_VERIFIED, encode,
    enroll, totp,
};
use crate::{mailbox::Mailbox, prelude::*};

const PASSKEY: &str = "/v1/session/passkey";
const PASSKEYS: &str = "/v1/session/passkeys";
const SECOND_FACTOR: &str = "/v1/session/second-factor";
const CONFIRM: &str = "/v1/session/confirm";

/// Changes an authenticator so that it misbehaves.
type Misbehavior<'m> = &'m dyn Fn(&mut Authenticator);

/// Faults of creations and of uses, and the reasons of their refusals.
const FAULTS: [(&str, &str, Misbehavior<'_>); 4] = [
    ("another origin", "origin", &|it| it.origin = Some("https://evil.example".to_owned())),
    ("a frame", "origin", &|it| it.is_framed = true),
    ("another relying party", "relying_party", &|it| {
        it.relying_party = Some("evil.example".to_owned());
    }),
    ("no user present", "user_presence", &|it| it.flags = USER_VERIFIED),
];

/// Starts a service at `https://govern.acme.example`.
async fn service() -> TestService {
    Mailbox::start().await.0
}

/// Starts a service with a further account, and returns its address and a client with its session.
async fn account(role: Role) -> (TestService, Mailbox, String, Client) {
    let (service, mailbox) = Mailbox::start().await;
    let email = service.member(role).await;
    let person = service.sign_in(&email).await;
    (service, mailbox, email, person)
}

/// Sends the address and the password of a user in a new browser.
async fn start_sign_in(service: &TestService, email: &str) -> (Client, TestResponse) {
    let client = service.public.with("x-service-tenant-id", service.tenant).without_session();
    let response = client.sign_in(email, PASSWORD).await;
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
    client.post(PASSKEY, &authenticator.answer(&client, "sign_in").await).await
}

/// Returns the client that signs in with a passkey alone.
async fn passkey_session(service: &TestService, authenticator: &Authenticator) -> Client {
    let client = service.public.with("x-service-tenant-id", service.tenant).without_session();
    client.post(PASSKEY, &authenticator.answer(&client, "sign_in").await).await.expect(200);
    client
}

/// Sends the creation of a passkey by an authenticator, changed by `change`.
async fn try_create(
    client: &Client,
    mut authenticator: Authenticator,
    change: impl Fn(&mut Value),
) -> TestResponse {
    let options = client.post(format!("{PASSKEYS}/options"), &json!({})).await.expect(200);
    let mut credential = authenticator.create(&options);
    change(&mut credential);
    client.post(PASSKEYS, &json!({"name": "Copy", "credential": credential})).await
}

/// Returns the code that an authenticator app shows `offset` steps from now.
fn code(service: &TestService, secret: &str, offset: i64) -> Value {
    json!({"code": totp(secret, now_ms(service), offset)})
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
    let cases: [(&str, &str, Misbehavior<'_>); 4] = [
        ("a use", "type", &|it| it.kind = Some("webauthn.get".to_owned())),
        ("a backup that cannot exist", "format", &|it| it.flags |= BACKED_UP),
        ("no ID", "format", &|it| it.id = Vec::new()),
        ("another algorithm", "algorithm", &|it| {
            *it = Authenticator::with_algorithm(9, Algorithm::Unsupported);
        }),
    ];
    for (case, expected, misbehave) in FAULTS.into_iter().chain(cases) {
        let mut authenticator = Authenticator::new(1);
        misbehave(&mut authenticator);
        let refused = try_create(&admin, authenticator, |_| ()).await;
        assert_eq!(refused.field_errors(), format!("/credential {expected}\n"), "{case}");
    }
    // Bytes that are not CBOR, and no bytes.
    for attestation in ["", "o2NmbXQ", &encode(&[0x9f; 2_000]), &encode(&[0x81; 2_000])] {
        let change = |it: &mut Value| it["response"]["attestationObject"] = attestation.into();
        let refused = try_create(&admin, Authenticator::new(1), change).await;
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
    let author: uuid::Uuid = text(&user_id(&author).await).parse().expect("an ID");
    let handle_of_author = encode(author.as_bytes());
    let cases: [(&str, &str, Misbehavior<'_>); 6] = [
        ("a creation", "type", &|it| it.kind = Some("webauthn.create".to_owned())),
        ("a user who is not verified", "user_verification", &|it| it.flags = USER_PRESENT),
        ("an unknown passkey", "unknown", &|it| it.id = vec![7; 16]),
        ("the account of another user", "unknown", &|it| {
            it.user_handle = Some(handle_of_author.clone());
        }),
        ("no account", "unknown", &|it| it.user_handle = None),
        ("the passkey of another user", "unknown", &|it| it.id = vec![2; 16]),
    ];
    for (case, expected, misbehave) in FAULTS.into_iter().chain(cases) {
        let mut misbehaving = authenticator.clone();
        misbehave(&mut misbehaving);
        let refused = sign_in_alone(&service, &misbehaving).await;
        assert_eq!(reason(&refused), expected, "{case}");
    }
    // A signature of another key, and a changed response.
    let mut impostor = Authenticator::new(1);
    impostor.user_handle.clone_from(&authenticator.user_handle);
    assert_eq!(reason(&sign_in_alone(&service, &impostor).await), "signature");
    let client = service.public.without_session();
    for (member, value, expected) in [
        ("signature", "", "signature"),
        ("authenticatorData", "AAAA", "format"),
        ("clientDataJSON", "e30", "type"),
    ] {
        let mut body = authenticator.answer(&client, "sign_in").await;
        body["credential"]["response"][member] = value.into();
        assert_eq!(reason(&client.post(PASSKEY, &body).await), expected, "{member}");
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
    let sign_in = async |body: &Value| client.post(PASSKEY, body).await;
    // Replayed.
    let answer = authenticator.answer(&client, "sign_in").await;
    sign_in(&answer).await.expect(200);
    assert_eq!(reason(&sign_in(&answer).await), "challenge");
    // Too old, and just in time.
    let late = authenticator.answer(&client, "sign_in").await;
    service.clock.advance(5 * MINUTE_MS + 1);
    assert_eq!(reason(&sign_in(&late).await), "challenge");
    let in_time = authenticator.answer(&client, "sign_in").await;
    service.clock.advance(5 * MINUTE_MS);
    sign_in(&in_time).await.expect(200);
    // Issued for another step, and not issued.
    let confirm = authenticator.answer(&admin, "confirm").await;
    assert_eq!(reason(&sign_in(&confirm).await), "challenge");
    let forged =
        json!({"public_key": {"rpId": "govern.acme.example", "challenge": encode(&[1; 56])}});
    let forged = json!({"credential": authenticator.get(&forged)});
    assert_eq!(reason(&sign_in(&forged).await), "challenge");
    let body = authenticator.answer(&client, "sign_in").await;
    assert_eq!(reason(&admin.post(CONFIRM, &body).await), "challenge");
    // The challenge of another session.
    let other = passkey_session(&service, &authenticator).await;
    let body = authenticator.answer(&other, "confirm").await;
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
    let (service, _, email, person) = account(Role::Ratifier).await;
    let mut key = Authenticator::new(1);
    key.flags = USER_PRESENT;
    let created = enroll(&person, &mut key).await;
    assert_eq!(created["passkey"]["can_sign_in"], false);
    // A person who finds the key could set its PIN, so verification alone proves nothing yet.
    key.flags |= USER_VERIFIED;
    assert_eq!(reason(&sign_in_alone(&service, &key).await), "user_verification");
    key.flags = USER_PRESENT;
    let browser = pending(&service, &email).await;
    let body = key.answer(&browser, "second_factor").await;
    let session = browser.post(SECOND_FACTOR, &body).await.expect(200);
    assert_eq!(session["auth_method"], "password+passkey");
    // Together with the password, the verification counts from then on.
    key.flags |= USER_VERIFIED;
    let browser = pending(&service, &email).await;
    let body = key.answer(&browser, "second_factor").await;
    browser.post(SECOND_FACTOR, &body).await.expect(200);
    sign_in_alone(&service, &key).await.expect(200);
}
