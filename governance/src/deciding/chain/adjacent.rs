//! The decisions directly before and after a decision in its chain.

use crate::{access::permission, base::prelude::*};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub step: u32,
    pub decision_id: DecisionId,
}

/// The neighbours of a decision in its chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AdjacentSteps {
    /// The previous step; `None` for the first decision of a chain.
    pub before: Option<Step>,
    /// The next step; `None` for the last decision of a chain.
    pub after: Option<Step>,
}

// SQL: the table is joined with itself.
const SELECT_ADJACENT: &str = "SELECT adjacent.position < own.position, adjacent.step, adjacent.decision_id \
     FROM chain_links own \
     JOIN chain_links adjacent ON adjacent.tenant_id = $1 AND adjacent.chain_id = own.chain_id \
       AND adjacent.position IN (own.position - 1, own.position + 1) \
     WHERE own.tenant_id = $1 AND own.decision_id = $2";

/// Returns the neighbours of a decision in its chain. The result is empty if the decision is in no chain or
/// belongs to another tenant.
///
/// # Errors
/// `FORBIDDEN`.
pub async fn adjacent_steps(cx: &Cx, id: DecisionId) -> Result<AdjacentSteps> {
    let tenant = cx.tenant(permission::READ_DECISIONS)?;
    let tx = tenant.begin().await?;
    let rows = tx.all(SELECT_ADJACENT, [id.0.into()]).await?;
    tx.finish_read().await?;
    let mut adjacent = AdjacentSteps::default();
    for row in &rows {
        let step = Some(step(row)?);
        if row.try_get_by_index(0)? { adjacent.before = step } else { adjacent.after = step }
    }
    Ok(adjacent)
}

fn step(row: &QueryResult) -> Result<Step> {
    let decision_id = DecisionId(row.try_get_by_index(2)?);
    Ok(Step { step: unsigned(row.try_get_by_index(1)?), decision_id })
}
