//! Accounts over HTTP: creation by a tenant, setup links and password changes.

use governance::{ServiceOptions, access::operator};

use crate::prelude::*;

const USERS: &str = "/v1/admin/users";
const SETUP: &str = "/v1/session/setup";
const CHANGE: &str = "/v1/session/password";

const NEW_PASSWORD: &str = "four other words of mine";

fn ada() -> Value {
    json!({"email": "Ada@New.example", "display_name": "Ada Byron"})
}

/// Creates Ada's account and returns the token of its setup link.
async fn setup_token(by: &Client) -> String {
    let created = by.post(USERS, &ada()).await.expect(201);
    let (page, token) = text(&created["setup_url"]).split_once("?token=").expect("a link");
    assert!(page.ends_with("/setup"), "{page}");
    token.to_owned()
}

#[tokio::test]
async fn a_setup_link_sets_the_password_once() {
    let public_url = "https://govern.acme.example".to_owned();
    let service =
        test_service_with(ServiceOptions { public_url, ..ServiceOptions::default() }).await;
    let response = service.admin().await.post(USERS, &ada()).await;
    let created = response.expect(201);
    let user = json!({
        "id": created["user"]["id"], "email": "ada@new.example", "display_name": "Ada Byron",
    });
    assert_eq!(created["user"], user);
    assert_eq!(created.as_object().map(serde_json::Map::len), Some(2));
    let location = format!("{USERS}/{}", text(&user["id"]));
    assert_eq!(response.header("location"), Some(&*location));
    let url = text(&created["setup_url"]);
    let token = url.strip_prefix("https://govern.acme.example/setup?token=").expect("a link");
    assert!(token.len() >= 43, "the token has enough entropy: {token}");

    assert_eq!(service.sign_in_status("ada@new.example", PASSWORD).await, 401);
    let setup = service.set_password(token, PASSWORD).await;
    assert_eq!((setup.status, &*setup.text), (204, ""));
    assert_eq!(setup.header("set-cookie"), None);
    let ada = service.public.without_session();
    let session = ada.sign_in("ada@new.example", PASSWORD).await.expect(200);
    assert_eq!(session, json!({"user": user, "memberships": [], "auth_method": "password"}));

    let repeated = service.set_password(token, NEW_PASSWORD).await;
    assert_snapshot!(repeated, @"404 NOT_FOUND");
    let unknown = service.set_password("nonsense", NEW_PASSWORD).await;
    assert_eq!(repeated.without_correlation_id(), unknown.without_correlation_id());
    assert_eq!(service.sign_in_status("ada@new.example", PASSWORD).await, 200);
}

#[testkit::test]
async fn a_setup_link_is_not_stored_and_its_use_is_audited(service: TestService) {
    let token = setup_token(&service.admin().await).await;
    for table in ["users", "account_links", "audit_events", "audit_personal"] {
        let rows = service.sql(&format!("select row::text from {table} row")).await.concat();
        assert!(!rows.contains(&token), "{table}");
    }
    assert_eq!(service.set_password(&token, PASSWORD).await.status, 204);
    let page = service.key.get("/v1/audit-log?actor_email=ada@new.example").await.expect(200);
    let item = &page["items"][0];
    assert_eq!(
        (&item["action"], &item["actor_email"]),
        (&json!("user.set_up"), &json!("ada@new.example"))
    );
    assert_eq!(item["actor"]["type"], "human");
    assert_eq!(item["actor"]["id"], item["object"]["id"]);
}

#[testkit::test]
async fn a_setup_link_expires_after_a_week(service: TestService) {
    let week = 7 * 24 * 60 * MINUTE_MS;
    let token = setup_token(&service.admin().await).await;
    service.clock.advance(week);
    let expired = service.set_password(&token, PASSWORD).await;
    assert_snapshot!(expired, @"404 NOT_FOUND");
    assert_eq!(
        expired.without_correlation_id(),
        service.set_password("nonsense", PASSWORD).await.without_correlation_id()
    );
    // A new link of an account invalidates the earlier one.
    let [second, third] =
        [setup_token(&service.admin().await).await, setup_token(&service.admin().await).await];
    service.clock.advance(week - 1);
    assert_eq!(service.set_password(&second, PASSWORD).await.status, 404);
    assert_eq!(service.set_password(&third, PASSWORD).await.status, 204);
    assert_snapshot!(service.admin().await.post(USERS, &ada()).await, @"409 CONFLICT");
}

