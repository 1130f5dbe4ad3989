//! Claim 5: the registry of the bundle, and the walk from the pinned version to it.

use contract::time::Timestamp;
use receipt::{
    bundle::path,
    registry::{RegistryFault, SignedRegistry, may_follow},
};

use super::Claim;
use crate::{
    bundle::Bundle,
    check::Check,
    code::{Code, Note},
    ring::Ring,
    trust::Trust,
};

pub(crate) fn check<'a>(
    bundle: &Bundle,
    trust: &'a Trust,
    now: Option<Timestamp>,
) -> (Check, Ring<'a>) {
    let mut check = Check::new(Claim::TrustRoots);
    let in_bundle = read(&mut check, bundle, path::REGISTRY);
    let newest = match (&trust.registry, &in_bundle) {
        (Some(pinned), Some(offered)) => Some(walk(&mut check, bundle, pinned, offered)),
        (Some(pinned), None) => Some(pinned.clone()),
        (None, offered) => {
            alone(&mut check, offered.as_ref());
            None
        }
    };
    if !trust.is_pinned() {
        check.found(Code::Unpinned, "no key is pinned");
    } else if trust.registry.is_none() {
        check.note(Note::PinnedKeysOnly);
    }
    let newest = newest.map(|signed| signed.registry);
    match (now, &newest) {
        (Some(now), Some(registry)) => {
            check.checked("registry_freshness");
            if now > registry.expires_at {
                check.note(Note::RegistryStale);
            }
        }
        (None, Some(_)) => check.not_checked("registry_freshness"),
        (_, None) => {}
    }
    let in_bundle = in_bundle.map(|signed| signed.registry);
    (check, Ring { trust, newest, in_bundle })
}

fn read(check: &mut Check, bundle: &Bundle, name: &str) -> Option<SignedRegistry> {
    let value = match bundle.json(name) {
        Ok(value) => value,
        Err(code) => {
            check.found(code, format!("{name} cannot be read"));
            return None;
        }
    };
    match SignedRegistry::read(&value) {
        Ok(registry) => Some(registry),
        Err(fault) => {
            found(check, fault, name);
            None
        }
    }
}

fn found(check: &mut Check, fault: RegistryFault, name: &str) {
    let code = match fault {
        RegistryFault::Malformed => Code::RegistryMalformed,
        RegistryFault::Signature => Code::RegistrySignatureInvalid,
        RegistryFault::Rollback => Code::RegistryRollback,
    };
    check.found(code, format!("{name}: {fault}"));
}

/// Without a pinned registry the one in the bundle must at least be its own.
fn alone(check: &mut Check, offered: Option<&SignedRegistry>) {
    check.not_checked("registry_versions");
    let Some(offered) = offered else { return };
    check.holds();
    check.checked("registry_signatures");
    if let Err(fault) = offered.signed_by_roots(&offered.registry) {
        found(check, fault, path::REGISTRY);
    }
}

/// Walks from the pinned version to the one in the bundle, and returns the newest that was reached.
fn walk(
    check: &mut Check,
    bundle: &Bundle,
    pinned: &SignedRegistry,
    offered: &SignedRegistry,
) -> SignedRegistry {
    check.holds();
    check.checked("registry_signatures");
    check.checked("registry_versions");
    let (from, to) = (pinned.registry.version, offered.registry.version);
    if to <= from {
        not_newer(check, pinned, offered);
        return pinned.clone();
    }
    let name = path::registry_version(from);
    let contradicts = |history: SignedRegistry| history.digest() != pinned.digest();
    if bundle.files.get(&name).is_some() && read(check, bundle, &name).is_some_and(contradicts) {
        check.found(Code::RegistryRollback, format!("{name} is not the pinned version"));
    }
    let mut reached = pinned.clone();
    // Ends at the first version that is missing, so a claimed distance costs nothing.
    for version in from.saturating_add(1)..to {
        let name = path::registry_version(version);
        if bundle.files.get(&name).is_none() {
            check.found(Code::RegistryHistoryMissing, format!("{name} is missing"));
            return reached;
        }
        let Some(next) = read(check, bundle, &name) else { return reached };
        if let Err(fault) = may_follow(&reached, &next) {
            found(check, fault, &name);
            return reached;
        }
        reached = next;
    }
    match may_follow(&reached, offered) {
        Ok(()) => offered.clone(),
        Err(fault) => {
            found(check, fault, path::REGISTRY);
            reached
        }
    }
}

/// The registry of the bundle is the pinned version, or an older one.
fn not_newer(check: &mut Check, pinned: &SignedRegistry, offered: &SignedRegistry) {
    if let Err(fault) = offered.signed_by_roots(&offered.registry) {
        found(check, fault, path::REGISTRY);
    }
    let (old, new) = (&offered.registry, &pinned.registry);
    let same_version = old.version == new.version;
    let just_before = old.version.checked_add(1) == Some(new.version);
    let fits = old.registry_id == new.registry_id
        && (!same_version || offered.digest() == pinned.digest())
        && (!just_before || new.prev_digest == Some(offered.digest()));
    check.require(fits, Code::RegistryRollback, "the registry is not of the pinned line");
    if !same_version {
        check.note(Note::RegistryOlder);
    }
}
