//! The registry is begun and goes on as its rules say, or is not signed at all.

use contract::time::Timestamp;
use receipt::{
    key::{PayloadType, SigningKey},
    registry::{
        KeyStatus, KeyUnchanged, RegistryFault, RegistryKey, SignedRegistry, Term, TrustRegistry,
    },
};
use uuid::Uuid;

fn key(seed: u8) -> SigningKey {
    SigningKey::from_seed([seed; 32])
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn term() -> Term {
    let (issued_at, expires_at) = (at("2026-09-01T10:00:00.000Z"), at("2027-09-01T10:00:00.000Z"));
    Term { issued_at, expires_at }
}

fn service(seed: u8) -> RegistryKey {
    RegistryKey {
        key: key(seed).public().clone(),
        purposes: vec![PayloadType::Receipt.purpose().to_owned()],
        tenant_ids: None,
        legacy_kids: Vec::new(),
        status: KeyStatus::Active,
        valid_from: at("2026-01-01T00:00:00.000Z"),
        valid_until: None,
    }
}

/// A first version with two of three roots, and one service key.
fn first() -> SignedRegistry {
    let roots = [key(1), key(2), key(3)];
    let mut registry = TrustRegistry::first(Uuid::from_u128(7), term(), &roots, 2);
    registry.admit(service(9));
    registry.sign(&roots[..2]).unwrap()
}

#[test]
fn a_first_version_is_signed_by_its_threshold_and_counts_each_key_once() {
    let registry = first().registry;
    for (keys, outcome) in [
        (vec![key(1), key(3)], Ok(())),
        (vec![key(1), key(2), key(3)], Ok(())),
        (vec![key(1), key(1)], Err(RegistryFault::Signature)),
        (vec![key(1), key(9)], Err(RegistryFault::Signature)),
        (vec![], Err(RegistryFault::Signature)),
    ] {
        assert_eq!(registry.sign(&keys).map(drop), outcome, "{keys:?}");
    }
    let none = TrustRegistry::first(Uuid::from_u128(7), term(), &[], 0);
    assert_eq!(none.sign(&[key(1)]).map(drop), Err(RegistryFault::Malformed));
}

#[test]
fn a_retired_key_ends_when_it_is_retired_and_not_later_when_it_is_retired_again() {
    let before = first();
    let mut next = before.next(term());
    next.admit(service(8));
    let kid = key(9).kid().to_owned();
    next.retire(&kid, at("2026-09-02T00:00:00.000Z")).unwrap();
    next.retire(&kid, at("2026-10-02T00:00:00.000Z")).unwrap();
    let signed = before.followed_by(&next, &[key(2), key(3)]).unwrap();
    let entry = signed.registry.key(&kid).unwrap();
    assert_eq!(entry.status, KeyStatus::Retired);
    assert_eq!(entry.valid_until, Some(at("2026-09-02T00:00:00.000Z")));
    assert_eq!((signed.registry.version, signed.registry.prev_digest), (2, Some(before.digest())));
    // A key that is there is not admitted once more.
    let mut again = signed.next(term());
    again.admit(service(9));
    assert_eq!(again.key(&kid).unwrap().status, KeyStatus::Retired);
    assert_eq!(again.keys.len(), 5);
}

#[test]
fn a_revoked_key_stays_revoked_and_a_revoked_root_signs_no_more() {
    let before = first();
    let (root, other) = (key(1).kid().to_owned(), key(9).kid().to_owned());
    let now = at("2026-09-02T00:00:00.000Z");
    let mut next = before.next(term());
    assert_eq!(next.revoke("none", now, None, None), Err(KeyUnchanged::Unknown));
    next.revoke(&other, now, Some("lost".into()), Some(now)).unwrap();
    assert_eq!(next.revoke(&other, now, None, None), Err(KeyUnchanged::Revoked));
    assert_eq!(next.retire(&other, now), Err(KeyUnchanged::Revoked));
    next.revoke(&root, now, None, None).unwrap();
    // Two roots must be left, of either version.
    let third = key(3).kid().to_owned();
    assert_eq!(next.clone().revoke(&third, now, None, None), Err(KeyUnchanged::RootsNeeded));
    let lacking = before.followed_by(&next, &[key(1), key(2)]).map(drop);
    assert_eq!(lacking, Err(RegistryFault::Signature));
    let signed = before.followed_by(&next, &[key(1), key(2), key(3)]).unwrap();
    let mut back = signed.next(term());
    back.keys.iter_mut().for_each(|key| key.status = KeyStatus::Active);
    let roots = [key(2), key(3)];
    assert_eq!(signed.followed_by(&back, &roots).map(drop), Err(RegistryFault::Rollback));
    let mut skipped = signed.next(term());
    skipped.version = 9;
    assert_eq!(signed.followed_by(&skipped, &roots).map(drop), Err(RegistryFault::Rollback));
}