#[testkit::test]
async fn a_new_setup_link_of_an_account_needs_a_recent_sign_in(service: TestService) {
    let admin = service.admin().await;
    let token = setup_token(&admin).await;
    service.clock.advance(15 * MINUTE_MS + 1);
    assert_snapshot!(admin.post(USERS, &ada()).await, @"403 CONFIRMATION_REQUIRED");
    // The rejected request did not invalidate the link.
    assert_eq!(service.set_password(&token, PASSWORD).await.status, 204);
}

#[testkit::test(flavor = "multi_thread")]
async fn one_of_several_concurrent_uses_of_a_setup_link_succeeds(service: TestService) {
    let token = setup_token(&service.admin().await).await;
    let passwords: Vec<String> = (0..6).map(|number| format!("{NEW_PASSWORD} {number}")).collect();
    let uses = passwords.iter().map(|password| {
        let body = json!({"token": token, "password": password});
        tokio::spawn(service.public.post(SETUP, &body).into_future())
    });
    let uses: Vec<_> = uses.collect();
    let mut accepted = Vec::new();
    for (password, pending) in passwords.iter().zip(uses) {
        let response = pending.await.expect("no client panics");
        match response.status {
            204 => accepted.push(password),
            _ => assert_eq!(response.to_string(), "404 NOT_FOUND"),
        }
    }
    let [accepted] = accepted[..] else { panic!("one use succeeds: {accepted:?}") };
    assert_eq!(service.sign_in_status("ada@new.example", accepted).await, 200);
}

#[testkit::test]
async fn a_weak_password_does_not_use_up_the_setup_link(service: TestService) {
    let token = setup_token(&service.admin().await).await;
    for (password, errors) in [
        ("", "/password too_short\n"),
        ("short", "/password too_short\n"),
        (&*"x".repeat(257), "/password too_long\n"),
        ("Password1234", "/password common\n"),
    ] {
        assert_eq!(
            service.set_password(&token, password).await.field_errors(),
            errors,
            "{password}"
        );
    }
    assert_eq!(service.set_password(&token, PASSWORD).await.status, 204);
}

#[testkit::test]
async fn tenants_have_separate_accounts_for_the_same_email(service: TestService) {
    let neighbour = service.other_tenant().await;
    let admin = service.admin().await;
    // The email of a member conflicts; the email of a user of another tenant does not.
    let member = json!({"email": service.admin_email.to_uppercase(), "display_name": "Mine"});
    assert_snapshot!(admin.post(USERS, &member).await, @"409 CONFLICT");
    let other_user = json!({"email": "ADMIN@neighbour.example", "display_name": "Mine"});
    let created = admin.post(USERS, &other_user).await.expect(201);
    let (_, token) = text(&created["setup_url"]).split_once("?token=").expect("a link");
    assert_eq!(service.set_password(token, NEW_PASSWORD).await.status, 204);
    assert_snapshot!(admin.post(USERS, &other_user).await, @"409 CONFLICT");
    // The password selects the account.
    for (password, memberships) in [(PASSWORD, 1), (NEW_PASSWORD, 0)] {
        let person = service.public.without_session();
        let session = person.sign_in("admin@neighbour.example", password).await.expect(200);
        assert_eq!(session["memberships"].as_array().map(Vec::len), Some(memberships));
        assert_eq!(session["user"]["id"] == created["user"]["id"], memberships == 0);
    }
    // Two tenants create an account for the same email, each with its own setup link.
    let (own_token, other_token) = (setup_token(&admin).await, setup_token(&neighbour.admin).await);
    assert_eq!(service.set_password(&other_token, PASSWORD).await.status, 204);
    assert_eq!(service.set_password(&own_token, NEW_PASSWORD).await.status, 204);
    assert_eq!(service.sign_in_status("ada@new.example", PASSWORD).await, 200);
    assert_eq!(service.sign_in_status("ada@new.example", NEW_PASSWORD).await, 200);
}

#[testkit::test]
async fn a_new_password_ends_every_other_session(service: TestService) {
    let current = service.signed_in_member(Role::Author).await;
    let other = service.sign_in("author0@acme.example").await;
    let replaced = current.without_session();
    let body = json!({"password": PASSWORD, "new_password": NEW_PASSWORD});
    let session = current.post(CHANGE, &body).await.expect(200);
    assert_eq!(session["user"]["email"], "author0@acme.example");
    assert_ne!(current.cookie(), replaced.cookie());
    assert_eq!(
        (read_status(&current).await, read_status(&other).await, read_status(&replaced).await),
        (200, 401, 401)
    );
    assert_eq!(service.sign_in_status("author0@acme.example", PASSWORD).await, 401);
    assert_eq!(service.sign_in_status("author0@acme.example", NEW_PASSWORD).await, 200);
}

