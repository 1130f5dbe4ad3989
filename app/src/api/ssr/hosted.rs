//! What the pages of hosted forms are made of.

use std::collections::BTreeMap;

use contract::{
    error::FieldError,
    id::{FormId, PolicyId, TenantId},
    page::LIMIT_MAX,
    policy::PolicyFilter,
    read,
};
use governance::{Cx, PageRequest, form, permission, policy};
use serde::Serialize;

use super::{answer, fields, governance, held, hold, kept, let_go, made, page_at, refuse};
use crate::{
    problem::Problem,
    text::url,
    view::{
        hosted::{
            FormAct, FormEdit, FormPage, FormRow, FormsPage, NewForm, TokenRow, Unsaved,
            token_draft,
        },
        kept::Made,
    },
};

/// One page of the list, newest first.
pub(in crate::api) async fn list(
    cx: &Cx,
    tenant: TenantId,
    cursor: String,
) -> Result<FormsPage, Problem> {
    let rows = answer(form::counted(cx, &page_at(cursor)).await)?;
    let policies = policies(cx).await?;
    let refused = kept(&url::forms(tenant)).await;
    let active = policies.iter().filter(|(_, (_, is_active))| *is_active);
    Ok(FormsPage {
        tenant,
        policies: active.map(|(id, (name, _))| (*id, name.clone())).collect(),
        rows: rows.map(|(form, submissions)| {
            let policy = policies.get(&form.policy_id).map(|(name, _)| name.clone());
            FormRow::new(&form, policy.unwrap_or_default(), submissions)
        }),
        may_write: may_write(cx),
        refused: refused.map(|kept| {
            let typed = serde_json::from_str(&kept.text).unwrap_or_default();
            (kept.problem, typed)
        }),
    })
}

/// The newest policies, with their names, and whether they decide.
async fn policies(cx: &Cx) -> Result<BTreeMap<PolicyId, (String, bool)>, Problem> {
    let newest = PageRequest { limit: LIMIT_MAX, cursor: None };
    let found = answer(policy::list(cx, PolicyFilter::default(), &newest).await)?.items;
    Ok(found.into_iter().map(|policy| (policy.id, (policy.name, policy.is_active))).collect())
}

/// One form.
pub(in crate::api) async fn page(
    cx: &Cx,
    tenant: TenantId,
    id: FormId,
) -> Result<FormPage, Problem> {
    let (found, submissions) = answer(form::read_counted(cx, id).await)?;
    let policy = answer(policy::read(cx, found.policy_id, None).await)?.name;
    let tokens = answer(form::tokens(cx, id).await)?;
    let page = url::form(tenant, id);
    let may_write = may_write(cx);
    Ok(FormPage {
        tenant,
        row: FormRow::new(&found, policy, submissions),
        now: FormEdit::from(&found),
        unsaved: if may_write { held(&key(id)).await } else { None },
        link: governance().link(&url::hosted_form(id)),
        tokens: tokens.iter().map(token_row).collect(),
        contract: form::contract_of(cx, &found),
        made: made(&page),
        may_write,
        refused: kept(&page).await.map(|kept| kept.problem),
    })
}

fn token_row(token: &form::IssuedToken) -> TokenRow {
    TokenRow {
        id: token.id,
        uses: (token.uses, token.max_uses),
        expires_at: token.expires_at,
        created_at: token.created_at,
        revoked_at: token.revoked_at,
    }
}

fn may_write(cx: &Cx) -> bool {
    cx.tenant(permission::WRITE_FORMS).is_ok()
}

/// Makes the form that was typed.
pub(in crate::api) async fn create(cx: &Cx, form: &NewForm) -> Result<FormId, Problem> {
    answer(form::create(cx, form.draft()?).await).map(|form| form.id)
}

