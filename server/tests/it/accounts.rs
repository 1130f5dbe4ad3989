//! Accounts over HTTP: made by a tenant, opened by a link, and the password behind them.

use contract::scope::Role;
use governance::access::operator;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::{Client, TestResponse, text},
    service::{MINUTE_MS, PASSWORD, TestService, world},
};

const USERS: &str = "/v1/admin/users";
const SETUP: &str = "/v1/session/setup";
const CHANGE: &str = "/v1/session/password";

/// What somebody chooses next.
const NEW: &str = "four other words of mine";

fn ada() -> Value {
    json!({"email": "Ada@New.example", "display_name": "Ada Byron"})
}

/// The token of the link to Ada's password.
async fn link(by: &Client) -> String {
    let made = by.post(USERS, &ada()).await.expect(201);
    let (page, token) = text(&made["setup_url"]).split_once("?token=").expect("a link");
    assert!(page.ends_with("/setup"), "{page}");
    token.to_owned()
}

async fn set_up(world: &TestService, token: &str, password: &str) -> TestResponse {
    world.public.post(SETUP, &json!({"token": token, "password": password})).await
}

/// The status of a sign-in.
async fn signs_in(world: &TestService, email: &str, password: &str) -> u16 {
    let credentials = json!({"email": email, "password": password});
    world.public.apart().post("/v1/session", &credentials).await.status
}

#[tokio::test]
async fn an_account_is_opened_once_by_its_link() {
    let world = world().await;
    world.governance.set_public_url("https://govern.acme.example/");
    let answer = world.admin().await.post(USERS, &ada()).await;
    let made = answer.expect(201);
    let user = json!({
        "id": made["user"]["id"], "email": "ada@new.example", "display_name": "Ada Byron",
    });
    assert_eq!(made["user"], user);
    assert_eq!(made.as_object().map(serde_json::Map::len), Some(2));
    let location = format!("{USERS}/{}", text(&user["id"]));
    assert_eq!(answer.header("location"), Some(&*location));
    let url = text(&made["setup_url"]);
    let token = url.strip_prefix("https://govern.acme.example/setup?token=").expect("a link");
    assert!(token.len() >= 43, "nobody guesses it: {token}");

    assert_eq!(signs_in(&world, "ada@new.example", PASSWORD).await, 401);
    let opened = set_up(&world, token, PASSWORD).await;
    assert_eq!((opened.status, &*opened.text), (204, ""));
    assert_eq!(opened.header("set-cookie"), None);
    let ada = world.public.apart();
    let credentials = json!({"email": "ada@new.example", "password": PASSWORD});
    let session = ada.post("/v1/session", &credentials).await.expect(200);
    assert_eq!(session, json!({"user": user, "memberships": []}));

    let again = set_up(&world, token, NEW).await;
    assert_snapshot!(again, @"404 NOT_FOUND");
    let unknown = set_up(&world, "nonsense", NEW).await;
    assert_eq!(again.anonymous(), unknown.anonymous());
    assert_eq!(signs_in(&world, "ada@new.example", PASSWORD).await, 200);
}

#[tokio::test]
async fn a_link_is_not_kept_and_its_use_is_told() {
    let world = world().await;
    let token = link(&world.admin().await).await;
    for table in ["users", "account_links", "audit_events", "audit_personal"] {
        let rows = world.sql(&format!("select row::text from {table} row")).await.concat();
        assert!(!rows.contains(&token), "{table}");
    }
    assert_eq!(set_up(&world, &token, PASSWORD).await.status, 204);
    let page = world.key.get("/v1/audit-log?actor_email=ada@new.example").await.expect(200);
    let item = &page["items"][0];
    assert_eq!(
        (&item["action"], &item["actor_email"]),
        (&json!("user.set_up"), &json!("ada@new.example"))
    );
    assert_eq!(item["actor"]["type"], "human");
    assert_eq!(item["actor"]["id"], item["object"]["id"]);
}

