//! Sign-in with an identity provider: a provider in this process, its attacks, and the limits of what it can assert.

mod account;
mod documents;
mod fake_provider;
mod flows;
mod freshness;
mod keys;
mod roles;

use contract::time::Timestamp;
use governance::{access::operator, authoring::settings};

use self::fake_provider::{ISSUER, Oidc, SignatureKind, Started};
use crate::{prelude::*, service::OtherTenant};

const PROVIDERS: &str = "/v1/admin/identity-providers";

/// The path of the configuration of a provider.
const CONFIGURATION: &str = "/.well-known/openid-configuration";

/// Returns the current time of a new service in seconds since 1970.
fn now() -> i64 {
    NOW.parse::<Timestamp>().expect("a timestamp").millis() / 1_000
}

/// Creates a provider with additional members and returns its record.
async fn create_provider(service: &TestService, members: Value) -> Value {
    let mut draft = json!({"name": "Acme", "issuer": ISSUER, "client_id": "govern"});
    let members = members.as_object().expect("an object").clone();
    draft.as_object_mut().expect("an object").extend(members);
    service.admin().await.post(PROVIDERS, &draft).await.expect(201)
}

/// Returns the path at which a sign-in with a provider starts.
fn path(provider: &Value) -> String {
    format!("/login/oidc/{}/{}", text(&provider["tenant_id"]), text(&provider["id"]))
}

/// Returns the session that a callback started.
fn session(service: &TestService, response: &TestResponse) -> Client {
    response.assert_redirects_to("/");
    let cookies = response.headers.get_all("set-cookie").iter();
    let mut cookies = cookies.map(|value| value.to_str().expect("a cookie is ASCII"));
    let cookie = cookies.find(|cookie| cookie.starts_with("govern=")).expect("a session cookie");
    let cookie = cookie.split(';').next().expect("a cookie");
    service.public.with("x-service-tenant-id", service.tenant).with("cookie", cookie)
}

/// Returns a copy of the client that reads another tenant.
fn in_tenant(client: &Client, other: &OtherTenant) -> Client {
    let header = "x-service-tenant-id";
    client.without(header).with(header, other.tenant)
}

/// Returns why a sign-in was rejected: the parameter of the sign-in page.
fn rejection(response: &TestResponse) -> &str {
    let location = response.header("location").expect("a redirect");
    let started = response.headers.get_all("set-cookie").iter();
    let has_session = started
        .filter_map(|value| value.to_str().ok())
        .any(|value| value.starts_with("govern=") && !value.starts_with("govern=;"));
    assert!(!has_session, "{response:?}");
    location.split_once("problem=").expect("a reason").1
}

async fn actions(service: &TestService) -> Vec<String> {
    service.sql("select action from audit_events order by tenant_id, seq").await
}

/// The mapping of two groups.
fn mapping() -> Value {
    json!({
        "role_claim": "groups",
        "role_mapping": [
            {"value": "officers", "role": "ratifier"},
            {"value": "staff", "role": "viewer"},
        ],
    })
}

#[tokio::test]
async fn the_first_sign_in_creates_a_confined_account_with_the_mapped_role() {
    let oidc = Oidc::with(mapping()).await;
    oidc.set("groups", json!(["all", "staff", "officers"]));
    let before = actions(&oidc).await.len();
    let person = oidc.sign_in().await;
    let info = person.get("/v1/session").await.expect(200);
    assert_eq!(
        (&info["user"]["email"], &info["user"]["display_name"]),
        (&json!("ada@acme.example"), &json!("Ada Byron"))
    );
    assert_eq!(
        info["memberships"],
        json!([{"tenant_id": oidc.tenant, "tenant_name": "Acme", "role": "ratifier"}])
    );
    let confined = "select (confined_tenant_id = setup_tenant_id and password_hash is null)::text from users \
                    where email = 'ada@acme.example'";
    assert_eq!(oidc.sql(confined).await, ["true"]);
    assert_eq!(
        actions(&oidc).await[before..],
        ["user.create", "member.add", "identity.link", "session.begin"]
    );
    // The provider manages the role, so the next sign-in changes it, also of the first session.
    oidc.set("groups", json!("staff"));
    let again = oidc.sign_in().await;
    assert_eq!(user_id(&again).await, info["user"]["id"]);
    for session in [&person, &again] {
        let info = session.get("/v1/session").await.expect(200);
        assert_eq!(info["memberships"][0]["role"], "viewer");
    }
    assert_eq!(actions(&oidc).await[before + 4..], ["member.change_role", "session.begin"]);
    // Without a group, the person is refused and the membership is unchanged.
    oidc.set("groups", json!(["visitors"]));
    assert_eq!(oidc.rejection().await, "no_role");
    assert_eq!(actions(&oidc).await.last().map(String::as_str), Some("identity.refuse"));
}

