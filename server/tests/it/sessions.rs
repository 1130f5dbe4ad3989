//! People at the door: signing in, staying signed in, and signing out.

use contract::scope::Role;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::Client,
    service::{MINUTE_MS, PASSWORD, TestServiceBuilder, world},
};

#[tokio::test]
async fn whoever_signs_in_is_told_who_and_where_they_are() {
    let world = world().await;
    let body = json!({"email": "  Admin@ACME.example ", "password": PASSWORD});
    let answer = world.public.post("/v1/session", &body).await;
    let session = answer.expect(200);
    assert_eq!(session["user"]["email"], "admin@acme.example");
    assert_eq!(session["user"]["display_name"], "admin");
    let membership = json!([
        {"tenant_id": world.tenant.to_string(), "tenant_name": "Acme", "role": "admin"}
    ]);
    assert_eq!(session["memberships"], membership);
    assert_eq!(world.public.get("/v1/session").await.expect(200), session);
}

#[tokio::test]
async fn the_cookie_is_out_of_reach_of_scripts_and_other_sites() {
    let world = world().await;
    let answer = world.public.post("/v1/session", &credentials(&world.admin_email)).await;
    let cookie = answer.header("set-cookie").unwrap();
    assert!(cookie.starts_with("govern="), "{cookie}");
    for attribute in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(attribute), "{attribute} of {cookie}");
    }
    assert!(!cookie.contains("Secure") && !cookie.contains("Domain"), "{cookie}");
}

#[tokio::test]
async fn behind_https_the_cookie_is_bound_to_the_host() {
    let world =
        TestServiceBuilder { is_https: true, ..TestServiceBuilder::default() }.world().await;
    let answer = world.public.post("/v1/session", &credentials(&world.admin_email)).await;
    let cookie = answer.header("set-cookie").unwrap();
    assert!(cookie.starts_with("__Host-govern=") && cookie.contains("Secure"), "{cookie}");
}

#[tokio::test]
async fn a_wrong_address_and_a_wrong_password_look_alike() {
    let world = world().await;
    let nobody = world.public.post("/v1/session", &credentials("nobody@acme.example")).await;
    let wrong = json!({"email": world.admin_email, "password": "not the password"});
    let wrong = world.public.post("/v1/session", &wrong).await;
    assert_snapshot!(nobody, @"401 UNAUTHORIZED");
    assert_eq!(nobody.anonymous(), wrong.anonymous());
    for answer in [nobody, wrong] {
        assert_eq!(answer.header("set-cookie"), None);
    }
}

#[tokio::test]
async fn after_five_failures_the_door_stays_shut_for_a_minute() {
    let world = world().await;
    let wrong = json!({"email": world.admin_email, "password": "not the password"});
    for _ in 0..5 {
        assert_eq!(world.public.post("/v1/session", &wrong).await.status, 401);
    }
    let refused = world.public.post("/v1/session", &credentials(&world.admin_email)).await;
    assert_snapshot!(refused, @"429 TOO_MANY_REQUESTS");
    assert_eq!(refused.header("retry-after"), Some("60"));
    // The count is that account's: another one is not locked out.
    let other = world.member(Role::Viewer).await;
    world.sign_in(&other).await;
}

#[tokio::test]
async fn an_account_that_nobody_has_is_shut_alike() {
    let world = world().await;
    let nobody = credentials("nobody@acme.example");
    for _ in 0..5 {
        assert_eq!(world.public.post("/v1/session", &nobody).await.status, 401);
    }
    let refused = world.public.post("/v1/session", &nobody).await;
    assert_snapshot!(refused, @"429 TOO_MANY_REQUESTS");
}

#[tokio::test(flavor = "multi_thread")]
async fn guessing_at_once_gives_no_more_guesses() {
    let world = world().await;
    let wrong = json!({"email": world.admin_email, "password": "not the password"});
    let guesses: Vec<_> = (0..20)
        .map(|_| tokio::spawn(world.public.post("/v1/session", &wrong).into_future()))
        .collect();
    let mut told = 0;
    for guess in guesses {
        told += usize::from(guess.await.unwrap().status == 401);
    }
    assert_eq!(told, 5);
}

#[tokio::test]
async fn a_session_ends_half_an_hour_after_its_last_use() {
    let world = world().await;
    let admin = world.admin().await;
    for _ in 0..3 {
        world.clock.advance(29 * MINUTE_MS);
        assert_eq!(reads(&admin).await, 200);
    }
    world.clock.advance(31 * MINUTE_MS);
    assert_eq!(reads(&admin).await, 401);
    assert_eq!(admin.get("/v1/session").await.status, 401);
}

#[tokio::test]
async fn a_session_ends_twelve_hours_after_the_sign_in_however_busy_it_is() {
    let world = world().await;
    let admin = world.admin().await;
    for _ in 0..12 * 3 {
        assert_eq!(reads(&admin).await, 200);
        world.clock.advance(20 * MINUTE_MS);
    }
    assert_eq!(reads(&admin).await, 200);
    world.clock.advance(1);
    assert_eq!(reads(&admin).await, 401);
}

