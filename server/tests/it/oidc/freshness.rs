//! The time at which the provider authenticated a person.

use super::{
    actions, create_provider,
    fake_provider::{Started, service},
    now, path, rejection, session,
};
use crate::prelude::*;

#[tokio::test]
async fn an_answer_to_a_request_for_a_new_authentication_says_that_there_was_one() {
    let (service, fake) = service().await;
    let provider = create_provider(&service, json!({"default_role": "viewer"})).await;
    let path = path(&provider);
    for auth_time in [
        Value::Null,
        json!("soon"),
        json!(now().to_string()),
        json!(0),
        json!(-1),
        json!(now() - 300),
        json!(now() + 300),
        json!(now() + 86_400),
        json!(1e300),
    ] {
        fake.set("auth_time", auth_time.clone());
        let started = Started::fresh(&service, &path).await;
        let response = fake.answer(&service, &path, &started).await;
        assert_eq!(rejection(&response), "not_fresh", "{auth_time}");
        assert_eq!(actions(&service).await.last().map(String::as_str), Some("identity.refuse"));
    }
    // The user information is no proof of an authentication.
    fake.set("auth_time", Value::Null);
    fake.set("email", Value::Null);
    let email = "ada@acme.example";
    let user_info =
        json!({"sub": "ada", "email": email, "email_verified": true, "auth_time": now()});
    fake.set_user_info(user_info);
    let started = Started::fresh(&service, &path).await;
    assert_eq!(rejection(&fake.answer(&service, &path, &started).await), "not_fresh");
    fake.reset();
    // The clocks may differ by a minute.
    for auth_time in [now(), now() - 60, now() + 60] {
        fake.set("auth_time", json!(auth_time));
        let started = Started::fresh(&service, &path).await;
        session(&service, &fake.answer(&service, &path, &started).await);
    }
}

#[tokio::test]
async fn an_authentication_of_tomorrow_is_refused_without_a_request_for_one() {
    let (service, fake) = service().await;
    let provider = create_provider(&service, json!({"default_role": "viewer"})).await;
    let path = path(&provider);
    for auth_time in [json!(now() + 86_400), json!("soon"), json!(1e300)] {
        fake.set("auth_time", auth_time.clone());
        assert_eq!(rejection(&fake.sign_in(&service, &path).await), "invalid", "{auth_time}");
    }
    fake.set("auth_time", Value::Null);
    session(&service, &fake.sign_in(&service, &path).await);
}

#[tokio::test]
async fn a_signed_in_person_reads_why_the_confirmation_failed() {
    let (service, fake) = service().await;
    let provider = create_provider(&service, json!({"default_role": "viewer"})).await;
    let path = path(&provider);
    let person = session(&service, &fake.sign_in(&service, &path).await);
    let started = Started::with(&person, &path, "?fresh=1").await;
    let refused = fake.answer(&service, &path, &started).await;
    let page = refused.header("location").expect("a redirect").to_owned();
    let page = person.get(page).header("accept", "text/html").await.html();
    assert!(page.contains("The identity provider did not ask you to sign in again."), "{page}");
}
