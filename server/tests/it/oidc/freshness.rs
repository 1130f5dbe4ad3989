//! The time at which the provider authenticated a person.

use super::{Oidc, Started, actions, now, rejection, session};
use crate::prelude::*;

#[testkit::test]
async fn an_answer_to_a_request_for_a_new_authentication_says_that_there_was_one(oidc: Oidc) {
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
        oidc.set("auth_time", auth_time.clone());
        let started = oidc.begin_fresh().await;
        let response = oidc.answer(&started).await;
        assert_eq!(rejection(&response), "not_fresh", "{auth_time}");
        assert_eq!(actions(&oidc).await.last().map(String::as_str), Some("identity.refuse"));
    }
    // The user information is no proof of an authentication.
    oidc.set("auth_time", Value::Null);
    oidc.set("email", Value::Null);
    let email = "ada@acme.example";
    let user_info =
        json!({"sub": "ada", "email": email, "email_verified": true, "auth_time": now()});
    oidc.fake.state().user_info = Some(user_info);
    let started = oidc.begin_fresh().await;
    assert_eq!(rejection(&oidc.answer(&started).await), "not_fresh");
    oidc.fake.reset();
    // The clocks may differ by a minute.
    for auth_time in [now(), now() - 60, now() + 60] {
        oidc.set("auth_time", json!(auth_time));
        let started = oidc.begin_fresh().await;
        session(&oidc, &oidc.answer(&started).await);
    }
}

#[testkit::test]
async fn an_authentication_of_tomorrow_is_refused_without_a_request_for_one(oidc: Oidc) {
    for auth_time in [json!(now() + 86_400), json!("soon"), json!(1e300)] {
        oidc.set("auth_time", auth_time.clone());
        assert_eq!(oidc.rejection().await, "invalid", "{auth_time}");
    }
    oidc.set("auth_time", Value::Null);
    oidc.sign_in().await;
}

#[testkit::test]
async fn a_signed_in_person_reads_why_the_confirmation_failed(oidc: Oidc) {
    let person = oidc.sign_in().await;
    let started = Started::with(&person, &oidc.path, "?fresh=1").await;
    let refused = oidc.answer(&started).await;
    let page = refused.header("location").expect("a redirect").to_owned();
    let page = person.get(page).header("accept", "text/html").await.html();
    assert!(page.contains("The identity provider did not ask you to sign in again."), "{page}");
}
