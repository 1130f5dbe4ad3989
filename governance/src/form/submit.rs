//! A submission: answers held against the questions, and recorded by the use case of every decision.

use contract::{
    decision::{Actor, DecisionContext, DecisionRecord, RecordRequest},
    error::ErrorCode,
    form::{AccessMode, Submission, Submitted, SubmittedFault},
    id::{ChainId, FormId, PolicyId},
    json::{Object, Value},
    read,
};
use entity::{column::at, form as table, form_submission};
use receipt::digest::Digest;
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, EntityTrait, QueryFilter,
    sea_query::{Expr, ExprTrait},
};

use super::{
    access::{Admission, Opened, open},
    lock, token, used,
};
use crate::{
    cx::Cx,
    decision::{self, Outcome, Together},
    error::{
        Error, Noun, Result,
        form::{access_refused, budget_exhausted},
        invalid, no_active_policies, not_found,
    },
    tenancy::TenantTx,
};

/// Takes a submission: exactly once for each idempotency key. Tells the answer, and whether this very
/// call made the decision.
///
/// # Errors
/// `NOT_FOUND` when the form is deleted or not published; `FORBIDDEN` without what it asks for;
/// `VALIDATION_ERROR` with one error for each answer that does not fit; `FORM_BUDGET_EXHAUSTED`;
/// `IDEMPOTENCY_KEY_REUSED`; `NO_ACTIVE_POLICIES`; `TOO_MANY_REQUESTS` after five wrong passwords within
/// a minute.
pub async fn submit(
    cx: &Cx,
    id: FormId,
    admission: &Admission,
    submission: &Submission,
) -> Result<(Submitted, bool)> {
    let opened = open(cx, id, admission).await?;
    let faults = engine::form::check(&opened.fields()?, &submission.values);
    if !faults.is_empty() {
        return Err(invalid(&faults).into());
    }
    let outcome = recorded(&opened, id, submission).await?;
    let record = decision::record_of(&outcome.record)?;
    Ok((answer(&opened, id, record), outcome.is_new))
}

/// Uses up what the submission costs and records the decision, in one transaction that holds the form.
async fn recorded(opened: &Opened, id: FormId, submission: &Submission) -> Result<Outcome> {
    let cx = &opened.cx;
    let tenant = opened.tenant();
    let request = request(opened, id, submission)?;
    let together = Together::new(&tenant, &request, &said(id, submission)).await?;
    // Submissions of one form wait for each other here, without a connection.
    let _turn = cx.governance.turns().take(ChainId(id.0)).await;
    let tx = tenant.begin().await?;
    let row = lock(&tx, id).await?;
    if !row.is_published {
        return Err(not_found(Noun::Form).into());
    }
    // A submission that is known costs nothing, and is answered when nothing is left.
    if let Some(known) = together.known(&tx).await? {
        tx.end().await?;
        return Ok(known);
    }
    pay(cx, &tx, opened, &row).await?;
    let submitted = form_submission::ActiveModel {
        tenant_id: Set(tx.tenant_id().0),
        form_id: Set(id.0),
        decision_id: Set(together.id().0),
    };
    form_submission::Entity::insert(submitted).exec_without_returning(tx.connection()).await?;
    let outcome = together.recorded(&tenant, tx).await;
    outcome.map_err(|error| match error {
        // The request is narrowed to the form's policy, which is out of force.
        Error::Refused(refusal) if refusal.code == ErrorCode::ValidationError => {
            no_active_policies(&row.decision_type).into()
        }
        error => error,
    })
}

/// Takes one use of the token and one of the budget.
async fn pay(cx: &Cx, tx: &TenantTx, opened: &Opened, row: &table::Model) -> Result<()> {
    if let Some(known) = &opened.token
        && !token::take(tx, known.id.into()).await?
    {
        return Err(access_refused(AccessMode::Token, true).into());
    }
    let (window, used) = (row.budget_window.0, used(row, cx));
    if i64::from(used) >= i64::from(row.budget_limit) {
        return Err(budget_exhausted(window, cx.now).into());
    }
    let spent = table::ActiveModel {
        window_start: Set(at(window.start(cx.now))),
        tokens_used: Set(super::whole(used + 1)?),
        ..Default::default()
    };
    let submissions = table::Column::Submissions;
    tx.update::<table::Entity>()
        .filter(table::Column::Id.eq(row.id))
        .set(spent)
        .col_expr(submissions, Expr::col(submissions).add(1))
        .exec(tx.connection())
        .await?;
    Ok(())
}

/// The record call that a submission stands for.
fn request(opened: &Opened, id: FormId, submission: &Submission) -> Result<RecordRequest> {
    let context = Value::from(Object::from([
        ("decision_type", opened.row.decision_type.as_str().into()),
        ("fields", submission.values.clone().into()),
        ("metadata", Object::from([("form_id", Value::from(id.to_string()))]).into()),
    ]));
    Ok(RecordRequest {
        context: read::body::<DecisionContext>(&context)
            .map_err(|faults| Error::bug(format!("a context of a form: {faults:?}")))?,
        idempotency_key: key(opened, id, submission),
        actor: Some(actor(opened, submission)),
        chain: None,
        action: None,
        policy_group_code: None,
        policy_ids: Some(vec![PolicyId(opened.row.policy_id)]),
    })
}

/// The name of a submission among all decisions of the tenant. Those of different forms do not meet.
fn key(opened: &Opened, id: FormId, submission: &Submission) -> String {
    match &submission.idempotency_key {
        Some(own) => format!("form:{id}:{}", Digest::of(own.as_bytes())),
        None => format!("form:{id}:{}", opened.cx.governance.chance().id::<uuid::Uuid>()),
    }
}

/// The type of an actor who is known only by what they declare.
const RESPONDENT: &str = "form_respondent";

/// Returns the actor of a submission: the signed-in member, or a respondent without an identity. What a
/// respondent declares is stored beside the decision and is never `id`, which rules and the integrity
/// hash read.
fn actor(opened: &Opened, submission: &Submission) -> Actor {
    let declared = submission.respondent.clone().unwrap_or_default();
    match opened.cx.user_id() {
        Some(member) => Actor {
            id: Some(member.to_string()),
            kind: Some("human".to_owned()),
            ..Actor::default()
        },
        None => Actor {
            kind: Some(RESPONDENT.to_owned()),
            display_name: declared.display_name,
            declared_id: declared.id,
            ..Actor::default()
        },
    }
}

/// What makes two submissions the same: the answers, and who gives them.
fn said(id: FormId, submission: &Submission) -> Value {
    let mut said = Object::from([
        ("form_id", Value::from(id.to_string())),
        ("values", submission.values.clone().into()),
    ]);
    let named = submission.respondent.as_ref();
    for (name, value) in [
        ("respondent_id", named.and_then(|named| named.id.as_deref())),
        ("respondent_name", named.and_then(|named| named.display_name.as_deref())),
    ] {
        if let Some(value) = value {
            said.insert(name, value);
        }
    }
    said.into()
}

fn answer(opened: &Opened, id: FormId, record: DecisionRecord) -> Submitted {
    let violations = record.result.violations.into_iter().map(|found| SubmittedFault {
        rule_code: found.rule_code,
        reason: found.reason,
        field: found.field,
    });
    let receipt = format!("/f/{id}/receipts/{}", record.id);
    Submitted {
        decision_id: record.id,
        decision: record.decision,
        violations: violations.collect(),
        receipt_url: opened.cx.governance.link(&receipt),
        message: opened.row.success_message.clone(),
    }
}
