//! Versions of the trust registry: the rule from one to the next, on the oracle's two versions and on
//! the rotations of a real chain of roots.

use contract::json::{Object, Value};
use receipt::{
    Digest,
    dsse::Envelope,
    fields::Malformed,
    key::{PayloadType, SigningKey},
    registry::{KeyStatus, RegistryFault, RegistryKey, SignedRegistry, TrustRegistry, may_follow},
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
fn versions_have_their_bytes() {
    for name in ["v1", "v2"] {
        let known = oracle();
        let known = known.at("trust_registry").at(name);
        let signed = version(name);
        assert_eq!(signed.registry.canonical().text, known.text("canonical"));
        assert_eq!(signed.signed_by_roots(&signed.registry), Ok(()));
    }
    assert_eq!(may_follow(&version("v1"), &version("v2")), Ok(()));
}

#[test]
fn a_version_needs_the_roots_of_both() {
    let (first, second) = (version("v1"), version("v2"));
    let (a, b, foreign) = (root("root_a"), root("root_b"), root("foreign"));
    for (keys, follows) in [
        (vec![&a, &b], Ok(())),
        (vec![&b, &a], Ok(())),
        (vec![&a, &foreign, &b], Ok(())),
        (vec![&a], Err(RegistryFault::Signature)),
        (vec![&b], Err(RegistryFault::Signature)),
        (vec![&a, &a], Err(RegistryFault::Signature)),
        (vec![&a, &foreign], Err(RegistryFault::Signature)),
        (vec![], Err(RegistryFault::Signature)),
    ] {
        let signed = sign(&second.registry, &keys);
        assert_eq!(may_follow(&first, &signed), follows, "{keys:?}");
    }
}

#[test]
fn a_version_follows_the_one_before() {
    let (first, second) = (version("v1"), version("v2"));
    let (a, b) = (root("root_a"), root("root_b"));
    let changes: [fn(&mut TrustRegistry); 3] = [
        |next| next.version = 3,
        |next| next.prev_digest = Some(Digest::of(b"")),
        |next| next.registry_id = uuid::Uuid::nil(),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut next = second.registry.clone();
        change(&mut next);
        let next = sign(&next, &[&a, &b]);
        assert_eq!(may_follow(&first, &next), Err(RegistryFault::Rollback), "{number}");
    }
    // What was revoked stays listed, and revoked.
    let third = |change: fn(&mut Vec<RegistryKey>)| {
        let mut next = second.registry.clone();
        (next.version, next.prev_digest) = (3, Some(second.digest()));
        change(&mut next.keys);
        may_follow(&second, &sign(&next, &[&a, &b]))
    };
    assert_eq!(third(|_| ()), Ok(()));
    let gone = third(|keys| keys.retain(|key| !key.status.is_revoked()));
    assert_eq!(gone, Err(RegistryFault::Rollback));
    let back = third(|keys| keys.iter_mut().for_each(|key| key.status = KeyStatus::Active));
    assert_eq!(back, Err(RegistryFault::Rollback));
}

#[test]
fn a_registry_that_does_not_hold_together() {
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
    for (case, refused) in [
        (change("root", root(&[a, a], 1)), "root"),
        (change("root", root(&[a, b], 3)), "threshold"),
        (change("root", root(&[a, b], 0)), "threshold"),
        (change("root", root(&["unknown"], 1)), "root"),
        // A key for receipts is no root, and a revoked one is nothing.
        (change("root", root(&["kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"], 1)), "root"),
        (change("version", 1.into()), "prev_digest"),
        (change("version", 0.into()), "prev_digest"),
        (
            change("keys", Value::Array([payload.list("keys"), payload.list("keys")].concat())),
            "keys",
        ),
    ] {
        assert_eq!(case, Err(Malformed::Member(refused)));
    }
}

/// A key of ours for a key of theirs.
fn stand_in(keyid: &str) -> SigningKey {
    SigningKey::from_seed(*Digest::of(keyid.as_bytes()).as_bytes())
}

/// The root with number `number` of the chain, as a version of our registry: the same rotation, the
/// same threshold, signed by those who signed theirs.
fn rotation(number: u32, before: Option<&SignedRegistry>) -> SignedRegistry {
    let known: serde_json::Value =
        serde_json::from_str(&text(&format!("tuf-root-chain/{number}.root.json"))).unwrap();
    let role = &known["signed"]["roles"]["root"];
    assert_eq!(known["signed"]["version"], number);
    let kids = role["keyids"].as_array().unwrap().iter();
    let keys: Vec<SigningKey> = kids.map(|kid| stand_in(kid.as_str().unwrap())).collect();
    let template = version("v1").registry;
    let of_roots = template.key(&template.root_keys[0]).unwrap().clone();
    let registry = TrustRegistry {
        version: number,
        prev_digest: before.map(SignedRegistry::digest),
        root_keys: keys.iter().map(|key| key.kid().to_owned()).collect(),
        root_threshold: serde_json::from_value(role["threshold"].clone()).unwrap(),
        keys: keys
            .iter()
            .map(|key| RegistryKey { key: key.public().clone(), ..of_roots.clone() })
            .collect(),
        ..template
    };
    let signatures = known["signatures"].as_array().unwrap().iter();
    let signers: Vec<SigningKey> = signatures
        .filter(|signature| signature["sig"] != "")
        .map(|signature| stand_in(signature["keyid"].as_str().unwrap()))
        .collect();
    sign(&registry, &signers.iter().collect::<Vec<_>>())
}

#[test]
fn the_rotations_of_a_real_chain_of_roots() {
    let mut chain: Vec<SignedRegistry> = Vec::new();
    for number in 1..=12 {
        chain.push(rotation(number, chain.last()));
    }
    for (before, rest) in (0..).map_while(|at| chain[at..].split_first()) {
        for (steps, next) in rest.iter().enumerate() {
            assert_eq!(may_follow(before, next).is_ok(), steps == 0, "{steps}");
            assert!(may_follow(next, before).is_err());
        }
    }
}
