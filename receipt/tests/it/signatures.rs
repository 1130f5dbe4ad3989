//! Strict Ed25519 verification, by vectors of five sources.

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
fn wycheproof() {
    let mut count = 0;
    for group in json("wycheproof/testvectors_v1/ed25519_test.json").list("testGroups") {
        let key = group.at("publicKey").bytes("pk");
        for test in group.list("tests") {
            let valid = verifies(&key, &test.bytes("msg"), &test.bytes("sig"));
            assert_eq!(valid, test.text("result") == "valid", "{}", test.at("tcId"));
            count += 1;
        }
    }
    assert_eq!(count, 151);
}

/// The numbers of the cases that verify.
fn accepted(cases: &Value) -> Value {
    let verifies = |case: &&Value| {
        verifies(&case.bytes("key"), case.text("msg").as_bytes(), &case.bytes("sig"))
    };
    let cases = cases.as_array().unwrap();
    cases.iter().filter(verifies).map(|case| case.at("number").clone()).collect()
}

#[test]
fn cctv() {
    let cases = json("cctv-ed25519/ed25519/ed25519vectors.json");
    assert_eq!(cases.as_array().unwrap().len(), 914);
    assert_eq!(&accepted(&cases), json(EXPECTED).at("cctv_accept_numbers"));
}

#[test]
fn dalek_validation_criteria_are_those_of_cctv() {
    let cases = json("ed25519-dalek/ed25519-dalek/VALIDATIONVECTORS");
    assert_eq!(&accepted(&cases), json(EXPECTED).at("cctv_accept_numbers"));
}

#[test]
fn speccheck() {
    let cases = json("ed25519-speccheck/cases.json");
    let valid = |case: &Value| {
        verifies(&case.bytes("pub_key"), &case.bytes("message"), &case.bytes("signature"))
    };
    let results: Value = cases.as_array().unwrap().iter().map(valid).collect();
    assert_eq!(&results, json(EXPECTED).at("speccheck_expected"));
}

/// Signs as the vector does, and verifies what it has.
fn check(seed: &[u8], key: &[u8], message: &[u8], signature: &[u8]) {
    let secret = ed25519_dalek::SigningKey::from_bytes(seed.try_into().unwrap());
    assert_eq!(secret.sign(message).to_bytes(), signature);
    assert!(verifies(key, message, signature));
}

#[test]
fn rfc_8032() {
    let vectors = json("derived/rfc8032_ed25519.json");
    for test in vectors.list("tests") {
        let [seed, key, message, signature] =
            ["secret", "public", "message", "signature"].map(|name| test.bytes(name));
        check(&seed, &key, &message, &signature);
    }
}

#[test]
fn classic() {
    let lines = text("ed25519-dalek/ed25519-dalek/TESTVECTORS");
    let mut count = 0;
    for line in lines.lines() {
        // Each line: seed ‖ key, key, message, signature ‖ message.
        let parts: Vec<_> = line.split(':').map(|part| hex::decode(part).unwrap()).collect();
        check(&parts[0][..32], &parts[1], &parts[2], &parts[3][..64]);
        count += 1;
    }
    assert_eq!(count, 128);
}