#[testkit::test]
async fn invalid_tokens_are_rejected_and_start_no_session(oidc: Oidc) {
    let now = now();
    for (claim, value) in [
        ("nonce", json!("another")),
        ("nonce", Value::Null),
        ("iss", json!("https://evil.example.com")),
        ("aud", json!("another")),
        ("aud", json!(["another"])),
        ("aud", json!(["govern", "another"])),
        ("azp", json!("another")),
        ("exp", json!(now - 61)),
        ("exp", Value::Null),
        ("iat", json!(now - 3_600)),
        ("iat", json!(now + 3_600)),
        ("nbf", json!(now + 3_600)),
        ("sub", json!("")),
        ("sub", Value::Null),
    ] {
        oidc.set(claim, value.clone());
        assert_eq!(oidc.rejection().await, "invalid", "{claim} {value}");
        oidc.fake.reset();
    }
    for header in [
        json!({"alg": "none"}),
        json!({"alg": "HS256"}),
        json!({"alg": "RS256", "kid": "1"}),
        json!({"alg": "ES256", "kid": "1"}),
        json!({"alg": "EdDSA", "kid": "unknown"}),
        json!({"alg": "EdDSA", "kid": "1", "crit": ["b64"]}),
        json!({"kid": "1"}),
    ] {
        oidc.fake.state().header = Some(header.clone());
        assert_eq!(oidc.rejection().await, "invalid", "{header}");
        oidc.fake.reset();
    }
    for signature in [SignatureKind::Secret, SignatureKind::OtherKey, SignatureKind::Empty] {
        oidc.fake.state().signature = signature;
        assert_eq!(oidc.rejection().await, "invalid");
        oidc.fake.reset();
    }
    assert_eq!(oidc.sql("select 1::text from identities").await, [""; 0]);
    oidc.sign_in().await;
}

#[testkit::test]
async fn an_address_must_be_verified_and_of_a_permitted_domain(oidc: Oidc) {
    for (claim, value) in [
        ("email_verified", json!(false)),
        ("email_verified", json!("false")),
        ("email_verified", json!(1)),
        ("email_verified", Value::Null),
        ("email", Value::Null),
        ("email", json!("no-address")),
    ] {
        oidc.set(claim, value.clone());
        assert_eq!(oidc.rejection().await, "unverified", "{claim} {value}");
        oidc.fake.reset();
    }
    let provider = format!("{PROVIDERS}/{}", text(&oidc.provider["id"]));
    let admin = oidc.admin().await;
    let patch = json!({"email_domains": ["other.example"]});
    admin.patch(&provider, &patch).await.expect(200);
    assert_eq!(oidc.rejection().await, "domain");
    // The admin trusts the addresses of the domain, but an explicit `false` remains.
    let patch = json!({"email_domains": ["acme.example"], "trusts_email_domains": true});
    admin.patch(&provider, &patch).await.expect(200);
    oidc.set("email_verified", json!(false));
    assert_eq!(oidc.rejection().await, "unverified");
    oidc.set("email_verified", Value::Null);
    oidc.sign_in().await;
}