/// Does what a button of the form asks for, and says which page shows what came of it. Whatever is typed and
/// not saved is held for that page.
pub(in crate::api) async fn edit(
    cx: &Cx,
    tenant: TenantId,
    id: FormId,
    form: FormEdit,
    act: FormAct,
) -> Result<String, Problem> {
    answer(cx.tenant(permission::WRITE_FORMS).map(drop))?;
    let had_password = !form.password.is_empty();
    let (form, faults, at) = match act {
        FormAct::Save => match save(cx, id, &form).await? {
            None => return forget(tenant, id, &form).await,
            Some(faults) => (form, faults, None),
        },
        FormAct::Discard => return forget(tenant, id, &form).await,
        FormAct::AsJson => (form.as_json(), Vec::new(), None),
        FormAct::OneByOne => match form.one_by_one() {
            Ok(form) => (form, Vec::new(), None),
            Err(faults) => (form, faults, None),
        },
        FormAct::Change(change) => {
            let mut form = form;
            let at = change.apply(&mut form.questions);
            (form, Vec::new(), at)
        }
    };
    // Only what can be saved one day is held.
    answer(form::read(cx, id).await)?;
    let page = look(tenant, id, &form);
    hold(&key(id), Unsaved { form: form.kept(), faults, at, had_password }).await?;
    Ok(page)
}

/// Holds what is being typed in a form, as long as it is not what is saved.
pub(in crate::api) async fn hold_typed(
    cx: &Cx,
    id: FormId,
    typed: &FormEdit,
) -> Result<(), Problem> {
    answer(cx.tenant(permission::WRITE_FORMS).map(drop))?;
    let saved = FormEdit::from(&answer(form::read(cx, id).await)?);
    let saved = if typed.json.is_some() { saved.as_json() } else { saved };
    if *typed == saved {
        return let_go(&key(id)).await;
    }
    hold(&key(id), Unsaved { form: typed.clone().kept(), ..Unsaved::default() }).await
}

/// Changes the form as was typed, or says what is wrong with it value by value.
async fn save(cx: &Cx, id: FormId, edit: &FormEdit) -> Result<Option<Vec<FieldError>>, Problem> {
    let patch = match edit.patch() {
        Ok(patch) => patch,
        Err(faults) => return Ok(Some(faults)),
    };
    match form::edit(cx, id, patch).await {
        Ok(_) => Ok(None),
        Err(error) => fields(&error).map_or_else(|| Err(refuse(&error)), |faults| Ok(Some(faults))),
    }
}

/// Lets go of what was typed, and leads to the look at the form that it was typed in.
async fn forget(tenant: TenantId, id: FormId, form: &FormEdit) -> Result<String, Problem> {
    let_go(&key(id)).await?;
    Ok(look(tenant, id, form))
}

/// The page of a form with its questions as they were typed: one by one, or as JSON.
fn look(tenant: TenantId, id: FormId, form: &FormEdit) -> String {
    if form.json.is_some() { url::form_as_json(tenant, id) } else { url::form(tenant, id) }
}

/// Where the session holds what was typed.
fn key(id: FormId) -> String {
    format!("hosted {id}")
}

/// Publishes a form, or takes it back.
pub(in crate::api) async fn publish(cx: &Cx, id: FormId, published: bool) -> Result<(), Problem> {
    let body = contract::json::Object::from([("is_published", published.into())]);
    let patch = read::body(&body.into()).map_err(|errors| Problem::of_fields(&errors, &[]))?;
    answer(form::edit(cx, id, patch).await).map(drop)
}

/// Makes a token as was typed.
pub(in crate::api) async fn make_token(
    cx: &Cx,
    id: FormId,
    uses: &str,
    expires: &str,
) -> Result<Made, Problem> {
    let draft = token_draft(uses, expires)?;
    let token = answer(form::issue_token(cx, id, draft).await)?;
    Ok(Made { name: token.id.to_string(), secret: token.url })
}

/// Leads to the form, which tells why an act on it was refused.
pub(in crate::api) async fn refused(
    problem: Problem,
    tenant: TenantId,
    id: FormId,
) -> Result<(), Problem> {
    super::keep(problem, url::form(tenant, id), String::new()).await
}

/// What was typed, as it is kept for its page.
pub(in crate::api) fn typed(form: &impl Serialize) -> String {
    serde_json::to_string(form).unwrap_or_default()
}
