//! Outcomes: write-once records of what happened after a decision.

use contract::outcome::{DecisionOutcome, OutcomeRequest};
use entity::{decision, outcome as table};

use crate::{
    access::permission,
    base::{error::outcome_exists, prelude::*},
};

/// Records the outcome of a decision. A decision has at most one outcome, which cannot be changed.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` if the decision already has an outcome.
pub async fn record(cx: &Cx, id: DecisionId, request: OutcomeRequest) -> Result<DecisionOutcome> {
    let tx = cx.tenant(permission::RECORD_OUTCOME)?.begin().await?;
    let sequence = sequence(&tx, id).await?;
    let outcome = DecisionOutcome {
        decision_id: id,
        status: request.status,
        note: request.note,
        reference_id: request.reference_id,
        actor: request.actor,
        occurred_at: request.occurred_at,
        recorded_at: cx.now,
        recorded_by: cx.caller.principal().ok_or_else(unauthorized)?,
    };
    let text = serde_json::to_string(&outcome)?;
    let row = table::ActiveModel {
        tenant_id: Set(tx.tenant_id().0),
        decision_id: Set(id.0),
        sequence: Set(sequence),
        status: Set(TextEnum(outcome.status)),
        recorded_at: Set(to_column(cx.now)),
        record: Set(text),
    };
    let inserted = table::Entity::insert(row).exec_without_returning(tx.connection()).await;
    inserted.map_err(|error| map_violation(error, &["outcomes_pkey"], outcome_exists))?;
    let event =
        Event::new("decision.outcome", "decision", id).with("status", outcome.status.as_str());
    tx.commit(cx, event).await?;
    Ok(outcome)
}

/// Returns the sequence number of a decision.
async fn sequence(tx: &TenantTx, id: DecisionId) -> Result<i64> {
    let row =
        tx.find_by_id::<decision::Entity>(id).select_only().column(decision::Column::Sequence);
    let sequence = row.into_tuple::<i64>().one(tx.connection()).await?;
    Ok(sequence.or_not_found(ResourceKind::Decision)?)
}

pub(super) fn to_wire(row: &table::Model) -> Result<DecisionOutcome> {
    Ok(serde_json::from_str(&row.record)?)
}
