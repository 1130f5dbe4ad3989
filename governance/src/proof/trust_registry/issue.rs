//! Issues versions: the first one, a rotation, a change of roots, a revocation. Root keys are passed as
//! arguments and not stored.

use receipt::{
    key::{PayloadType, PublicKey, SigningKey},
    trust_registry::{
        KeyStatus, RegistryKey, RegistryLog, SignedRegistry, TrustRegistry, ValidityPeriod,
    },
};

use super::store;
use crate::{
    access::operator::tenant,
    base::{error::trust as refuse, prelude::*},
    proof::{
        signing::{KeySet, Purpose},
        transparency_log::{self, TreeInfo},
    },
};

/// The validity of a new version in milliseconds: one year.
const VALIDITY_MS: i64 = 365 * 24 * 60 * 60 * 1_000;

/// A rotation to new service keys.
#[derive(Debug)]
pub struct Rotation {
    /// The new receipt key; `None` for the one of the process. The keys of other purposes are always those
    /// of the process.
    pub to: Option<SigningKey>,
    /// Whether all other service keys are retired. Otherwise they remain active until a rotation retires
    /// them.
    pub retires: bool,
}

/// A change of the root keys or of the threshold.
#[derive(Debug, Default)]
pub struct RootChange {
    /// The keys that become roots. They sign the version too.
    pub add: Vec<SigningKey>,
    /// The key IDs of roots to retire. Their previous signatures remain valid.
    pub retire: Vec<String>,
    /// The number of roots that must sign each version from the next one on; `None` to keep the current
    /// number.
    pub threshold: Option<u32>,
}

#[derive(Clone, Debug)]
pub struct Revocation {
    pub kids: Vec<String>,
    pub reason: String,
    /// The time since which the keys may be compromised; `None` for now.
    pub compromised_since: Option<Timestamp>,
}

/// Issues the first version with these roots, `threshold` of which must sign each version, and the signing
/// keys of the service.
///
/// # Errors
/// `CONFLICT` if a registry exists or no signing key is configured; `VALIDATION_ERROR` for a threshold that
/// cannot be met.
pub async fn init(
    governance: &Governance,
    roots: &[SigningKey],
    threshold: u32,
) -> Result<Arc<SignedRegistry>> {
    if store::newest(governance).await?.is_some() {
        return Err(refuse::registry_exists().into());
    }
    let keys = governance.keys().ok_or_else(refuse::unsigned)?;
    let now = governance.clock().now();
    let mut registry =
        TrustRegistry::first(governance.entropy().id(), validity_period(now), roots, threshold);
    // Signatures from before the registry existed must be verifiable too.
    let since = tenant::first_tenant(governance).await?.map_or(now, |first| first.min(now));
    add_service_keys(&mut registry, listed_keys(keys), since);
    registry.logs = frozen_logs(governance).await?;
    let signed = registry.sign(roots).map_err(refuse::not_signed)?;
    store::insert(governance, signed).await
}

/// Returns the registry. If there is none, creates it with one root. If several processes create it
/// concurrently, all of them return the same one.
///
/// # Errors
/// `CONFLICT` if no signing key is configured; `SERVICE_UNAVAILABLE` if the database is unavailable.
pub async fn init_or_load(
    governance: &Governance,
    root: SigningKey,
) -> Result<Arc<SignedRegistry>> {
    if let Some(registry) = store::newest(governance).await? {
        return Ok(registry);
    }
    match init(governance, &[root], 1).await {
        Err(Error::Refused(refusal)) => {
            store::newest(governance).await?.ok_or(Error::Refused(refusal))
        }
        result => result,
    }
}

/// Issues the next version with the current keys of the service, each of which may be new. Without a new
/// key, the version only extends the validity of the registry.
///
/// # Errors
/// `NOT_FOUND` without a registry; `CONFLICT` if too few roots sign, if a key was revoked, or if the
/// version was issued concurrently.
pub async fn rotate(
    governance: &Governance,
    roots: &[SigningKey],
    rotation: Rotation,
) -> Result<Arc<SignedRegistry>> {
    let current = current_registry(governance).await?;
    let now = governance.clock().now();
    let mut next = current.next(validity_period(now));
    let own = governance.keys().ok_or_else(refuse::unsigned)?;
    let mut keys: Vec<ListedKey<'_>> = listed_keys(own).collect();
    if let Some(to) = &rotation.to {
        let receipts = Purpose::Receipt.payload_types();
        keys.retain(|(_, kinds)| *kinds != receipts);
        keys.insert(0, (to.public(), receipts));
    }
    let current_kids: Vec<&str> = keys.iter().map(|(key, _)| key.kid()).collect();
    add_service_keys(&mut next, keys.iter().copied(), now);
    for kid in &current_kids {
        if next.key(kid).is_some_and(|key| key.status != KeyStatus::Active) {
            return Err(refuse::key_inactive(kid).into());
        }
    }
    if rotation.retires {
        let others: Vec<String> = service_keys(&next)
            .filter(|key| key.status == KeyStatus::Active && !current_kids.contains(&key.kid()))
            .map(|key| key.kid().to_owned())
            .collect();
        for kid in others {
            next.retire(&kid, now).map_err(|reason| refuse::key_unchanged(&kid, reason))?;
        }
    }
    issue_successor(governance, &current, next, roots).await
}