#[tokio::test]
async fn whoever_signs_out_is_out_with_every_copy_of_the_cookie() {
    let world = world().await;
    let admin = world.admin().await;
    let copy = admin.apart();
    let answer = admin.call("DELETE", "/v1/session").await;
    assert_eq!((answer.status, &*answer.text), (204, ""));
    assert_eq!(admin.cookie(), None);
    assert_eq!(reads(&copy).await, 401);
    // Signing out twice is no fault.
    assert_eq!(copy.call("DELETE", "/v1/session").await.status, 204);
}

#[tokio::test]
async fn a_sign_in_takes_a_new_token_and_the_one_before_is_void() {
    let world = world().await;
    let admin = world.admin().await;
    let before = admin.apart();
    admin.post("/v1/session", &credentials(&world.admin_email)).await.expect(200);
    assert_ne!(admin.cookie(), before.cookie());
    assert_eq!((reads(&admin).await, reads(&before).await), (200, 401));
}

#[tokio::test]
async fn a_made_up_cookie_is_nobody_s() {
    let world = world().await;
    let caller = world.public.with("x-service-tenant-id", world.tenant);
    for cookie in ["govern=", "govern=AAAAAAAAAAAAAAAAAAAAAA", "govern=%00", "govern=\u{fc}"] {
        let answer = caller.get("/v1/policies").header("cookie", cookie).await;
        assert_eq!(answer.to_string(), "401 UNAUTHORIZED", "{cookie}");
    }
}

#[tokio::test]
async fn signing_asks_for_the_password_again_after_fifteen_minutes() {
    let world = world().await;
    let version = world.submitted("PAY-01").await;
    let rejected = world.submitted("PAY-02").await;
    let person = world.person(Role::Ratifier).await;
    world.clock.advance(15 * MINUTE_MS + 1);
    let ratification = json!({"expected_revision": 1});
    let refused = person.post(version.act("ratify"), &ratification).await;
    assert_snapshot!(refused, @"403 FORBIDDEN (CONFIRMATION_REQUIRED)");
    // What is not a signature goes on.
    assert_eq!(reads(&person).await, 200);
    person.post(rejected.act("reject"), &json!({"reason": "because"})).await.expect(200);

    let wrong = person.post("/v1/session/confirm", &json!({"password": "wrong"})).await;
    assert_snapshot!(wrong, @"401 UNAUTHORIZED");
    assert_eq!(person.post(version.act("ratify"), &ratification).await.status, 403);
    let right = person.post("/v1/session/confirm", &json!({"password": PASSWORD})).await;
    right.expect(200);
    person.post(version.act("ratify"), &ratification).await.expect(200);
    world.clock.advance(15 * MINUTE_MS);
    person.post(version.act("activate"), &json!({})).await.expect(200);
}

#[tokio::test]
async fn a_confirmation_does_not_lengthen_the_session() {
    let world = world().await;
    let admin = world.admin().await;
    for _ in 0..12 * 3 {
        world.clock.advance(20 * MINUTE_MS);
        admin.post("/v1/session/confirm", &json!({"password": PASSWORD})).await.expect(200);
    }
    world.clock.advance(1);
    assert_eq!(reads(&admin).await, 401);
}

#[tokio::test]
async fn confirming_has_five_tries_too() {
    let world = world().await;
    let admin = world.admin().await;
    let wrong = json!({"password": "not the password"});
    for _ in 0..5 {
        assert_eq!(admin.post("/v1/session/confirm", &wrong).await.status, 401);
    }
    let refused = admin.post("/v1/session/confirm", &json!({"password": PASSWORD})).await;
    assert_snapshot!(refused, @"429 TOO_MANY_REQUESTS");
    let nobody = world.public.post("/v1/session/confirm", &wrong).await;
    assert_snapshot!(nobody, @"401 UNAUTHORIZED");
}

#[tokio::test]
async fn a_session_does_nothing_without_the_tenant_header() {
    let world = world().await;
    let admin = world.admin().await.without("x-service-tenant-id");
    let forged = admin.call("POST", "/v1/policies").body("text/plain", "{}").await;
    assert_snapshot!(forged, @"400 MISSING_TENANT_ID");
}

#[tokio::test]
async fn a_person_works_only_where_they_belong() {
    let world = world().await;
    let neighbour = world.neighbour().await;
    let stranger = neighbour.admin.without("x-service-tenant-id");
    let call = stranger.get("/v1/policies").header("x-service-tenant-id", world.tenant);
    assert_snapshot!(call.await, @"403 FORBIDDEN");
}

#[tokio::test]
async fn whoever_is_removed_is_out_at_once() {
    let world = world().await;
    let person = world.person(Role::Author).await;
    assert_eq!(reads(&person).await, 200);
    world.sql("delete from members where role = 'author'").await;
    assert_eq!(reads(&person).await, 403);
    let memberships = person.get("/v1/session").await.expect(200)["memberships"].clone();
    assert_eq!(memberships, json!([]));
}

fn credentials(email: &str) -> Value {
    json!({"email": email, "password": PASSWORD})
}

/// The status of a read in the tenant.
async fn reads(person: &Client) -> u16 {
    person.get("/v1/policies").await.status
}
