//! Outcomes: what happened after a decision, told once.

use contract::{
    id::DecisionId,
    outcome::{DecisionOutcome, OutcomeRequest},
};
use entity::outcome as table;
use sea_orm::{ColumnTrait, QueryFilter};

use crate::{
    audit::Event,
    cx::Cx,
    decision::read,
    error::{Error, Result, constraint, outcome_known, unauthorized},
    permission,
    tenancy::{TenantTx, instant},
};

const INSERT: &str = "INSERT INTO outcomes (tenant_id, decision_id, status, recorded_at, record) \
                      VALUES ($1, $2, $3, $4, $5)";

/// Records what happened after a decision. There is one outcome at the most, and it never changes.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` when there is an outcome.
pub async fn record(cx: &Cx, id: DecisionId, request: OutcomeRequest) -> Result<DecisionOutcome> {
    let tx = cx.tenant(permission::RECORD_OUTCOME)?.begin().await?;
    read::exists(&tx, id).await?;
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
    let text = serde_json::to_string(&outcome).map_err(|error| Error::Bug(error.into()))?;
    let row = [id.0.into(), outcome.status.as_str().into(), instant(cx.now), text.into()];
    tx.execute(INSERT, row).await.map_err(|error| match constraint(&error) {
        Some("outcomes_pkey") => outcome_known().into(),
        _ => Error::from(error),
    })?;
    let event =
        Event::new("decision.outcome", "decision", id).with("status", outcome.status.as_str());
    tx.commit(cx, event).await?;
    Ok(outcome)
}

/// The outcome of a decision, if it has one.
pub(crate) async fn of(tx: &TenantTx, id: DecisionId) -> Result<Option<DecisionOutcome>> {
    let rows = tx.find::<table::Entity>().filter(table::Column::DecisionId.eq(id.0));
    let row = rows.one(tx.connection()).await?;
    row.map(|row| serde_json::from_str(&row.record).map_err(|error| Error::Bug(error.into())))
        .transpose()
}
