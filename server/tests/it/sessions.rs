//! Sessions: sign-in, expiry, reauthentication and sign-out.

use governance::access::operator;

use crate::prelude::*;

#[testkit::test]
async fn signing_in_returns_the_user_and_the_memberships(service: TestService) {
    let response = service.public.sign_in("  Admin@ACME.example ", PASSWORD).await;
    let session = response.expect(200);
    assert_eq!(session["user"]["email"], "admin@acme.example");
    assert_eq!(session["user"]["display_name"], "admin");
    let membership = json!([
        {"tenant_id": service.tenant.to_string(), "tenant_name": "Acme", "role": "admin"}
    ]);
    assert_eq!(session["memberships"], membership);
    assert_eq!(service.public.get("/v1/session").await.expect(200), session);
}

#[testkit::test]
async fn the_cookie_is_hidden_from_scripts_and_other_sites(service: TestService) {
    let response = service.public.sign_in(&service.admin_email, PASSWORD).await;
    let cookie = response.header("set-cookie").unwrap();
    assert!(cookie.starts_with("govern="), "{cookie}");
    for attribute in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(attribute), "{attribute} of {cookie}");
    }
    assert!(!cookie.contains("Secure") && !cookie.contains("Domain"), "{cookie}");
}

#[testkit::test]
async fn an_unknown_email_and_a_wrong_password_return_the_same_error(service: TestService) {
    let unknown_email = service.public.sign_in("unknown@acme.example", PASSWORD).await;
    let wrong_password = service.public.sign_in(&service.admin_email, "not the password").await;
    assert_snapshot!(unknown_email, @"401 UNAUTHORIZED");
    assert_eq!(unknown_email.without_correlation_id(), wrong_password.without_correlation_id());
    for response in [unknown_email, wrong_password] {
        assert_eq!(response.header("set-cookie"), None);
    }
}

#[testkit::test]
async fn a_session_ends_half_an_hour_after_its_last_use(service: TestService) {
    let admin = service.admin().await;
    for _ in 0..3 {
        service.clock.advance(29 * MINUTE_MS);
        assert_eq!(read_status(&admin).await, 200);
    }
    service.clock.advance(31 * MINUTE_MS);
    assert_eq!(read_status(&admin).await, 401);
    assert_eq!(admin.get("/v1/session").await.status, 401);
}

#[testkit::test]
async fn a_session_ends_twelve_hours_after_sign_in_even_if_it_is_used(service: TestService) {
    let admin = service.admin().await;
    for _ in 0..12 * 3 {
        assert_eq!(read_status(&admin).await, 200);
        service.clock.advance(20 * MINUTE_MS);
    }
    assert_eq!(read_status(&admin).await, 200);
    service.clock.advance(1);
    assert_eq!(read_status(&admin).await, 401);
}

#[testkit::test]
async fn signing_out_invalidates_every_copy_of_the_cookie(service: TestService) {
    let admin = service.admin().await;
    let copy = admin.without_session();
    let response = admin.call("DELETE", "/v1/session").await;
    assert_eq!((response.status, &*response.text), (204, ""));
    assert_eq!(admin.cookie(), None);
    assert_eq!(read_status(&copy).await, 401);
    // Signing out twice is not an error.
    assert_eq!(copy.call("DELETE", "/v1/session").await.status, 204);
}

#[testkit::test]
async fn signing_in_again_replaces_the_session_token(service: TestService) {
    let admin = service.admin().await;
    let before = admin.without_session();
    admin.sign_in(&service.admin_email, PASSWORD).await.expect(200);
    assert_ne!(admin.cookie(), before.cookie());
    assert_eq!((read_status(&admin).await, read_status(&before).await), (200, 401));
}

#[testkit::test]
async fn a_session_token_has_128_bits_and_only_its_digest_is_stored(service: TestService) {
    for session in [service.admin().await, service.admin().await] {
        let cookie = session.cookie().expect("a cookie");
        let (_, token) = cookie.split_once('=').expect("a value");
        assert_eq!(token.len(), 22, "16 bytes in base64url: {token}");
        let bytes = token.replace('-', "+").replace('_', "/");
        let digest = format!("sha256(decode('{bytes}==', 'base64'))");
        let stored = format!("select count(*)::text from session_digests where digest = {digest}");
        assert_eq!(service.sql(&stored).await, ["1"]);
        let rows = "select row::text || convert_from(data, 'utf8') from session_digests row";
        assert!(!service.sql(rows).await.concat().contains(token));
    }
}