#[tokio::test]
async fn a_link_expires_after_a_week() {
    let world = world().await;
    let week = 7 * 24 * 60 * MINUTE_MS;
    let token = link(&world.admin().await).await;
    world.clock.advance(week);
    let late = set_up(&world, &token, PASSWORD).await;
    assert_snapshot!(late, @"404 NOT_FOUND");
    assert_eq!(late.anonymous(), set_up(&world, "nonsense", PASSWORD).await.anonymous());
    // Whoever never came gets a new one, and the one before is void.
    let [second, third] = [link(&world.admin().await).await, link(&world.admin().await).await];
    world.clock.advance(week - 1);
    assert_eq!(set_up(&world, &second, PASSWORD).await.status, 404);
    assert_eq!(set_up(&world, &third, PASSWORD).await.status, 204);
    assert_snapshot!(world.admin().await.post(USERS, &ada()).await, @"409 CONFLICT");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_uses_of_a_link_at_once_one_counts() {
    let world = world().await;
    let token = link(&world.admin().await).await;
    let passwords: Vec<String> = (0..6).map(|number| format!("{NEW} {number}")).collect();
    let uses = passwords.iter().map(|password| {
        let body = json!({"token": token, "password": password});
        tokio::spawn(world.public.post(SETUP, &body).into_future())
    });
    let uses: Vec<_> = uses.collect();
    let mut chosen = Vec::new();
    for (password, used) in passwords.iter().zip(uses) {
        let answer = used.await.expect("no client panics");
        match answer.status {
            204 => chosen.push(password),
            _ => assert_eq!(answer.to_string(), "404 NOT_FOUND"),
        }
    }
    let [chosen] = chosen[..] else { panic!("one use counts: {chosen:?}") };
    assert_eq!(signs_in(&world, "ada@new.example", chosen).await, 200);
}

#[tokio::test]
async fn a_weak_password_leaves_the_link_as_it_is() {
    let world = world().await;
    let token = link(&world.admin().await).await;
    for (password, faults) in [
        ("", "/password too_short\n"),
        ("short", "/password too_short\n"),
        (&*"x".repeat(257), "/password too_long\n"),
        ("Password1234", "/password common\n"),
    ] {
        assert_eq!(set_up(&world, &token, password).await.faults(), faults, "{password}");
    }
    assert_eq!(set_up(&world, &token, PASSWORD).await.status, 204);
}

#[tokio::test]
async fn tenants_have_accounts_of_one_address_and_do_not_see_each_others() {
    let world = world().await;
    let neighbour = world.neighbour().await;
    let admin = world.admin().await;
    // A member's address is known; that of a person elsewhere is not.
    let own = json!({"email": world.admin_email.to_uppercase(), "display_name": "Mine"});
    assert_snapshot!(admin.post(USERS, &own).await, @"409 CONFLICT");
    let elsewhere = json!({"email": "ADMIN@neighbour.example", "display_name": "Mine"});
    let made = admin.post(USERS, &elsewhere).await.expect(201);
    let (_, token) = text(&made["setup_url"]).split_once("?token=").expect("a link");
    assert_eq!(set_up(&world, token, NEW).await.status, 204);
    assert_snapshot!(admin.post(USERS, &elsewhere).await, @"409 CONFLICT");
    // The password says which account is meant.
    for (password, memberships) in [(PASSWORD, 1), (NEW, 0)] {
        let person = world.public.apart();
        let credentials = json!({"email": "admin@neighbour.example", "password": password});
        let session = person.post("/v1/session", &credentials).await.expect(200);
        assert_eq!(session["memberships"].as_array().map(Vec::len), Some(memberships));
        assert_eq!(session["user"]["id"] == made["user"]["id"], memberships == 0);
    }
    // Two tenants each have an account for an address, with links of their own.
    let (ours, theirs) = (link(&admin).await, link(&neighbour.admin).await);
    assert_eq!(set_up(&world, &theirs, PASSWORD).await.status, 204);
    assert_eq!(set_up(&world, &ours, NEW).await.status, 204);
    assert_eq!(signs_in(&world, "ada@new.example", PASSWORD).await, 200);
    assert_eq!(signs_in(&world, "ada@new.example", NEW).await, 200);
}

#[tokio::test]
async fn an_account_is_asked_for_without_faults() {
    let world = world().await;
    for (body, faults) in [
        (json!({}), "/email required\n/display_name required\n"),
        (json!({"email": "ada", "display_name": ""}), "/email format\n/display_name too_short\n"),
        (json!({"email": "a@b.example", "display_name": "A", "role": "admin"}), "/role unknown\n"),
    ] {
        assert_eq!(world.admin().await.post(USERS, &body).await.faults(), faults, "{body}");
    }
}

#[tokio::test]
async fn a_new_password_ends_every_other_session() {
    let world = world().await;
    let here = world.person(Role::Author).await;
    let there = world.sign_in("author0@acme.example").await;
    let before = here.apart();
    let body = json!({"password": PASSWORD, "new_password": NEW});
    let session = here.post(CHANGE, &body).await.expect(200);
    assert_eq!(session["user"]["email"], "author0@acme.example");
    assert_ne!(here.cookie(), before.cookie());
    let reads = async |person: &Client| person.get("/v1/policies").await.status;
    assert_eq!((reads(&here).await, reads(&there).await, reads(&before).await), (200, 401, 401));
    assert_eq!(signs_in(&world, "author0@acme.example", PASSWORD).await, 401);
    assert_eq!(signs_in(&world, "author0@acme.example", NEW).await, 200);
}

#[tokio::test]
async fn a_new_password_asks_for_the_one_before() {
    let world = world().await;
    let person = world.person(Role::Author).await;
    let wrong = person.post(CHANGE, &json!({"password": "wrong", "new_password": NEW})).await;
    assert_snapshot!(wrong, @"401 UNAUTHORIZED");
    let weak = person.post(CHANGE, &json!({"password": PASSWORD, "new_password": "short"})).await;
    assert_eq!(weak.faults(), "/new_password too_short\n");
    let nobody =
        world.public.post(CHANGE, &json!({"password": PASSWORD, "new_password": NEW})).await;
    assert_snapshot!(nobody, @"401 UNAUTHORIZED");
    for _ in 0..4 {
        person.post(CHANGE, &json!({"password": "wrong", "new_password": NEW})).await;
    }
    let right = json!({"password": PASSWORD, "new_password": NEW});
    assert_snapshot!(person.post(CHANGE, &right).await, @"429 TOO_MANY_REQUESTS");
    assert_eq!(person.get("/v1/policies").await.status, 200);
}

#[tokio::test]
async fn each_tenant_of_a_person_is_told_of_a_new_password() {
    let world = world().await;
    let neighbour = world.neighbour().await;
    let email = "admin@neighbour.example";
    let added = operator::add_user(&world.governance, world.tenant, email, Role::Viewer);
    added.await.expect("the operator adds a proven account");
    let body = json!({"password": PASSWORD, "new_password": NEW});
    neighbour.admin.post(CHANGE, &body).await.expect(200);
    for key in [&world.key, &neighbour.key] {
        let page = key.get("/v1/audit-log?limit=1").await.expect(200);
        assert_eq!(page["items"][0]["action"], "user.change_password");
        assert_eq!(page["items"][0]["actor_email"], "admin@neighbour.example");
        let intact = key.post("/v1/audit-log/verify", &json!({})).await.expect(200);
        assert_eq!(intact["status"], "intact");
    }
    // Whoever belongs nowhere may choose a password too.
    let token = link(&world.admin().await).await;
    assert_eq!(set_up(&world, &token, PASSWORD).await.status, 204);
    let ada = world.sign_in("ada@new.example").await;
    ada.post(CHANGE, &body).await.expect(200);
    assert_eq!(signs_in(&world, "ada@new.example", NEW).await, 200);
}

#[tokio::test]
async fn no_key_gets_a_link_to_a_password() {
    let world = world().await;
    assert_snapshot!(world.key.post(USERS, &ada()).await, @"403 HUMAN_REQUIRED");
    let made = "select count(*)::text from users where email like 'ada%'";
    assert_eq!(world.sql(made).await, ["0"]);
}
