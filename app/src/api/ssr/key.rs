//! What the pages of API keys are made of.

use contract::{
    error::ErrorCode,
    id::{ApiKeyId, TenantId},
};
use governance::{Cx, api_key, member};

use super::{answer, governance, kept, made, page_at, refuse};
use crate::{
    problem::Problem,
    text::url,
    view::{
        kept::Made,
        key::{KeyForm, KeyRow, KeysPage, sent_twice},
    },
};

/// One page of the list, newest first.
pub(in crate::api) async fn list(
    cx: &Cx,
    tenant: TenantId,
    cursor: String,
) -> Result<KeysPage, Problem> {
    let rows = answer(api_key::list(cx, &page_at(cursor)).await)?;
    let names = answer(member::names(cx).await)?;
    let page = url::keys(tenant);
    let refused = kept(&page).await;
    Ok(KeysPage {
        rows: rows.map(|key| KeyRow::new(key, &names, cx.now)),
        made: made(&page),
        refused: refused.map(|kept| {
            let form = serde_json::from_str(&kept.text).unwrap_or_default();
            (kept.problem, form)
        }),
        next: governance().chance().id(),
    })
}

/// One key.
pub(in crate::api) async fn read(cx: &Cx, id: ApiKeyId) -> Result<KeyRow, Problem> {
    let key = answer(api_key::read(cx, id).await)?;
    let names = answer(member::names(cx).await)?;
    Ok(KeyRow::new(key, &names, cx.now))
}

/// Makes the key that a form asks for, under the id that the form was given.
pub(in crate::api) async fn create(cx: &Cx, id: ApiKeyId, form: &KeyForm) -> Result<Made, Problem> {
    let created = api_key::create_as(cx, id, form.draft()?).await;
    let created = created.map_err(|error| match error.code() {
        ErrorCode::Conflict => sent_twice(refuse(&error)),
        _ => refuse(&error),
    })?;
    Ok(Made { name: created.key.name, secret: created.plaintext_key })
}

/// A form as it is kept for its page.
pub(in crate::api) fn typed(form: &KeyForm) -> String {
    serde_json::to_string(form).unwrap_or_default()
}