#[testkit::test]
async fn a_response_is_accepted_only_in_the_browser_that_started_the_sign_in(oidc: Oidc) {
    let other = create_provider(&oidc, json!({"default_role": "viewer"})).await;
    let started = oidc.begin().await;
    let query = format!("code={}&state={}", oidc.fake.authorize(&started), started.state);
    let rejection_of = async |path: &str, query: &str, cookie: &str| {
        rejection(&oidc.call_back(path, query, cookie).await).to_owned()
    };
    for (path, query, cookie) in [
        (&oidc.path, &query, "theme=dark"),
        (&oidc.path, &query.replace(&started.state, "other"), &started.cookie),
        (&path(&other), &query, &started.cookie),
    ] {
        assert_eq!(rejection_of(path, query, cookie).await, "not_started", "{path} {query}");
    }
    session(&oidc, &oidc.call_back(&oidc.path, &query, &started.cookie).await);
    // The first response uses a sign-in up, also if it is rejected.
    for (response, reason) in
        [("code=c&iss=https%3A%2F%2Fevil.example", "invalid"), ("error=access_denied", "refused")]
    {
        let started = oidc.begin().await;
        let query = format!("{response}&state={}", started.state);
        assert_eq!(rejection_of(&oidc.path, &query, &started.cookie).await, reason);
        assert_eq!(rejection(&oidc.answer(&started).await), "not_started");
    }
    // The code of another browser has another verifier.
    let (thief, victim) = (oidc.begin().await, oidc.begin().await);
    let stolen = format!("code={}&state={}", oidc.fake.authorize(&victim), thief.state);
    assert_eq!(rejection_of(&oidc.path, &stolen, &thief.cookie).await, "invalid");
    let late = oidc.begin().await;
    let query = format!("code={}&state={}", oidc.fake.authorize(&late), late.state);
    oidc.clock.advance(10 * MINUTE_MS + 1);
    assert_eq!(rejection_of(&oidc.path, &query, &late.cookie).await, "not_started");
}

#[tokio::test]
async fn a_link_of_another_site_leads_to_the_sign_in_page() {
    let oidc = Oidc::with(json!({})).await;
    let link = oidc.public.get(&oidc.path).header("sec-fetch-site", "cross-site").await;
    link.assert_redirects_to(&format!("/login?tenant={}", oidc.tenant));
    let unknown = oidc.path.replace(text(&oidc.provider["id"]), text(&oidc.provider["tenant_id"]));
    assert_eq!(rejection(&oidc.public.get(unknown).await), "unknown");
}

#[tokio::test]
async fn a_provider_cannot_take_over_an_account_of_another_tenant() {
    let oidc = Oidc::with(json!({"default_role": "admin"})).await;
    let other = oidc.other_tenant().await;
    let victim = user_id(&other.admin).await;
    oidc.set("email", json!("admin@neighbour.example"));
    let thief = oidc.sign_in().await;
    let info = thief.get("/v1/session").await.expect(200);
    assert_ne!(info["user"]["id"], victim);
    assert_eq!(info["memberships"].as_array().map(Vec::len), Some(1));
    assert_eq!(read_status(&in_tenant(&thief, &other)).await, 403);
    assert_eq!(read_status(&other.admin).await, 200);
    // The new account does not prevent the owner of the address from signing in.
    assert_eq!(oidc.sign_in_status("admin@neighbour.example", PASSWORD).await, 200);
}

#[tokio::test]
async fn a_session_of_a_provider_gives_access_only_to_its_tenant() {
    let oidc = Oidc::with(json!({})).await;
    let other = oidc.other_tenant().await;
    let email = "admin@neighbour.example";
    operator::add_user(&oidc.governance, oidc.tenant, email, Role::Author).await.expect("a member");
    let password = oidc.service.sign_in(email).await;
    assert_eq!(read_status(&password).await, 200);
    assert_eq!(read_status(&in_tenant(&password, &other)).await, 200);
    oidc.set("email", json!(email));
    let person = oidc.sign_in().await;
    // It is the account of the member, whose role does not change without a role claim.
    assert_eq!(user_id(&person).await, user_id(&password).await);
    let info = person.get("/v1/session").await.expect(200);
    let member = json!({"tenant_id": oidc.tenant, "tenant_name": "Acme", "role": "author"});
    assert_eq!(info["memberships"], json!([member]));
    assert_eq!(read_status(&in_tenant(&person, &other)).await, 403);
    // It lists and ends only sessions of its tenant, and changes nothing of the account.
    let sessions = person.get("/v1/session/sessions").await.expect(200);
    let sessions = sessions["items"].as_array().expect("a list").clone();
    assert_eq!((sessions.len(), &sessions[0]["is_current"]), (1, &json!(true)));
    let change = json!({"password": PASSWORD, "new_password": "four other words of mine"});
    let change = person.post("/v1/session/password", &change).await;
    assert_eq!(change.to_string(), "403 FORBIDDEN");
    let confirm = json!({"password": PASSWORD});
    assert_eq!(person.post("/v1/session/confirm", &confirm).await.to_string(), "403 FORBIDDEN");
    let accept = format!("/v1/session/invitations/{}/accept", other.tenant);
    assert_eq!(person.post(accept, &json!({})).await.to_string(), "403 FORBIDDEN");
    let listed = password.get("/v1/session/sessions").await.expect(200);
    assert!(listed["items"].as_array().expect("a list").len() >= 2);
    // The sign-in is recorded only in the tenant of the provider.
    let begins = format!(
        "select count(*)::text from audit_events where tenant_id = '{}' and action = 'session.begin'",
        other.tenant
    );
    let before = oidc.sql(&begins).await;
    oidc.sign_in().await;
    assert_eq!(oidc.sql(&begins).await, before);
}

