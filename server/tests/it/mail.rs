//! Mail: messages are queued with the action and sent later. Reset requests disclose no accounts.

use governance::access::mail::{MailWorker, SendError};

use crate::{
    attempts::{behind_proxy_with, client_at},
    key_owners::user_id,
    mailbox::{Mailbox, SLOW_DOMAIN, token, tokens},
    prelude::*,
};

const RESET: &str = "/v1/session/reset";
const USERS: &str = "/v1/admin/users";
const INVITE: &str = "/v1/admin/members/invite";
const KEYS: &str = "/v1/api-keys";
const ADMIN: &str = "admin@acme.example";
const NEW_PASSWORD: &str = "four other words of mine";

async fn request_reset(service: &TestService, email: &str) {
    let response = service.public.post(RESET, &json!({"email": email})).await;
    assert_eq!((response.status, &*response.text), (202, ""));
}

#[tokio::test]
async fn mailed_reset_link_replaces_the_password() {
    let (service, mailbox) = Mailbox::start().await;
    let old_session = service.admin().await;
    request_reset(&service, "  Admin@ACME.example ").await;
    let message = mailbox.newest(&service, ADMIN).await;
    assert_eq!(message.subject.as_str(), "Reset your Govern password");
    assert!(message.body.contains("https://govern.acme.example/setup?token="), "{}", message.body);
    let link = token(&message);
    assert_eq!(service.set_password(&link, NEW_PASSWORD).await.status, 204);
    assert_eq!(read_status(&old_session).await, 401, "every session ends");
    assert_eq!(service.sign_in_status(ADMIN, PASSWORD).await, 401);
    assert_eq!(service.sign_in_status(ADMIN, NEW_PASSWORD).await, 200);
    assert_snapshot!(service.set_password(&link, PASSWORD).await, @"404 NOT_FOUND");
    let notice = mailbox.newest(&service, ADMIN).await;
    assert_eq!(notice.subject.as_str(), "Your Govern password was changed");
    let log = service.key.get("/v1/audit-log?action=user.reset_password").await.expect(200);
    assert_eq!(log["items"][0]["actor_email"], ADMIN);
}

#[tokio::test]
async fn reset_link_is_valid_for_an_hour_and_until_a_password_change() {
    let (service, mailbox) = Mailbox::start().await;
    request_reset(&service, ADMIN).await;
    let link = token(&mailbox.newest(&service, ADMIN).await);
    service.clock.advance(60 * MINUTE_MS);
    assert_eq!(service.set_password(&link, NEW_PASSWORD).await.status, 404);
    request_reset(&service, ADMIN).await;
    let link = token(&mailbox.newest(&service, ADMIN).await);
    let admin = service.admin().await;
    let change = json!({"password": PASSWORD, "new_password": NEW_PASSWORD});
    admin.post("/v1/session/password", &change).await.expect(200);
    assert_eq!(service.set_password(&link, PASSWORD).await.status, 404);
    let notice = mailbox.newest(&service, ADMIN).await;
    assert_eq!(notice.subject.as_str(), "Your Govern password was changed");
}

#[tokio::test]
async fn repeated_reset_is_mailed_once_and_only_to_accounts() {
    let (service, mailbox) = Mailbox::start().await;
    for email in [ADMIN, "unknown@acme.example"] {
        for _ in 0..3 {
            request_reset(&service, email).await;
        }
    }
    assert_eq!(mailbox.messages(&service, ADMIN).await.len(), 1);
    assert_eq!(mailbox.messages(&service, "unknown@acme.example").await.len(), 0);
    // A further request is mailed only after three minutes.
    request_reset(&service, ADMIN).await;
    assert_eq!(mailbox.messages(&service, ADMIN).await.len(), 1);
    service.clock.advance(3 * MINUTE_MS);
    request_reset(&service, ADMIN).await;
    assert_eq!(mailbox.messages(&service, ADMIN).await.len(), 2);
    assert_eq!(service.sql("select count(*)::text from mail_outbox").await, ["0"]);
}

