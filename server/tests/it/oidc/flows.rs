//! Started sign-ins of one browser: each is used once, and none disturbs another.

use super::{
    ISSUER, create_provider,
    fake_provider::{FakeProvider, Started, service},
    path, rejection, session, sign_in,
};
use crate::prelude::*;

/// Returns the response to a callback in a browser with the cookies of several sign-ins.
async fn answer(
    service: &TestService,
    fake: &FakeProvider,
    path: &str,
    started: &Started,
    cookies: &str,
) -> TestResponse {
    let code = fake.authorize(started);
    let callback = format!("{path}/callback?code={code}&state={}", started.state);
    service.public.without_session().get(callback).header("cookie", cookies).await
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

#[tokio::test]
async fn two_tabs_sign_in_at_once() {
    let (service, fake) = service().await;
    let provider = create_provider(&service, json!({"default_role": "viewer"})).await;
    let path = path(&provider);
    let (first, second) =
        (Started::new(&service, &path).await, Started::new(&service, &path).await);
    assert_ne!(name(&first), name(&second));
    let cookies = format!("{}; {}", first.cookie, second.cookie);
    let response = answer(&service, &fake, &path, &first, &cookies).await;
    session(&service, &response);
    assert_eq!(deleted(&response), [name(&first)]);
    session(&service, &answer(&service, &fake, &path, &second, &cookies).await);
}

#[tokio::test]
async fn a_sign_in_is_used_once() {
    let (service, fake) = service().await;
    let provider = create_provider(&service, json!({"default_role": "viewer"})).await;
    let path = path(&provider);
    let started = Started::new(&service, &path).await;
    session(&service, &fake.answer(&service, &path, &started).await);
    // The provider has issued another code for the same sign-in.
    assert_eq!(rejection(&fake.answer(&service, &path, &started).await), "not_started");
    // Of concurrent answers, one signs in.
    let started = Started::new(&service, &path).await;
    let (first, second) = tokio::join!(
        fake.answer(&service, &path, &started),
        fake.answer(&service, &path, &started)
    );
    let location = |response: &TestResponse| response.header("location").map(str::to_owned);
    let done =
        [&first, &second].into_iter().filter(|response| location(response).as_deref() == Some("/"));
    assert_eq!(done.count(), 1, "{first:?} {second:?}");
}

#[tokio::test]
async fn a_browser_has_at_most_five_started_sign_ins() {
    let (service, _) = service().await;
    let provider = create_provider(&service, json!({})).await;
    let path = path(&provider);
    let mut started = Vec::new();
    for _ in 0..5 {
        started.push(Started::new(&service, &path).await);
    }
    let cookies: Vec<&str> = started.iter().map(|started| &*started.cookie).collect();
    let call = service.public.without_session().get(&*path).header("cookie", cookies.join("; "));
    assert_eq!(deleted(&call.await), [name(&started[0])]);
}

#[tokio::test]
async fn signing_out_ends_the_started_sign_ins_of_the_browser() {
    let (service, fake) = service().await;
    let provider = create_provider(&service, json!({"default_role": "viewer"})).await;
    let person = sign_in(&service, &fake, &provider).await;
    let started = Started::new(&service, &path(&provider)).await;
    let browser = person.with("cookie", &started.cookie).with("sec-fetch-site", "same-origin");
    let response = browser.get("/login/oidc/sign-out").await;
    assert!(deleted(&response).contains(&name(&started)), "{response:?}");
}

#[tokio::test]
async fn the_answer_of_another_provider_is_not_accepted() {
    let (service, fake) = service().await;
    let own = create_provider(&service, json!({"default_role": "viewer"})).await;
    let other = create_provider(&service, json!({"default_role": "admin"})).await;
    let (own, other) = (path(&own), path(&other));
    let (first, second) =
        (Started::new(&service, &own).await, Started::new(&service, &other).await);
    let cookies = format!("{}; {}", first.cookie, second.cookie);
    let crossed = answer(&service, &fake, &other, &first, &cookies).await;
    assert_eq!(rejection(&crossed), "not_started");
    // A provider that promises to name itself must do so (RFC 9207).
    service.clock.advance(60 * 60 * 1_000);
    fake.configure("authorization_response_iss_parameter_supported", Value::Bool(true));
    let now = super::now() + 3_600;
    fake.set("iat", json!(now));
    fake.set("exp", json!(now + 300));
    let silent = Started::new(&service, &own).await;
    assert_eq!(rejection(&fake.answer(&service, &own, &silent).await), "invalid");
    let named = Started::new(&service, &own).await;
    let code = fake.authorize(&named);
    let issuer = ISSUER.replace(':', "%3A").replace('/', "%2F");
    let callback = format!("{own}/callback?code={code}&state={}&iss={issuer}", named.state);
    let response = service.public.without_session().get(callback).header("cookie", &named.cookie);
    session(&service, &response.await);
}

#[tokio::test]
async fn a_failing_provider_is_called_once_in_ten_seconds() {
    const CONFIGURATION: &str = "/.well-known/openid-configuration";
    let (service, fake) = service().await;
    let provider = create_provider(&service, json!({"default_role": "viewer"})).await;
    let path = path(&provider);
    fake.break_path(CONFIGURATION);
    let visit = async || service.public.without_session().get(&*path).await;
    let (first, second, third) = tokio::join!(visit(), visit(), visit());
    for response in [&first, &second, &third, &visit().await] {
        assert_eq!(rejection(response), "unavailable");
    }
    assert_eq!(fake.calls(CONFIGURATION), 1);
    fake.repair();
    service.clock.advance(9_999);
    assert_eq!(rejection(&visit().await), "unavailable");
    service.clock.advance(1);
    Started::new(&service, &path).await;
    assert_eq!(fake.calls(CONFIGURATION), 2);
    // The same holds for its keys.
    fake.break_path("/keys");
    for _ in 0..2 {
        assert_eq!(rejection(&fake.sign_in(&service, &path).await), "invalid");
    }
    assert_eq!(fake.calls("/keys"), 1);
    fake.repair();
    service.clock.advance(10_000);
    session(&service, &fake.sign_in(&service, &path).await);
}

#[tokio::test]
async fn a_change_during_a_sign_in_holds_for_it() {
    let (service, fake) = service().await;
    let provider = create_provider(&service, json!({"default_role": "viewer"})).await;
    let (path, admin) = (path(&provider), service.admin().await);
    let record = format!("{}/{}", super::PROVIDERS, crate::client::text(&provider["id"]));
    let person = user_id(&sign_in(&service, &fake, &provider).await).await;
    let disable = async {
        admin.patch(&record, &json!({"is_enabled": false})).await.expect(200);
    };
    let started = Started::new(&service, &path).await;
    let answer = fake.answer(&service, &path, &started);
    let response = fake.during_token_request(answer, disable).await;
    assert_eq!(rejection(&response), "unknown");
    admin.patch(&record, &json!({"is_enabled": true})).await.expect(200);
    let remove = async {
        let member = format!("/v1/admin/members/{}", crate::client::text(&person));
        assert_eq!(admin.delete(member).await.status, 204);
    };
    let started = Started::new(&service, &path).await;
    let answer = fake.answer(&service, &path, &started);
    let response = fake.during_token_request(answer, remove).await;
    assert_eq!(rejection(&response), "removed");
}

#[tokio::test]
async fn a_large_token_is_not_part_of_the_address_of_the_sign_out() {
    let (service, fake) = service().await;
    let provider = create_provider(&service, json!({"default_role": "viewer"})).await;
    fake.set("groups", (0..1_000).map(|number| json!(format!("group-{number}"))).collect());
    let person = sign_in(&service, &fake, &provider).await;
    let page = person.with("sec-fetch-site", "same-origin").get("/login/oidc/sign-out").await;
    let refresh = page.header("refresh").expect("the page continues at the provider");
    assert!(refresh.starts_with(&format!("0; url={ISSUER}/end?client_id=govern&")), "{refresh}");
}
