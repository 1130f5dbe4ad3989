//! Form submissions: checks the values against the fields and records the decision.

use contract::{
    decision::{Actor, DecisionContext, DecisionRecord},
    form::{AccessMode, FormSubmission, FormSubmissionResult, SubmissionViolation},
};
use entity::{form as table, form_submission};
use sea_orm::sea_query::ExprTrait;

use super::{
    access::{AccessedForm, FormCredentials, authorize},
    lock,
    row::to_i32,
    token, tokens_used,
};
use crate::{
    base::{
        error::form::{access_refused, budget_exhausted},
        prelude::*,
    },
    deciding::{
        decision::{self, EvaluationInput, RecordCall, RecordResult},
        snapshot::PolicySelection,
    },
};

/// Records a submission, exactly once per idempotency key. Returns the result and whether this call
/// recorded the decision.
///
/// # Errors
/// - `NOT_FOUND` if the form is deleted or not published
/// - `FORBIDDEN` for missing or wrong credentials
/// - `VALIDATION_ERROR` with one error per invalid value
/// - `FORM_BUDGET_EXHAUSTED`, `IDEMPOTENCY_KEY_REUSED`, `NO_ACTIVE_POLICIES`
/// - `TOO_MANY_REQUESTS` after five wrong passwords within a minute
pub async fn submit(
    cx: &Cx,
    id: FormId,
    credentials: &FormCredentials,
    submission: &FormSubmission,
) -> Result<(FormSubmissionResult, bool)> {
    let access = authorize(cx, id, credentials).await?;
    let fields = access.fields()?;
    let steps = engine::form::steps(&fields, &submission.values);
    let check = || engine::form::check(&fields, &submission.values);
    let errors = cx.governance.deciding().long_work.run(access.tenant().id(), steps, check).await?;
    if !errors.is_empty() {
        return Err(invalid(&errors).into());
    }
    let result = record_submission(&access, id, submission).await?;
    let record = decision::record_of(&result.record)?;
    Ok((to_result(&access, id, record), result.is_new))
}

/// Consumes the budget and records the decision in one transaction that locks the form.
async fn record_submission(
    access: &AccessedForm,
    id: FormId,
    submission: &FormSubmission,
) -> Result<RecordResult> {
    let cx = &access.cx;
    let tenant = access.tenant();
    let (context, actor) = (context(access, id, submission)?, actor(access, submission));
    let (policy, key) = (PolicyId(access.row.policy_id), key(access, id, submission));
    let input = EvaluationInput {
        context: &context,
        actor: Some(&actor),
        action: None,
        narrowing: PolicySelection::of_form(&policy),
        explain: false,
    };
    let call = RecordCall::new(tenant, input, &key, &fingerprint(id, submission)).await?;
    // Submissions of the same form wait here, without a database connection.
    let _lock = cx.governance.deciding().form_locks.lock(id).await;
    let tx = tenant.begin().await?;
    let row = lock(&tx, id).await?;
    if !row.is_published {
        return Err(not_found(ResourceKind::Form).into());
    }
    // A repeated submission consumes nothing and succeeds even if the budget is used up.
    if let Some(existing) = call.existing(&tx).await? {
        tx.finish_read().await?;
        return Ok(existing);
    }
    consume_budget(cx, &tx, access, &row).await?;
    let submission_row = form_submission::ActiveModel {
        tenant_id: Set(tx.tenant_id().0),
        form_id: Set(id.0),
        decision_id: Set(call.id.0),
    };
    form_submission::Entity::insert(submission_row).exec_without_returning(tx.connection()).await?;
    let result = call.record_in(tx).await;
    call.result_or_existing(result).await
}

/// Consumes one use of the token, if any, and one of the budget.
async fn consume_budget(
    cx: &Cx,
    tx: &TenantTx,
    access: &AccessedForm,
    row: &table::Model,
) -> Result<()> {
    if let Some(token) = &access.token
        && !token::consume_use(tx, token.id.into()).await?
    {
        return Err(access_refused(AccessMode::Token, true).into());
    }
    let (window, tokens_used) = (row.budget_window.0, tokens_used(row, cx));
    if i64::from(tokens_used) >= i64::from(row.budget_limit) {
        return Err(budget_exhausted(window, cx.now).into());
    }
    let update = table::ActiveModel {
        window_start: Set(to_column(window.start(cx.now))),
        tokens_used: Set(to_i32(tokens_used + 1)?),
        ..Default::default()
    };
    let submissions = table::Column::Submissions;
    tx.update::<table::Entity>()
        .filter(table::Column::Id.eq(row.id))
        .set(update)
        .col_expr(submissions, Expr::col(submissions).add(1))
        .exec(tx.connection())
        .await?;
    Ok(())
}

/// Returns the decision context of a submission.
fn context(
    access: &AccessedForm,
    id: FormId,
    submission: &FormSubmission,
) -> Result<DecisionContext> {
    let metadata = Object::from([("form_id", Value::from(id.to_string()))]);
    DecisionContext::new(&access.row.decision_type, submission.values.clone(), metadata).map_err(
        |errors| invalid(&errors.into_iter().map(of_submission).collect::<Vec<_>>()).into(),
    )
}

/// Converts an error of a context to an error of the submission, whose values are the fields of the context.
fn of_submission(error: FieldError) -> FieldError {
    let path = error.path.strip_prefix("/fields").map(|rest| format!("/values{rest}"));
    FieldError { path: path.unwrap_or(error.path), ..error }
}

/// Returns the idempotency key of a submission, which is unique per form.
fn key(access: &AccessedForm, id: FormId, submission: &FormSubmission) -> String {
    match &submission.idempotency_key {
        Some(key) => format!("form:{id}:{}", Digest::compute(key.as_bytes())),
        None => format!("form:{id}:{}", access.cx.governance.entropy().id::<uuid::Uuid>()),
    }
}

/// The actor kind of a respondent who is not signed in.
const RESPONDENT: &str = "form_respondent";

/// Returns the actor of a submission: the signed-in member, or a respondent without an identity. The values
/// that a respondent declares are stored with the decision and never as `id`, which rules and the
/// integrity hash read.
fn actor(access: &AccessedForm, submission: &FormSubmission) -> Actor {
    let declared = submission.respondent.clone().unwrap_or_default();
    match access.cx.user_id() {
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

/// Returns the content that identifies a submission: the values and the declared respondent.
fn fingerprint(id: FormId, submission: &FormSubmission) -> Value {
    let mut content = Object::from([
        ("form_id", Value::from(id.to_string())),
        ("values", submission.values.clone().into()),
    ]);
    let respondent = submission.respondent.as_ref();
    for (name, value) in [
        ("respondent_id", respondent.and_then(|respondent| respondent.id.as_deref())),
        ("respondent_name", respondent.and_then(|respondent| respondent.display_name.as_deref())),
    ] {
        if let Some(value) = value {
            content.insert(name, value);
        }
    }
    content.into()
}

fn to_result(access: &AccessedForm, id: FormId, record: DecisionRecord) -> FormSubmissionResult {
    let violations = record.result.violations.into_iter().map(|violation| SubmissionViolation {
        rule_code: violation.rule_code,
        reason: violation.reason,
        field: violation.field,
    });
    let receipt = format!("/f/{id}/receipts/{}", record.id);
    FormSubmissionResult {
        decision_id: record.id,
        decision: record.decision,
        violations: violations.collect(),
        receipt_url: access.cx.governance.link(&receipt),
        message: access.row.success_message.clone(),
    }
}