#[testkit::test]
async fn email_owner_recovers_an_account_from_an_admin(mut service: TestService) {
    let neighbour = service.other_tenant().await;
    let email = "vera@victim.example";
    let draft = json!({"email": email, "display_name": "Vera"});
    let created = neighbour.admin.post(USERS, &draft).await.expect(201);
    let (_, setup_token) = text(&created["setup_url"]).split_once("token=").expect("a link");
    assert_eq!(service.set_password(setup_token, PASSWORD).await.status, 204);
    let first_session = service.sign_in(email).await;
    let mailbox = Mailbox::attach(&mut service).await;
    request_reset(&service, email).await;
    let message = mailbox.newest(&service, email).await;
    assert!(message.body.contains("your account at \"Neighbour\""), "{}", message.body);
    assert_eq!(service.set_password(&token(&message), NEW_PASSWORD).await.status, 204);
    assert_eq!(first_session.get("/v1/session").await.status, 401);
    assert_eq!(service.sign_in_status(email, PASSWORD).await, 401);
    // The email is verified, and the tenant that created the account gets no further link.
    service
        .key
        .post("/v1/admin/members/invite", &json!({"user_id": created["user"]["id"]}))
        .await
        .expect(201);
    assert_snapshot!(neighbour.admin.post(USERS, &draft).await, @"409 CONFLICT");
}

#[testkit::test]
async fn reset_mail_has_one_link_for_each_account_of_the_address(mut service: TestService) {
    let neighbour = service.other_tenant().await;
    let draft = json!({"email": ADMIN, "display_name": "Also admin"});
    let created = neighbour.admin.post(USERS, &draft).await.expect(201);
    let (_, setup_token) = text(&created["setup_url"]).split_once("token=").expect("a link");
    assert_eq!(service.set_password(setup_token, NEW_PASSWORD).await.status, 204);
    let mailbox = Mailbox::attach(&mut service).await;
    request_reset(&service, ADMIN).await;
    let links = tokens(&mailbox.newest(&service, ADMIN).await);
    let [verified, confined] = &links[..] else { panic!("two links: {links:?}") };
    let third_password = "quite different words again";
    assert_eq!(service.set_password(confined, third_password).await.status, 204);
    assert_eq!(service.set_password(verified, "and once more other words").await.status, 204);
    assert_eq!(service.sign_in_status(ADMIN, third_password).await, 200);
    assert_eq!(service.sign_in_status(ADMIN, "and once more other words").await, 200);
    // The second account stays confined to its tenant.
    let invite = json!({"user_id": created["user"]["id"]});
    assert_snapshot!(service.key.post("/v1/admin/members/invite", &invite).await, @"404 NOT_FOUND");
}

#[testkit::test]
async fn reset_without_mail_returns_the_same_response_and_sends_nothing(service: TestService) {
    request_reset(&service, ADMIN).await;
    request_reset(&service, "unknown@acme.example").await;
    assert_eq!(service.sql("select count(*)::text from mail_outbox").await, ["0"]);
    let malformed = service.public.post(RESET, &json!({"email": "unknown"})).await;
    assert_eq!(malformed.field_errors(), "/email format\n");
}

#[tokio::test]
async fn message_is_retried_until_the_mail_server_accepts_it() {
    let (service, mailbox) = Mailbox::start().await;
    mailbox.set_error(Some(SendError::Temporary));
    request_reset(&service, ADMIN).await;
    assert!(mailbox.messages(&service, ADMIN).await.is_empty());
    assert_eq!(service.sql("select attempts::text from mail_outbox").await, ["1"]);
    // A queued message contains no link.
    let queued = service.sql("select row::text from mail_outbox row").await.concat();
    assert!(!queued.contains("token"), "{queued}");
    mailbox.set_error(None);
    assert!(mailbox.messages(&service, ADMIN).await.is_empty(), "the retry is not due yet");
    service.clock.advance(MINUTE_MS);
    let message = mailbox.newest(&service, ADMIN).await;
    assert_eq!(service.set_password(&token(&message), NEW_PASSWORD).await.status, 204);

    mailbox.set_error(Some(SendError::Permanent));
    request_reset(&service, ADMIN).await;
    mailbox.messages(&service, ADMIN).await;
    let queued = "select count(*)::text from mail_outbox where user_id is null";
    assert_eq!(service.sql(queued).await, ["0"], "the message is discarded");
}

