//! How an outcome is told.

use contract::{
    decision::DecisionRecord,
    id::{DecisionId, TenantId},
    json::{Object, Value},
    outcome::OutcomeRequest,
    read,
};
use governance::{Cx, decision, error::invalid, member, permission};

use super::{answer, kept};
use crate::{
    problem::Problem,
    text::url,
    view::{
        outcome::{OutcomeForm, OutcomePage, Told},
        query,
    },
};

/// The page on which the outcome of a decision is told.
pub(in crate::api) async fn page(
    cx: &Cx,
    tenant: TenantId,
    id: DecisionId,
) -> Result<OutcomePage, Problem> {
    answer(cx.tenant(permission::RECORD_OUTCOME).map(drop))?;
    let record = answer(decision::read(cx, id).await)?;
    Ok(OutcomePage {
        tenant,
        id,
        told: told(cx, &record).await?,
        verdict: record.decision,
        decision_type: record.decision_type,
        kept: kept(&url::outcome(tenant, id)).await,
    })
}

/// What was told of a decision, with the name of whoever told it.
pub(super) async fn told(cx: &Cx, record: &DecisionRecord) -> Result<Option<Told>, Problem> {
    let Some(outcome) = record.outcome.clone() else { return Ok(None) };
    let names = answer(member::names(cx).await)?;
    Ok(Some(Told::new(outcome, &names)))
}

/// Records what the form says.
pub(in crate::api) async fn tell(
    cx: &Cx,
    id: DecisionId,
    form: OutcomeForm,
) -> Result<(), Problem> {
    let request = answer(request(form))?;
    answer(decision::outcome::record(cx, id, request).await).map(drop)
}

/// The form as the body of the API's call: what is empty is absent, and the one reader checks it.
fn request(form: OutcomeForm) -> governance::Result<OutcomeRequest> {
    let occurred_at = match query::instant(&form.occurred_at) {
        Ok(at) => at.map_or_else(String::new, |at| at.to_string()),
        // Not understood: the reader says so, with the pointer.
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
