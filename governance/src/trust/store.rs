//! Versions of the registry as they are stored, and the newest one at hand.

use std::sync::{Arc, PoisonError, RwLock};

use contract::json::{Limits, Value};
use receipt::registry::{SignedRegistry, may_follow};
use sea_orm::{ConnectionTrait, QueryResult};

use crate::{
    Governance,
    error::{Error, Result, constraint, trust as refuse},
    tenancy::statement,
};

/// The newest version that this process has seen. It goes on from there only by the rules, so what
/// somebody puts into the store past them is never believed.
#[derive(Debug, Default)]
pub(crate) struct Registries(RwLock<Option<Arc<SignedRegistry>>>);

impl Registries {
    /// The newest version seen so far.
    pub(crate) fn seen(&self) -> Option<Arc<SignedRegistry>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn see(&self, registry: &Arc<SignedRegistry>) {
        let mut seen = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let is_newer =
            seen.as_ref().is_none_or(|seen| seen.registry.version < registry.registry.version);
        if is_newer {
            *seen = Some(Arc::clone(registry));
        }
    }
}

/// The newest version; none while the registry has not begun.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away.
pub async fn newest(governance: &Governance) -> Result<Option<Arc<SignedRegistry>>> {
    newest_by(governance, governance.database()).await
}

const NEWEST: &str = "SELECT max(version) FROM trust_registries WHERE $1 <= version";

/// The same, asked on a connection that is at hand.
pub(crate) async fn newest_by(
    governance: &Governance,
    connection: &impl ConnectionTrait,
) -> Result<Option<Arc<SignedRegistry>>> {
    let registries = governance.registries();
    let seen = registries.seen();
    let at = seen.as_ref().map_or(0, |seen| seen.registry.version);
    let row = connection.query_one_raw(statement(NEWEST, [column(at)?.into()])).await?;
    let row = row.ok_or_else(|| Error::bug("a count without its row"))?;
    let newest: Option<i32> = row.try_get_by_index(0)?;
    match newest.map(entity::column::number) {
        // A transaction may see a moment before the version that this process has seen.
        None => Ok(seen),
        Some(version) if version == at => Ok(seen),
        Some(_) => {
            let reached = walk(seen, above(connection, at).await?)?;
            registries.see(&reached);
            Ok(Some(reached))
        }
    }
}

const ABOVE: &str = "SELECT envelope FROM trust_registries WHERE version > $1 ORDER BY version";

/// The versions above `version`, oldest first, as they are stored.
async fn above(connection: &impl ConnectionTrait, version: u32) -> Result<Vec<SignedRegistry>> {
    let rows = connection.query_all_raw(statement(ABOVE, [column(version)?.into()])).await?;
    rows.iter().map(read).collect()
}

/// Walks from the version that was seen, or from the first, to the last of `versions`.
fn walk(
    seen: Option<Arc<SignedRegistry>>,
    versions: Vec<SignedRegistry>,
) -> Result<Arc<SignedRegistry>> {
    let broken = |fault| Error::bug(format!("the stored trust registry: {fault}"));
    let mut reached = seen;
    for next in versions {
        match &reached {
            Some(before) => may_follow(before, &next),
            None if next.registry.version == 1 => next.signed_by_roots(&next.registry),
            None => return Err(Error::bug("the stored trust registry lacks its first version")),
        }
        .map_err(broken)?;
        reached = Some(Arc::new(next));
    }
    reached.ok_or_else(|| Error::bug("the newest version of the trust registry is gone"))
}

const VERSION: &str = "SELECT envelope FROM trust_registries WHERE version = $1";

/// One version, if there is one, byte for byte.
pub(super) async fn envelope(governance: &Governance, version: u32) -> Result<Option<String>> {
    let Ok(version) = i32::try_from(version) else { return Ok(None) };
    let row = governance.database().query_one_raw(statement(VERSION, [version.into()])).await?;
    Ok(row.map(|row| row.try_get_by_index(0)).transpose()?)
}

const BEFORE: &str = "SELECT version, envelope FROM trust_registries WHERE version < $1 \
                      ORDER BY version";

/// The versions before `version`, oldest first, byte for byte.
pub(crate) async fn versions_before(
    governance: &Governance,
    version: u32,
) -> Result<Vec<(u32, String)>> {
    let before = statement(BEFORE, [column(version)?.into()]);
    let rows = governance.database().query_all_raw(before).await?;
    let pair = |row: &QueryResult| {
        Ok((entity::column::number(row.try_get_by_index(0)?), row.try_get_by_index(1)?))
    };
    rows.iter().map(pair).collect()
}

const INSERT: &str = "INSERT INTO trust_registries (version, envelope, digest) VALUES ($1, $2, $3)";

/// Stores a version that was signed.
///
/// # Errors
/// `CONFLICT` when somebody has issued a version of this number meanwhile.
pub(super) async fn insert(
    governance: &Governance,
    signed: SignedRegistry,
) -> Result<Arc<SignedRegistry>> {
    let row = [
        column(signed.registry.version)?.into(),
        signed.envelope.to_value().to_canonical().into(),
        signed.digest().to_string().into(),
    ];
    let inserted = governance.database().execute_raw(statement(INSERT, row)).await;
    inserted.map_err(|error| match constraint(&error) {
        Some("trust_registries_pkey") => refuse::issued_meanwhile(signed.registry.version).into(),
        _ => Error::from(error),
    })?;
    let signed = Arc::new(signed);
    governance.registries().see(&signed);
    Ok(signed)
}

fn read(row: &QueryResult) -> Result<SignedRegistry> {
    let text: String = row.try_get_by_index(0)?;
    let value = Value::parse(text.as_bytes(), &Limits::BUNDLE_MEMBER)
        .map_err(|fault| Error::bug(format!("a stored trust registry: {fault:?}")))?;
    SignedRegistry::read(&value).map_err(|error| Error::Bug(error.into()))
}

fn column(version: u32) -> Result<i32> {
    i32::try_from(version).map_err(|error| Error::Bug(error.into()))
}
