//! Issuing versions: the first one, a new service key, a revocation. Root keys come from outside, sign,
//! and are not kept.

use std::sync::Arc;

use contract::time::Timestamp;
use receipt::{
    key::{PayloadType, PublicKey, SigningKey},
    registry::{KeyStatus, RegistryKey, RegistryLog, SignedRegistry, Term, TrustRegistry},
};

use super::store;
use crate::{
    Governance,
    error::{Error, Result, trust as refuse},
    log::{self, TreeRecord},
    operator::tenant,
    signing::{KeySet, Purpose},
};

/// How long a freshly fetched version is current: a year.
const CURRENT_MS: i64 = 365 * 24 * 60 * 60 * 1_000;

/// New keys of the service.
#[derive(Debug)]
pub struct Rotation {
    /// The receipt key that is to be used from now on; absent: the one that the process has. The keys of
    /// the other purposes are those that the process has.
    pub to: Option<SigningKey>,
    /// Whether all other keys of the service are retired. Otherwise they stay active beside the new ones,
    /// until a rotation that retires them.
    pub retires: bool,
}

/// Other roots, or another number of them that must sign.
#[derive(Debug, Default)]
pub struct RootChange {
    /// Keys that become roots. They sign the version too.
    pub add: Vec<SigningKey>,
    /// The kids of roots that are roots no longer. What they signed stays good.
    pub retire: Vec<String>,
    /// How many roots must sign each version from the next one on; absent: as many as now.
    pub threshold: Option<u32>,
}

/// Keys that must not be believed any more.
#[derive(Clone, Debug)]
pub struct Revocation {
    /// Which ones.
    pub kids: Vec<String>,
    /// Why.
    pub reason: String,
    /// From when on others may have had them; absent: from now on.
    pub compromised_since: Option<Timestamp>,
}

/// Issues the first version: these roots, `threshold` of which must sign each version, and the keys
/// that the service signs with.
///
/// # Errors
/// `CONFLICT` when there is a registry, or no signing key; `VALIDATION_ERROR` for a threshold that
/// cannot be met.
pub async fn init(
    governance: &Governance,
    roots: &[SigningKey],
    threshold: u32,
) -> Result<Arc<SignedRegistry>> {
    if store::newest(governance).await?.is_some() {
        return Err(refuse::begun().into());
    }
    let keys = governance.keys().ok_or_else(refuse::unsigned)?;
    let now = governance.clock().now();
    let mut registry = TrustRegistry::first(governance.chance().id(), term(now), roots, threshold);
    // What was signed before there was a registry is to verify, too.
    let since = tenant::first_made(governance).await?.map_or(now, |first| first.min(now));
    admit(&mut registry, listed(keys), since);
    registry.logs = logs(governance).await?;
    let signed = registry.sign(roots).map_err(refuse::not_signed)?;
    store::insert(governance, signed).await
}

/// The registry; where there is none, it begins with one root. Of processes that do so at the same time
/// one begins, and the others take what it made.
///
/// # Errors
/// `CONFLICT` when there is no signing key; `SERVICE_UNAVAILABLE` when the store is away.
pub async fn begin(governance: &Governance, root: SigningKey) -> Result<Arc<SignedRegistry>> {
    if let Some(registry) = store::newest(governance).await? {
        return Ok(registry);
    }
    match init(governance, &[root], 1).await {
        Err(Error::Refused(refusal)) => {
            store::newest(governance).await?.ok_or(Error::Refused(refusal))
        }
        done => done,
    }
}

/// Issues the next version with the keys that the service has now, each of which may be new. Without a new
/// key the version renews how long the registry is current.
///
/// # Errors
/// `NOT_FOUND` without a registry; `CONFLICT` when too few roots are given, when a key was revoked, or
/// when somebody issues the same version.
pub async fn rotate(
    governance: &Governance,
    roots: &[SigningKey],
    rotation: Rotation,
) -> Result<Arc<SignedRegistry>> {
    let before = before(governance).await?;
    let now = governance.clock().now();
    let mut next = before.next(term(now));
    let own = governance.keys().ok_or_else(refuse::unsigned)?;
    let mut keys: Vec<Listed<'_>> = listed(own).collect();
    if let Some(to) = &rotation.to {
        let receipts = Purpose::Receipt.payload_types();
        keys.retain(|(_, kinds)| *kinds != receipts);
        keys.insert(0, (to.public(), receipts));
    }
    let kept: Vec<&str> = keys.iter().map(|(key, _)| key.kid()).collect();
    admit(&mut next, keys.iter().copied(), now);
    for kid in &kept {
        if next.key(kid).is_some_and(|key| key.status != KeyStatus::Active) {
            return Err(refuse::ended(kid).into());
        }
    }
    if rotation.retires {
        let others: Vec<String> = service_keys(&next)
            .filter(|key| key.status == KeyStatus::Active && !kept.contains(&key.kid()))
            .map(|key| key.kid().to_owned())
            .collect();
        for kid in others {
            next.retire(&kid, now).map_err(|why| refuse::key_unchanged(&kid, why))?;
        }
    }
    follow(governance, &before, next, roots).await
}

