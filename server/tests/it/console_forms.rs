//! Hosted forms in the console, as a browser without scripts uses them.

mod html_form;
mod questions;

use contract::scope::Role;
use serde_json::json;

use crate::{
    client::text,
    console_pages::Browser,
    forms,
    service::{TestService, world},
};

async fn revoked(world: &TestService) -> Vec<String> {
    world.sql("select id::text from form_tokens where revoked_at is not null").await
}

#[tokio::test]
async fn a_token_is_made_and_revoked_by_plain_forms() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let form = forms::published(&world, &version, json!({"access_mode": "token"})).await;
    let id = text(&form["id"]);
    let tokens = format!("forms/{id}/edit?tab=tokens");
    let operator = Browser::of(&world, &world.person(Role::Operator).await);
    let made = operator.post("/console/form-token", &format!("id={id}&uses=3&expires=")).await;
    let back = operator.at(&tokens);
    assert_eq!((made.status, made.header("location")), (303, Some(&*back)), "{made:?}");
    let token = world.sql("select id::text from form_tokens").await.concat();
    let page = operator.page(&tokens).await.text;
    for part in [&*token, "0 of 3", "/console/revoke-form-token"] {
        assert!(page.contains(part), "{part}: {page}");
    }

    // Who only reads has nothing to press, and may not press it.
    let viewer = Browser::of(&world, &world.person(Role::Viewer).await);
    assert!(!viewer.page(&tokens).await.text.contains("/console/revoke-form-token"));
    let (revoke, body) = ("/console/revoke-form-token", format!("id={id}&token={token}"));
    viewer.post(revoke, &body).await;
    assert_eq!(revoked(&world).await, Vec::<String>::new());

    for _ in 0..2 {
        let done = operator.post(revoke, &body).await;
        assert_eq!((done.status, done.header("location")), (303, Some(&*back)), "{done:?}");
    }
    assert_eq!(revoked(&world).await, [token]);
    let page = operator.page(&tokens).await.text;
    assert!(page.contains("1 Sep 2026 10:00:00") && !page.contains(revoke), "{page}");

    let other = "00000000-0000-4000-8000-000000000000";
    operator.post(revoke, &format!("id={id}&token={other}")).await;
    let page = operator.page(&format!("forms/{id}/edit")).await.text;
    assert!(page.contains("no such token of a form"), "{page}");
}
