//! The rows of recorded decisions.

use contract::decision::DecisionRecord;
use entity::decision as table;

use crate::base::prelude::*;

/// Loads a decision.
pub(crate) async fn by_id(tx: &TenantTx, id: DecisionId) -> Result<table::Model> {
    tx.get::<table::Entity>(id, ResourceKind::Decision).await
}

/// Returns the sequence number of a decision.
pub(super) async fn sequence(tx: &TenantTx, id: DecisionId) -> Result<i64> {
    let row = tx.find_by_id::<table::Entity>(id).select_only().column(table::Column::Sequence);
    let sequence = row.into_tuple::<i64>().one(tx.connection()).await?;
    Ok(sequence.or_not_found(ResourceKind::Decision)?)
}

pub(crate) fn record(text: &str) -> Result<DecisionRecord> {
    Ok(serde_json::from_str(text)?)
}