#[tokio::test]
async fn message_claimed_by_a_crashed_process_is_sent_by_another() {
    let (service, mailbox) = Mailbox::start().await;
    request_reset(&service, ADMIN).await;
    // Another process claimed the message and crashed.
    let claim = "update mail_outbox set attempts = 1, due_at = due_at + interval '5 minutes'";
    service.sql(claim).await;
    assert!(mailbox.messages(&service, ADMIN).await.is_empty());
    service.clock.advance(5 * MINUTE_MS);
    assert_eq!(mailbox.messages(&service, ADMIN).await.len(), 1);
    // A reset that waits for its next attempt is sent at once when it is requested again.
    service.clock.advance(3 * MINUTE_MS);
    request_reset(&service, ADMIN).await;
    service.sql("update mail_outbox set attempts = 7, due_at = due_at + interval '2 hours'").await;
    assert_eq!(mailbox.messages(&service, ADMIN).await.len(), 1);
    request_reset(&service, ADMIN).await;
    assert_eq!(mailbox.messages(&service, ADMIN).await.len(), 2);
}

#[tokio::test]
async fn rejected_action_sends_no_mail() {
    let (service, mailbox) = Mailbox::start().await;
    let viewer = service.signed_in_member(Role::Viewer).await;
    let draft = json!({"email": "new@acme.example", "display_name": "New"});
    assert_eq!(viewer.post(USERS, &draft).await.status, 403);
    let duplicate = json!({"email": ADMIN, "display_name": "Known"});
    assert_eq!(service.admin().await.post(USERS, &duplicate).await.status, 409);
    assert!(mailbox.messages(&service, "new@acme.example").await.is_empty());
    assert!(mailbox.messages(&service, ADMIN).await.is_empty());
}

/// Creates the key `deploy` of a signed-in admin and returns the response.
async fn create_key(creator: &Client) -> Value {
    let draft = json!({"name": "deploy", "scopes": ["policies:read"]});
    creator.post(KEYS, &draft).await.expect(201)
}

/// Returns the subjects of all notices about the key `deploy` to an address, oldest first.
async fn key_notices(mailbox: &Mailbox, service: &TestService, to: &str) -> Vec<String> {
    let messages = mailbox.messages(service, to).await.into_iter();
    let notices = messages.filter(|message| message.body.contains("Key: deploy\nTenant: Acme\n"));
    notices.map(|notice| notice.subject.as_str().to_owned()).collect()
}

const KEY_CREATED: &str = "An API key was created on Govern";
const KEY_REVOKED: &str = "An API key was revoked on Govern";
const KEY_TRANSFERRED: &str = "An API key was transferred to you on Govern";

#[tokio::test]
async fn sign_in_from_a_further_network_is_mailed_once() {
    let mailbox = Mailbox::default();
    let service = behind_proxy_with(mailbox.options()).await;
    let notices_after_sign_in = async |address: &str| {
        let client = client_at(&service, address).with("user-agent", "Browser/1.0");
        client.sign_in(ADMIN, PASSWORD).await.expect(200);
        let mut notices = mailbox.messages(&service, ADMIN).await;
        notices.retain(|message| message.subject.as_str() == "New sign-in to your Govern account");
        notices
    };
    for address in ["192.0.2.1", "192.0.2.1"] {
        assert_eq!(notices_after_sign_in(address).await.len(), 0, "the first network");
    }
    let notices = notices_after_sign_in("2001:db8:0:1::7").await;
    let [notice] = &notices[..] else { panic!("one notice: {notices:?}") };
    let details =
        "\nTime: 2026-09-01T10:00:00.000Z\nNetwork: 2001:db8:0:1::/64\nBrowser: Browser/1.0\n";
    assert!(notice.body.contains(details), "{}", notice.body);
    for address in ["2001:db8:0:1::7", "2001:db8:0:1:ffff::2", "192.0.2.1"] {
        assert_eq!(notices_after_sign_in(address).await.len(), 1, "{address} is known");
    }
    assert_eq!(notices_after_sign_in("192.0.2.2").await.len(), 2, "a third network");
}

