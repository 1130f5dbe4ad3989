//! Second factors on pages of the console, in a browser without JavaScript.

use std::sync::Mutex;

use crate::{
    client::Call,
    passkeys::authenticator::{enroll_app, totp},
    prelude::*,
};

const STEP: &str = "/login/second-factor?next=%2Faccount";

/// A browser that stores the cookie of its session.
struct Visitor<'s> {
    service: &'s TestService,
    session: Mutex<String>,
}

impl<'s> Visitor<'s> {
    fn new(service: &'s TestService) -> Self {
        Self { service, session: Mutex::default() }
    }

    /// Sends a request with an additional cookie.
    async fn send(&self, call: impl FnOnce(Client) -> Call, extra: &str) -> TestResponse {
        let cookies = format!("{}; {extra}", self.session.lock().expect("no test panics"));
        let browser = self.service.public.with("accept", "text/html").with("cookie", cookies);
        let response = call(browser.with("sec-fetch-site", "same-origin")).await;
        if let Some(token) = cookie(&response, "govern") {
            *self.session.lock().expect("no test panics") = format!("govern={token}");
        }
        response
    }

    async fn get(&self, page: &str) -> TestResponse {
        self.send(|client| client.get(page), "theme=dark").await
    }

    /// Requests a page with a cookie that a response has set for it.
    async fn get_with(&self, page: &str, name: &str, response: &TestResponse) -> String {
        let value = cookie(response, name).expect("the response sets the cookie");
        let page = self.send(|client| client.get(page), &format!("{name}={value}")).await;
        assert_eq!(page.status, 200, "{}", page.text);
        page.html()
    }

    async fn post(&self, function: &str, body: &[(&str, &str)]) -> TestResponse {
        let path = format!("/console/{function}");
        self.send(|client| client.call("POST", path).body(FORM, form(body)), "theme=dark").await
    }

    async fn sign_in(&self, email: &str) -> TestResponse {
        let body = [("email", email), ("password", PASSWORD), ("next", "/account")];
        self.post("log-in", &body).await
    }

    async fn finish(&self, code: &str) -> TestResponse {
        self.post("finish-sign-in", &[("code", code), ("next", "/account")]).await
    }
}

fn now_ms(service: &TestService) -> i64 {
    service.clock.now().millis()
}

#[testkit::test]
async fn a_sign_in_continues_on_the_page_of_the_second_factor(service: TestService) {
    let email = service.member(Role::Author).await;
    let person = service.sign_in(&email).await;
    let (secret, codes) = enroll_app(&person, now_ms(&service)).await;
    let browser = Visitor::new(&service);
    browser.sign_in(&email).await.assert_redirects_to(STEP);
    let page = browser.get(STEP).await;
    assert_eq!(page.status, 200, "{}", page.text);
    assert_shows(&page.text, ["Code from your authenticator app", "Use a recovery code"]);
    assert!(!page.text.contains("Use a passkey"), "{}", page.text);
    // The password alone opens no page.
    browser.get("/account").await.assert_redirects_to("/login?next=%2Faccount");
    for (code, error) in [
        (&*totp(&secret, now_ms(&service), 7), "Incorrect code."),
        ("aaaa-bbbb-cccc-dddd", "Incorrect recovery code"),
    ] {
        let refused = browser.finish(code).await;
        refused.assert_redirects_to(STEP);
        let page = browser.get_with(STEP, "refused", &refused).await;
        assert!(contains_text(&page, error) && page.contains("aria-invalid"), "{error}: {page}");
    }
    let code = totp(&secret, now_ms(&service), 1);
    browser.finish(&code).await.assert_redirects_to("/account");
    let page = browser.get("/account").await.html();
    assert!(contains_text(&page, "10 recovery codes left."), "{page}");

    let browser = Visitor::new(&service);
    browser.sign_in(&email).await.assert_redirects_to(STEP);
    browser.finish(&codes[0]).await.assert_redirects_to("/account");
    let browser = Visitor::new(&service);
    browser.sign_in(&email).await.assert_redirects_to(STEP);
    service.clock.advance(5 * MINUTE_MS + 1);
    let expired = "/login?next=%2Faccount&problem=expired";
    browser.get(STEP).await.assert_redirects_to(expired);
    browser.finish(&codes[1]).await.assert_redirects_to(expired);
    let page = browser.get(expired).await.text;
    assert!(contains_text(&page, "The sign-in took too long."), "{page}");
}

