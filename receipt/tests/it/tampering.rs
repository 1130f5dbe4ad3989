//! Attacks on a signed statement: whatever is changed, nothing verifies.

use contract::json::Value;
use receipt::key::{PayloadType, PublicKey};

use crate::{
    oracle,
    vectors::{Known as _, READER},
};

fn signed() -> (PublicKey, Value) {
    let oracle = oracle::oracle();
    let key = PublicKey::from_jwk(oracle.at("test_keys").at("receipt").at("jwk")).unwrap();
    (key, oracle.list("signed_objects")[0].clone())
}

/// All texts that differ from `text` in one bit of one byte, and are still texts.
fn flipped(text: &str) -> impl Iterator<Item = String> + '_ {
    (0..text.len() * 8).filter_map(|bit| {
        let mut bytes = text.as_bytes().to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        String::from_utf8(bytes).ok()
    })
}

#[test]
fn any_bit_of_the_text() {
    let (key, signed) = signed();
    let (text, signature) = (signed.text("canonical"), signed.text("signature"));
    assert_eq!(key.verify(PayloadType::Receipt, text, signature), Ok(()));
    // One bit of each byte here; the signature below gets all of them.
    for (index, changed) in flipped(text).enumerate() {
        if index % 7 == 0 {
            assert!(key.verify(PayloadType::Receipt, &changed, signature).is_err(), "{changed}");
        }
    }
    for changed in [format!("{text} "), format!(" {text}"), text[1..].to_owned(), String::new()] {
        assert!(key.verify(PayloadType::Receipt, &changed, signature).is_err());
    }
}

#[test]
fn any_bit_of_the_signature() {
    let (key, signed) = signed();
    let (text, signature) = (signed.text("canonical"), signed.text("signature"));
    for changed in flipped(signature) {
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
fn the_kind_and_the_key() {
    let (key, signed) = signed();
    let (text, signature) = (signed.text("canonical"), signed.text("signature"));
    for other in &PayloadType::ALL[1..] {
        assert!(key.verify(*other, text, signature).is_err(), "{other:?}");
    }
    let oracle = oracle::oracle();
    for (name, other) in oracle.at("test_keys").as_object().unwrap() {
        let other = PublicKey::from_jwk(other.at("jwk")).unwrap();
        let valid = other.verify(PayloadType::Receipt, text, signature).is_ok();
        assert_eq!(valid, name == "receipt", "{name}");
    }
}

#[test]
fn any_bit_of_the_kid() {
    let (key, signed) = signed();
    for kid in flipped(key.kid()) {
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
fn a_key_that_differs_in_one_bit() {
    let (key, signed) = signed();
    let jwk = key.jwk();
    for x in flipped(jwk.text("x")) {
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
fn the_same_value_in_another_text() {
    let (key, signed) = signed();
    let text = signed.text("canonical");
    let spaced = text.replacen(':', ": ", 1);
    let read = |text: &str| Value::parse(text.as_bytes(), &READER);
    assert_eq!(read(&spaced), read(text));
    assert!(key.verify(PayloadType::Receipt, &spaced, signed.text("signature")).is_err());
}
