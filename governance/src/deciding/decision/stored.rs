//! The rows of recorded decisions.

use contract::{
    decision::DecisionRecord,
    id::DecisionId,
    json::{Limits, Value},
};
use entity::decision as table;
use sea_orm::{ColumnTrait, QueryFilter, Select, SelectExt};

use crate::base::{
    error::{Error, ResourceKind, Result, not_found},
    tenancy::TenantTx,
};

/// Parses stored JSON.
pub(super) fn parse(text: &str) -> Result<Value> {
    Value::parse(text.as_bytes(), &Limits::BUNDLE_FILE)
        .map_err(|error| Error::bug(format!("stored bytes: {error:?}")))
}

/// Loads a decision.
///
/// # Errors
/// `NOT_FOUND`.
pub(crate) async fn by_id(tx: &TenantTx, id: DecisionId) -> Result<table::Model> {
    let row = find(tx, id).one(tx.connection()).await?;
    Ok(row.ok_or_else(|| not_found(ResourceKind::Decision))?)
}

fn find(tx: &TenantTx, id: DecisionId) -> Select<table::Entity> {
    tx.find::<table::Entity>().filter(table::Column::Id.eq(id.0))
}

/// Checks that the decision exists.
///
/// # Errors
/// `NOT_FOUND`.
pub(super) async fn exists(tx: &TenantTx, id: DecisionId) -> Result<()> {
    let exists = find(tx, id).exists(tx.connection()).await?;
    if exists { Ok(()) } else { Err(not_found(ResourceKind::Decision).into()) }
}

/// Parses a stored record.
pub(crate) fn record(text: &str) -> Result<DecisionRecord> {
    serde_json::from_str(text).map_err(|error| Error::Bug(error.into()))
}