#[tokio::test]
async fn a_removed_member_is_refused_until_invited_again() {
    let oidc = Oidc::with(json!({"default_role": "author"})).await;
    let person = oidc.sign_in().await;
    let admin = oidc.admin().await;
    let member = format!("/v1/admin/members/{}", text(&user_id(&person).await));
    assert_eq!(admin.delete(member).await.status, 204);
    assert_eq!(read_status(&person).await, 401, "the session has ended");
    assert_eq!(oidc.rejection().await, "removed");
    // Neither with another subject, nor through another provider.
    oidc.set("sub", json!("another"));
    assert_eq!(oidc.rejection().await, "removed");
    let second = create_provider(&oidc, json!({"name": "2", "default_role": "viewer"})).await;
    let oidc = Oidc { path: path(&second), ..oidc };
    assert_eq!(oidc.rejection().await, "removed");
    let address = "select count(*)::text from users where email = 'ada@acme.example'";
    assert_eq!(oidc.sql(address).await, ["1"], "no other account is created");
    // An invitation ends the removal.
    let invitation = json!({"email": "ada@acme.example", "role": "reviewer"});
    admin.post("/v1/admin/members/invite", &invitation).await.expect(201);
    let person = oidc.sign_in().await;
    let info = person.get("/v1/session").await.expect(200);
    assert_eq!(info["memberships"][0]["role"], "reviewer");
}

#[tokio::test]
async fn a_removed_member_with_a_proven_account_does_not_come_back_with_another_one() {
    let oidc = Oidc::with(json!({"default_role": "author"})).await;
    let author = oidc.member(Role::Author).await;
    let member = user_id(&oidc.service.sign_in(&author).await).await;
    let admin = oidc.admin().await;
    assert_eq!(admin.delete(format!("/v1/admin/members/{}", text(&member))).await.status, 204);
    oidc.set("email", json!(author));
    assert_eq!(oidc.rejection().await, "removed");
    operator::add_user(&oidc.governance, oidc.tenant, &author, Role::Viewer)
        .await
        .expect("the operator adds the user");
    let again = oidc.sign_in().await;
    assert_eq!(user_id(&again).await, member);
}

#[tokio::test]
async fn the_last_admin_stays_an_admin() {
    let mapping = json!({"role_claim": "groups", "default_role": "viewer"});
    let oidc = Oidc::with(mapping).await;
    oidc.set("email", json!(oidc.admin_email));
    oidc.set("groups", json!([]));
    let admin = oidc.sign_in().await;
    let info = admin.get("/v1/session").await.expect(200);
    assert_eq!(info["memberships"][0]["role"], "admin");
    // With another admin, the provider demotes the member.
    oidc.member(Role::Admin).await;
    let demoted = oidc.sign_in().await;
    let info = demoted.get("/v1/session").await.expect(200);
    assert_eq!(info["memberships"][0]["role"], "viewer");
}

#[tokio::test]
async fn only_an_admin_whom_the_provider_signed_in_excludes_passwords() {
    let oidc = Oidc::with(json!({})).await;
    let (admin, member) = (oidc.admin().await, oidc.signed_in_member(Role::Author).await);
    let only_oidc = json!({"sign_in": "oidc"});
    let refused = admin.patch("/v1/settings", &only_oidc).await;
    assert_eq!(refused.to_string(), "409 CONFLICT");
    let no_passkey = admin.patch("/v1/settings", &json!({"sign_in": "passkey"})).await;
    assert_eq!(no_passkey.to_string(), "409 CONFLICT");
    oidc.set("email", json!(oidc.admin_email));
    let by_provider = oidc.sign_in().await;
    by_provider.patch("/v1/settings", &only_oidc).await.expect(200);
    // Sessions with a password lose access to this tenant at once, and keys are not affected.
    for password in [&admin, &member] {
        assert_eq!(password.get("/v1/policies").await.to_string(), "403 FORBIDDEN");
        let info = password.get("/v1/session").await.expect(200);
        assert_eq!(info["memberships"], json!([]));
    }
    assert_eq!(read_status(&by_provider).await, 200);
    assert_eq!(read_status(&oidc.key).await, 200);
    // The operator permits passwords again.
    settings::permit_all_sign_ins(&oidc.governance, oidc.tenant).await.expect("permitted");
    assert_eq!(read_status(&admin).await, 200);
    admin.patch("/v1/settings", &json!({"sign_in": "password"})).await.expect(200);
    assert_eq!(read_status(&by_provider).await, 403);
    assert_eq!(rejection(&oidc.public.get(&oidc.path).await), "unknown");
}

