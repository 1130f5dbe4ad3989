//! Data of the API key pages.

use contract::{
    error::ErrorCode,
    id::{ApiKeyId, TenantId},
};
use governance::{Cx, access::api_key};

use super::view::{KeyForm, KeyRow, KeysPage, sent_twice};
use crate::{
    flash::OneTimeSecret,
    problem::Problem,
    request::{directory, governance, into_problem, page_at, take_created, take_input, to_problem},
    text::url,
};

/// Returns one page of the list, newest first.
pub(crate) async fn list(cx: &Cx, tenant: TenantId, cursor: String) -> Result<KeysPage, Problem> {
    let rows = into_problem(api_key::list(cx, &page_at(cursor)).await)?;
    let names = &directory(cx).await?.names;
    let page = url::keys(tenant);
    Ok(KeysPage {
        rows: rows.map(|key| KeyRow::new(key, names, cx.now)),
        secret: take_created(&page),
        refused: take_input(&page).await,
        next: governance().entropy().id(),
    })
}

pub(crate) async fn read(cx: &Cx, id: ApiKeyId) -> Result<KeyRow, Problem> {
    let key = into_problem(api_key::read(cx, id).await)?;
    let names = &directory(cx).await?.names;
    Ok(KeyRow::new(key, names, cx.now))
}

/// Creates the key described by a form, under the ID from the form.
pub(crate) async fn create(
    cx: &Cx,
    id: ApiKeyId,
    form: &KeyForm,
) -> Result<OneTimeSecret, Problem> {
    let created = api_key::create_as(cx, id, form.draft()?).await;
    let created = created.map_err(|error| match error.code() {
        ErrorCode::Conflict => sent_twice(to_problem(&error)),
        _ => to_problem(&error),
    })?;
    Ok(OneTimeSecret { name: created.key.name, secret: created.plaintext_key })
}
