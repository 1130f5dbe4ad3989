//! Documents of other software are read leniently, except where the security depends on them.

use super::Oidc;
use crate::prelude::*;

#[testkit::test]
async fn a_token_with_odd_values_signs_in(oidc: Oidc) {
    for (claim, value) in [
        ("email_verified", json!("true")),
        ("email_verified", json!("True")),
        ("employee", json!(18_446_744_073_709_551_615_u64)),
        ("employee", json!(-9_223_372_036_854_775_808_i64)),
        ("employee", json!(1e300)),
        ("nested", json!({"ids": [9_007_199_254_740_993_u64]})),
        ("", json!(0)),
        ("name", json!("Ada\u{0}Byron")),
        ("name", json!(7)),
        ("sid", json!("a\u{0}b")),
        ("sid", json!(7)),
        ("acr", Value::Array(vec![Value::Null])),
        ("aud", json!(["govern"])),
    ] {
        oidc.set(claim, value.clone());
        let response = oidc.try_sign_in().await;
        assert_eq!(response.header("location"), Some("/"), "{claim} {value}: {response:?}");
        oidc.fake.reset();
    }
    // A claim on which the identity depends is not.
    for (claim, value) in [
        ("sub", json!("a\u{0}b")),
        ("sub", json!(7)),
        ("sub", json!(["ada"])),
        ("azp", json!(7)),
        ("exp", json!("tomorrow")),
        ("iss", json!([super::ISSUER])),
    ] {
        oidc.set(claim, value.clone());
        assert_eq!(oidc.rejection().await, "invalid", "{claim} {value}");
        oidc.fake.reset();
    }
}

#[testkit::test]
async fn odd_members_of_the_configuration_and_odd_keys_are_ignored(oidc: Oidc) {
    oidc.fake.configure("op_tos_revision", json!(18_446_744_073_709_551_615_u64));
    oidc.fake.configure("userinfo_endpoint", json!("not an address"));
    oidc.fake.configure("end_session_endpoint", json!(7));
    oidc.fake.configure("token_endpoint_auth_methods_supported", json!("client_secret_post"));
    oidc.fake.state().odd_keys = vec![
        Value::Null,
        json!("key"),
        json!({"kty": 7, "kid": 7}),
        json!({"kty": "AKP", "alg": "ML-DSA-44", "kid": "1", "pub": "AAAA"}),
        json!({"kty": "EC", "crv": "P-521", "kid": "1", "x": "AAAA", "y": "AAAA"}),
        json!({"kty": "RSA", "kid": "1", "n": "***", "e": "AQAB", "x5c": [18_446_744_073_709_551_615_u64]}),
    ];
    oidc.sign_in().await;
}

#[tokio::test]
async fn the_user_information_verifies_only_its_own_address() {
    let claims = json!({"role_claim": "groups", "default_role": "viewer"});
    let oidc = Oidc::with(claims).await;
    oidc.set("email_verified", Value::Null);
    let other =
        json!({"sub": "ada", "email": "other@acme.example", "email_verified": true, "big": 1e300});
    oidc.fake.state().user_info = Some(other);
    assert_eq!(oidc.rejection().await, "unverified");
    oidc.fake.state().user_info =
        Some(json!({"sub": "ada", "email": "ada@acme.example", "email_verified": "true"}));
    oidc.sign_in().await;
}

#[tokio::test]
async fn unused_members_of_any_shape_do_not_matter() {
    let oidc = Oidc::with(super::mapping()).await;
    let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
    oidc.fake.state().odd_members = format!(
        r#""big": 1e400, "odd": "\ud800", "\udc00": [{{"twice": 1, "twice": "\ud800"}}], "twice": 1, "twice": 2,
        "character": "\ufdd0", "deep": {deep}"#
    );
    // The person and the groups come from the user information.
    oidc.set("email", Value::Null);
    oidc.set("aud", json!(["govern"]));
    let email = "ada@acme.example";
    oidc.fake.state().user_info =
        Some(json!({"sub": "ada", "email": email, "email_verified": true, "groups": ["staff"]}));
    let person = oidc.sign_in().await;
    let info = person.get("/v1/session").await.expect(200);
    assert_eq!(
        (&info["user"]["email"], &info["memberships"][0]["role"]),
        (&json!(email), &json!("viewer"))
    );
    let token = oidc.fake.logout_token(&json!({"sub": "ada", "jti": "1"}));
    let logout = oidc.public.call("POST", format!("{}/logout", oidc.path));
    let logout = logout.body("application/x-www-form-urlencoded", format!("logout_token={token}"));
    assert_eq!(logout.await.status, 200);
    assert_eq!(person.get("/v1/session").await.status, 401);
}

#[testkit::test]
async fn a_used_member_that_occurs_twice_or_cannot_be_read_is_refused(oidc: Oidc) {
    for (member, reason) in [
        (r#""sub": "eve""#, "invalid"),
        (r#""sub": null"#, "invalid"),
        (r#""nonce": "n""#, "invalid"),
        (r#""exp": 1e400"#, "invalid"),
        (r#""nbf": "\ud800""#, "invalid"),
        (r#""nbf": "today""#, "invalid"),
        (r#""azp": 1e400"#, "invalid"),
        (r#""auth_time": 1e400"#, "invalid"),
        (r#""alg": "EdDSA""#, "invalid"),
        (r#""email": "eve@acme.example""#, "unverified"),
        (r#""email_verified": true"#, "unverified"),
    ] {
        oidc.fake.state().odd_members = member.to_owned();
        assert_eq!(oidc.rejection().await, reason, "{member}");
    }
    assert_eq!(oidc.sql("select 1::text from identities").await, [""; 0]);
}
