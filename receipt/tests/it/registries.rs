//! Trust registry versions: the successor rule, applied to the two versions of the oracle and to
//! the key rotations of a public TUF root chain.

use contract::json::{Object, Value};
use receipt::{
    Digest,
    dsse::Envelope,
    key::{PayloadType, SigningKey},
    object_reader::ParseFieldError,
    trust_registry::{
        KeyStatus, RegistryError, RegistryKey, SignedRegistry, TrustRegistry, check_successor,
    },
};

use crate::{
    oracle::oracle,
    vectors::{Known as _, text},
};

fn version(name: &str) -> SignedRegistry {
    SignedRegistry::read(oracle().at("trust_registry").at(name).at("envelope")).unwrap()
}

fn root(name: &str) -> SigningKey {
    let seed = oracle().at("test_keys").at(name).bytes("seed_hex");
    SigningKey::from_seed(seed.try_into().unwrap())
}

fn sign(registry: &TrustRegistry, keys: &[&SigningKey]) -> SignedRegistry {
    let payload = registry.canonical();
    let envelope = Envelope::sign(PayloadType::TrustRegistry, payload, keys.iter().copied());
    SignedRegistry::read(&envelope.unwrap().to_value()).unwrap()
}

#[test]
fn versions_match_the_oracle_byte_for_byte() {
    for name in ["v1", "v2"] {
        let known = oracle();
        let known = known.at("trust_registry").at(name);
        let signed = version(name);
        assert_eq!(signed.registry.canonical().text, known.text("canonical"));
        assert_eq!(signed.check_root_signatures(&signed.registry), Ok(()));
    }
    assert_eq!(check_successor(&version("v1"), &version("v2")), Ok(()));
}

#[test]
fn successor_requires_the_root_signatures_of_both_versions() {
    let (first, second) = (version("v1"), version("v2"));
    let (a, b, foreign) = (root("root_a"), root("root_b"), root("foreign"));
    for (keys, expected) in [
        (vec![&a, &b], Ok(())),
        (vec![&b, &a], Ok(())),
        (vec![&a, &foreign, &b], Ok(())),
        (vec![&a], Err(RegistryError::Signature)),
        (vec![&b], Err(RegistryError::Signature)),
        (vec![&a, &a], Err(RegistryError::Signature)),
        (vec![&a, &foreign], Err(RegistryError::Signature)),
        (vec![], Err(RegistryError::Signature)),
    ] {
        let signed = sign(&second.registry, &keys);
        assert_eq!(check_successor(&first, &signed), expected, "{keys:?}");
    }
}

#[test]
fn successor_must_extend_the_previous_version() {
    let (first, second) = (version("v1"), version("v2"));
    let (a, b) = (root("root_a"), root("root_b"));
    let changes: [fn(&mut TrustRegistry); 3] = [
        |next| next.version = 3,
        |next| next.prev_digest = Some(Digest::compute(b"")),
        |next| next.registry_id = uuid::Uuid::nil(),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut next = second.registry.clone();
        change(&mut next);
        let next = sign(&next, &[&a, &b]);
        assert_eq!(check_successor(&first, &next), Err(RegistryError::Rollback), "{number}");
    }
    // Revoked keys must remain listed as revoked.
    let third = |change: fn(&mut Vec<RegistryKey>)| {
        let mut next = second.registry.clone();
        (next.version, next.prev_digest) = (3, Some(second.digest()));
        change(&mut next.keys);
        check_successor(&second, &sign(&next, &[&a, &b]))
    };
    assert_eq!(third(|_| ()), Ok(()));
    let removed = third(|keys| keys.retain(|key| !key.status.is_revoked()));
    assert_eq!(removed, Err(RegistryError::Rollback));
    let reactivated = third(|keys| keys.iter_mut().for_each(|key| key.status = KeyStatus::Active));
    assert_eq!(reactivated, Err(RegistryError::Rollback));
}

