//! Registry versions: a valid version is signed, and an invalid one is refused before signing.

use contract::time::Timestamp;
use receipt::{
    key::{PayloadType, SigningKey},
    trust_registry::{
        KeyChangeError, KeyStatus, RegistryError, RegistryKey, SignedRegistry, TrustRegistry,
        ValidityPeriod,
    },
};
use uuid::Uuid;

fn key(seed: u8) -> SigningKey {
    SigningKey::from_seed([seed; 32])
}

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn period() -> ValidityPeriod {
    let (issued_at, expires_at) =
        (time("2026-09-01T10:00:00.000Z"), time("2027-09-01T10:00:00.000Z"));
    ValidityPeriod { issued_at, expires_at }
}

fn service_key(seed: u8) -> RegistryKey {
    RegistryKey {
        key: key(seed).public().clone(),
        purposes: vec![PayloadType::Receipt.purpose().to_owned()],
        tenant_ids: None,
        legacy_kids: Vec::new(),
        status: KeyStatus::Active,
        valid_from: time("2026-01-01T00:00:00.000Z"),
        valid_until: None,
    }
}

/// Returns a first version with three root keys, a threshold of two, and one service key.
fn first() -> SignedRegistry {
    let roots = [key(1), key(2), key(3)];
    let mut registry = TrustRegistry::first(Uuid::from_u128(7), period(), &roots, 2);
    registry.add_key(service_key(9));
    registry.sign(&roots[..2]).unwrap()
}

#[test]
fn first_version_requires_its_threshold_of_distinct_keys() {
    let registry = first().registry;
    for (keys, expected) in [
        (vec![key(1), key(3)], Ok(())),
        (vec![key(1), key(2), key(3)], Ok(())),
        (vec![key(1), key(1)], Err(RegistryError::Signature)),
        (vec![key(1), key(9)], Err(RegistryError::Signature)),
        (vec![], Err(RegistryError::Signature)),
    ] {
        assert_eq!(registry.sign(&keys).map(drop), expected, "{keys:?}");
    }
    let without_roots = TrustRegistry::first(Uuid::from_u128(7), period(), &[], 0);
    assert_eq!(without_roots.sign(&[key(1)]).map(drop), Err(RegistryError::Malformed));
}

#[test]
fn retiring_a_key_twice_does_not_change_its_end() {
    let first_version = first();
    let mut next = first_version.next(period());
    next.add_key(service_key(8));
    let kid = key(9).kid().to_owned();
    next.retire(&kid, time("2026-09-02T00:00:00.000Z")).unwrap();
    next.retire(&kid, time("2026-10-02T00:00:00.000Z")).unwrap();
    let signed = first_version.sign_successor(&next, &[key(2), key(3)]).unwrap();
    let entry = signed.registry.key(&kid).unwrap();
    assert_eq!(entry.status, KeyStatus::Retired);
    assert_eq!(entry.valid_until, Some(time("2026-09-02T00:00:00.000Z")));
    assert_eq!(
        (signed.registry.version, signed.registry.prev_digest),
        (2, Some(first_version.digest()))
    );
    // Adding an existing key does not change it.
    let mut unchanged = signed.next(period());
    unchanged.add_key(service_key(9));
    assert_eq!(unchanged.key(&kid).unwrap().status, KeyStatus::Retired);
    assert_eq!(unchanged.keys.len(), 5);
}

#[test]
fn revoked_key_remains_revoked_and_revoked_root_cannot_sign() {
    let first_version = first();
    let (root, other) = (key(1).kid().to_owned(), key(9).kid().to_owned());
    let now = time("2026-09-02T00:00:00.000Z");
    let mut next = first_version.next(period());
    assert_eq!(next.revoke("none", now, None, None), Err(KeyChangeError::Unknown));
    next.revoke(&other, now, Some("lost".into()), Some(now)).unwrap();
    assert_eq!(next.revoke(&other, now, None, None), Err(KeyChangeError::Revoked));
    assert_eq!(next.retire(&other, now), Err(KeyChangeError::Revoked));
    next.revoke(&root, now, None, None).unwrap();
    // Each version needs two remaining root keys.
    let third = key(3).kid().to_owned();
    assert_eq!(next.clone().revoke(&third, now, None, None), Err(KeyChangeError::RootsNeeded));
    let result = first_version.sign_successor(&next, &[key(1), key(2)]).map(drop);
    assert_eq!(result, Err(RegistryError::Signature));
    let signed = first_version.sign_successor(&next, &[key(1), key(2), key(3)]).unwrap();
    let mut reactivated = signed.next(period());
    reactivated.keys.iter_mut().for_each(|key| key.status = KeyStatus::Active);
    let roots = [key(2), key(3)];
    assert_eq!(signed.sign_successor(&reactivated, &roots).map(drop), Err(RegistryError::Rollback));
    let mut skipped = signed.next(period());
    skipped.version = 9;
    assert_eq!(signed.sign_successor(&skipped, &roots).map(drop), Err(RegistryError::Rollback));
}