/// Issues the next version with other roots. Enough of `roots` and of the added keys must sign for the
/// previous version and for this one, so that a verifier that trusts the previous version can verify this
/// one.
///
/// # Errors
/// `NOT_FOUND` without a registry, or for a key that it does not contain; `CONFLICT` if too few roots sign,
/// if a key cannot be added or retired as a root, or if the version was issued concurrently;
/// `VALIDATION_ERROR` for a threshold that the roots cannot meet.
pub async fn change_roots(
    governance: &Governance,
    mut roots: Vec<SigningKey>,
    change: RootChange,
) -> Result<Arc<SignedRegistry>> {
    let current = current_registry(governance).await?;
    let now = governance.clock().now();
    let mut next = current.next(validity_period(now));
    for key in &change.add {
        let result = next.add_root(key.public(), now);
        result.map_err(|reason| refuse::key_unchanged(key.kid(), reason))?;
    }
    for kid in &change.retire {
        next.retire_root(kid, now).map_err(|reason| refuse::key_unchanged(kid, reason))?;
    }
    if let Some(threshold) = change.threshold {
        next.root_threshold = threshold;
    }
    roots.extend(change.add);
    issue_successor(governance, &current, next, &roots).await
}

/// Issues the next version with these keys permanently revoked.
///
/// # Errors
/// As [`rotate`]; `NOT_FOUND` for a key that the registry does not contain; `VALIDATION_ERROR` for a time
/// in the future.
pub async fn revoke(
    governance: &Governance,
    roots: &[SigningKey],
    revocation: &Revocation,
) -> Result<Arc<SignedRegistry>> {
    let current = current_registry(governance).await?;
    let now = governance.clock().now();
    let since = revocation.compromised_since;
    if since.is_some_and(|since| since > now) {
        return Err(refuse::compromised_at_in_future().into());
    }
    let mut next = current.next(validity_period(now));
    for kid in &revocation.kids {
        let result = next.revoke(kid, now, Some(revocation.reason.clone()), since);
        result.map_err(|reason| refuse::key_unchanged(kid, reason))?;
    }
    issue_successor(governance, &current, next, roots).await
}

async fn current_registry(governance: &Governance) -> Result<Arc<SignedRegistry>> {
    let current = store::newest(governance).await?.ok_or_else(refuse::registry_missing)?;
    // A version that this process has cached may be missing in a database that was restored from a backup.
    let version = current.registry.version;
    let stored = store::envelope(governance, version).await?;
    stored.ok_or_else(|| Error::bug(format!("version {version} is missing in the database")))?;
    Ok(current)
}

async fn issue_successor(
    governance: &Governance,
    current: &SignedRegistry,
    mut next: TrustRegistry,
    roots: &[SigningKey],
) -> Result<Arc<SignedRegistry>> {
    for log in frozen_logs(governance).await? {
        next.logs.retain(|listed| listed.vkey != log.vkey);
        next.logs.push(log);
    }
    let signed = current.sign_successor(&next, roots).map_err(refuse::not_signed)?;
    store::insert(governance, signed).await
}

/// Returns the trees of the log to list in the next version, frozen trees with their final checkpoint. The
/// operator of a tree is the first part of its origin.
async fn frozen_logs(governance: &Governance) -> Result<Vec<RegistryLog>> {
    let listed = |tree: TreeInfo| {
        let vkey = tree.vkey.parse().map_err(|_| Error::bug("a tree without its key"))?;
        let is_frozen = tree.frozen_at.is_some();
        Ok(RegistryLog {
            vkey,
            operator: tree.origin.split('/').next().unwrap_or_default().to_owned(),
            url: None,
            valid_from: tree.began_at,
            valid_until: tree.frozen_at,
            final_checkpoint: is_frozen.then_some(tree.checkpoint),
        })
    };
    transparency_log::trees(governance).await?.into_iter().map(listed).collect()
}

fn validity_period(now: Timestamp) -> ValidityPeriod {
    ValidityPeriod { issued_at: now, expires_at: now.plus_millis(VALIDITY_MS) }
}

/// A service key and the statement types that it signs.
type ListedKey<'a> = (&'a PublicKey, &'static [PayloadType]);

/// Returns the keys that a process signs statements with.
fn listed_keys(keys: &KeySet) -> impl Iterator<Item = ListedKey<'_>> {
    keys.all().map(|(key, payload_types)| (key.public(), payload_types))
}

fn add_service_keys<'a>(
    registry: &mut TrustRegistry,
    keys: impl Iterator<Item = ListedKey<'a>>,
    valid_from: Timestamp,
) {
    for (key, payload_types) in keys {
        registry.add_key(RegistryKey {
            key: key.clone(),
            purposes: payload_types.iter().map(|kind| kind.purpose().to_owned()).collect(),
            tenant_ids: None,
            legacy_kids: Vec::new(),
            status: KeyStatus::Active,
            valid_from,
            valid_until: None,
        });
    }
}

/// Returns the keys of a registry that are not roots.
pub(super) fn service_keys(registry: &TrustRegistry) -> impl Iterator<Item = &RegistryKey> {
    let root = PayloadType::TrustRegistry.purpose();
    registry.keys.iter().filter(move |key| !key.has_purpose(root))
}
