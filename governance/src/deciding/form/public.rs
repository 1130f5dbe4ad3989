//! Public reads of a form.

use contract::{
    form::{Form, FormContract, FormField, FormLanguage, FormSchema, FormUi, json_schema},
    receipt::Receipt,
};
use entity::form_submission;
use sea_orm::SelectExt;

use super::{
    access::{AccessedForm, FormCredentials, authorize, published},
    examples, read_row,
};
use crate::{
    base::{error::form::budget_exhausted, prelude::*},
    deciding::{
        decision,
        snapshot::{self, PolicySelection},
    },
};

/// A form as shown on its public page.
#[derive(Clone, Debug)]
pub struct PublicForm {
    pub form: Form,
    /// The organization that requests the submission: the form's label, or the tenant's name.
    pub requested_by: String,
    /// The reason the form accepts no submissions now: no active policy decides, or its budget is used up.
    pub not_accepting: Option<Refusal>,
}

/// Returns a published form for its public page.
///
/// # Errors
/// `NOT_FOUND` if the form is deleted or not published; `FORBIDDEN` for missing or wrong credentials;
/// `TOO_MANY_REQUESTS` after five wrong passwords within a minute.
pub async fn load(cx: &Cx, id: FormId, credentials: &FormCredentials) -> Result<PublicForm> {
    to_public(cx, &authorize(cx, id, credentials).await?.require_remaining_use()?).await
}

/// Returns a published form for a submission, which may be a repetition. Accepts a token without remaining
/// uses.
///
/// # Errors
/// As [`load`].
pub async fn load_for_resubmission(
    cx: &Cx,
    id: FormId,
    credentials: &FormCredentials,
) -> Result<PublicForm> {
    to_public(cx, &authorize(cx, id, credentials).await?).await
}

async fn to_public(cx: &Cx, access: &AccessedForm) -> Result<PublicForm> {
    let form = read_row(&access.row, cx)?;
    let requested_by = requester(&form, &access.tenant()).await?;
    let is_exhausted = form.tokens_used >= form.token_budget.limit;
    let exhausted = || is_exhausted.then(|| budget_exhausted(form.token_budget.window, cx.now));
    let not_accepting = no_policy(access, &form).await?.or_else(exhausted);
    Ok(PublicForm { form, requested_by, not_accepting })
}

/// Returns the refusal of every submission of a form whose policy is not active, or that no active policy governs.
async fn no_policy(access: &AccessedForm, form: &Form) -> Result<Option<Refusal>> {
    let active = snapshot::current_policies(&access.tenant()).await?;
    let selection = PolicySelection::of_form(&form.policy_id);
    match active.require_governed(&form.decision_type, selection) {
        Ok(()) => Ok(None),
        Err(Error::Refused(refusal)) => Ok(Some(*refusal)),
        Err(error) => Err(error),
    }
}

/// Returns the organization that requests the submission: the form's label, or the tenant's name.
async fn requester(form: &Form, tenant: &Tenant<'_>) -> Result<String> {
    match form.branding.label.clone() {
        Some(label) => Ok(label),
        None => decision::tenant_name(tenant).await,
    }
}

/// Returns the language setting of a published form. Requires no credentials.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn language(cx: &Cx, id: FormId) -> Result<FormLanguage> {
    Ok(published(cx, id).await?.1.language.0)
}

/// Returns the JSON schema of a published form and its texts.
///
/// # Errors
/// As [`load`].
pub async fn schema(cx: &Cx, id: FormId, credentials: &FormCredentials) -> Result<FormSchema> {
    let access = authorize(cx, id, credentials).await?.require_remaining_use()?;
    let fields = access.fields()?;
    let AccessedForm { row, .. } = access;
    Ok(FormSchema {
        form_id: id,
        json_schema: json_schema(&row.title, &engine::form::published(&fields)),
        title: row.title,
        description: row.description,
        decision_type: row.decision_type,
        ui: ui(&fields),
        access_mode: row.access_mode.0,
    })
}

fn ui(fields: &[FormField]) -> FormUi {
    let label = |field: &FormField| (field.name.clone(), field.label.clone());
    let help = |field: &FormField| Some((field.name.clone(), field.help.clone()?));
    FormUi {
        order: fields.iter().map(|field| field.name.clone()).collect(),
        labels: fields.iter().map(label).collect::<BTreeMap<_, _>>(),
        help: fields.iter().filter_map(help).collect::<BTreeMap<_, _>>(),
    }
}

/// Returns the integration contract of a published form.
///
/// # Errors
/// As [`load`].
pub async fn contract(cx: &Cx, id: FormId, credentials: &FormCredentials) -> Result<FormContract> {
    let access = authorize(cx, id, credentials).await?.require_remaining_use()?;
    let form = read_row(&access.row, cx)?;
    // An example is sought with the pattern of its field.
    let has_pattern = form.fields.iter().any(|field| field.pattern.is_some());
    let steps = if has_pattern { u64::MAX } else { 0 };
    let contract = || examples::contract(&form, &cx.governance);
    cx.governance.deciding().long_work.run(form.tenant_id, steps, contract).await
}

/// The confirmation after a submission.
#[derive(Clone, Debug)]
pub struct SubmissionConfirmation {
    /// The receipt of the decision.
    pub receipt: Receipt,
    pub form: Form,
    /// The organization that requested the submission.
    pub requested_by: String,
    /// The submitted values, for ten minutes after the submission. The link of the page is often passed on later.
    pub values: Option<Object>,
}

/// The time for which the confirmation has the submitted values, in milliseconds.
const VALUES_SHOWN_MS: i64 = 10 * 60 * 1_000;

/// Returns the receipt of a submission while the form is published. Requires only both IDs.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn receipt(cx: &Cx, id: FormId, decision: DecisionId) -> Result<Receipt> {
    Ok(confirmation(cx, id, decision).await?.receipt)
}

/// Returns the receipt of a submission with the texts of the confirmation page.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn confirmation(
    cx: &Cx,
    id: FormId,
    decision: DecisionId,
) -> Result<SubmissionConfirmation> {
    let (tenant, row) = published(cx, id).await?;
    let tx = cx.tenant_unchecked(tenant).begin().await?;
    let is_submitted = tx
        .find::<form_submission::Entity>()
        .filter(form_submission::Column::FormId.eq(id.0))
        .filter(form_submission::Column::DecisionId.eq(decision.0))
        .exists(tx.connection())
        .await?;
    if !is_submitted {
        return Err(not_found(ResourceKind::Decision).into());
    }
    let stored = decision::by_id(&tx, decision).await?;
    tx.finish_read().await?;
    let context = decision::record_of(&stored.texts.record)?.context;
    let receipt = decision::receipt(cx, decision).await?;
    let form = read_row(&row, cx)?;
    let requested_by = requester(&form, &cx.tenant_unchecked(tenant)).await?;
    let age_ms = cx.now.millis().saturating_sub(receipt.result.timestamp.millis());
    let values = context.get("fields").and_then(Value::as_object).cloned();
    let values = values.filter(|_| age_ms <= VALUES_SHOWN_MS);
    Ok(SubmissionConfirmation { receipt, form, requested_by, values })
}