#[testkit::test]
async fn a_session_of_a_provider_satisfies_the_second_factor_and_cannot_change_factors(oidc: Oidc) {
    oidc.set("email", json!(oidc.admin_email));
    let by_provider = oidc.sign_in().await;
    let required = json!({"second_factor_required": true});
    by_provider.patch("/v1/settings", &required).await.expect(200);
    assert_eq!(read_status(&by_provider).await, 200);
    let by_password = oidc.admin().await;
    assert_eq!(by_password.get("/v1/policies").await.to_string(), "403 SECOND_FACTOR_REQUIRED");
    assert_eq!(by_provider.get("/v1/session/second-factors").await.to_string(), "403 FORBIDDEN");
    let code = json!({"code": "123456"});
    for (path, body) in [
        ("passkeys/options", &json!({})),
        ("totp", &json!({})),
        ("totp/confirm", &code),
        ("recovery-codes", &json!({})),
    ] {
        let refused = by_provider.post(format!("/v1/session/{path}"), body).await;
        assert_eq!(refused.to_string(), "403 FORBIDDEN", "{path}");
    }
    let confirm = json!({"purpose": "confirm"});
    let refused = by_provider.post("/v1/session/passkey-options", &confirm).await;
    assert_eq!(refused.to_string(), "403 FORBIDDEN");
}

#[tokio::test]
async fn an_approval_says_that_a_provider_signed_the_ratifier_in() {
    let oidc = Oidc::with(json!({"default_role": "ratifier"})).await;
    let ratifier = oidc.sign_in().await;
    let version = oidc.submitted("PAY-01").await;
    let ratification = json!({"expected_revision": 1});
    ratifier.post(version.action_path("ratify"), &ratification).await.expect(200);
    let approval = oidc.key.get(version.action_path("approval")).await.expect(200);
    assert_eq!(approval["approval"]["ratifier"]["auth_method"], "oidc");
    assert_eq!(approval["approval"]["ratifier"]["user_id"], user_id(&ratifier).await);
}

#[tokio::test]
async fn signing_requires_that_the_provider_authenticated_the_person_recently() {
    let oidc = Oidc::with(json!({"default_role": "ratifier"})).await;
    let version = oidc.submitted("PAY-01").await;
    let ratification = json!({"expected_revision": 1});
    oidc.set("auth_time", json!(now() - 3_600));
    let stale = oidc.sign_in().await;
    let refused = stale.post(version.action_path("ratify"), &ratification).await;
    assert_eq!(refused.to_string(), "403 CONFIRMATION_REQUIRED");
    let page = stale.get("/login/confirm?next=%2F").header("accept", "text/html").await;
    let link = format!("{}?fresh=1", oidc.path);
    assert!(page.html().contains(&link), "{}", page.html());
    let fresh = oidc.public.without_session().get(link).await;
    let location = fresh.header("location").expect("a redirect");
    assert!(location.contains("prompt=login") && location.contains("max_age=0"), "{location}");
    oidc.set("auth_time", json!(now()));
    let confirmed = oidc.sign_in().await;
    confirmed.post(version.action_path("ratify"), &ratification).await.expect(200);
}

