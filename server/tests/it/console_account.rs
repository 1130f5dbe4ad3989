//! A person's own account in the console, as a browser without scripts gets it.

use contract::scope::Role;

use crate::{
    client::{Client, TestResponse},
    console_editor::form,
    console_pages::{FORM, cookie},
    service::{PASSWORD, TestService, world},
};

const NEW: &str = "four other words of mine";

/// The browser of somebody with this session cookie.
fn browser(world: &TestService, session: &str) -> Client {
    let browser = world.public.apart().with("accept", "text/html");
    browser.with("sec-fetch-site", "same-origin").with("cookie", session)
}

async fn change(browser: &Client, current: &str, new: &str) -> TestResponse {
    let body = form(&[("password", current), ("new_password", new)]);
    browser.call("POST", "/console/change-password").body(FORM, body).await
}

#[tokio::test]
async fn a_person_sees_where_they_belong_and_strangers_are_asked_who_they_are() {
    let world = world().await;
    let person = world.person(Role::Reviewer).await;
    let mine = browser(&world, &person.cookie().expect("a cookie"));
    let shown = mine.get("/account").await;
    assert_eq!(shown.status, 200, "{}", shown.text);
    for said in ["reviewer0@acme.example", "Acme", "Reviewer", "Change password"] {
        assert!(shown.text.contains(said), "{said}: {}", shown.text);
    }
    let nobody = world.public.with("accept", "text/html").get("/account").await;
    assert_eq!((nobody.status, nobody.header("location")), (303, Some("/login?next=%2Faccount")));
}

#[tokio::test]
async fn a_new_password_ends_every_sign_in_but_this_one() {
    let world = world().await;
    let person = world.person(Role::Author).await;
    let elsewhere = world.sign_in("author0@acme.example").await;
    let earlier = person.cookie().expect("a cookie");
    let mine = || browser(&world, &earlier);
    for (current, new, said) in [
        ("not this one", NEW, "The current password is wrong."),
        (PASSWORD, "short", "New password"),
    ] {
        let refused = change(&mine(), current, new).await;
        assert_eq!((refused.status, refused.header("location")), (303, Some("/account")));
        let shown = mine().get("/account").await.text;
        assert!(shown.contains(said), "{said}: {shown}");
        assert!(!mine().get("/account").await.text.contains("role=\"alert\""), "it is told once");
    }
    let changed = change(&mine(), PASSWORD, NEW).await;
    assert_eq!(changed.header("location"), Some("/account?done=password"), "{}", changed.text);
    let session = cookie(&changed, "govern").expect("a session of its own");
    let here = browser(&world, &format!("govern={session}"));
    let shown = here.get("/account?done=password").await;
    assert!(shown.text.contains("signed out everywhere but here"), "{}", shown.text);
    assert_eq!(elsewhere.get("/v1/policies").await.status, 401);
    assert_eq!(
        mine().get("/account").await.status,
        303,
        "the earlier cookie is no session any more"
    );
}