#[tokio::test]
async fn failed_sign_in_and_other_accounts_make_no_network_known() {
    let mailbox = Mailbox::default();
    let service = behind_proxy_with(mailbox.options()).await;
    let author = service.member(Role::Author).await;
    let sign_in = async |address: &str, email: &str, password: &str| {
        client_at(&service, address).sign_in(email, password).await.status
    };
    assert_eq!(sign_in("192.0.2.1", ADMIN, PASSWORD).await, 200);
    assert_eq!(sign_in("192.0.2.2", ADMIN, NEW_PASSWORD).await, 401);
    assert_eq!(sign_in("192.0.2.2", &author, PASSWORD).await, 200);
    let before = mailbox.messages(&service, ADMIN).await.len();
    assert_eq!(sign_in("192.0.2.2", ADMIN, PASSWORD).await, 200);
    assert_eq!(mailbox.messages(&service, ADMIN).await.len(), before + 1);
    assert!(mailbox.messages(&service, &author).await.is_empty());
}

#[tokio::test]
async fn creation_and_revocation_of_a_key_are_mailed_to_its_owner() {
    let (service, mailbox) = Mailbox::start().await;
    let owner = service.member(Role::Admin).await;
    let created = create_key(&service.sign_in(&owner).await).await;
    let notice = mailbox.newest(&service, &owner).await;
    assert!(!notice.body.contains(text(&created["plaintext_key"])), "{}", notice.body);
    assert_eq!(key_notices(&mailbox, &service, &owner).await, [KEY_CREATED]);
    // Another admin revokes the key. Revoking it again changes nothing.
    let admin = service.admin().await;
    let path = format!("{KEYS}/{}", text(&created["key"]["id"]));
    for _ in 0..2 {
        assert_eq!(admin.delete(&path).await.status, 204);
        assert_eq!(key_notices(&mailbox, &service, &owner).await, [KEY_CREATED, KEY_REVOKED]);
    }
    assert!(key_notices(&mailbox, &service, ADMIN).await.is_empty());
    // The owner of a key owns the keys that it creates.
    let scopes = [Scope::ApiKeysAdmin, Scope::PoliciesRead];
    create_key(&service.create_key_of(&owner, &scopes).await).await;
    let notices = key_notices(&mailbox, &service, &owner).await;
    assert_eq!(notices, [KEY_CREATED, KEY_REVOKED, KEY_CREATED]);
}

#[tokio::test]
async fn removal_of_a_member_is_mailed_to_the_owners_of_the_keys() {
    let (service, mailbox) = Mailbox::start().await;
    let [leaving, new_owner] =
        [service.member(Role::Admin).await, service.member(Role::Admin).await];
    let session = service.sign_in(&leaving).await;
    create_key(&session).await;
    let member_path = |id: &str| format!("/v1/admin/members/{id}");
    let leaving_path = member_path(&user_id(&session).await);
    let new_owner_id = user_id(&service.sign_in(&new_owner).await).await;
    let admin = service.admin().await;
    let transfer = format!("{leaving_path}?keys_to={new_owner_id}");
    assert_eq!(admin.delete(transfer).await.status, 204);
    assert_eq!(key_notices(&mailbox, &service, &leaving).await, [KEY_CREATED]);
    assert_eq!(key_notices(&mailbox, &service, &new_owner).await, [KEY_TRANSFERRED]);
    // Without `keys_to`, the keys are revoked.
    assert_eq!(admin.delete(member_path(&new_owner_id)).await.status, 204);
    let notices = key_notices(&mailbox, &service, &new_owner).await;
    assert_eq!(notices, [KEY_TRANSFERRED, KEY_REVOKED]);
}

