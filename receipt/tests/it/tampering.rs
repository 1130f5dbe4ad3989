//! Attacks on a signed statement: no modified statement, signature or key verifies.

use contract::json::Value;
use receipt::key::{PayloadType, PublicKey};

use crate::{
    oracle,
    vectors::{Known as _, READER},
};

/// A signed statement with its key.
struct Signed {
    key: PublicKey,
    text: String,
    signature: String,
}

impl Signed {
    fn verifies(&self, text: &str, signature: &str) -> bool {
        self.key.verify(PayloadType::Receipt, text, signature).is_ok()
    }
}

fn signed_statement() -> Signed {
    let oracle = oracle::oracle();
    let key = PublicKey::from_jwk(oracle.at("test_keys").at("receipt").at("jwk")).unwrap();
    let signed = &oracle.list("signed_objects")[0];
    let (text, signature) = (signed.text("canonical"), signed.text("signature"));
    Signed { key, text: text.to_owned(), signature: signature.to_owned() }
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
fn changed_statement_does_not_verify() {
    let signed = signed_statement();
    let (text, signature) = (signed.text.as_str(), signed.signature.as_str());
    assert!(signed.verifies(text, signature));
    // Every seventh flip is tested here; the signature test below uses all of them.
    let flipped = with_flipped_bit(text).step_by(7);
    let spaced = text.replacen(':', ": ", 1);
    let parse = |text: &str| Value::parse(text.as_bytes(), &READER);
    assert_eq!(parse(&spaced), parse(text), "the same value in another text");
    let others = [format!("{text} "), format!(" {text}"), text[1..].to_owned(), String::new()];
    for changed in flipped.chain(others).chain([spaced]) {
        assert!(!signed.verifies(&changed, signature), "{changed}");
    }
}

#[test]
fn changed_signature_does_not_verify() {
    let signed = signed_statement();
    let signature = signed.signature.as_str();
    let ends = ["=", "==", "A", "\n"].map(|end| format!("{signature}{end}"));
    let others = [String::new(), signature.replace(['-', '_'], "+"), signature[..85].to_owned()];
    for changed in with_flipped_bit(signature).chain(ends).chain(others) {
        assert!(!signed.verifies(&signed.text, &changed), "{changed}");
    }
}

#[test]
fn signature_does_not_verify_for_another_type_or_key() {
    let Signed { key, text, signature } = signed_statement();
    for other in &PayloadType::ALL[1..] {
        assert!(key.verify(*other, &text, &signature).is_err(), "{other:?}");
    }
    let oracle = oracle::oracle();
    for (name, other) in oracle.at("test_keys").as_object().unwrap() {
        let other = PublicKey::from_jwk(other.at("jwk")).unwrap();
        let is_valid = other.verify(PayloadType::Receipt, &text, &signature).is_ok();
        assert_eq!(is_valid, name == "receipt", "{name}");
    }
}

#[test]
fn statement_with_a_flipped_kid_bit_does_not_verify() {
    let signed = signed_statement();
    for kid in with_flipped_bit(signed.key.kid()) {
        let mut jwk = signed.key.jwk().as_object().unwrap().clone();
        jwk.insert("kid", kid.as_str());
        assert!(PublicKey::from_jwk(&jwk.into()).is_err(), "{kid}");
        let text = signed.text.replace(signed.key.kid(), &kid);
        assert!(!signed.verifies(&text, &signed.signature), "{kid}");
    }
}

#[test]
fn key_with_a_flipped_bit_does_not_verify() {
    let Signed { key, text, signature } = signed_statement();
    let jwk = key.jwk();
    for x in with_flipped_bit(jwk.text("x")) {
        let mut other = jwk.as_object().unwrap().clone();
        other.insert("x", x.as_str());
        assert!(PublicKey::from_jwk(&other.clone().into()).is_err(), "{x}");
        other.remove("kid");
        if let Ok(other) = PublicKey::from_jwk(&other.into()) {
            assert!(other.verify(PayloadType::Receipt, &text, &signature).is_err());
        }
    }
}
