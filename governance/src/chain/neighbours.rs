//! What stands beside a decision in its chain.

use contract::id::DecisionId;
use entity::column::number;
use sea_orm::QueryResult;

use crate::{cx::Cx, error::Result, permission};

/// A decision in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of the step.
    pub step: u32,
    /// The decision.
    pub decision_id: DecisionId,
}

/// The decisions that were recorded in a chain right before and right after one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Neighbours {
    /// The one before; the first of a chain has none.
    pub before: Option<Step>,
    /// The one after; the last has none.
    pub after: Option<Step>,
}

// SQL: the table is joined with itself.
const BESIDE: &str = "SELECT beside.position < own.position, beside.step, beside.decision_id \
     FROM chain_links own \
     JOIN chain_links beside ON beside.tenant_id = $1 AND beside.chain_id = own.chain_id \
       AND beside.position IN (own.position - 1, own.position + 1) \
     WHERE own.tenant_id = $1 AND own.decision_id = $2";

/// What stands beside a decision in its chain; nothing outside of chains, and beside a decision that is
/// not the tenant's.
///
/// # Errors
/// `FORBIDDEN`.
pub async fn neighbours(cx: &Cx, id: DecisionId) -> Result<Neighbours> {
    let tenant = cx.tenant(permission::READ_DECISIONS)?;
    let tx = tenant.begin().await?;
    let rows = tx.all(BESIDE, [id.0.into()]).await?;
    tx.end().await?;
    let mut found = Neighbours::default();
    for row in &rows {
        let step = Some(step(row)?);
        if row.try_get_by_index(0)? { found.before = step } else { found.after = step }
    }
    Ok(found)
}

fn step(row: &QueryResult) -> Result<Step> {
    let decision_id = DecisionId(row.try_get_by_index(2)?);
    Ok(Step { step: number(row.try_get_by_index(1)?), decision_id })
}
