//! Mail: letters are queued with the act, sent afterwards, and lead to passwords without disclosing anything.

use contract::scope::Role;
use governance::notify::mail::SendError;
use insta::assert_snapshot;
use serde_json::json;

use crate::{
    client::{Client, TestResponse, text},
    mailbox::{Mailbox, token, tokens},
    service::{MINUTE_MS, PASSWORD, TestService, world},
};

const RESET: &str = "/v1/session/reset";
const USERS: &str = "/v1/admin/users";
const ADMIN: &str = "admin@acme.example";
const NEW: &str = "four other words of mine";

async fn request_reset(world: &TestService, email: &str) {
    let answer = world.public.post(RESET, &json!({"email": email})).await;
    assert_eq!((answer.status, &*answer.text), (202, ""));
}

async fn set_up(world: &TestService, token: &str, password: &str) -> TestResponse {
    let body = json!({"token": token, "password": password});
    world.public.post("/v1/session/setup", &body).await
}

/// The status of a sign-in.
async fn signs_in(world: &TestService, email: &str, password: &str) -> u16 {
    let credentials = json!({"email": email, "password": password});
    world.public.apart().post("/v1/session", &credentials).await.status
}

async fn reads(person: &Client) -> u16 {
    person.get("/v1/policies").await.status
}

#[tokio::test]
async fn a_forgotten_password_is_replaced_by_a_mailed_link() {
    let world = world().await;
    let mailbox = Mailbox::of(&world);
    let before = world.admin().await;
    request_reset(&world, "  Admin@ACME.example ").await;
    let message = mailbox.newest(&world, ADMIN).await;
    assert_eq!(message.subject.as_str(), "Reset your Govern password");
    assert!(message.body.contains("https://govern.acme.example/setup?token="), "{}", message.body);
    let link = token(&message);
    assert_eq!(set_up(&world, &link, "short").await.faults(), "/password too_short\n");
    assert_eq!(set_up(&world, &link, NEW).await.status, 204);
    assert_eq!(reads(&before).await, 401, "every session ends");
    assert_eq!(signs_in(&world, ADMIN, PASSWORD).await, 401);
    assert_eq!(signs_in(&world, ADMIN, NEW).await, 200);
    assert_snapshot!(set_up(&world, &link, PASSWORD).await, @"404 NOT_FOUND");
    let notice = mailbox.newest(&world, ADMIN).await;
    assert_eq!(notice.subject.as_str(), "Your Govern password was changed");
    let log = world.key.get("/v1/audit-log?action=user.reset_password").await.expect(200);
    assert_eq!(log["items"][0]["actor_email"], ADMIN);
}

#[tokio::test]
async fn a_reset_link_is_valid_for_an_hour_and_ends_with_a_password_change() {
    let world = world().await;
    let mailbox = Mailbox::of(&world);
    request_reset(&world, ADMIN).await;
    let link = token(&mailbox.newest(&world, ADMIN).await);
    world.clock.advance(60 * MINUTE_MS);
    assert_eq!(set_up(&world, &link, NEW).await.status, 404);
    request_reset(&world, ADMIN).await;
    let link = token(&mailbox.newest(&world, ADMIN).await);
    let admin = world.admin().await;
    let change = json!({"password": PASSWORD, "new_password": NEW});
    admin.post("/v1/session/password", &change).await.expect(200);
    assert_eq!(set_up(&world, &link, PASSWORD).await.status, 404);
    let notice = mailbox.newest(&world, ADMIN).await;
    assert_eq!(notice.subject.as_str(), "Your Govern password was changed");
}

#[tokio::test]
async fn a_reset_is_mailed_once_and_to_accounts_alone() {
    let world = world().await;
    let mailbox = Mailbox::of(&world);
    for email in [ADMIN, "nobody@acme.example"] {
        for _ in 0..3 {
            request_reset(&world, email).await;
        }
    }
    assert_eq!(mailbox.messages(&world, ADMIN).await.len(), 1);
    assert_eq!(mailbox.messages(&world, "nobody@acme.example").await.len(), 0);
    // A moment later nothing more is sent, and some minutes later it is.
    request_reset(&world, ADMIN).await;
    assert_eq!(mailbox.messages(&world, ADMIN).await.len(), 1);
    world.clock.advance(3 * MINUTE_MS);
    request_reset(&world, ADMIN).await;
    assert_eq!(mailbox.messages(&world, ADMIN).await.len(), 2);
    assert_eq!(world.sql("select count(*)::text from mail_outbox").await, ["0"]);
}

