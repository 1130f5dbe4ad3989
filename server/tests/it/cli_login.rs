//! Sign-in of the command line through the browser: the page, the exchange of its code, and what is refused.

use crate::{
    client::Call,
    mailbox::Mailbox,
    passkeys::authenticator::{Authenticator, enroll},
    prelude::*,
};

/// The verifier of RFC 7636, appendix B, and its challenge.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

const PORT: &str = "52011";

const EXCHANGE: &str = "/v1/cli/token";
const REVOKE: &str = "/v1/cli/revoke";

/// Returns the address of the page that a program opens.
fn page(port: &str) -> String {
    let state = if port.is_empty() { String::new() } else { format!("port={port}&state=s-1&") };
    format!("/cli-login?{state}code_challenge={CHALLENGE}&name=laptop")
}

/// Sends the form of the page.
async fn send_form(browser: &Browser<'_>, port: &str, rest: &str) -> TestResponse {
    let state = if port.is_empty() { "" } else { "s-1" };
    let body = format!(
        "program%5Bport%5D={}&program%5Bstate%5D={state}&program%5Bcode_challenge%5D={CHALLENGE}\
         &program%5Bname%5D=laptop&name=laptop&days=90{rest}",
        encoded(port)
    );
    browser.post("/console/allow-cli-login", &body).await
}

const SCOPES: &str = "&scopes%5B%5D=policies%3Aread";

/// Allows a key and returns the code: that of the redirect, or of the page without a port.
async fn allow(browser: &Browser<'_>, port: &str) -> String {
    let response = send_form(browser, port, SCOPES).await;
    if port.is_empty() {
        response.assert_redirects_to(&page(""));
        return shown_code(browser, &response).await;
    }
    let location = response.header("location").expect("a redirect").to_owned();
    assert_eq!(response.status, 303, "{response:?}");
    let start = format!("http://127.0.0.1:{port}/callback?code=");
    let code = location.strip_prefix(&start).and_then(|rest| rest.strip_suffix("&state=s-1"));
    code.unwrap_or_else(|| panic!("{location}")).to_owned()
}

/// Returns the code on the page to which a form without a port redirects.
pub(crate) async fn shown_code(browser: &Browser<'_>, response: &TestResponse) -> String {
    let made = cookie(response, "made").expect("a cookie for the page with the code");
    let page = response.header("location").expect("a redirect");
    let shown = browser.client(&format!("made={made}")).get(page).await;
    let code = shown.text.split("<code").nth(1).and_then(|rest| rest.split_once('>'));
    let (_, code) = code.expect("the page shows the code");
    code.split('<').next().expect("a text").to_owned()
}

fn exchange(service: &TestService, code: &str, verifier: &str, port: &str) -> Call {
    let mut body = json!({"code": code, "code_verifier": verifier});
    if !port.is_empty() {
        body["port"] = port.parse::<u32>().expect("a port").into();
    }
    service.public.post(EXCHANGE, &body)
}

/// Allows a key as the admin of the tenant and returns the request that exchanges its code.
pub(crate) async fn exchange_call(service: &TestService) -> Call {
    let browser = Browser::new(service, &service.admin().await);
    let code = allow(&browser, PORT).await;
    exchange(service, &code, VERIFIER, PORT)
}

async fn codes(service: &TestService) -> Vec<String> {
    service.sql("select key_name from login_codes").await
}

#[testkit::test]
async fn a_code_is_exchanged_once_for_a_key_of_the_user_who_allowed_it(service: TestService) {
    let admin = service.admin().await;
    let browser = Browser::new(&service, &admin);
    let code = allow(&browser, PORT).await;
    let stored = service.sql("select encode(digest, 'escape') from login_codes").await;
    assert_eq!((code.len(), stored.len(), stored.concat().contains(&code)), (64, 1, false));
    let created = exchange(&service, &code, VERIFIER, PORT).await.expect(201);
    let key = &created["key"];
    assert_eq!(
        (&key["name"], &key["scopes"], &key["expires_at"]),
        (&json!("laptop"), &json!(["policies:read"]), &json!("2026-11-30T10:00:00.000Z"))
    );
    assert_eq!(key["tenant_id"], service.tenant.to_string());
    assert_eq!(key["created_by"], user_id(&admin).await);
    let program = service.with_key(text(&created["plaintext_key"]));
    assert_eq!(program.get("/v1/policies").await.status, 200);
    assert_eq!(
        program.get("/v1/api-keys").await.to_string(),
        "403 INSUFFICIENT_SCOPE (api-keys:admin)"
    );
    let replay = exchange(&service, &code, VERIFIER, PORT).await;
    assert_eq!(replay.to_string(), "404 NOT_FOUND");
    assert!(codes(&service).await.is_empty());
}