/// Invites addresses as an admin.
async fn invite(admin: &Client, addresses: impl IntoIterator<Item = String>) {
    for email in addresses {
        admin.post(INVITE, &json!({"email": email})).await.expect(201);
    }
}

#[tokio::test]
async fn a_reset_is_sent_before_the_invitations_and_mentions_of_all_tenants() {
    let (service, mailbox) = Mailbox::start().await;
    let version = service.draft("PAY-01").await;
    let author = service.author().await;
    for number in 0..20 {
        let comment = json!({"text": format!("{number}: @{ADMIN}")});
        author.post(version.action_path("comments"), &comment).await.expect(201);
    }
    invite(&service.admin().await, (0..20).map(|number| format!("p{number}@acme.example"))).await;
    service.clock.advance(1);
    request_reset(&service, ADMIN).await;
    let first_round = mailbox.round(&service).await;
    assert!(first_round.contains(&"Reset your Govern password".to_owned()), "{first_round:?}");
}

#[tokio::test]
async fn each_tenant_has_one_mail_in_a_turn() {
    let (service, mailbox) = Mailbox::start().await;
    let neighbour = service.other_tenant().await;
    invite(&service.admin().await, (0..30).map(|number| format!("p{number}@acme.example"))).await;
    let first_round = mailbox.round(&service).await;
    let invitations = first_round.iter().filter(|subject| subject.starts_with("Invitation"));
    assert_eq!(invitations.count(), 8, "{first_round:?}");
    service.clock.advance(1);
    invite(&neighbour.admin, ["vera@neighbour.example".to_owned()]).await;
    let second_round = mailbox.round(&service).await;
    let subject = "Invitation to Neighbour on Govern".to_owned();
    assert!(second_round.contains(&subject), "{second_round:?}");
}

#[tokio::test]
async fn a_person_causes_a_limited_number_of_mention_mails() {
    let (service, mailbox) = Mailbox::start().await;
    let version = service.draft("PAY-01").await;
    let (author, other) = (service.author().await, service.member(Role::Viewer).await);
    let comment = json!({"text": format!("@{ADMIN} @{other}")});
    for _ in 0..25 {
        author.post(version.action_path("comments"), &comment).await.expect(201);
    }
    let mails = async || {
        let to_admin = mailbox.messages(&service, ADMIN).await.len();
        to_admin + mailbox.messages(&service, &other).await.len()
    };
    assert_eq!(mails().await, 30);
    // All mentions are in the inbox.
    assert_eq!(service.sql("select count(*)::text from comment_mentions").await, ["50"]);
    service.clock.advance(60 * MINUTE_MS);
    let author = service.signed_in_member(Role::Author).await;
    author.post(version.action_path("comments"), &comment).await.expect(201);
    assert_eq!(mails().await, 32);
}

#[tokio::test]
async fn a_person_causes_a_limited_number_of_invitations() {
    let (service, _mailbox) = Mailbox::start().await;
    let admin = service.admin().await;
    invite(&admin, (0..50).map(|number| format!("p{number}@acme.example"))).await;
    let refused = admin.post(INVITE, &json!({"email": "late@acme.example"})).await;
    assert_snapshot!(refused, @"429 TOO_MANY_REQUESTS");
    assert_eq!(refused.header("retry-after"), Some("3600"));
    let draft = json!({"email": "late@acme.example", "display_name": "Late"});
    assert_snapshot!(admin.post(USERS, &draft).await, @"429 TOO_MANY_REQUESTS");
    // Keys of the same person have no further invitations; another person has.
    let by_key = service.key.post(INVITE, &json!({"email": "late@acme.example"})).await;
    assert_snapshot!(by_key, @"429 TOO_MANY_REQUESTS");
    assert_eq!(service.sql("select email from users where email like 'late%'").await, [""; 0]);
    invite(&service.signed_in_member(Role::Admin).await, ["late@acme.example".to_owned()]).await;
    service.clock.advance(60 * MINUTE_MS);
    invite(&service.admin().await, ["later@acme.example".to_owned()]).await;
}

