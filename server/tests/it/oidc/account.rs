//! What the session of a provider may change of an account that other tenants share.

use governance::access::operator;

use super::Oidc;
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
    let oidc = Oidc::start().await;
    oidc.other_tenant().await;
    let email = "admin@neighbour.example";
    operator::add_user(&oidc.governance, oidc.tenant, email, Role::Author).await.expect("a member");
    oidc.set("email", json!(email));
    let shared = oidc.sign_in().await;
    let (status, location) = set_time_zone(&shared).await;
    let location = location.expect("a redirect");
    assert!(status == 303 && !location.contains("done"), "{location}");
    let page = shared.get(location).header("accept", "text/html").await.html();
    assert!(page.contains("This session belongs to an identity provider"), "{page}");
    assert!(
        !page.contains("Current password"),
        "the page offers what the session cannot do: {page}"
    );
    assert_eq!(time_zones(&oidc).await, [""; 0]);
    // The account that the provider created belongs to the tenant.
    oidc.fake.reset();
    oidc.set("sub", json!("eve"));
    let own = oidc.sign_in().await;
    let done = (303, Some("/account?done=time-zone".to_owned()));
    assert_eq!(set_time_zone(&own).await, done);
    // The owner of the shared account signs in with the password.
    assert_eq!(set_time_zone(&oidc.service.sign_in(email).await).await, done);
    assert_eq!(time_zones(&oidc).await, ["Asia/Tokyo"; 2]);
}

#[testkit::test]
async fn a_provider_makes_no_network_known_for_sign_ins_with_the_password(oidc: Oidc) {
    oidc.set("email", json!(oidc.admin_email));
    let person = oidc.sign_in().await;
    let id = user_id(&person).await;
    let networks =
        format!("select count(*)::text from sign_in_networks where user_id = '{}'", text(&id));
    // The admin has signed in with the password as well, from the same network.
    assert_eq!(oidc.sql(&networks).await, ["2"]);
}

#[testkit::test]
async fn an_odd_name_is_no_reason_to_refuse_a_person(oidc: Oidc) {
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
        oidc.set("sub", json!(format!("p{number}")));
        oidc.set("email", json!(email));
        oidc.set("name", json!(name));
        let person = oidc.sign_in().await;
        let info = person.get("/v1/session").await.expect(200);
        assert_eq!(info["user"]["display_name"], shown.replace("EMAIL", &email), "{name:?}");
    }
}

#[testkit::test]
async fn subjects_are_compared_exactly(oidc: Oidc) {
    let mut ids = std::collections::BTreeSet::new();
    let long = "s".repeat(255);
    let subjects =
        ["ada", "Ada", " ada", "ada ", "a\u{301}da", "\u{e1}da", "a\nda", "'; --", &long];
    for (number, subject) in subjects.into_iter().enumerate() {
        oidc.set("sub", json!(subject));
        oidc.set("email", json!(format!("p{number}@acme.example")));
        let id = user_id(&oidc.sign_in().await).await;
        assert_eq!(user_id(&oidc.sign_in().await).await, id, "{subject:?}");
        assert!(ids.insert(text(&id).to_owned()), "{subject:?}");
    }
    oidc.set("sub", json!("s".repeat(256)));
    assert_eq!(oidc.rejection().await, "invalid");
}

#[testkit::test]
async fn an_odd_address_is_refused_as_unverified(oidc: Oidc) {
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
        oidc.set("email", json!(email));
        assert_eq!(oidc.rejection().await, "unverified", "{email:?}");
    }
    assert_eq!(oidc.sql("select 1::text from identities").await, [""; 0]);
    // The case of ASCII letters and surrounding white space make no other address.
    oidc.set("email", json!(" ADMIN@Acme.Example "));
    let admin = user_id(&oidc.admin().await).await;
    assert_eq!(user_id(&oidc.sign_in().await).await, admin);
}
