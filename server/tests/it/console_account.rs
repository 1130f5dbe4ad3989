//! The account page of the console in a browser without JavaScript.

use crate::prelude::*;

const NEW_PASSWORD: &str = "four other words of mine";

fn browser(service: &TestService, session: &str) -> Client {
    let browser = service.public.without_session().with("accept", "text/html");
    browser.with("sec-fetch-site", "same-origin").with("cookie", session)
}

async fn change_password(browser: &Client, current: &str, new: &str) -> TestResponse {
    let body = form(&[("password", current), ("new_password", new)]);
    browser.call("POST", "/console/change-password").body(FORM, body).await
}

#[tokio::test]
async fn the_account_page_shows_tenant_and_role_and_redirects_visitors_to_sign_in() {
    let service = test_service().await;
    let reviewer = service.signed_in_member(Role::Reviewer).await;
    let client = browser(&service, &reviewer.cookie().expect("a cookie"));
    let page = client.get("/account").await;
    assert_eq!(page.status, 200, "{}", page.text);
    assert_contains(&page.text, ["reviewer0@acme.example", "Acme", "Reviewer", "Change password"]);
    let visitor = service.public.with("accept", "text/html").get("/account").await;
    visitor.assert_redirects_to("/login?next=%2Faccount");
}

#[testkit::test]
async fn password_fields_are_masked_and_accept_password_managers(service: TestService) {
    let visitor = service.public.with("accept", "text/html");
    let admin = browser(&service, &service.admin().await.cookie().expect("a cookie"));
    for (browser, path) in [(&visitor, "/login"), (&admin, "/account")] {
        let page = browser.get(path).await;
        assert_eq!((page.status, page.header("cache-control")), (200, Some("no-store")), "{path}");
        let inputs = page.text.split("<input").skip(1).filter_map(|rest| rest.split('>').next());
        let fields: Vec<&str> = inputs.filter(|input| input.contains("password\"")).collect();
        assert!(!fields.is_empty(), "{path}: {}", page.text);
        for field in fields {
            assert!(field.contains("type=\"password\""), "{path}: {field}");
            let is_known = ["current", "new"]
                .iter()
                .any(|kind| field.contains(&format!("autocomplete=\"{kind}-password\"")));
            assert!(is_known && !field.contains("onpaste"), "{path}: {field}");
        }
    }
}

#[testkit::test]
async fn a_password_change_shows_its_errors_once_and_starts_a_new_session(service: TestService) {
    let author = service.signed_in_member(Role::Author).await;
    let previous_cookie = author.cookie().expect("a cookie");
    let previous = || browser(&service, &previous_cookie);
    for (current, new, expected) in [
        ("not this one", NEW_PASSWORD, "Incorrect current password."),
        (PASSWORD, "short", "New password"),
    ] {
        let refusal = change_password(&previous(), current, new).await;
        refusal.assert_redirects_to("/account");
        let page = previous().get("/account").await.text;
        assert!(page.contains(expected), "{expected}: {page}");
        assert!(
            !previous().get("/account").await.text.contains("class=\"note deny\""),
            "the error is shown once"
        );
    }
    let changed = change_password(&previous(), PASSWORD, NEW_PASSWORD).await;
    assert_eq!(changed.header("location"), Some("/account?done=password"), "{}", changed.text);
    let session = cookie(&changed, "govern").expect("a new session cookie");
    let current = browser(&service, &format!("govern={session}"));
    let page = current.get("/account?done=password").await;
    assert!(page.text.contains("signed out on all other devices"), "{}", page.text);
    assert_eq!(previous().get("/account").await.status, 303, "the previous session has ended");
}

async fn set_time_zone(browser: &Client, name: &str) -> TestResponse {
    let body = form(&[("time_zone", name)]);
    browser.call("POST", "/console/set-time-zone").body(FORM, body).await
}