#[testkit::test]
async fn concurrent_exchanges_create_one_key(service: TestService) {
    let browser = Browser::new(&service, &service.admin().await);
    let code = allow(&browser, PORT).await;
    let (first, second) = tokio::join!(
        exchange(&service, &code, VERIFIER, PORT),
        exchange(&service, &code, VERIFIER, PORT)
    );
    let mut statuses = [first.status, second.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 404]);
}

#[testkit::test]
async fn a_code_of_another_program_and_an_old_code_have_the_same_error(service: TestService) {
    let browser = Browser::new(&service, &service.admin().await);
    let before = service.sql("select id::text from api_keys").await.len();
    let mut errors: Vec<Value> = Vec::new();
    for (verifier, port) in
        [(VERIFIER.replace('d', "e").as_str(), PORT), (VERIFIER, "52012"), (VERIFIER, "")]
    {
        let code = allow(&browser, PORT).await;
        errors.push(exchange(&service, &code, verifier, port).await.expect(404));
        // A failed attempt uses the code up.
        errors.push(exchange(&service, &code, VERIFIER, PORT).await.expect(404));
    }
    let code = allow(&browser, PORT).await;
    service.clock.advance(MINUTE_MS);
    errors.push(exchange(&service, &code, VERIFIER, PORT).await.expect(404));
    for code in ["none", &code[1..], &code.replace('-', "_")] {
        errors.push(exchange(&service, code, VERIFIER, PORT).await.expect(404));
    }
    let mut errors: Vec<String> = errors.iter().map(|error| error["error"].to_string()).collect();
    errors.dedup();
    assert_snapshot!(errors.join("\n"), @r#"{"code":"NOT_FOUND","message":"the login code is not valid, was used or has expired; sign in again"}"#);
    assert_eq!(service.sql("select id::text from api_keys").await.len(), before);
}

#[testkit::test]
async fn a_pasted_code_is_valid_for_five_minutes_and_has_no_port(service: TestService) {
    let browser = Browser::new(&service, &service.admin().await);
    let code = allow(&browser, "").await;
    assert_eq!(exchange(&service, &code, VERIFIER, PORT).await.to_string(), "404 NOT_FOUND");
    let code = allow(&browser, "").await;
    service.clock.advance(5 * MINUTE_MS - 1);
    exchange(&service, &code, VERIFIER, "").await.expect(201);
    let code = allow(&browser, "").await;
    service.clock.advance(5 * MINUTE_MS);
    assert_eq!(exchange(&service, &code, VERIFIER, "").await.to_string(), "404 NOT_FOUND");
    // The next code deletes the expired ones.
    allow(&browser, "").await;
    assert_eq!(codes(&service).await.len(), 1);
}

#[testkit::test]
async fn a_code_ends_with_the_session_and_the_role_of_its_user(service: TestService) {
    let second = service.signed_in_member(Role::Admin).await;
    let code = allow(&Browser::new(&service, &second), PORT).await;
    second.call("DELETE", "/v1/session").await;
    assert_eq!(exchange(&service, &code, VERIFIER, PORT).await.to_string(), "404 NOT_FOUND");

    let third = service.signed_in_member(Role::Admin).await;
    let code = allow(&Browser::new(&service, &third), PORT).await;
    let path = format!("/v1/admin/members/{}", text(&user_id(&third).await));
    service.admin().await.patch(path, &json!({"role": "viewer"})).await.expect(200);
    assert_eq!(exchange(&service, &code, VERIFIER, PORT).await.to_string(), "403 FORBIDDEN");
}

#[tokio::test]
async fn a_tenant_that_restricts_sign_ins_accepts_the_code_of_a_permitted_one() {
    let (service, _) = Mailbox::start().await;
    let admin = service.admin().await;
    let early = allow(&Browser::new(&service, &admin), PORT).await;
    enroll(&admin, &mut Authenticator::new(1)).await;
    let browser = Browser::new(&service, &admin); // with the cookie of the session after the change
    admin.patch("/v1/settings", &json!({"second_factor_required": true})).await.expect(200);
    // The user allowed this one after a sign-in with a password only.
    let refused = exchange(&service, &early, VERIFIER, PORT).await;
    assert_eq!(refused.to_string(), "403 SECOND_FACTOR_REQUIRED");
    for setting in [json!({}), json!({"sign_in": "passkey"})] {
        admin.patch("/v1/settings", &setting).await.expect(200);
        let code = allow(&browser, PORT).await;
        exchange(&service, &code, VERIFIER, PORT).await.expect(201);
    }
}

#[testkit::test]
async fn only_admins_can_allow_a_key(service: TestService) {
    for role in Role::ALL {
        let browser = Browser::member(&service, role).await;
        let shown = browser.client("theme=dark").get(page(PORT)).await;
        assert_eq!(shown.status, 200);
        let is_refused = contains_text(&shown.text, "Only admins can create API keys.");
        assert_eq!(is_refused, role != Role::Admin, "{role}: {}", shown.text);
        let response = send_form(&browser, PORT, SCOPES).await;
        if role != Role::Admin {
            response.assert_redirects_to(&page(PORT));
        }
    }
    assert_eq!(codes(&service).await.len(), 1);
}

#[testkit::test]
async fn a_redirect_leads_only_to_a_port_of_the_machine_of_the_user(service: TestService) {
    let browser = Browser::new(&service, &service.admin().await);
    for port in ["80", "0", "65536", "52011@evil.example", "evil.example", "52011/x?"] {
        let shown = browser.client("theme=dark").get(page(&encoded(port))).await;
        assert!(contains_text(&shown.text, "This address is not complete."), "{port}");
        let response = send_form(&browser, port, SCOPES).await;
        let location = response.header("location").expect("a redirect");
        assert!(location.starts_with("/cli-login?port="), "{location}");
    }
    assert!(codes(&service).await.is_empty());
}

#[testkit::test]
async fn the_page_asks_for_a_sign_in_and_its_policy_permits_the_redirect(service: TestService) {
    let visitor = service.public.with("accept", "text/html");
    let login = format!("/login?next={}", percent(&page(PORT)));
    assert_eq!(visitor.get(page(PORT)).await.header("location"), Some(&*login));

    let browser = Browser::new(&service, &service.admin().await);
    let policy = async |path: String| {
        let response = browser.client("theme=dark").get(path).await;
        let policy = response.header("content-security-policy").expect("a policy").to_owned();
        policy.split("; ").find(|part| part.starts_with("form-action")).map(str::to_owned)
    };
    let own = Some("form-action 'self'".to_owned());
    assert_eq!(policy(page(PORT)).await, Some("form-action 'self' http://127.0.0.1:52011".into()));
    assert_eq!(policy(page("")).await, own);
    assert_eq!(policy(page("*")).await, own);
    assert_eq!(policy(format!("/account?port={PORT}")).await, own);

    let shown = browser.client("theme=dark").get(page(PORT)).await;
    assert_shows(
        &shown.text,
        ["govern on", "laptop", "asks for access as", "Tenant: ", "Allow access"],
    );
    let cancel = "http://127.0.0.1:52011/callback?error=access_denied&amp;state=s-1";
    assert!(shown.text.contains(cancel), "{}", shown.text);
}

/// Percent-encodes an address as the console does.
fn percent(address: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~".contains(c);
    let encode = |c: char| if is_plain(c) { c.to_string() } else { encoded(&c.to_string()) };
    address.chars().map(encode).collect()
}

#[testkit::test]
async fn a_key_needs_a_scope_and_a_recent_sign_in(service: TestService) {
    let browser = Browser::new(&service, &service.admin().await);
    send_form(&browser, PORT, "").await.assert_redirects_to(&page(PORT));
    let shown = browser.client("theme=dark").get(page(PORT)).await;
    assert!(contains_text(&shown.text, "Scopes: select at least one."), "{}", shown.text);
    service.clock.advance(15 * MINUTE_MS + 1);
    let confirmation = format!("/login/confirm?next={}", percent(&page(PORT)));
    send_form(&browser, PORT, SCOPES).await.assert_redirects_to(&confirmation);
    assert!(codes(&service).await.is_empty());
}

#[testkit::test]
async fn a_key_can_be_revoked_by_its_secret(service: TestService) {
    let created = exchange_call(&service).await.await.expect(201);
    let secret = text(&created["plaintext_key"]);
    let revoke =
        async |secret: &str| service.public.post(REVOKE, &json!({"api_key": secret})).await.status;
    assert_eq!(service.with_key(secret).get("/v1/policies").await.status, 200);
    assert_eq!(revoke(secret).await, 204);
    assert_eq!(service.with_key(secret).get("/v1/policies").await.status, 401);
    let last = "select action || ' ' || actor_type from audit_events order by seq desc limit 1";
    assert_eq!(service.sql(last).await, ["api_key.revoke api_key"]);
    for secret in [secret, "svc_unknown", "word"] {
        assert_eq!(revoke(secret).await, 204);
    }
}
