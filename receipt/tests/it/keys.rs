//! JSON Web Keys, key sets and thumbprints.

use contract::json::{Object, Value};
use receipt::{
    Canonical,
    jwks::{self, JwksRefused},
    key::{KeyRefused, PayloadType, PublicKey, SigningKey},
};

use crate::vectors::{Known as _, json};

/// The key of RFC 8037, with `changes` made to it.
fn jwk<const N: usize>(changes: [(&str, &str); N]) -> Value {
    let mut members = SigningKey::from_seed(seed()).jwk().as_object().unwrap().clone();
    for (name, value) in changes {
        members.insert(name, value);
    }
    members.into()
}

/// The published seed of RFC 8032, test 1, and RFC 8037.
fn seed() -> [u8; 32] {
    let test = &json("derived/rfc8032_ed25519.json");
    test.list("tests")[0].bytes("secret").try_into().unwrap()
}

#[test]
fn thumbprints_are_those_of_the_rfcs() {
    let vectors = json("derived/rfc7638_rfc8037_jwk.json");
    for case in vectors.list("thumbprints") {
        use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
        let thumbprint = Canonical::of(case.at("jwk"));
        let kid = URL_SAFE_NO_PAD.encode(thumbprint.digest.as_bytes());
        assert_eq!(kid, case.text("thumbprint_sha256"));
        match PublicKey::from_jwk(case.at("jwk")) {
            Ok(key) => assert_eq!(key.kid(), kid),
            Err(refused) => {
                assert_eq!((refused, case.at("jwk").text("kty")), (KeyRefused::Kind, "RSA"));
            }
        }
    }
    assert_eq!(
        SigningKey::from_seed(seed()).kid(),
        vectors.list("thumbprints")[0].text("thumbprint_sha256")
    );
}

#[test]
fn a_jws_of_the_rfc_verifies() {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    let vectors = json("derived/rfc7638_rfc8037_jwk.json");
    let jws = vectors.at("jws_eddsa_rfc8037_a4");
    let signature = URL_SAFE_NO_PAD.decode(jws.text("signature_b64url")).unwrap();
    let key = SigningKey::from_seed(seed());
    let valid = key.public().verify_bytes(jws.text("signing_input").as_bytes(), &signature);
    assert_eq!(valid, Ok(()));
}

#[test]
fn a_private_key_is_refused() {
    let private = json("derived/rfc7638_rfc8037_jwk.json");
    let refused = PublicKey::from_jwk(private.at("private_jwk_rfc8037_a1"));
    assert_eq!(refused.unwrap_err(), KeyRefused::Private);
}

#[test]
fn a_key_is_refused_for_what_is_wrong_with_it() {
    for (name, value, reason) in [
        ("kty", "EC", KeyRefused::Kind),
        ("crv", "Ed448", KeyRefused::Kind),
        ("crv", "X25519", KeyRefused::Kind),
        ("alg", "ES256", KeyRefused::Kind),
        ("use", "enc", KeyRefused::Kind),
        ("d", "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A", KeyRefused::Private),
        ("x", "", KeyRefused::Point),
        ("x", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHUR", KeyRefused::Point),
        ("x", "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo", KeyRefused::Point),
        ("x", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo=", KeyRefused::Point),
        // Spare bits that are not zero; no point of the curve; the neutral point.
        ("x", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURp", KeyRefused::Point),
        ("x", "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", KeyRefused::Point),
        ("x", "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", KeyRefused::Point),
        ("x", "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw", KeyRefused::Kid),
        ("kid", "key-1", KeyRefused::Kid),
    ] {
        let refused = PublicKey::from_jwk(&jwk([(name, value)]));
        assert_eq!(refused.unwrap_err(), reason, "{name} {value}");
    }
}

#[test]
fn a_key_may_name_either_algorithm_and_carry_more() {
    for jwk in [jwk([("alg", "Ed25519")]), jwk([("x5t", "unknown")])] {
        assert!(PublicKey::from_jwk(&jwk).is_ok(), "{jwk}");
    }
}

#[test]
fn one_bad_key_refuses_the_set() {
    let keys = Value::from(vec![jwk([]), jwk([("kid", "key-1")])]);
    let set = Value::from(Object::from([("keys", keys)]));
    let refused = JwksRefused::Key { index: 1, reason: KeyRefused::Kid };
    assert_eq!(jwks::read(&set), Err(refused));
    assert_eq!(jwks::read(&Object::new().into()), Err(JwksRefused::NoKeys));
}

#[test]
fn a_key_does_not_show_its_seed() {
    let key = SigningKey::from_seed([0xAB; 32]);
    let shown = format!("{key:?}").to_lowercase();
    assert!(!shown.contains("171") && !shown.contains("abab"), "{shown}");
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
