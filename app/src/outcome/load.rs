//! Reads and records decision outcomes.

use contract::{
    decision::DecisionRecord,
    id::{DecisionId, TenantId},
    json::{Object, Value},
    outcome::OutcomeRequest,
    read,
};
use governance::{Cx, access::permission, base::error::invalid, deciding::decision};

use super::view::{OutcomeDetails, OutcomeForm, OutcomePage};
use crate::{
    problem::Problem,
    request::{directory, into_problem, take_rejected},
    text::{query, url},
};

pub(crate) async fn page(
    cx: &Cx,
    tenant: TenantId,
    id: DecisionId,
) -> Result<OutcomePage, Problem> {
    into_problem(cx.tenant(permission::RECORD_OUTCOME).map(drop))?;
    let record = into_problem(decision::read(cx, id).await)?;
    Ok(OutcomePage {
        tenant,
        id,
        outcome: recorded_outcome(cx, &record).await?,
        verdict: record.decision,
        decision_type: record.decision_type,
        rejected: take_rejected(&url::outcome(tenant, id)).await,
    })
}

/// Returns the recorded outcome of a decision, with the name of the user or key that recorded it.
pub(crate) async fn recorded_outcome(
    cx: &Cx,
    record: &DecisionRecord,
) -> Result<Option<OutcomeDetails>, Problem> {
    let Some(outcome) = record.outcome.clone() else { return Ok(None) };
    let names = &directory(cx).await?.names;
    Ok(Some(OutcomeDetails::new(outcome, names)))
}

pub(crate) async fn record(cx: &Cx, id: DecisionId, form: OutcomeForm) -> Result<(), Problem> {
    let request = into_problem(request(form))?;
    into_problem(decision::outcome::record(cx, id, request).await).map(drop)
}

/// Converts the form to the body of the API call: empty fields are left out, and the contract reader
/// validates it.
fn request(form: OutcomeForm) -> governance::Result<OutcomeRequest> {
    let occurred_at = match query::instant(&form.occurred_at) {
        Ok(at) => at.map_or_else(String::new, |at| at.to_string()),
        // The reader reports invalid input with its pointer.
        Err(()) => form.occurred_at,
    };
    let mut body = Object::new();
    for (name, text) in [
        ("status", form.status),
        ("note", form.note),
        ("reference_id", form.reference_id),
        ("occurred_at", occurred_at),
    ] {
        let text = text.trim();
        if !text.is_empty() {
            body.insert(name, Value::from(text));
        }
    }
    read::body(&Value::Object(body)).map_err(|errors| invalid(&errors).into())
}
