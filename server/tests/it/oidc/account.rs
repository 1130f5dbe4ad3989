//! What the session of a provider may change of an account that other tenants share.

use contract::scope::Role;
use governance::access::operator;
use serde_json::json;

use super::{create_provider, fake_provider::service, sign_in};
use crate::{
    client::Client,
    console_pages::FORM,
    service::{TestService, user_id},
};

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
