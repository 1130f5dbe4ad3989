//! Attacks on a signed statement: no modified statement, signature or key verifies.

use contract::json::Value;
use receipt::key::{PayloadType, PublicKey};

use crate::{
    oracle,
    vectors::{Known as _, READER},
};

fn signed_statement() -> (PublicKey, Value) {
    let oracle = oracle::oracle();
    let key = PublicKey::from_jwk(oracle.at("test_keys").at("receipt").at("jwk")).unwrap();
    (key, oracle.list("signed_objects")[0].clone())
}

/// Returns all valid UTF-8 texts that differ from `text` in one bit.
fn with_flipped_bit(text: &str) -> impl Iterator<Item = String> + '_ {
    (0..text.len() * 8).filter_map(|bit| {
        let mut bytes = text.as_bytes().to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        String::from_utf8(bytes).ok()
    })
}

#[test]
fn statement_with_a_flipped_bit_does_not_verify() {
    let (key, signed) = signed_statement();
    let (text, signature) = (signed.text("canonical"), signed.text("signature"));
    assert_eq!(key.verify(PayloadType::Receipt, text, signature), Ok(()));
    // Every seventh flip is tested here; the signature test below uses all of them.
    for (index, changed) in with_flipped_bit(text).enumerate() {
        if index % 7 == 0 {
            assert!(key.verify(PayloadType::Receipt, &changed, signature).is_err(), "{changed}");
        }
    }
    for changed in [format!("{text} "), format!(" {text}"), text[1..].to_owned(), String::new()] {
        assert!(key.verify(PayloadType::Receipt, &changed, signature).is_err());
    }
}

#[test]
fn signature_with_a_flipped_bit_does_not_verify() {
    let (key, signed) = signed_statement();
    let (text, signature) = (signed.text("canonical"), signed.text("signature"));
    for changed in with_flipped_bit(signature) {
        assert!(key.verify(PayloadType::Receipt, text, &changed).is_err(), "{changed}");
    }
    for changed in [
        String::new(),
        format!("{signature}="),
        format!("{signature}=="),
        format!("{signature}A"),
        format!("{signature}\n"),
        signature.replace(['-', '_'], "+"),
        signature[..85].to_owned(),
    ] {
        assert!(key.verify(PayloadType::Receipt, text, &changed).is_err(), "{changed}");
    }
}

#[test]
fn signature_does_not_verify_for_another_type_or_key() {
    let (key, signed) = signed_statement();
    let (text, signature) = (signed.text("canonical"), signed.text("signature"));
    for other in &PayloadType::ALL[1..] {
        assert!(key.verify(*other, text, signature).is_err(), "{other:?}");
    }
    let oracle = oracle::oracle();
    for (name, other) in oracle.at("test_keys").as_object().unwrap() {
        let other = PublicKey::from_jwk(other.at("jwk")).unwrap();
        let is_valid = other.verify(PayloadType::Receipt, text, signature).is_ok();
        assert_eq!(is_valid, name == "receipt", "{name}");
    }
}

#[test]
fn statement_with_a_flipped_kid_bit_does_not_verify() {
    let (key, signed) = signed_statement();
    for kid in with_flipped_bit(key.kid()) {
        let mut jwk = key.jwk().as_object().unwrap().clone();
        jwk.insert("kid", kid.as_str());
        assert!(PublicKey::from_jwk(&jwk.into()).is_err(), "{kid}");
        let text = signed.text("canonical").replace(key.kid(), &kid);
        assert!(
            key.verify(PayloadType::Receipt, &text, signed.text("signature")).is_err(),
            "{kid}"
        );
    }
}

#[test]
fn key_with_a_flipped_bit_does_not_verify() {
    let (key, signed) = signed_statement();
    let jwk = key.jwk();
    for x in with_flipped_bit(jwk.text("x")) {
        let mut other = jwk.as_object().unwrap().clone();
        other.insert("x", x.as_str());
        assert!(PublicKey::from_jwk(&other.clone().into()).is_err(), "{x}");
        other.remove("kid");
        if let Ok(other) = PublicKey::from_jwk(&other.into()) {
            let text = signed.text("canonical");
            assert!(other.verify(PayloadType::Receipt, text, signed.text("signature")).is_err());
        }
    }
}

#[test]
fn same_value_in_another_text_does_not_verify() {
    let (key, signed) = signed_statement();
    let text = signed.text("canonical");
    let spaced = text.replacen(':', ": ", 1);
    let parse = |text: &str| Value::parse(text.as_bytes(), &READER);
    assert_eq!(parse(&spaced), parse(text));
    assert!(key.verify(PayloadType::Receipt, &spaced, signed.text("signature")).is_err());
}
