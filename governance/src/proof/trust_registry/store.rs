//! The stored versions of the registry, and a cache of the newest one.

use entity::trust_registry::{self as table, Column};
use parking_lot::RwLock;
use receipt::trust_registry::{SignedRegistry, check_successor};

use crate::base::{error::trust as refuse, prelude::*};

/// The newest version that this process has verified. A newer version is accepted only after its succession
/// was verified, so forged versions in the database are refused.
#[derive(Debug, Default)]
pub(crate) struct RegistryCache(RwLock<Option<Arc<SignedRegistry>>>);

impl RegistryCache {
    /// Returns the newest version verified so far.
    pub(crate) fn cached(&self) -> Option<Arc<SignedRegistry>> {
        self.0.read().clone()
    }

    fn update(&self, registry: &Arc<SignedRegistry>) {
        let mut cached = self.0.write();
        let is_newer = cached
            .as_ref()
            .is_none_or(|cached| cached.registry.version < registry.registry.version);
        if is_newer {
            *cached = Some(Arc::clone(registry));
        }
    }
}

/// Returns the newest version; `None` if the registry does not exist.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` if the database is unavailable.
pub async fn newest(governance: &Governance) -> Result<Option<Arc<SignedRegistry>>> {
    newest_by(governance, governance.database()).await
}

/// Like [`newest`], with an existing connection.
pub(crate) async fn newest_by(
    governance: &Governance,
    connection: &impl ConnectionTrait,
) -> Result<Option<Arc<SignedRegistry>>> {
    let registries = &governance.proof().registries;
    let cached = registries.cached();
    let cached_version = cached.as_ref().map_or(0, |cached| cached.registry.version);
    let newest = untenanted::<table::Entity>()
        .select_only()
        .column(Column::Version)
        .filter(Column::Version.gte(column(cached_version)?))
        .order_by_desc(Column::Version);
    let newest = newest.into_tuple::<i32>().one(connection).await?;
    match newest.map(unsigned) {
        // The database snapshot of a transaction may be older than the cached version.
        None => Ok(cached),
        Some(version) if version == cached_version => Ok(cached),
        Some(_) => {
            let registry =
                verify_succession(cached, newer_than(connection, cached_version).await?)?;
            registries.update(&registry);
            Ok(Some(registry))
        }
    }
}

/// Loads the versions after `version`, oldest first.
async fn newer_than(
    connection: &impl ConnectionTrait,
    version: u32,
) -> Result<Vec<SignedRegistry>> {
    let newer = untenanted::<table::Entity>().filter(Column::Version.gt(column(version)?));
    let rows = newer.order_by_asc(Column::Version).all(connection).await?;
    rows.iter().map(from_row).collect()
}

/// Verifies the succession from the cached version, or from the first one, to the last of `versions`.
fn verify_succession(
    cached: Option<Arc<SignedRegistry>>,
    versions: Vec<SignedRegistry>,
) -> Result<Arc<SignedRegistry>> {
    let to_bug = |error| Error::bug(format!("the stored trust registry: {error}"));
    let mut latest = cached;
    for next in versions {
        match &latest {
            Some(previous) => check_successor(previous, &next),
            None if next.registry.version == 1 => next.check_root_signatures(&next.registry),
            None => return Err(Error::bug("the stored trust registry lacks its first version")),
        }
        .map_err(to_bug)?;
        latest = Some(Arc::new(next));
    }
    latest.or_bug("the newest version of the trust registry is missing")
}

/// Loads the stored envelope of a version, if it exists.
pub(super) async fn envelope(governance: &Governance, version: u32) -> Result<Option<String>> {
    let Ok(version) = i32::try_from(version) else { return Ok(None) };
    let row = untenanted::<table::Entity>().filter(Column::Version.eq(version));
    Ok(row.one(governance.database()).await?.map(|row| row.envelope))
}

/// Loads the stored envelopes of the versions before `version`, oldest first.
pub(crate) async fn versions_before(
    governance: &Governance,
    version: u32,
) -> Result<Vec<(u32, String)>> {
    let before = untenanted::<table::Entity>().filter(Column::Version.lt(column(version)?));
    let rows = before.order_by_asc(Column::Version).all(governance.database()).await?;
    Ok(rows.into_iter().map(|row| (unsigned(row.version), row.envelope)).collect())
}

/// Stores a signed version.
///
/// # Errors
/// `CONFLICT` if the version was issued concurrently.
pub(super) async fn insert(
    governance: &Governance,
    signed: SignedRegistry,
) -> Result<Arc<SignedRegistry>> {
    let row = table::ActiveModel {
        version: Set(column(signed.registry.version)?),
        envelope: Set(signed.envelope.to_value().to_canonical()),
        digest: Set(signed.digest().to_string()),
    };
    let insert = table::Entity::insert(row).exec_without_returning(governance.database());
    insert.await.map_err(|error| {
        map_violation(error, &["trust_registries_pkey"], || {
            refuse::issued_concurrently(signed.registry.version)
        })
    })?;
    let signed = Arc::new(signed);
    governance.proof().registries.update(&signed);
    Ok(signed)
}

fn from_row(row: &table::Model) -> Result<SignedRegistry> {
    let value = parse_stored("a stored trust registry", &row.envelope)?;
    SignedRegistry::read(&value).map_err(Error::internal)
}

fn column(version: u32) -> Result<i32> {
    Ok(i32::try_from(version)?)
}
