//! What the session of a provider may change of an account that other tenants share.

use governance::access::operator;

use super::{create_provider, fake_provider::service, path, rejection, sign_in};
use crate::prelude::*;

async fn set_time_zone(browser: &Client) -> (u16, Option<String>) {
    let browser = browser.with("accept", "text/html").with("sec-fetch-site", "same-origin");
    let call = browser.call("POST", "/console/set-time-zone");
    let response = call.body(FORM, "time_zone=Asia%2FTokyo").await;
    (response.status, response.header("location").map(str::to_owned))
}

async fn time_zones(service: &TestService) -> Vec<String> {
    service.sql("select time_zone from users where time_zone is not null").await
}

#[tokio::test]
async fn a_session_of_a_provider_changes_only_an_account_of_its_tenant() {
    let (service, fake) = service().await;
    service.other_tenant().await;
    let email = "admin@neighbour.example";
    operator::add_user(&service.governance, service.tenant, email, Role::Author)
        .await
        .expect("a member");
    let provider = create_provider(&service, json!({"default_role": "viewer"})).await;
    fake.set("email", json!(email));
    let shared = sign_in(&service, &fake, &provider).await;
    let (status, location) = set_time_zone(&shared).await;
    let location = location.expect("a redirect");
    assert!(status == 303 && !location.contains("done"), "{location}");
    let page = shared.get(location).header("accept", "text/html").await.html();
    assert!(page.contains("This session belongs to an identity provider"), "{page}");
    assert!(
        !page.contains("Current password"),
        "the page offers what the session cannot do: {page}"
    );
    assert_eq!(time_zones(&service).await, [""; 0]);
    // The account that the provider created belongs to the tenant.
    fake.reset();
    fake.set("sub", json!("eve"));
    let own = sign_in(&service, &fake, &provider).await;
    let done = (303, Some("/account?done=time-zone".to_owned()));
    assert_eq!(set_time_zone(&own).await, done);
    // The owner of the shared account signs in with the password.
    assert_eq!(set_time_zone(&service.sign_in(email).await).await, done);
    assert_eq!(time_zones(&service).await, ["Asia/Tokyo"; 2]);
}

#[tokio::test]
async fn a_provider_makes_no_network_known_for_sign_ins_with_the_password() {
    let (service, fake) = service().await;
    let provider = create_provider(&service, json!({"default_role": "viewer"})).await;
    fake.set("email", json!(service.admin_email));
    let person = sign_in(&service, &fake, &provider).await;
    let id = user_id(&person).await;
    let networks = format!(
        "select count(*)::text from sign_in_networks where user_id = '{}'",
        crate::client::text(&id)
    );
    // The admin has signed in with the password as well, from the same network.
    assert_eq!(service.sql(&networks).await, ["2"]);
}

#[tokio::test]
async fn an_odd_name_is_no_reason_to_refuse_a_person() {
    let (service, fake) = service().await;
    let provider = create_provider(&service, json!({"default_role": "viewer"})).await;
    for (number, (name, shown)) in [
        ("Ada\r\nBcc: eve@evil.example", "Ada  Bcc: eve@evil.example"),
        ("Ada \u{202e}Byron", "Ada  Byron"),
        ("A\u{7}", "A"),
        ("\n\t", "EMAIL"),
        ("", "EMAIL"),
        ("\u{fdd0}", "EMAIL"),
        ("e\u{301}lodie", "e\u{301}lodie"),
    ]
    .into_iter()
    .enumerate()
    {
        let email = format!("p{number}@acme.example");
        fake.set("sub", json!(format!("p{number}")));
        fake.set("email", json!(email));
        fake.set("name", json!(name));
        let person = sign_in(&service, &fake, &provider).await;
        let info = person.get("/v1/session").await.expect(200);
        assert_eq!(info["user"]["display_name"], shown.replace("EMAIL", &email), "{name:?}");
    }
}

#[tokio::test]
async fn subjects_are_compared_exactly() {
    let (service, fake) = service().await;
    let provider = create_provider(&service, json!({"default_role": "viewer"})).await;
    let mut ids = std::collections::BTreeSet::new();
    let long = "s".repeat(255);
    let subjects =
        ["ada", "Ada", " ada", "ada ", "a\u{301}da", "\u{e1}da", "a\nda", "'; --", &long];
    for (number, subject) in subjects.into_iter().enumerate() {
        fake.set("sub", json!(subject));
        fake.set("email", json!(format!("p{number}@acme.example")));
        let id = user_id(&sign_in(&service, &fake, &provider).await).await;
        assert_eq!(user_id(&sign_in(&service, &fake, &provider).await).await, id, "{subject:?}");
        assert!(ids.insert(crate::client::text(&id).to_owned()), "{subject:?}");
    }
    fake.set("sub", json!("s".repeat(256)));
    assert_eq!(rejection(&fake.sign_in(&service, &path(&provider)).await), "invalid");
}

#[tokio::test]
async fn an_odd_address_is_refused_as_unverified() {
    let (service, fake) = service().await;
    let provider = create_provider(&service, json!({"default_role": "viewer"})).await;
    let long = format!("ada@{}.example", ["a"; 40].map(|_| "aaaaaaaa").join("."));
    for email in [
        "\u{212a}im@acme.example",
        "ada\u{ff20}acme.example",
        "ada@acme\u{3002}example",
        "ada@acme.example.",
        "ada@\u{ff41}cme.example",
        "\"ada\"@acme.example",
        "ada(comment)@acme.example",
        "ada lovelace@acme.example",
        "ada@acme.example\r\nBcc: eve@evil.example",
        "ada@acme.example\0",
        "ada@acme\u{fdd0}.example",
        "ada@evil.example@acme.example",
        "Ada <ada@acme.example>",
        &long,
    ] {
        fake.set("email", json!(email));
        let response = fake.sign_in(&service, &path(&provider)).await;
        assert_eq!(rejection(&response), "unverified", "{email:?}");
    }
    assert_eq!(service.sql("select 1::text from identities").await, [""; 0]);
    // The case of ASCII letters and surrounding white space make no other address.
    fake.set("email", json!(" ADMIN@Acme.Example "));
    let admin = user_id(&service.admin().await).await;
    assert_eq!(user_id(&sign_in(&service, &fake, &provider).await).await, admin);
}