#[testkit::test]
async fn times_on_pages_are_in_the_time_zone_of_the_account(service: TestService) {
    let admin = browser(&service, &service.admin().await.cookie().expect("a cookie"));
    let keys = format!("/t/{}/keys", service.tenant);
    let account = async |browser: &Client| browser.get("/account").await.html();
    let page = account(&admin).await;
    assert!(
        page.contains("value=\"UTC\"")
            && page.contains(" UTC\" class=\"tabular-nums\">just now</time>"),
        "{page}"
    );
    assert!(admin.get(&keys).await.text.contains("Created (UTC)"));

    set_time_zone(&admin, "asia/tokyo").await.assert_redirects_to("/account?done=time-zone");
    let page = admin.get("/account?done=time-zone").await.html();
    assert_contains(
        &page,
        [
            "Time zone saved.",
            "value=\"Asia/Tokyo\"",
            " JST (",
            " UTC)\" class=\"tabular-nums\">just now</time>",
            "Z\" title=",
        ],
    );
    assert!(!page.contains(" UTC\" class="), "{page}");
    assert!(admin.get(&keys).await.text.contains("Created (Asia/Tokyo)"));

    // The zone belongs to the account, not to the session. Other users have their own.
    let again = browser(&service, &service.admin().await.cookie().expect("a cookie"));
    assert!(account(&again).await.contains(" JST ("));
    let author = service.signed_in_member(Role::Author).await;
    let author = browser(&service, &author.cookie().expect("a cookie"));
    assert!(account(&author).await.contains(" UTC\" class="));
}

#[testkit::test]
async fn filters_and_charts_have_times_in_the_time_zone_of_the_account(service: TestService) {
    service.active("PAY-01").await;
    service.record("a", 20_000).await;
    let admin = browser(&service, &service.admin().await.cookie().expect("a cookie"));
    set_time_zone(&admin, "Europe/Berlin").await.assert_redirects_to("/account?done=time-zone");
    let open = async |page: &str| {
        let page = admin.get(format!("/t/{}{page}", service.tenant)).await;
        assert_eq!(page.status, 200, "{}", page.text);
        page.html()
    };
    // The decision was recorded at 10:00 UTC.
    let page = open("/decisions?from=2026-09-01T12%3A00").await;
    assert_contains(
        &page,
        [
            "From (Europe/Berlin)",
            "value=\"2026-09-01T12:00:00\"",
            "from 1 Sep 2026 12:00 CEST",
            "from=2026-09-01T10%3A00%3A00.000Z",
            "1 decision shown",
        ],
    );
    assert!(open("/decisions?from=2026-09-01T12%3A01").await.contains("No results"));
    let audit = open("/audit?from=2026-09-01&to=2026-09-01T12%3A00").await;
    assert!(audit.contains("To (Europe/Berlin)"), "{audit}");
    // A date without a time is the start of the day in the zone.
    assert_contains(&audit, ["value=\"2026-09-01T00:00:00\"", "value=\"2026-09-01T12:00:00\""]);
    let overview = open("").await;
    assert!(overview.contains("Times are in Europe/Berlin."), "{overview}");
    let export = open("/decisions/export?from=2026-08-31T22%3A00%3A00.000Z").await;
    assert!(export.contains("An export is in UTC"), "{export}");
    assert!(export.contains("value=\"2026-08-31T22:00:00\""), "{export}");
}

#[testkit::test]
async fn an_unknown_time_zone_is_shown_again_with_its_error(service: TestService) {
    let author = service.signed_in_member(Role::Author).await;
    let author = browser(&service, &author.cookie().expect("a cookie"));
    set_time_zone(&author, "Europe/Berlim").await.assert_redirects_to("/account#time-zone");
    let page = author.get("/account").await.text;
    assert_contains(
        &page,
        ["value=\"Europe/Berlim\"", "aria-invalid=\"true\"", "name of a time zone"],
    );
    assert!(!author.get("/account").await.text.contains("Berlim"), "the error is shown once");

    let visitor = service.public.with("accept", "text/html").with("sec-fetch-site", "same-origin");
    set_time_zone(&visitor, "Asia/Tokyo").await.assert_redirects_to("/login?next=%2Faccount");
}
