//! The rows of recorded decisions.

use contract::{decision::DecisionRecord, id::DecisionId};
use entity::decision as table;
use sea_orm::SelectExt;

use crate::base::{
    error::{Error, ResourceKind, Result, not_found},
    tenancy::TenantTx,
};

/// Loads a decision.
///
/// # Errors
/// `NOT_FOUND`.
pub(crate) async fn by_id(tx: &TenantTx, id: DecisionId) -> Result<table::Model> {
    let row = tx.find_by_id::<table::Entity>(id).one(tx.connection()).await?;
    Ok(row.ok_or_else(|| not_found(ResourceKind::Decision))?)
}

/// Checks that the decision exists.
///
/// # Errors
/// `NOT_FOUND`.
pub(super) async fn exists(tx: &TenantTx, id: DecisionId) -> Result<()> {
    let exists = tx.find_by_id::<table::Entity>(id).exists(tx.connection()).await?;
    if exists { Ok(()) } else { Err(not_found(ResourceKind::Decision).into()) }
}

pub(crate) fn record(text: &str) -> Result<DecisionRecord> {
    serde_json::from_str(text).map_err(|error| Error::Bug(error.into()))
}
