//! Signed documents of other projects, which cover canonical text and signatures.

use contract::json::Value;
use receipt::{CanonicalJson, key::PublicKey};

use crate::vectors::{Known as _, json, text};

/// Returns the value without one member.
fn without(value: &Value, name: &str) -> Value {
    let mut members = value.as_object().unwrap().clone();
    assert!(members.remove(name).is_some());
    members.into()
}

fn base64url(text: &str) -> Vec<u8> {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    URL_SAFE_NO_PAD.decode(text).unwrap()
}

#[test]
fn boundary_records_verify() {
    for name in [
        "01-non-ascii-values",
        "02-non-bmp-values",
        "03-utf16-key-order",
        "04-utf16-key-order-nested",
    ] {
        let case = json(&format!("canonicalization-boundary/{name}.json"));
        let key = PublicKey::from_jwk(case.at("trusted_key")).unwrap();
        let record = case.at("record");
        let signed = CanonicalJson::from_value(&without(record, "signature"));
        let signature = base64url(record.text("signature"));
        assert_eq!(key.verify_bytes(signed.text.as_bytes(), &signature), Ok(()), "{name}");
    }
}

/// Decodes Bitcoin base58 with the multibase prefix `z`.
fn base58(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    let mut bytes = Vec::new();
    for character in text.strip_prefix('z').unwrap().bytes() {
        let mut carry = ALPHABET.iter().position(|letter| *letter == character).unwrap();
        for byte in &mut bytes {
            carry += usize::from(*byte) * 58;
            *byte = u8::try_from(carry % 256).unwrap();
            carry /= 256;
        }
        while carry > 0 {
            bytes.push(u8::try_from(carry % 256).unwrap());
            carry /= 256;
        }
    }
    bytes.reverse();
    bytes
}

#[test]
fn verifiable_credential_verifies() {
    let file = |name: &str| format!("w3c-eddsa/TestVectors/eddsa-jcs-2022/{name}");
    let document = CanonicalJson::from_value(&json("w3c-eddsa/TestVectors/unsigned.json"));
    assert_eq!(document.text, text(&file("canonDocJCS.txt")));
    assert_eq!(document.digest.to_string(), text(&file("docHashJCS.txt")));
    let config = CanonicalJson::from_value(&json(&file("proofConfigJCS.json")));
    assert_eq!(config.text, text(&file("proofCanonJCS.txt")));
    assert_eq!(config.digest.to_string(), text(&file("proofHashJCS.txt")));

    let combined = [*config.digest.as_bytes(), *document.digest.as_bytes()].concat();
    assert_eq!(hex::encode(&combined), text(&file("combinedHashJCS.txt")));
    let signature = base58(&text(&file("sigBTC58JCS.txt")));
    assert_eq!(hex::encode(&signature), text(&file("sigHexJCS.txt")));

    // The key follows a two-byte multicodec prefix.
    let key = base58(json("w3c-eddsa/TestVectors/keyPair.json").text("publicKeyMultibase"));
    let key = PublicKey::from_bytes(key[2..].try_into().unwrap()).unwrap();
    assert_eq!(key.verify_bytes(&combined, &signature), Ok(()));

    let signed = json(&file("signedJCS.json"));
    assert_eq!(CanonicalJson::from_value(&without(&signed, "proof")), document);
    assert_eq!(CanonicalJson::from_value(&without(signed.at("proof"), "proofValue")), config);
    assert_eq!(base58(signed.at("proof").text("proofValue")), signature);
}