#[tokio::test]
async fn an_address_receives_a_limited_number_of_setup_links() {
    let (service, mailbox) = Mailbox::start().await;
    let draft = json!({"email": "vera@acme.example", "display_name": "Vera"});
    let admin = service.admin().await;
    for _ in 0..5 {
        admin.post(USERS, &draft).await.expect(201);
    }
    assert_snapshot!(admin.post(USERS, &draft).await, @"429 TOO_MANY_REQUESTS");
    assert_eq!(mailbox.messages(&service, "vera@acme.example").await.len(), 5);
}

#[tokio::test]
async fn a_recipient_whose_mail_server_never_answers_delays_no_other_mail() {
    let (service, mailbox) = Mailbox::start().await;
    let mut worker = MailWorker::default();
    let slow = (0..20).map(|number| format!("p{number}{SLOW_DOMAIN}"));
    invite(&service.admin().await, slow).await;
    let now = service.clock.now();
    assert_eq!(worker.start_due(&service.governance, now).await.expect("a started round"), 8);
    request_reset(&service, ADMIN).await;
    worker.start_due(&service.governance, now).await.expect("a started reset");
    worker.next_sent().await.expect("a sent reset");
    assert_eq!(mailbox.subjects(), ["Reset your Govern password"]);
    // Nor does a set-up link, which is not routine, delay the mails after it.
    let draft = json!({"email": format!("vera{SLOW_DOMAIN}"), "display_name": "Vera"});
    service.admin().await.post(USERS, &draft).await.expect(201);
    worker.start_due(&service.governance, now).await.expect("a started link");
    service.clock.advance(3 * MINUTE_MS);
    request_reset(&service, ADMIN).await;
    worker.start_due(&service.governance, service.clock.now()).await.expect("a started reset");
    worker.next_sent().await.expect("a sent reset");
    assert_eq!(mailbox.subjects().len(), 2);
}

#[tokio::test]
async fn a_mail_that_cannot_be_written_holds_up_no_other() {
    let (service, mailbox) = Mailbox::start().await;
    invite(&service.admin().await, ["vera@acme.example".to_owned()]).await;
    service.sql("update mail_outbox set letter = '{\"of_a_later_version\": {}}'").await;
    invite(&service.admin().await, ["vincent@acme.example".to_owned()]).await;
    assert_eq!(mailbox.messages(&service, "vincent@acme.example").await.len(), 1);
    let queued = "select attempts::text || ' ' || (due_at - created_at)::text from mail_outbox";
    assert_eq!(service.sql(queued).await, ["1 00:00:10"]);
}

#[tokio::test]
async fn a_person_who_was_removed_receives_no_mail_about_an_earlier_mention() {
    let (service, mailbox) = Mailbox::start().await;
    let version = service.draft("PAY-01").await;
    let leaving = service.member(Role::Viewer).await;
    let id = user_id(&service.sign_in(&leaving).await).await;
    let comment = json!({"text": format!("@{leaving}")});
    service.author().await.post(version.action_path("comments"), &comment).await.expect(201);
    let member = format!("/v1/admin/members/{id}");
    assert_eq!(service.admin().await.delete(member).await.status, 204);
    assert!(mailbox.messages(&service, &leaving).await.is_empty());
}

#[tokio::test]
async fn an_account_receives_a_limited_number_of_notices_about_keys() {
    let (service, mailbox) = Mailbox::start().await;
    let admin = service.admin().await;
    for _ in 0..51 {
        let created = create_key(&admin).await;
        let path = format!("{KEYS}/{}", text(&created["key"]["id"]));
        assert_eq!(admin.delete(path).await.status, 204);
    }
    assert_eq!(key_notices(&mailbox, &service, ADMIN).await.len(), 100);
}
