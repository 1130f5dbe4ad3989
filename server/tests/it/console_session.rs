//! The end of a session on pages of the console: the time left, its extension, and the sign-in over a page.

use crate::prelude::*;

const TIME_LEFT: &str = "/console/session";

/// Signs in as the dialog of a page does, with a request of a script.
async fn sign_in(service: &TestService, email: &str, password: &str) -> TestResponse {
    let script = Client::new(service.address).with("sec-fetch-site", "same-origin");
    let body = format!("email={}&password={}&next=%2F", encoded(email), encoded(password));
    script.call("POST", "/console/log-in").body(FORM, body).await
}

#[testkit::test]
async fn reading_the_time_left_does_not_extend_the_session(service: TestService) {
    let person = service.signed_in_member(Role::Author).await;
    service.clock.advance(29 * MINUTE_MS);
    for _ in 0..2 {
        let response = person.get(TIME_LEFT).await;
        assert_eq!(response.header("cache-control"), Some("no-store"));
        let left = json!({"idle_ms": MINUTE_MS, "limit_ms": (12 * 60 - 29) * MINUTE_MS});
        assert_eq!(response.expect(200), left);
    }
    service.clock.advance(MINUTE_MS + 1);
    let ended = json!({"idle_ms": 0, "limit_ms": 0});
    assert_eq!(person.get(TIME_LEFT).await.expect(200), ended);
    assert_eq!(service.public.get(TIME_LEFT).await.expect(200), ended);
}

#[testkit::test]
async fn staying_signed_in_extends_the_session_up_to_its_limit(service: TestService) {
    let person = service.signed_in_member(Role::Author).await;
    let script = person.with("sec-fetch-site", "same-origin");
    for _ in 0..25 {
        service.clock.advance(28 * MINUTE_MS);
        let response = script.call("POST", "/console/stay-signed-in").body(FORM, "").await;
        assert_eq!(response.status, 200, "{}", response.text);
        assert_eq!(person.get(TIME_LEFT).await.expect(200)["idle_ms"], 30 * MINUTE_MS);
    }
    let left = person.get(TIME_LEFT).await.expect(200);
    assert_eq!(left["limit_ms"], (12 * 60 - 25 * 28) * MINUTE_MS);
    service.clock.advance(21 * MINUTE_MS);
    assert_eq!(person.get(TIME_LEFT).await.expect(200)["limit_ms"], 0);
}

#[testkit::test]
async fn pages_contain_the_dialogs_of_the_session_as_a_template(service: TestService) {
    let person = service.signed_in_member(Role::Author).await;
    service.clock.advance(20 * MINUTE_MS);
    let browser = Browser::new(&service, &person);
    let pages = [browser.at("policies"), browser.at(""), "/account".to_owned()];
    for path in pages {
        let page = browser.client("theme=dark").get(path.trim_end_matches('/')).await.text;
        assert_eq!(attribute(&page, "data-session"), TIME_LEFT, "{path}");
        assert_eq!(attribute(&page, "data-idle"), (30 * MINUTE_MS).to_string(), "{path}");
        assert_eq!(attribute(&page, "data-limit"), (700 * MINUTE_MS).to_string(), "{path}");
        // Without scripts, a template is not shown.
        let (_, template) = page.split_once("<template").expect("a template");
        let (template, _) = template.split_once("</template>").expect("its end");
        assert_contains(template, ["Stay signed in", "Sign in again", "author0@acme.example"]);
    }
}

#[testkit::test]
async fn the_sign_in_over_a_page_reports_its_error_and_starts_a_session(service: TestService) {
    let email = &service.admin_email;
    let wrong = sign_in(&service, email, "not the password").await;
    assert_eq!((wrong.status, wrong.header("set-cookie")), (401, None), "{}", wrong.text);
    let signed_in = sign_in(&service, email, PASSWORD).await;
    assert_eq!(signed_in.status, 200, "{}", signed_in.text);
    let session = cookie(&signed_in, "govern").expect("a session cookie");
    let person = Client::new(service.address).with("cookie", format!("govern={session}"));
    person.get("/v1/session").await.expect(200);

    for _ in 0..5 {
        sign_in(&service, email, "not the password").await;
    }
    let blocked = sign_in(&service, email, PASSWORD).await;
    assert_eq!((blocked.status, blocked.header("retry-after")), (429, Some("60")));
}

#[tokio::test]
async fn the_start_page_of_a_member_of_one_tenant_is_the_inbox_or_the_overview() {
    let service = test_service().await;
    for (role, page) in [(Role::Viewer, ""), (Role::Auditor, ""), (Role::Operator, "inbox")] {
        let browser = Browser::member(&service, role).await;
        let start = browser.client("theme=dark").get("/").await;
        start.assert_redirects_to(browser.at(page).trim_end_matches('/'));
    }
}
