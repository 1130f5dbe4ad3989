//! What the public reads of a form.

use std::collections::BTreeMap;

use contract::{
    form::{Form, FormContract, FormField, FormSchema, FormUi, json_schema},
    id::{DecisionId, FormId},
    receipt::Receipt,
};
use entity::form_submission;
use sea_orm::{ColumnTrait, QueryFilter, SelectExt};

use super::{
    access::{Admission, Opened, open, published},
    examples, read_row,
};
use crate::{
    cx::Cx,
    decision,
    error::{Noun, Refusal, Result, form::budget_exhausted, not_found},
};

/// A form as its page shows it.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The form.
    pub form: Form,
    /// Who asks: the form's own label, or the tenant's name.
    pub asked_by: String,
    /// Why the form takes no submission now: its budget is used up.
    pub exhausted: Option<Refusal>,
}

/// A published form, for its page.
///
/// # Errors
/// `NOT_FOUND` when it is deleted or not published; `FORBIDDEN` without what it asks for;
/// `TOO_MANY_REQUESTS` after five wrong passwords within a minute.
pub async fn shown(cx: &Cx, id: FormId, admission: &Admission) -> Result<Shown> {
    face(cx, &open(cx, id, admission).await?.unspent()?).await
}

/// The same for somebody who submits, perhaps for the second time: the token may be used up.
///
/// # Errors
/// As [`shown`].
pub async fn shown_again(cx: &Cx, id: FormId, admission: &Admission) -> Result<Shown> {
    face(cx, &open(cx, id, admission).await?).await
}

async fn face(cx: &Cx, opened: &Opened) -> Result<Shown> {
    let form = read_row(&opened.row, cx)?;
    let asked_by = match form.branding.label.clone() {
        Some(label) => label,
        None => decision::tenant_name(&opened.tenant()).await?,
    };
    let budget = form.token_budget;
    let is_exhausted = form.tokens_used >= budget.limit;
    let exhausted = is_exhausted.then(|| budget_exhausted(budget.window, cx.now));
    Ok(Shown { form, asked_by, exhausted })
}

/// What a published form asks, for programs.
///
/// # Errors
/// As [`shown`].
pub async fn schema(cx: &Cx, id: FormId, admission: &Admission) -> Result<FormSchema> {
    let opened = open(cx, id, admission).await?.unspent()?;
    let fields = opened.fields()?;
    let Opened { row, .. } = opened;
    Ok(FormSchema {
        form_id: id,
        json_schema: json_schema(&row.title, &fields),
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

/// How a program submits to a published form.
///
/// # Errors
/// As [`shown`].
pub async fn contract(cx: &Cx, id: FormId, admission: &Admission) -> Result<FormContract> {
    let opened = open(cx, id, admission).await?.unspent()?;
    Ok(examples::contract(&read_row(&opened.row, cx)?, &cx.governance))
}

/// What a person gets after a submission.
#[derive(Clone, Debug)]
pub struct Thanks {
    /// The receipt of the decision.
    pub receipt: Receipt,
    /// The title of the form.
    pub title: String,
    /// What the form says after a submission.
    pub message: Option<String>,
}

/// The receipt of a submission of this form, while it is published. Whoever knows both ids may read it.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn receipt(cx: &Cx, id: FormId, decision: DecisionId) -> Result<Receipt> {
    Ok(thanks(cx, id, decision).await?.receipt)
}

/// The same, and what the form says.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn thanks(cx: &Cx, id: FormId, decision: DecisionId) -> Result<Thanks> {
    let (tenant, row) = published(cx, id).await?;
    let tx = cx.tenant_unchecked(tenant).begin().await?;
    let is_submitted = tx
        .find::<form_submission::Entity>()
        .filter(form_submission::Column::FormId.eq(id.0))
        .filter(form_submission::Column::DecisionId.eq(decision.0))
        .exists(tx.connection())
        .await?;
    tx.end().await?;
    if !is_submitted {
        return Err(not_found(Noun::Decision).into());
    }
    let receipt = decision::receipt(cx, decision).await?;
    Ok(Thanks { receipt, title: row.title, message: row.success_message })
}
