//! Strict Ed25519 verification against vectors of five sources.

use contract::json::Value;
use ed25519_dalek::Signer as _;
use receipt::key::PublicKey;

use crate::vectors::{Known as _, json, text};

const EXPECTED: &str = "derived/ed25519_strict_expected.json";

fn verifies(key: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let key = key.try_into().ok().and_then(|key| PublicKey::from_bytes(key).ok());
    key.is_some_and(|key| key.verify_bytes(message, signature).is_ok())
}

#[test]
fn wycheproof_vectors_match() {
    let mut count = 0;
    for group in json("wycheproof/testvectors_v1/ed25519_test.json").list("testGroups") {
        let key = group.at("publicKey").bytes("pk");
        for test in group.list("tests") {
            let is_valid = verifies(&key, &test.bytes("msg"), &test.bytes("sig"));
            assert_eq!(is_valid, test.text("result") == "valid", "{}", test.at("tcId"));
            count += 1;
        }
    }
    assert_eq!(count, 151);
}

/// Returns the numbers of the cases that verify.
fn accepted(cases: &Value) -> Value {
    let verifies = |case: &&Value| {
        verifies(&case.bytes("key"), case.text("msg").as_bytes(), &case.bytes("sig"))
    };
    let cases = cases.as_array().unwrap();
    cases.iter().filter(verifies).map(|case| case.at("number").clone()).collect()
}

#[test]
fn cctv_vectors_match() {
    let cases = json("cctv-ed25519/ed25519/ed25519vectors.json");
    assert_eq!(cases.as_array().unwrap().len(), 914);
    assert_eq!(&accepted(&cases), json(EXPECTED).at("cctv_accept_numbers"));
}

#[test]
fn dalek_validation_vectors_match_cctv() {
    let cases = json("ed25519-dalek/ed25519-dalek/VALIDATIONVECTORS");
    assert_eq!(&accepted(&cases), json(EXPECTED).at("cctv_accept_numbers"));
}

#[test]
fn speccheck_vectors_match() {
    let cases = json("ed25519-speccheck/cases.json");
    let is_valid = |case: &Value| {
        verifies(&case.bytes("pub_key"), &case.bytes("message"), &case.bytes("signature"))
    };
    let results: Value = cases.as_array().unwrap().iter().map(is_valid).collect();
    assert_eq!(&results, json(EXPECTED).at("speccheck_expected"));
}

/// Checks the signature of the vector and signs the message with its seed.
fn check(seed: &[u8], key: &[u8], message: &[u8], signature: &[u8]) {
    let secret = ed25519_dalek::SigningKey::from_bytes(seed.try_into().unwrap());
    assert_eq!(secret.sign(message).to_bytes(), signature);
    assert!(verifies(key, message, signature));
}

#[test]
fn rfc_8032_vectors_match() {
    let vectors = json("derived/rfc8032_ed25519.json");
    for test in vectors.list("tests") {
        let [seed, key, message, signature] =
            ["secret", "public", "message", "signature"].map(|name| test.bytes(name));
        check(&seed, &key, &message, &signature);
    }
}

#[test]
fn classic_vectors_match() {
    let lines = text("ed25519-dalek/ed25519-dalek/TESTVECTORS");
    let mut count = 0;
    for line in lines.lines() {
        // The fields of a line: seed ‖ key, key, message, signature ‖ message.
        let parts: Vec<_> = line.split(':').map(|part| hex::decode(part).unwrap()).collect();
        check(&parts[0][..32], &parts[1], &parts[2], &parts[3][..64]);
        count += 1;
    }
    assert_eq!(count, 128);
}