#[testkit::test]
async fn a_logout_token_ends_the_sessions_that_it_names_once(oidc: Oidc) {
    let logout = |token: String| {
        let call = oidc.public.call("POST", format!("{}/logout", oidc.path));
        call.body("application/x-www-form-urlencoded", format!("logout_token={token}"))
    };
    oidc.set("sid", json!("session-1"));
    let first = oidc.sign_in().await;
    oidc.set("sid", json!("session-2"));
    let second = oidc.sign_in().await;
    let id_token = oidc.fake.token(&json!({"nonce": "n", "jti": "0", "sid": "session-1"}));
    assert_eq!(logout(id_token).await.status, 422, "an ID token is no logout token");
    for invalid in [
        json!({"jti": "1"}),
        json!({"jti": "1", "sid": "session-1", "nonce": "n"}),
        json!({"sid": "session-1"}),
        json!({"jti": "1", "sid": "session-1", "aud": "another"}),
        json!({"jti": "1", "sid": "session-1", "iss": "https://evil.example.com"}),
        json!({"jti": "1", "sid": "session-1", "exp": now() - 61}),
    ] {
        let token = oidc.fake.logout_token(&invalid);
        assert_eq!(logout(token).await.status, 422, "{invalid}");
    }
    assert_eq!((read_status(&first).await, read_status(&second).await), (200, 200));
    let token = oidc.fake.logout_token(&json!({"jti": "1", "sid": "session-1"}));
    assert_eq!(logout(token.clone()).await.status, 200);
    assert_eq!((read_status(&first).await, read_status(&second).await), (401, 200));
    assert_eq!(actions(&oidc).await.last().map(String::as_str), Some("session.end"));
    let third = oidc.sign_in().await;
    assert_eq!(logout(token).await.status, 422, "a token is accepted once");
    let of_person = oidc.fake.logout_token(&json!({"jti": "2", "sub": "ada"}));
    assert_eq!(logout(of_person).await.status, 200);
    assert_eq!((read_status(&second).await, read_status(&third).await), (401, 401));
    let unknown = oidc.fake.logout_token(&json!({"jti": "3", "sub": "unknown"}));
    assert_eq!(logout(unknown).await.status, 200);
}

#[testkit::test]
async fn signing_out_continues_at_the_provider(oidc: Oidc) {
    let person = oidc.sign_in().await;
    let script = person.with("sec-fetch-site", "same-origin");
    let form = script.call("POST", "/console/log-out").header("accept", "text/html");
    let posted = form.body("application/x-www-form-urlencoded", "").await;
    posted.assert_redirects_to("/login/oidc/sign-out");
    let other_site =
        person.get("/login/oidc/sign-out").header("sec-fetch-site", "cross-site").await;
    other_site.assert_redirects_to("/");
    let page = script.get("/login/oidc/sign-out").await;
    let refresh = page.header("refresh").expect("the page continues at the provider");
    assert!(refresh.starts_with(&format!("0; url={ISSUER}/end?id_token_hint=")), "{refresh}");
    assert!(refresh.contains("client_id=govern&post_logout_redirect_uri="), "{refresh}");
    assert_eq!(read_status(&person).await, 401);
}

#[tokio::test]
async fn the_client_secret_is_stored_encrypted_and_never_returned() {
    let secret = json!({"client_secret": "a secret", "default_role": "viewer"});
    let oidc = Oidc::with(secret).await;
    assert_eq!(oidc.provider["has_client_secret"], true);
    assert!(!oidc.provider.to_string().contains("a secret"), "{}", oidc.provider);
    let stored = oidc.sql("select encode(client_secret, 'escape') from identity_providers").await;
    assert!(!stored.concat().contains("a secret"));
    oidc.sign_in().await;
    assert_eq!(oidc.fake.state().last_credentials, "Basic Z292ZXJuOmErc2VjcmV0");
    let admin = oidc.admin().await;
    let path = format!("{PROVIDERS}/{}", text(&oidc.provider["id"]));
    let changed = admin.patch(&path, &json!({"client_secret": null})).await.expect(200);
    assert_eq!(changed["has_client_secret"], false);
    oidc.sign_in().await;
    assert_eq!(oidc.fake.state().last_credentials, "client_id=govern");
    // Disabling ends the sessions, and deleting removes the links.
    let person = oidc.sign_in().await;
    admin.patch(&path, &json!({"is_enabled": false})).await.expect(200);
    assert_eq!(read_status(&person).await, 401);
    assert_eq!(admin.delete(&path).await.status, 204);
    assert_eq!(oidc.sql("select 1::text from identities").await, [""; 0]);
    let alerts = oidc.key.get("/v1/alerts?alert_type=governance_change").await.expect(200);
    assert_eq!(alerts["items"].as_array().map(Vec::len), Some(3), "{alerts}");
}

