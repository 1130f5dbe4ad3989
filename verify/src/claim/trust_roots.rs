//! Claim 5: the trust registry of the bundle and the succession of versions from the pinned one.

use contract::{time::Timestamp, verification::Claim};
use receipt::{
    bundle::path,
    trust_registry::{RegistryError, SignedRegistry, check_successor},
};

use crate::{
    bundle::Bundle,
    claim_check::ClaimCheck,
    code::{Code, Note},
    keyring::Keyring,
    trust::Trust,
};

pub(crate) fn check<'a>(
    bundle: &Bundle,
    trust: &'a Trust,
    now: Option<Timestamp>,
) -> (ClaimCheck, Keyring<'a>) {
    let mut check = ClaimCheck::new(Claim::TrustRoots);
    let in_bundle = read_registry(&mut check, bundle, path::REGISTRY);
    let newest = match (&trust.registry, &in_bundle) {
        (Some(pinned), Some(bundled)) => {
            Some(verify_succession(&mut check, bundle, pinned, bundled))
        }
        (Some(pinned), None) => Some(pinned.clone()),
        (None, bundled) => {
            check_single_version(&mut check, bundled.as_ref());
            None
        }
    };
    if !trust.is_pinned() {
        check.add_failure(Code::Unpinned, "no key is pinned");
    } else if trust.registry.is_none() {
        check.add_note(Note::PinnedKeysOnly);
    }
    let newest = newest.map(|signed| signed.registry);
    match (now, &newest) {
        (Some(now), Some(registry)) => {
            check.add_checked("registry_freshness");
            if now > registry.expires_at {
                check.add_note(Note::RegistryStale);
            }
        }
        (None, Some(_)) => check.add_not_checked("registry_freshness"),
        (_, None) => {}
    }
    let in_bundle = in_bundle.map(|signed| signed.registry);
    (check, Keyring { trust, newest, in_bundle })
}

fn read_registry(check: &mut ClaimCheck, bundle: &Bundle, name: &str) -> Option<SignedRegistry> {
    let value = check.ok_or_failure(bundle.json(name), format!("{name} cannot be read"))?;
    match SignedRegistry::read(&value) {
        Ok(registry) => Some(registry),
        Err(error) => {
            add_registry_failure(check, error, name);
            None
        }
    }
}

fn add_registry_failure(check: &mut ClaimCheck, error: RegistryError, name: &str) {
    let code = match error {
        RegistryError::Malformed => Code::RegistryMalformed,
        RegistryError::Signature => Code::RegistrySignatureInvalid,
        RegistryError::Rollback => Code::RegistryRollback,
    };
    check.add_failure(code, format!("{name}: {error}"));
}

/// Checks the registry of the bundle against its own root keys, because no version is pinned.
fn check_single_version(check: &mut ClaimCheck, bundled: Option<&SignedRegistry>) {
    check.add_not_checked("registry_versions");
    let Some(bundled) = bundled else { return };
    check.mark_present();
    check.add_checked("registry_signatures");
    if let Err(error) = bundled.check_root_signatures(&bundled.registry) {
        add_registry_failure(check, error, path::REGISTRY);
    }
}

/// Verifies the succession from the pinned version to the one in the bundle, and returns the newest
/// version reached.
fn verify_succession(
    check: &mut ClaimCheck,
    bundle: &Bundle,
    pinned: &SignedRegistry,
    bundled: &SignedRegistry,
) -> SignedRegistry {
    check.mark_present();
    check.add_checked("registry_signatures");
    check.add_checked("registry_versions");
    let (from, to) = (pinned.registry.version, bundled.registry.version);
    if to <= from {
        check_not_newer(check, pinned, bundled);
        return pinned.clone();
    }
    let name = path::registry_version(from);
    let contradicts = |history: SignedRegistry| history.digest() != pinned.digest();
    if bundle.files.get(&name).is_some()
        && read_registry(check, bundle, &name).is_some_and(contradicts)
    {
        check.add_failure(Code::RegistryRollback, format!("{name} is not the pinned version"));
    }
    let mut newest = pinned.clone();
    // The loop ends at the first missing version, so a false version number does not cause work.
    for version in from.saturating_add(1)..to {
        let name = path::registry_version(version);
        if bundle.files.get(&name).is_none() {
            check.add_failure(Code::RegistryHistoryMissing, format!("{name} is missing"));
            return newest;
        }
        let Some(next) = read_registry(check, bundle, &name) else { return newest };
        if let Err(error) = check_successor(&newest, &next) {
            add_registry_failure(check, error, &name);
            return newest;
        }
        newest = next;
    }
    match check_successor(&newest, bundled) {
        Ok(()) => bundled.clone(),
        Err(error) => {
            add_registry_failure(check, error, path::REGISTRY);
            newest
        }
    }
}

/// Checks a registry that is the pinned version or an older one.
fn check_not_newer(check: &mut ClaimCheck, pinned: &SignedRegistry, bundled: &SignedRegistry) {
    if let Err(error) = bundled.check_root_signatures(&bundled.registry) {
        add_registry_failure(check, error, path::REGISTRY);
    }
    let (old, new) = (&bundled.registry, &pinned.registry);
    let same_version = old.version == new.version;
    let is_predecessor = old.version.checked_add(1) == Some(new.version);
    let is_consistent = old.registry_id == new.registry_id
        && (!same_version || bundled.digest() == pinned.digest())
        && (!is_predecessor || new.prev_digest == Some(bundled.digest()));
    check.require(
        is_consistent,
        Code::RegistryRollback,
        "the registry does not follow from the pinned one",
    );
    if !same_version {
        check.add_note(Note::RegistryOlder);
    }
}