/// Issues the next version with other roots. Enough of `roots` and of those that are added must sign for
/// the version before and for this one: whoever believes the one can then walk to the other.
///
/// # Errors
/// `NOT_FOUND` without a registry, or for a key that it does not have; `CONFLICT` when too few roots are
/// given, when a key cannot become or cease to be one, or when somebody issues the same version;
/// `VALIDATION_ERROR` for a threshold that the roots cannot meet.
pub async fn change_roots(
    governance: &Governance,
    mut roots: Vec<SigningKey>,
    change: RootChange,
) -> Result<Arc<SignedRegistry>> {
    let before = before(governance).await?;
    let now = governance.clock().now();
    let mut next = before.next(term(now));
    for key in &change.add {
        let admitted = next.admit_root(key.public(), now);
        admitted.map_err(|why| refuse::key_unchanged(key.kid(), why))?;
    }
    for kid in &change.retire {
        next.retire_root(kid, now).map_err(|why| refuse::key_unchanged(kid, why))?;
    }
    if let Some(threshold) = change.threshold {
        next.root_threshold = threshold;
    }
    roots.extend(change.add);
    follow(governance, &before, next, &roots).await
}

/// Issues the next version with these keys revoked, for good.
///
/// # Errors
/// As [`rotate`]; `NOT_FOUND` for a key that it does not have; `VALIDATION_ERROR` for a time to come.
pub async fn revoke(
    governance: &Governance,
    roots: &[SigningKey],
    revocation: &Revocation,
) -> Result<Arc<SignedRegistry>> {
    let before = before(governance).await?;
    let now = governance.clock().now();
    let since = revocation.compromised_since;
    if since.is_some_and(|since| since > now) {
        return Err(refuse::compromised_in_future().into());
    }
    let mut next = before.next(term(now));
    for kid in &revocation.kids {
        let revoked = next.revoke(kid, now, Some(revocation.reason.clone()), since);
        revoked.map_err(|why| refuse::key_unchanged(kid, why))?;
    }
    follow(governance, &before, next, roots).await
}

async fn before(governance: &Governance) -> Result<Arc<SignedRegistry>> {
    let before = store::newest(governance).await?.ok_or_else(refuse::not_begun)?;
    // What this process has seen may be gone from a store that was put back.
    let version = before.registry.version;
    let stored = store::envelope(governance, version).await?;
    stored.ok_or_else(|| Error::bug(format!("the store has lost version {version}")))?;
    Ok(before)
}

async fn follow(
    governance: &Governance,
    before: &SignedRegistry,
    mut next: TrustRegistry,
    roots: &[SigningKey],
) -> Result<Arc<SignedRegistry>> {
    for log in logs(governance).await? {
        next.logs.retain(|listed| listed.vkey != log.vkey);
        next.logs.push(log);
    }
    let signed = before.followed_by(&next, roots).map_err(refuse::not_signed)?;
    store::insert(governance, signed).await
}

/// The trees of the log, to be listed in the next version: those that were frozen with the last
/// checkpoint that they will ever have. Who runs one is what its origin begins with.
async fn logs(governance: &Governance) -> Result<Vec<RegistryLog>> {
    let listed = |tree: TreeRecord| {
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
    log::trees(governance).await?.into_iter().map(listed).collect()
}

fn term(now: Timestamp) -> Term {
    Term { issued_at: now, expires_at: now.plus_millis(CURRENT_MS) }
}

/// A key of the service, and the statements that it signs.
type Listed<'a> = (&'a PublicKey, &'static [PayloadType]);

/// The keys that a process signs statements with.
fn listed(keys: &KeySet) -> impl Iterator<Item = Listed<'_>> {
    keys.all().map(|(key, payload_types)| (key.public(), payload_types))
}

/// Lists keys of the service, each with what it signs.
fn admit<'a>(
    registry: &mut TrustRegistry,
    keys: impl Iterator<Item = Listed<'a>>,
    valid_from: Timestamp,
) {
    for (key, payload_types) in keys {
        registry.admit(RegistryKey {
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

/// The keys of a registry that are no roots of it.
pub(super) fn service_keys(registry: &TrustRegistry) -> impl Iterator<Item = &RegistryKey> {
    let root = PayloadType::TrustRegistry.purpose();
    registry.keys.iter().filter(move |key| !key.has_purpose(root))
}
