//! Members in the console, as a browser without scripts gets them.

use contract::scope::Role;

use crate::{
    client::{Client, TestResponse},
    console_pages::{Browser, FORM, cookie},
    service::{TestService, with_key, world},
};

const ADA: &str = "form%5Bemail%5D=ada%40example.com&form%5Brole%5D=author";

/// The token of the link that a page shows.
fn token(page: &str) -> Option<&str> {
    let (_, rest) = page.split_once("/setup?token=")?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"-_".contains(c))?;
    rest.get(..end)
}

/// Somebody without a session chooses a password.
async fn choose(world: &TestService, token: &str, password: &str) -> TestResponse {
    let nobody = world.public.with("accept", "text/html").with("sec-fetch-site", "same-origin");
    let form = format!("token={token}&password={}", password.replace(' ', "+"));
    nobody.call("POST", "/console/set-password").body(FORM, form).await
}

/// What the page of the link says after `answer`.
async fn said(world: &TestService, answer: &TestResponse) -> String {
    let refused = cookie(answer, "refused").expect("the refusal is kept for the page");
    let nobody: Client = world.public.with("accept", "text/html");
    let nobody = nobody.with("cookie", format!("refused={refused}"));
    nobody.get(answer.header("location").expect("a way back").to_owned()).await.text
}

#[tokio::test]
async fn a_new_member_gets_a_link_that_is_shown_once_and_works_once() {
    let world = world().await;
    let browser = Browser::of(&world, &world.admin().await);
    let answer = browser.post("/console/invite-member", &format!("{ADA}&form%5Bname%5D=Ada")).await;
    let list = browser.at("members");
    assert_eq!((answer.status, answer.header("location")), (303, Some(&*list)), "{}", answer.text);
    let made = cookie(&answer, "made").expect("the browser carries the link to its page");
    let shown = browser.client(&format!("made={made}")).get(&list).await;
    assert_eq!(cookie(&shown, "made").as_deref(), Some(""), "the browser forgets it");
    let token = token(&shown.text).expect("the page shows the link").to_owned();
    let page = browser.page("members").await.text;
    assert!(page.contains("ada@example.com") && !page.contains(&token), "{page}");

    let weak = choose(&world, &token, "short").await;
    assert_eq!(weak.status, 303);
    let page = said(&world, &weak).await;
    assert!(page.contains("Password: must have at least 12 characters."), "{page}");
    let password = "seven wild geese over the bay";
    let done = choose(&world, &token, password).await;
    assert_eq!((done.status, done.header("location")), (303, Some("/login?done=setup")));
    let body = serde_json::json!({ "email": "ada@example.com", "password": password });
    world.public.post("/v1/session", &body).await.expect(200);
    let again = choose(&world, &token, "another seven wild geese").await;
    let page = said(&world, &again).await;
    assert!(page.contains("This link was used"), "{page}");
    world.public.post("/v1/session", &body).await.expect(200);
}

#[tokio::test]
async fn an_unknown_address_and_the_last_admin_are_refused_in_words() {
    let world = world().await;
    let browser = Browser::of(&world, &world.admin().await);
    let answer = browser.post("/console/invite-member", ADA).await;
    assert_eq!(answer.header("location"), Some(&*browser.at("members")));
    let page = browser.page("members").await.text;
    assert!(page.contains("This tenant knows no account with this address."), "{page}");
    assert!(page.contains("value=\"ada@example.com\""), "what was typed stays: {page}");

    let members = world.key.get("/v1/admin/members").await.expect(200);
    let admins = members["items"].as_array().expect("a list").iter();
    let admin = admins.filter(|member| member["role"] == "admin").collect::<Vec<_>>();
    let [admin] = admin[..] else { panic!("one admin: {members}") };
    let id = admin["user_id"].as_str().expect("an id");
    browser.post("/console/remove-member", &format!("id={id}")).await;
    let page = browser.page(&format!("members/{id}/remove")).await.text;
    assert!(page.contains("last admin"), "{page}");
}