#[testkit::test]
async fn changing_the_password_requires_the_current_password(service: TestService) {
    let person = service.signed_in_member(Role::Author).await;
    let wrong =
        person.post(CHANGE, &json!({"password": "wrong", "new_password": NEW_PASSWORD})).await;
    assert_snapshot!(wrong, @"401 UNAUTHORIZED");
    let weak = person.post(CHANGE, &json!({"password": PASSWORD, "new_password": "short"})).await;
    assert_eq!(weak.field_errors(), "/new_password too_short\n");
    let anonymous = service
        .public
        .post(CHANGE, &json!({"password": PASSWORD, "new_password": NEW_PASSWORD}))
        .await;
    assert_snapshot!(anonymous, @"401 UNAUTHORIZED");
}

#[testkit::test]
async fn a_password_change_is_audited_in_each_tenant_of_the_user(service: TestService) {
    let neighbour = service.other_tenant().await;
    let email = "admin@neighbour.example";
    let added = operator::add_user(&service.governance, service.tenant, email, Role::Viewer);
    added.await.expect("the operator adds the user");
    let body = json!({"password": PASSWORD, "new_password": NEW_PASSWORD});
    neighbour.admin.post(CHANGE, &body).await.expect(200);
    for key in [&service.key, &neighbour.key] {
        let page = key.get("/v1/audit-log?limit=1").await.expect(200);
        assert_eq!(page["items"][0]["action"], "user.change_password");
        assert_eq!(page["items"][0]["actor_email"], "admin@neighbour.example");
        let intact = key.post("/v1/audit-log/verify", &json!({})).await.expect(200);
        assert_eq!(intact["status"], "intact");
    }
    // A user without a tenant can change the password too.
    let token = setup_token(&service.admin().await).await;
    assert_eq!(service.set_password(&token, PASSWORD).await.status, 204);
    let ada = service.sign_in("ada@new.example").await;
    ada.post(CHANGE, &body).await.expect(200);
    assert_eq!(service.sign_in_status("ada@new.example", NEW_PASSWORD).await, 200);
}

#[testkit::test]
async fn an_address_that_looks_like_another_one_is_refused_where_it_is_set(service: TestService) {
    let admin = service.admin().await;
    for email in [
        "\u{212a}im@acme.example",
        "\u{ff4b}im@acme.example",
        "kim\u{200b}@acme.example",
        "\u{202e}kim@acme.example",
        "kim@acme.example.",
        "kim@acme.example,eve@acme.example",
        "Kim <kim@acme.example>",
    ] {
        let draft = json!({"email": email, "display_name": "Kim"});
        assert_eq!(admin.post(USERS, &draft).await.field_errors(), "/email format\n", "{email:?}");
        let invited = admin.post("/v1/admin/members/invite", &json!({"email": email})).await;
        assert_eq!(invited.field_errors(), "/email format\n", "{email:?}");
        let reset = service.public.post("/v1/session/reset", &json!({"email": email})).await;
        assert_eq!(reset.field_errors(), "/email format\n", "{email:?}");
        let password = PASSWORD.to_owned();
        let role = Role::Viewer;
        let created =
            operator::create_user(&service.governance, service.tenant, email, password, role).await;
        assert_eq!(created.expect_err("it is refused").status(), 422, "{email:?}");
    }
    // Letters outside ASCII keep their case.
    let draft = json!({"email": " Élodie@Acme.example ", "display_name": "Élodie"});
    let created = admin.post(USERS, &draft).await.expect(201);
    assert_eq!(created["user"]["email"], "Élodie@acme.example");
}

#[testkit::test]
async fn the_operator_verifies_an_account_that_the_operator_created(service: TestService) {
    let email = service.member(Role::Author).await;
    let verify =
        async |email: &str| operator::verify_user(&service.governance, service.tenant, email).await;
    for _ in 0..2 {
        assert_eq!(verify(&email).await.expect("it is proven already").email, email);
    }
    let neighbour = service.other_tenant().await;
    let elsewhere = operator::verify_user(&service.governance, neighbour.tenant, &email).await;
    assert_eq!(elsewhere.expect_err("not a member there").status(), 404);
}