#[testkit::test]
async fn a_forged_cookie_is_rejected(service: TestService) {
    let client = service.public.with("x-service-tenant-id", service.tenant);
    for cookie in ["govern=", "govern=AAAAAAAAAAAAAAAAAAAAAA", "govern=%00", "govern=\u{fc}"] {
        let response = client.get("/v1/policies").header("cookie", cookie).await;
        assert_eq!(response.to_string(), "401 UNAUTHORIZED", "{cookie}");
    }
}

#[testkit::test]
async fn reauthentication_does_not_extend_the_session(service: TestService) {
    let admin = service.admin().await;
    for _ in 0..12 * 3 {
        service.clock.advance(20 * MINUTE_MS);
        admin.post("/v1/session/confirm", &json!({"password": PASSWORD})).await.expect(200);
    }
    service.clock.advance(1);
    assert_eq!(read_status(&admin).await, 401);
}

#[testkit::test]
async fn a_password_is_stored_as_an_argon2id_hash(service: TestService) {
    let hash = service.sql("select password_hash from users").await.concat();
    assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
}

#[testkit::test]
async fn a_password_does_not_expire(service: TestService) {
    service.clock.advance(10 * 365 * 24 * 60 * MINUTE_MS);
    service.admin().await;
}

/// The unsafe requests that act for the user of a session.
const ACTS: [(&str, &str); 4] = [
    ("POST", "/v1/session/totp"),
    ("POST", "/v1/session/recovery-codes"),
    ("DELETE", "/v1/session/sessions/00000000-0000-4000-8000-000000000000"),
    ("DELETE", "/v1/session"),
];

#[testkit::test]
async fn a_page_of_another_site_cannot_act_with_the_cookie(service: TestService) {
    let admin = service.admin().await;
    let without_header = admin.without("x-service-tenant-id");
    let own = format!("http://{}", service.address);
    for (method, path) in ACTS {
        for (name, value) in [
            ("origin", "https://evil.example"),
            ("origin", "null"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            let refused = without_header.call(method, path).header(name, value).await;
            assert_eq!(refused.to_string(), "403 FORBIDDEN", "{method} {path} {name} {value}");
        }
        // A program with the cookie also sends the tenant header.
        let refused = without_header.call(method, path).await;
        assert_eq!(refused.to_string(), "403 FORBIDDEN", "{method} {path}");
        assert!(refused.text.contains("X-Service-Tenant-Id"), "{}", refused.text);
    }
    assert_eq!(read_status(&admin).await, 200, "the session continues");
    let [act, ..] = ACTS;
    for (client, header) in [
        (&admin, ("accept", "*/*")),
        (&without_header, ("origin", &*own)),
        (&without_header, ("sec-fetch-site", "same-origin")),
    ] {
        client.call(act.0, act.1).header(header.0, header.1).await.expect(200);
    }
    assert_eq!(admin.delete("/v1/session").await.status, 204);
}

#[testkit::test]
async fn a_page_of_another_site_cannot_sign_a_user_in(service: TestService) {
    for (name, value) in
        [("origin", "https://evil.example"), ("sec-fetch-site", "cross-site"), ("origin", "null")]
    {
        let refused =
            service.public.sign_in(&service.admin_email, PASSWORD).header(name, value).await;
        assert_eq!(refused.to_string(), "403 FORBIDDEN", "{name} {value}");
        assert_eq!(refused.header("set-cookie"), None);
    }
    // A program signs in without headers of a browser, also with the cookie of an earlier session.
    let program = service.public.without_session();
    for _ in 0..2 {
        program.sign_in(&service.admin_email, PASSWORD).await.expect(200);
    }
}

#[testkit::test]
async fn an_address_with_the_kelvin_sign_is_another_address(service: TestService) {
    operator::create_user(
        &service.governance,
        service.tenant,
        "kim@acme.example",
        PASSWORD.to_owned(),
        Role::Viewer,
    )
    .await
    .expect("the user can be created");
    assert_eq!(service.sign_in_status("KIM@acme.example", PASSWORD).await, 200);
    assert_eq!(service.sign_in_status("\u{212a}im@acme.example", PASSWORD).await, 401);
}