/// A person's id.
async fn id(person: &Client) -> String {
    let session = person.get("/v1/session").await.expect(200);
    session["user"]["id"].as_str().expect("an id").to_owned()
}

/// A key of `person`, by its caller.
async fn program(world: &TestService, person: &Client, name: &str) -> Client {
    let body = serde_json::json!({"name": name, "scopes": ["policies:read"]});
    let made = person.post("/v1/api-keys", &body).await.expect(201);
    let secret = made["plaintext_key"].as_str().expect("a secret");
    with_key(&world.public, world.tenant, secret)
}

#[tokio::test]
async fn the_keys_of_whoever_is_removed_are_listed_and_revoked_or_transferred() {
    let world = world().await;
    let (admin, heir) = (world.admin().await, world.person(Role::Admin).await);
    let browser = Browser::of(&world, &admin);
    let to = id(&heir).await;
    for (keys_to, status) in [("", 401), (&*to, 200)] {
        let leaving = world.person(Role::Admin).await;
        let person = id(&leaving).await;
        let program = program(&world, &leaving, "payroll run").await;
        let page = browser.page(&format!("members/{person}/remove")).await.text;
        assert!(page.contains("payroll run") && page.contains("svc_…"), "{page}");
        assert!(page.contains("policies:"), "what the key may do: {page}");
        assert!(page.contains(&format!("<option value=\"{to}\"")), "who may take it over: {page}");
        assert!(!page.contains(&format!("<option value=\"{person}\"")), "{page}");
        let form = format!("id={person}&keys_to={keys_to}");
        let answer = browser.post("/console/remove-member", &form).await;
        assert_eq!(answer.header("location"), Some(&*browser.at("members")), "{}", answer.text);
        assert_eq!(program.get("/v1/policies").await.status, status);
    }
}

#[tokio::test]
async fn the_keys_of_whoever_loses_rights_are_listed_and_revoked_or_transferred() {
    let world = world().await;
    let (admin, heir) = (world.admin().await, world.person(Role::Admin).await);
    let browser = Browser::of(&world, &admin);
    let to = id(&heir).await;
    for (keys_to, status) in [("", 401), (&*to, 200)] {
        let demoted = world.person(Role::Admin).await;
        let person = id(&demoted).await;
        let program = program(&world, &demoted, "payroll run").await;
        let page = browser.page(&format!("members/{person}/role")).await.text;
        assert!(page.contains("payroll run") && page.contains("svc_…"), "{page}");
        assert!(page.contains(&format!("<option value=\"{to}\"")), "who may take it over: {page}");
        let form = format!("id={person}&role=viewer&keys_to={keys_to}");
        let answer = browser.post("/console/change-role", &form).await;
        assert_eq!(answer.header("location"), Some(&*browser.at("members")), "{}", answer.text);
        assert_eq!(program.get("/v1/policies").await.status, status);
        let member = admin.get(format!("/v1/admin/members/{person}")).await.expect(200);
        assert_eq!(member["role"], "viewer");
    }
}

#[tokio::test]
async fn a_change_of_role_that_is_refused_says_so_beside_what_was_chosen() {
    let world = world().await;
    let admin = world.admin().await;
    let browser = Browser::of(&world, &admin);
    let person = id(&admin).await;
    let answer =
        browser.post("/console/change-role", &format!("id={person}&role=auditor&keys_to=")).await;
    let path = format!("members/{person}/role");
    assert_eq!(answer.header("location"), Some(&*browser.at(&path)), "{}", answer.text);
    let page = browser.page(&path).await.text;
    assert!(page.contains("last admin"), "{page}");
    let chosen = page.split("<option").find(|option| option.contains("selected"));
    assert!(chosen.is_some_and(|option| option.contains("value=\"auditor\"")), "{page}");
}