#[tokio::test]
async fn the_owner_of_an_address_takes_an_account_back_from_an_admin() {
    let world = world().await;
    let neighbour = world.neighbour().await;
    let email = "vera@victim.example";
    let draft = json!({"email": email, "display_name": "Vera"});
    let made = neighbour.admin.post(USERS, &draft).await.expect(201);
    let (_, seen) = text(&made["setup_url"]).split_once("token=").expect("a link");
    assert_eq!(set_up(&world, seen, PASSWORD).await.status, 204);
    let impostor = world.sign_in(email).await;
    let mailbox = Mailbox::of(&world);
    request_reset(&world, email).await;
    let message = mailbox.newest(&world, email).await;
    assert!(message.body.contains("your account at \"Neighbour\""), "{}", message.body);
    assert_eq!(set_up(&world, &token(&message), NEW).await.status, 204);
    assert_eq!(impostor.get("/v1/session").await.status, 401);
    assert_eq!(signs_in(&world, email, PASSWORD).await, 401);
    // The address is proven, and the tenant that made the account gets no further link.
    world
        .key
        .post("/v1/admin/members/invite", &json!({"user_id": made["user"]["id"]}))
        .await
        .expect(201);
    assert_snapshot!(neighbour.admin.post(USERS, &draft).await, @"409 CONFLICT");
}

#[tokio::test]
async fn each_account_of_an_address_has_a_reset_link_of_its_own() {
    let world = world().await;
    let neighbour = world.neighbour().await;
    let draft = json!({"email": ADMIN, "display_name": "Also admin"});
    let made = neighbour.admin.post(USERS, &draft).await.expect(201);
    let (_, seen) = text(&made["setup_url"]).split_once("token=").expect("a link");
    assert_eq!(set_up(&world, seen, NEW).await.status, 204);
    let mailbox = Mailbox::of(&world);
    request_reset(&world, ADMIN).await;
    let links = tokens(&mailbox.newest(&world, ADMIN).await);
    let [proven, confined] = &links[..] else { panic!("two links: {links:?}") };
    let third = "quite different words again";
    assert_eq!(set_up(&world, confined, third).await.status, 204);
    assert_eq!(set_up(&world, proven, "and once more other words").await.status, 204);
    assert_eq!(signs_in(&world, ADMIN, third).await, 200);
    assert_eq!(signs_in(&world, ADMIN, "and once more other words").await, 200);
    // The second account stays confined.
    let invite = json!({"user_id": made["user"]["id"]});
    assert_snapshot!(world.key.post("/v1/admin/members/invite", &invite).await, @"404 NOT_FOUND");
}

#[tokio::test]
async fn without_mail_a_reset_answers_the_same_and_sends_nothing() {
    let world = world().await;
    request_reset(&world, ADMIN).await;
    request_reset(&world, "nobody@acme.example").await;
    assert_eq!(world.sql("select count(*)::text from mail_outbox").await, ["0"]);
    let malformed = world.public.post(RESET, &json!({"email": "nobody"})).await;
    assert_eq!(malformed.faults(), "/email format\n");
}

#[tokio::test]
async fn a_letter_is_sent_again_until_the_server_takes_it() {
    let world = world().await;
    let mailbox = Mailbox::of(&world);
    mailbox.refuses(Some(SendError::Temporary));
    request_reset(&world, ADMIN).await;
    assert!(mailbox.messages(&world, ADMIN).await.is_empty());
    assert_eq!(world.sql("select attempts::text from mail_outbox").await, ["1"]);
    // What waits has no link in it, and what was tried before leaves none that anybody has.
    let waiting = world.sql("select row::text from mail_outbox row").await.concat();
    assert!(!waiting.contains("token"), "{waiting}");
    mailbox.refuses(None);
    assert!(mailbox.messages(&world, ADMIN).await.is_empty(), "it waits for its time");
    world.clock.advance(MINUTE_MS);
    let message = mailbox.newest(&world, ADMIN).await;
    assert_eq!(set_up(&world, &token(&message), NEW).await.status, 204);

    mailbox.refuses(Some(SendError::Permanent));
    request_reset(&world, ADMIN).await;
    mailbox.messages(&world, ADMIN).await;
    let waiting = "select count(*)::text from mail_outbox where user_id is null";
    assert_eq!(world.sql(waiting).await, ["0"], "it is given up");
}

#[tokio::test]
async fn a_letter_that_a_process_took_along_is_sent_by_another_one() {
    let world = world().await;
    let mailbox = Mailbox::of(&world);
    request_reset(&world, ADMIN).await;
    // A process claimed it and died.
    let claim = "update mail_outbox set attempts = 1, due_at = due_at + interval '5 minutes'";
    world.sql(claim).await;
    assert!(mailbox.messages(&world, ADMIN).await.is_empty());
    world.clock.advance(5 * MINUTE_MS);
    assert_eq!(mailbox.messages(&world, ADMIN).await.len(), 1);
}

#[tokio::test]
async fn nothing_is_mailed_of_an_act_that_was_refused() {
    let world = world().await;
    let mailbox = Mailbox::of(&world);
    let viewer = world.person(Role::Viewer).await;
    let draft = json!({"email": "new@acme.example", "display_name": "New"});
    assert_eq!(viewer.post(USERS, &draft).await.status, 403);
    let twice = json!({"email": ADMIN, "display_name": "Known"});
    assert_eq!(world.admin().await.post(USERS, &twice).await.status, 409);
    assert!(mailbox.messages(&world, "new@acme.example").await.is_empty());
    assert!(mailbox.messages(&world, ADMIN).await.is_empty());
}