#[testkit::test]
async fn an_unavailable_provider_is_reported_on_the_sign_in_page(oidc: Oidc) {
    let test = format!("{PROVIDERS}/{}/test", text(&oidc.provider["id"]));
    let admin = oidc.admin().await;
    let usable = json!({
        "is_usable": true, "signing_keys": 1, "has_end_session": true, "has_backchannel_logout": true,
    });
    assert_eq!(admin.post(&test, &json!({})).await.expect(200), usable);
    oidc.fake.state().broken.insert(CONFIGURATION);
    let broken = admin.post(&test, &json!({})).await.expect(200);
    assert_eq!(
        (&broken["is_usable"], &broken["problem"]),
        (&json!(false), &json!("the identity provider is down"))
    );
    let response = oidc.public.without_session().get(&oidc.path).await;
    assert_eq!(rejection(&response), "unavailable");
    let page = format!("/login?tenant={}&problem=unavailable", oidc.tenant);
    let page = oidc.public.get(page).header("accept", "text/html").await.html();
    assert!(page.contains("The identity provider is not available."), "{page}");
    assert!(page.contains("Sign in with Acme"), "{page}");
}

#[testkit::test]
async fn a_provider_that_announces_another_issuer_is_not_used(oidc: Oidc) {
    oidc.fake.configure("issuer", json!("https://login.example.com/"));
    let response = oidc.public.without_session().get(&oidc.path).await;
    assert_eq!(rejection(&response), "unavailable");
}

#[tokio::test]
async fn claims_that_the_token_lacks_come_from_the_user_information() {
    let oidc = Oidc::with(mapping()).await;
    let claims = json!({
        "sub": "ada", "email": "ada@acme.example", "email_verified": true, "groups": ["officers"],
    });
    for claim in ["email", "email_verified"] {
        oidc.set(claim, Value::Null);
    }
    oidc.fake.state().user_info =
        Some(json!({"sub": "eve", "email": "ada@acme.example", "email_verified": true}));
    assert_eq!(oidc.rejection().await, "invalid");
    oidc.fake.state().user_info = Some(claims);
    let person = oidc.sign_in().await;
    let info = person.get("/v1/session").await.expect(200);
    assert_eq!(info["memberships"][0]["role"], "ratifier");
}

#[tokio::test]
async fn the_form_of_a_provider_changes_the_secret_only_on_request() {
    let members = json!({"client_secret": "a stored secret", "default_role": "viewer"});
    let oidc = Oidc::with(members).await;
    let admin = oidc.admin().await;
    let browser = Browser::new(&oidc, &admin);
    let id = text(&oidc.provider["id"]);
    let (list, page) =
        ("settings/identity-providers", format!("settings/identity-providers/{id}/edit"));
    let shown = browser.page(&page).await;
    assert_eq!(shown.status, 200, "{}", shown.text);
    assert!(contains_text(&shown.text, "A secret is stored."), "{}", shown.text);
    assert!(!shown.text.contains("a stored secret"));
    let send = async |rest: &str| {
        let body = format!("id={id}&form%5Bname%5D=Acme+SSO&form%5Bclient_id%5D=govern{rest}");
        browser.post("/console/edit-identity-provider", &body).await
    };
    let secret = async || {
        let rows = "select coalesce(encode(client_secret, 'hex'), 'none') from identity_providers";
        oidc.sql(rows).await.concat()
    };
    let stored = secret().await;
    send("").await.assert_redirects_to(&browser.at(list));
    assert_eq!(secret().await, stored);
    let read = async || admin.get(format!("{PROVIDERS}/{id}")).await.expect(200);
    let changed = read().await;
    assert_eq!((&changed["name"], &changed["issuer"]), (&json!("Acme SSO"), &json!(ISSUER)));
    assert_eq!(changed.get("default_role"), None);

    send("&form%5Broles%5D=staff").await.assert_redirects_to(&browser.at(&page));
    assert!(browser.page(&page).await.text.contains("aria-invalid=\"true\""));
    assert_eq!(read().await["role_mapping"], json!([]));
    send("&form%5Bclient_secret%5D=another").await.assert_redirects_to(&browser.at(list));
    let replaced = secret().await;
    assert!(replaced != stored && replaced != "none");
    send("&form%5Bremoves_secret%5D=true").await.assert_redirects_to(&browser.at(list));
    assert_eq!(secret().await, "none");
}
