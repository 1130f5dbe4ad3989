//! JSON Web Keys, key sets and thumbprints.

use contract::json::{Object, Value};
use receipt::{
    CanonicalJson,
    jwks::{self, JwksError},
    key::{JwkError, PayloadType, PublicKey, SigningKey},
};

use crate::vectors::{Known as _, json};

/// Returns the key of RFC 8037 with `changes` applied.
fn jwk<const N: usize>(changes: [(&str, &str); N]) -> Value {
    let mut members = SigningKey::from_seed(seed()).jwk().as_object().unwrap().clone();
    for (name, value) in changes {
        members.insert(name, value);
    }
    members.into()
}

/// Returns the published seed of RFC 8032, test 1, and RFC 8037.
fn seed() -> [u8; 32] {
    let test = &json("derived/rfc8032_ed25519.json");
    test.list("tests")[0].bytes("secret").try_into().unwrap()
}

#[test]
fn thumbprints_match_the_rfcs() {
    let vectors = json("derived/rfc7638_rfc8037_jwk.json");
    for case in vectors.list("thumbprints") {
        use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
        let thumbprint = CanonicalJson::from_value(case.at("jwk"));
        let kid = URL_SAFE_NO_PAD.encode(thumbprint.digest.as_bytes());
        assert_eq!(kid, case.text("thumbprint_sha256"));
        match PublicKey::from_jwk(case.at("jwk")) {
            Ok(key) => assert_eq!(key.kid(), kid),
            Err(error) => {
                assert_eq!((error, case.at("jwk").text("kty")), (JwkError::Kind, "RSA"));
            }
        }
    }
    assert_eq!(
        SigningKey::from_seed(seed()).kid(),
        vectors.list("thumbprints")[0].text("thumbprint_sha256")
    );
}

#[test]
fn rfc_8037_jws_verifies() {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    let vectors = json("derived/rfc7638_rfc8037_jwk.json");
    let jws = vectors.at("jws_eddsa_rfc8037_a4");
    let signature = URL_SAFE_NO_PAD.decode(jws.text("signature_b64url")).unwrap();
    let key = SigningKey::from_seed(seed());
    let result = key.public().verify_bytes(jws.text("signing_input").as_bytes(), &signature);
    assert_eq!(result, Ok(()));
}

#[test]
fn private_key_is_refused() {
    let private = json("derived/rfc7638_rfc8037_jwk.json");
    let result = PublicKey::from_jwk(private.at("private_jwk_rfc8037_a1"));
    assert_eq!(result.unwrap_err(), JwkError::Private);
}

#[test]
fn malformed_key_is_refused_with_its_reason() {
    for (name, value, reason) in [
        ("kty", "EC", JwkError::Kind),
        ("crv", "Ed448", JwkError::Kind),
        ("crv", "X25519", JwkError::Kind),
        ("alg", "ES256", JwkError::Kind),
        ("use", "enc", JwkError::Kind),
        ("d", "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A", JwkError::Private),
        ("x", "", JwkError::Point),
        ("x", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHUR", JwkError::Point),
        ("x", "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo", JwkError::Point),
        ("x", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo=", JwkError::Point),
        // Trailing bits that are not zero; not a curve point; the identity point.
        ("x", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURp", JwkError::Point),
        ("x", "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", JwkError::Point),
        ("x", "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", JwkError::Point),
        ("x", "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw", JwkError::Kid),
        ("kid", "key-1", JwkError::Kid),
    ] {
        let result = PublicKey::from_jwk(&jwk([(name, value)]));
        assert_eq!(result.unwrap_err(), reason, "{name} {value}");
    }
}

#[test]
fn key_with_either_algorithm_name_and_unknown_members_is_accepted() {
    for jwk in [jwk([("alg", "Ed25519")]), jwk([("x5t", "unknown")])] {
        assert!(PublicKey::from_jwk(&jwk).is_ok(), "{jwk}");
    }
}

#[test]
fn one_invalid_key_refuses_the_set() {
    let keys = Value::from(vec![jwk([]), jwk([("kid", "key-1")])]);
    let set = Value::from(Object::from([("keys", keys)]));
    let expected = JwksError::Key { index: 1, reason: JwkError::Kid };
    assert_eq!(jwks::read(&set), Err(expected));
    assert_eq!(jwks::read(&Object::new().into()), Err(JwksError::NoKeys));
}

#[test]
fn debug_output_does_not_contain_the_seed() {
    let key = SigningKey::from_seed([0xAB; 32]);
    let debug_text = format!("{key:?}").to_lowercase();
    assert!(!debug_text.contains("171") && !debug_text.contains("abab"), "{debug_text}");
}

#[test]
fn each_payload_type_has_its_own_purpose() {
    let purposes = PayloadType::ALL.map(PayloadType::purpose);
    let types = PayloadType::ALL.map(PayloadType::as_str);
    for index in 1..PayloadType::ALL.len() {
        assert!(!purposes[..index].contains(&purposes[index]));
        assert!(!types[..index].contains(&types[index]));
    }
}