#[testkit::test]
async fn the_sign_in_over_a_page_reports_the_second_factors_of_the_account(service: TestService) {
    let email = service.member(Role::Author).await;
    let (secret, _) = enroll_app(&service.sign_in(&email).await, now_ms(&service)).await;
    let script = Client::new(service.address).with("sec-fetch-site", "same-origin");
    let post = async |function: &str, body: &[(&str, &str)]| {
        script.call("POST", format!("/console/{function}")).body(FORM, form(body)).await
    };
    let password = [("email", &*email), ("password", PASSWORD), ("next", "/")];
    let problem = post("log-in", &password).await.expect(401);
    let expected = (&json!("SECOND_FACTOR_MISSING"), &json!("totp recovery_code"));
    assert_eq!((&problem["code"], &problem["reason"]), expected, "{problem}");
    let wrong = totp(&secret, now_ms(&service), 7);
    let refused = post("finish-sign-in", &[("code", &*wrong), ("next", "/")]).await;
    assert_eq!(refused.expect(401)["code"], "UNAUTHORIZED");
    let code = totp(&secret, now_ms(&service), 1);
    let done = post("finish-sign-in", &[("code", &*code), ("next", "/")]).await;
    assert_eq!(done.status, 200, "{}", done.text);
    script.get("/v1/session").await.expect(200);
}

#[tokio::test]
async fn an_authenticator_app_is_set_up_with_a_secret_that_no_address_contains() {
    let service = test_service().await;
    let email = service.member(Role::Author).await;
    let browser = Visitor::new(&service);
    browser.sign_in(&email).await.assert_redirects_to("/account");
    let page = browser.get("/account").await.text;
    assert!(contains_text(&page, "No passkeys"), "{page}");
    let next = "/account?done=authenticator";
    let start = [("page", "/account#security"), ("next", next)];
    let setup = "/account/authenticator?next=%2Faccount%3Fdone%3Dauthenticator";
    let started = browser.post("set-up-authenticator", &start).await;
    started.assert_redirects_to(setup);
    let page = browser.get_with(setup, "made", &started).await;
    assert!(page.contains("class=\"qr\""), "{page}");
    let (_, rest) = page.split_once("<code dir=\"auto\">").expect("the secret");
    let secret = rest.split('<').next().unwrap_or_default().replace(' ', "");
    assert_eq!(secret.len(), 32, "{page}");

    let wrong = totp(&secret, now_ms(&service), 7);
    let refused = browser.post("confirm-authenticator", &[("code", &*wrong), ("next", next)]).await;
    refused.assert_redirects_to(setup);
    let page = browser.get_with(setup, "made", &started).await;
    assert!(contains_text(&page, "Incorrect code."), "{page}");
    let code = totp(&secret, now_ms(&service), 0);
    let confirm = [("code", &*code), ("next", next)];
    let confirmed = browser.post("confirm-authenticator", &confirm).await;
    let shown = "/account/recovery-codes?next=%2Faccount%3Fdone%3Dauthenticator";
    confirmed.assert_redirects_to(shown);
    // Without the cookie, the codes are gone.
    let page = browser.get(shown).await.text;
    assert!(contains_text(&page, "The codes are no longer shown."), "{page}");
    let page = browser.get(next).await.text;
    assert!(contains_text(&page, "Authenticator app set up."), "{page}");

    let replaced = browser.post("replace-recovery-codes", &[]).await;
    let shown = "/account/recovery-codes?next=%2Faccount";
    replaced.assert_redirects_to(shown);
    let page = browser.get_with(shown, "made", &replaced).await;
    assert_eq!(page.matches("<li>").count(), 10, "{page}");
    let removed = browser.post("remove-authenticator", &[]).await;
    removed.assert_redirects_to("/account?done=authenticator-removed");

    service.clock.advance(15 * MINUTE_MS + 1);
    let old = browser.post("set-up-authenticator", &start).await;
    old.assert_redirects_to("/login/confirm?next=%2Faccount%23security");
}

#[tokio::test]
async fn a_tenant_that_requires_a_second_factor_redirects_to_the_page_that_adds_one() {
    let service = test_service().await;
    let admin = service.admin().await;
    enroll_app(&admin, now_ms(&service)).await;
    admin.patch("/v1/settings", &json!({"second_factor_required": true})).await.expect(200);
    let member = Browser::member(&service, Role::Author).await;
    let policies = member.at("policies").replace('/', "%2F");
    let required = format!("/account/second-factor?tenant={}&next={policies}", service.tenant);
    member.page("policies").await.assert_redirects_to(&required);
    let browser = member.client("theme=dark");
    let page = browser.get(&required).await;
    assert_eq!(page.status, 200, "{}", page.text);
    assert_shows(&page.text, ["Acme requires a second factor", "Set up authenticator app"]);
    // The start page leads to the only tenant, and the account page names it.
    browser.get("/").await.assert_redirects_to(&format!("/t/{}", service.tenant));
    let page = browser.get("/account").await.text;
    assert!(contains_text(&page, "Acme requires a second factor"), "{page}");
    // A member with a second factor continues.
    let admin = Browser::new(&service, &admin);
    let continued = admin.client("theme=dark").get(&required).await;
    continued.assert_redirects_to(&admin.at("policies"));
}