#[test]
fn inconsistent_registry_is_refused() {
    let known = oracle();
    let payload = known.at("trust_registry").at("v2").at("object");
    let change = |name: &str, member: Value| {
        let mut members: Object = payload.as_object().unwrap().clone();
        members.insert(name, member);
        TrustRegistry::read(&members.into())
    };
    assert!(TrustRegistry::read(payload).is_ok());
    let root = |keys: &[&str], threshold: u32| {
        let keys: Value = keys.iter().copied().collect();
        Value::from(Object::from([("keys", keys), ("threshold", threshold.into())]))
    };
    let (a, b) = (
        "A3W6FYPo_c8WvA769qp7wqgMzkRbDJd5-r8nopGL-Q0",
        "wmqtUTYVnJtKZ6y7q-qhEjmkF3NV2SyKlDymSsbVP74",
    );
    for (case, member) in [
        (change("root", root(&[a, a], 1)), "root"),
        (change("root", root(&[a, b], 3)), "threshold"),
        (change("root", root(&[a, b], 0)), "threshold"),
        (change("root", root(&["unknown"], 1)), "root"),
        // A receipt key is not a root key, and a revoked key cannot be one.
        (change("root", root(&["kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"], 1)), "root"),
        (change("version", 1.into()), "prev_digest"),
        (change("version", 0.into()), "prev_digest"),
        (
            change("keys", Value::Array([payload.list("keys"), payload.list("keys")].concat())),
            "keys",
        ),
    ] {
        assert_eq!(case, Err(ParseFieldError::Member(member)));
    }
}

/// Returns the test key that replaces a key of the TUF chain.
fn replacement_key(keyid: &str) -> SigningKey {
    SigningKey::from_seed(*Digest::compute(keyid.as_bytes()).as_bytes())
}

/// Returns root `number` of the TUF chain as a registry version, with the same rotation and
/// threshold and signed by the same keys.
fn rotation(number: u32, previous: Option<&SignedRegistry>) -> SignedRegistry {
    let known: serde_json::Value =
        serde_json::from_str(&text(&format!("tuf-root-chain/{number}.root.json"))).unwrap();
    let role = &known["signed"]["roles"]["root"];
    assert_eq!(known["signed"]["version"], number);
    let kids = role["keyids"].as_array().unwrap().iter();
    let keys: Vec<SigningKey> = kids.map(|kid| replacement_key(kid.as_str().unwrap())).collect();
    let template = version("v1").registry;
    let root_entry = template.key(&template.root_keys[0]).unwrap().clone();
    let registry = TrustRegistry {
        version: number,
        prev_digest: previous.map(SignedRegistry::digest),
        root_keys: keys.iter().map(|key| key.kid().to_owned()).collect(),
        root_threshold: serde_json::from_value(role["threshold"].clone()).unwrap(),
        keys: keys
            .iter()
            .map(|key| RegistryKey { key: key.public().clone(), ..root_entry.clone() })
            .collect(),
        ..template
    };
    let signatures = known["signatures"].as_array().unwrap().iter();
    let signers: Vec<SigningKey> = signatures
        .filter(|signature| signature["sig"] != "")
        .map(|signature| replacement_key(signature["keyid"].as_str().unwrap()))
        .collect();
    sign(&registry, &signers.iter().collect::<Vec<_>>())
}

#[test]
fn rotations_of_a_public_root_chain_are_valid_successors() {
    let mut chain: Vec<SignedRegistry> = Vec::new();
    for number in 1..=12 {
        chain.push(rotation(number, chain.last()));
    }
    for (previous, rest) in (0..).map_while(|index| chain[index..].split_first()) {
        for (distance, next) in rest.iter().enumerate() {
            assert_eq!(check_successor(previous, next).is_ok(), distance == 0, "{distance}");
            assert!(check_successor(next, previous).is_err());
        }
    }
}
