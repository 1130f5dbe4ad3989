//! Documents of other software are read leniently, except where the security depends on them.

use super::{create_provider, fake_provider::service, path, rejection, session, sign_in};
use crate::prelude::*;

#[tokio::test]
async fn a_token_with_odd_values_signs_in() {
    let (service, fake) = service().await;
    let provider = create_provider(&service, json!({"default_role": "viewer"})).await;
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
        fake.set(claim, value.clone());
        let response = fake.sign_in(&service, &path(&provider)).await;
        assert_eq!(response.header("location"), Some("/"), "{claim} {value}: {response:?}");
        fake.reset();
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
        fake.set(claim, value.clone());
        let response = fake.sign_in(&service, &path(&provider)).await;
        assert_eq!(rejection(&response), "invalid", "{claim} {value}");
        fake.reset();
    }
}

#[tokio::test]
async fn odd_members_of_the_configuration_and_odd_keys_are_ignored() {
    let (service, fake) = service().await;
    let provider = create_provider(&service, json!({"default_role": "viewer"})).await;
    fake.configure("op_tos_revision", json!(18_446_744_073_709_551_615_u64));
    fake.configure("userinfo_endpoint", json!("not an address"));
    fake.configure("end_session_endpoint", json!(7));
    fake.configure("token_endpoint_auth_methods_supported", json!("client_secret_post"));
    fake.publish_before(vec![
        Value::Null,
        json!("key"),
        json!({"kty": 7, "kid": 7}),
        json!({"kty": "AKP", "alg": "ML-DSA-44", "kid": "1", "pub": "AAAA"}),
        json!({"kty": "EC", "crv": "P-521", "kid": "1", "x": "AAAA", "y": "AAAA"}),
        json!({"kty": "RSA", "kid": "1", "n": "***", "e": "AQAB", "x5c": [18_446_744_073_709_551_615_u64]}),
    ]);
    sign_in(&service, &fake, &provider).await;
}

#[tokio::test]
async fn the_user_information_verifies_only_its_own_address() {
    let (service, fake) = service().await;
    let claims = json!({"role_claim": "groups", "default_role": "viewer"});
    let provider = create_provider(&service, claims).await;
    let path = path(&provider);
    fake.set("email_verified", Value::Null);
    let other =
        json!({"sub": "ada", "email": "other@acme.example", "email_verified": true, "big": 1e300});
    fake.set_user_info(other);
    assert_eq!(rejection(&fake.sign_in(&service, &path).await), "unverified");
    fake.set_user_info(
        json!({"sub": "ada", "email": "ada@acme.example", "email_verified": "true"}),
    );
    session(&service, &fake.sign_in(&service, &path).await);
}

#[tokio::test]
async fn unused_members_of_any_shape_do_not_matter() {
    let (service, fake) = service().await;
    let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
    fake.add_members(&format!(
        r#""big": 1e400, "odd": "\ud800", "\udc00": [{{"twice": 1, "twice": "\ud800"}}], "twice": 1, "twice": 2,
        "character": "\ufdd0", "deep": {deep}"#
    ));
    // The person and the groups come from the user information.
    fake.set("email", Value::Null);
    fake.set("aud", json!(["govern"]));
    let email = "ada@acme.example";
    fake.set_user_info(
        json!({"sub": "ada", "email": email, "email_verified": true, "groups": ["staff"]}),
    );
    let provider = create_provider(&service, super::mapping()).await;
    let person = sign_in(&service, &fake, &provider).await;
    let info = person.get("/v1/session").await.expect(200);
    assert_eq!(
        (&info["user"]["email"], &info["memberships"][0]["role"]),
        (&json!(email), &json!("viewer"))
    );
    let token = fake.logout_token(&json!({"sub": "ada", "jti": "1"}));
    let logout = service.public.call("POST", format!("{}/logout", path(&provider)));
    let logout = logout.body("application/x-www-form-urlencoded", format!("logout_token={token}"));
    assert_eq!(logout.await.status, 200);
    assert_eq!(person.get("/v1/session").await.status, 401);
}

#[tokio::test]
async fn a_used_member_that_occurs_twice_or_cannot_be_read_is_refused() {
    let (service, fake) = service().await;
    let provider = create_provider(&service, json!({"default_role": "viewer"})).await;
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
        fake.add_members(member);
        let response = fake.sign_in(&service, &path(&provider)).await;
        assert_eq!(rejection(&response), reason, "{member}");
    }
    assert_eq!(service.sql("select 1::text from identities").await, [""; 0]);
}
