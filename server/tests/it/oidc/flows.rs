//! Started sign-ins of one browser: each is used once, and none disturbs another.

use super::{CONFIGURATION, ISSUER, Oidc, Started, create_provider, path, rejection, session};
use crate::prelude::*;

/// Returns the response to a callback in a browser with the cookies of several sign-ins.
async fn answer(oidc: &Oidc, path: &str, started: &Started, cookies: &str) -> TestResponse {
    let query = format!("code={}&state={}", oidc.fake.authorize(started), started.state);
    oidc.call_back(path, &query, cookies).await
}

/// Returns the names of the cookies that a response deletes.
fn deleted(response: &TestResponse) -> Vec<&str> {
    let cookies = response.headers.get_all("set-cookie").iter();
    let cookies = cookies.map(|value| value.to_str().expect("a cookie is ASCII"));
    let deleted = cookies.filter(|cookie| cookie.contains("Max-Age=0"));
    deleted.filter_map(|cookie| Some(cookie.split_once('=')?.0)).collect()
}

fn name(started: &Started) -> &str {
    started.cookie.split_once('=').expect("a pair").0
}

#[testkit::test]
async fn two_tabs_sign_in_at_once(oidc: Oidc) {
    let (first, second) = (oidc.begin().await, oidc.begin().await);
    assert_ne!(name(&first), name(&second));
    let cookies = format!("{}; {}", first.cookie, second.cookie);
    let response = answer(&oidc, &oidc.path, &first, &cookies).await;
    session(&oidc, &response);
    assert_eq!(deleted(&response), [name(&first)]);
    session(&oidc, &answer(&oidc, &oidc.path, &second, &cookies).await);
}

#[testkit::test]
async fn a_sign_in_is_used_once(oidc: Oidc) {
    let started = oidc.begin().await;
    session(&oidc, &oidc.answer(&started).await);
    // The provider has issued another code for the same sign-in.
    assert_eq!(rejection(&oidc.answer(&started).await), "not_started");
    // Of concurrent answers, one signs in.
    let started = oidc.begin().await;
    let (first, second) = tokio::join!(oidc.answer(&started), oidc.answer(&started));
    let location = |response: &TestResponse| response.header("location").map(str::to_owned);
    let done =
        [&first, &second].into_iter().filter(|response| location(response).as_deref() == Some("/"));
    assert_eq!(done.count(), 1, "{first:?} {second:?}");
}

#[tokio::test]
async fn a_browser_has_at_most_five_started_sign_ins() {
    let oidc = Oidc::with(json!({})).await;
    let mut started = Vec::new();
    for _ in 0..5 {
        started.push(oidc.begin().await);
    }
    let cookies: Vec<&str> = started.iter().map(|started| &*started.cookie).collect();
    let call = oidc.public.without_session().get(&oidc.path).header("cookie", cookies.join("; "));
    assert_eq!(deleted(&call.await), [name(&started[0])]);
}

#[testkit::test]
async fn signing_out_ends_the_started_sign_ins_of_the_browser(oidc: Oidc) {
    let person = oidc.sign_in().await;
    let started = oidc.begin().await;
    let browser = person.with("cookie", &started.cookie).with("sec-fetch-site", "same-origin");
    let response = browser.get("/login/oidc/sign-out").await;
    assert!(deleted(&response).contains(&name(&started)), "{response:?}");
}

#[tokio::test]
async fn the_answer_of_another_provider_is_not_accepted() {
    let oidc = Oidc::with(json!({"default_role": "viewer"})).await;
    let other = create_provider(&oidc, json!({"default_role": "admin"})).await;
    let (first, second) = (
        oidc.begin().await,
        Started::with(&oidc.public.without_session(), &path(&other), "").await,
    );
    let cookies = format!("{}; {}", first.cookie, second.cookie);
    let crossed = answer(&oidc, &path(&other), &first, &cookies).await;
    assert_eq!(rejection(&crossed), "not_started");
    // A provider that promises to name itself must do so (RFC 9207).
    oidc.clock.advance(60 * 60 * 1_000);
    oidc.fake.configure("authorization_response_iss_parameter_supported", Value::Bool(true));
    let now = super::now() + 3_600;
    oidc.set("iat", json!(now));
    oidc.set("exp", json!(now + 300));
    let silent = oidc.begin().await;
    assert_eq!(rejection(&oidc.answer(&silent).await), "invalid");
    let named = oidc.begin().await;
    let issuer = ISSUER.replace(':', "%3A").replace('/', "%2F");
    let code = oidc.fake.authorize(&named);
    let query = format!("code={code}&state={}&iss={issuer}", named.state);
    session(&oidc, &oidc.call_back(&oidc.path, &query, &named.cookie).await);
}

#[tokio::test]
async fn a_failing_provider_is_called_once_in_ten_seconds() {
    let oidc = Oidc::with(json!({"default_role": "viewer"})).await;
    oidc.fake.state().broken.insert(CONFIGURATION);
    let visit = async || oidc.public.without_session().get(&oidc.path).await;
    let (first, second, third) = tokio::join!(visit(), visit(), visit());
    for response in [&first, &second, &third, &visit().await] {
        assert_eq!(rejection(response), "unavailable");
    }
    assert_eq!(oidc.fake.calls(CONFIGURATION), 1);
    oidc.fake.state().broken.clear();
    oidc.clock.advance(9_999);
    assert_eq!(rejection(&visit().await), "unavailable");
    oidc.clock.advance(1);
    oidc.begin().await;
    assert_eq!(oidc.fake.calls(CONFIGURATION), 2);
    // The same holds for its keys.
    oidc.fake.state().broken.insert("/keys");
    for _ in 0..2 {
        assert_eq!(oidc.rejection().await, "invalid");
    }
    assert_eq!(oidc.fake.calls("/keys"), 1);
    oidc.fake.state().broken.clear();
    oidc.clock.advance(10_000);
    oidc.sign_in().await;
}

#[testkit::test]
async fn a_change_during_a_sign_in_holds_for_it(oidc: Oidc) {
    let admin = oidc.admin().await;
    let record = format!("{}/{}", super::PROVIDERS, text(&oidc.provider["id"]));
    let person = user_id(&oidc.sign_in().await).await;
    let disable = async {
        admin.patch(&record, &json!({"is_enabled": false})).await.expect(200);
    };
    let started = oidc.begin().await;
    let answer = oidc.answer(&started);
    let response = oidc.fake.during_token_request(answer, disable).await;
    assert_eq!(rejection(&response), "unknown");
    admin.patch(&record, &json!({"is_enabled": true})).await.expect(200);
    let remove = async {
        let member = format!("/v1/admin/members/{}", text(&person));
        assert_eq!(admin.delete(member).await.status, 204);
    };
    let started = oidc.begin().await;
    let answer = oidc.answer(&started);
    let response = oidc.fake.during_token_request(answer, remove).await;
    assert_eq!(rejection(&response), "removed");
}

#[testkit::test]
async fn a_large_token_is_not_part_of_the_address_of_the_sign_out(oidc: Oidc) {
    oidc.set("groups", (0..1_000).map(|number| json!(format!("group-{number}"))).collect());
    let person = oidc.sign_in().await;
    let page = person.with("sec-fetch-site", "same-origin").get("/login/oidc/sign-out").await;
    let refresh = page.header("refresh").expect("the page continues at the provider");
    assert!(refresh.starts_with(&format!("0; url={ISSUER}/end?client_id=govern&")), "{refresh}");
}
