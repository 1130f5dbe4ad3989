//! The row of a form.

use contract::form::Form;
use entity::form as table;
use serde::de::DeserializeOwned;

use crate::base::prelude::*;

pub(super) fn find(tx: &TenantTx, id: FormId) -> Select<table::Entity> {
    tx.find::<table::Entity>().filter(table::Column::Id.eq(id.0))
}

pub(super) async fn lock(tx: &TenantTx, id: FormId) -> Result<table::Model> {
    let row = find(tx, id).lock_exclusive().one(tx.connection()).await?;
    Ok(row.or_not_found(ResourceKind::Form)?)
}

/// Converts a row. The used budget counts only the current window.
pub(super) fn read_row(row: &table::Model, cx: &Cx) -> Result<Form> {
    let window = row.budget_window.0;
    Ok(Form {
        id: row.id.into(),
        tenant_id: row.tenant_id.into(),
        policy_id: row.policy_id.into(),
        title: row.title.clone(),
        description: row.description.clone(),
        decision_type: row.decision_type.clone(),
        fields: parse_json(&row.fields)?,
        access_mode: row.access_mode.0,
        is_published: row.is_published,
        token_budget: contract::form::TokenBudget { limit: unsigned(row.budget_limit), window },
        tokens_used: tokens_used(row, cx),
        branding: parse_json(&row.branding)?,
        success_message: row.success_message.clone(),
        language: row.language.0,
        created_at: from_column(row.created_at),
        created_by: row.created_by.clone(),
        updated_at: from_column(row.updated_at),
    })
}

/// Returns the used budget of the current window.
pub(super) fn tokens_used(row: &table::Model, cx: &Cx) -> u32 {
    let is_current = from_column(row.window_start) == row.budget_window.0.start(cx.now);
    if is_current { unsigned(row.tokens_used) } else { 0 }
}

pub(super) fn json(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string(value)?)
}

pub(super) fn parse_json<T: DeserializeOwned>(text: &str) -> Result<T> {
    Ok(serde_json::from_str(text)?)
}

pub(super) fn to_i32(number: u32) -> Result<i32> {
    Ok(i32::try_from(number)?)
}
