//! Versions of the registry as they are stored, and the newest one at hand.

use std::sync::{Arc, PoisonError, RwLock};

use contract::json::{Limits, Value};
use entity::{
    column::number,
    trust_registry::{self as table, Column},
};
use receipt::registry::{SignedRegistry, may_follow};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect,
};

use crate::{
    Governance,
    database::untenanted,
    error::{Error, Result, constraint, trust as refuse},
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

/// The same, asked on a connection that is at hand.
pub(crate) async fn newest_by(
    governance: &Governance,
    connection: &impl ConnectionTrait,
) -> Result<Option<Arc<SignedRegistry>>> {
    let registries = governance.registries();
    let seen = registries.seen();
    let at = seen.as_ref().map_or(0, |seen| seen.registry.version);
    let newest = untenanted::<table::Entity>()
        .select_only()
        .column(Column::Version)
        .filter(Column::Version.gte(column(at)?))
        .order_by_desc(Column::Version);
    let newest = newest.into_tuple::<i32>().one(connection).await?;
    match newest.map(number) {
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

/// The versions above `version`, oldest first, as they are stored.
async fn above(connection: &impl ConnectionTrait, version: u32) -> Result<Vec<SignedRegistry>> {
    let above = untenanted::<table::Entity>().filter(Column::Version.gt(column(version)?));
    let rows = above.order_by_asc(Column::Version).all(connection).await?;
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

/// One version, if there is one, byte for byte.
pub(super) async fn envelope(governance: &Governance, version: u32) -> Result<Option<String>> {
    let Ok(version) = i32::try_from(version) else { return Ok(None) };
    let row = untenanted::<table::Entity>().filter(Column::Version.eq(version));
    Ok(row.one(governance.database()).await?.map(|row| row.envelope))
}

/// The versions before `version`, oldest first, byte for byte.
pub(crate) async fn versions_before(
    governance: &Governance,
    version: u32,
) -> Result<Vec<(u32, String)>> {
    let before = untenanted::<table::Entity>().filter(Column::Version.lt(column(version)?));
    let rows = before.order_by_asc(Column::Version).all(governance.database()).await?;
    Ok(rows.into_iter().map(|row| (number(row.version), row.envelope)).collect())
}

/// Stores a version that was signed.
///
/// # Errors
/// `CONFLICT` when somebody has issued a version of this number meanwhile.
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
    insert.await.map_err(|error| match constraint(&error) {
        Some("trust_registries_pkey") => refuse::issued_meanwhile(signed.registry.version).into(),
        _ => Error::from(error),
    })?;
    let signed = Arc::new(signed);
    governance.registries().see(&signed);
    Ok(signed)
}

fn read(row: &table::Model) -> Result<SignedRegistry> {
    let value = Value::parse(row.envelope.as_bytes(), &Limits::BUNDLE_MEMBER)
        .map_err(|fault| Error::bug(format!("a stored trust registry: {fault:?}")))?;
    SignedRegistry::read(&value).map_err(|error| Error::Bug(error.into()))
}

fn column(version: u32) -> Result<i32> {
    i32::try_from(version).map_err(|error| Error::Bug(error.into()))
}
