//! Data of the hosted form pages.

use std::collections::BTreeMap;

use contract::{
    error::{ErrorCode, FieldError},
    form::Form,
    id::{FormId, PolicyId, TenantId},
    pagination::LIMIT_MAX,
    policy::PolicyFilter,
    read,
};
use governance::{
    Cx, PageRequest,
    access::permission,
    authoring::policy,
    deciding::form::{self, ExpectedForm},
};

use super::view::{
    FormAct, FormEdit, FormPage, FormRow, FormsPage, NewForm, PendingFormEdit, TokenRow,
    token_draft,
};
use crate::{
    flash::OneTimeSecret,
    problem::Problem,
    request::{
        fields, get, governance, into_problem, page_at, put, remove, take_created, take_input,
        take_rejected, to_problem, too_large,
    },
    text::url,
};

/// Returns one page of the list, newest first.
pub(crate) async fn list(cx: &Cx, tenant: TenantId, cursor: String) -> Result<FormsPage, Problem> {
    let rows = into_problem(form::list_with_counts(cx, &page_at(cursor)).await)?;
    let policies = policies(cx).await?;
    let active = policies.iter().filter(|(_, (_, is_active))| *is_active);
    Ok(FormsPage {
        tenant,
        policies: active.map(|(id, (name, _))| (*id, name.clone())).collect(),
        rows: rows.map(|(form, submissions)| {
            let policy = policies.get(&form.policy_id).map(|(name, _)| name.clone());
            FormRow::new(&form, policy.unwrap_or_default(), submissions)
        }),
        may_write: may_write(cx),
        refused: take_input(&url::forms(tenant)).await,
    })
}

/// Returns the newest policies, with their names, and whether they are active.
async fn policies(cx: &Cx) -> Result<BTreeMap<PolicyId, (String, bool)>, Problem> {
    let newest = PageRequest { limit: LIMIT_MAX, cursor: None };
    let policies = into_problem(policy::list(cx, PolicyFilter::default(), &newest).await)?.items;
    Ok(policies.into_iter().map(|policy| (policy.id, (policy.name, policy.is_active))).collect())
}

pub(crate) async fn page(cx: &Cx, tenant: TenantId, id: FormId) -> Result<FormPage, Problem> {
    let (form, submissions) = into_problem(form::read_with_count(cx, id).await)?;
    let policy = into_problem(policy::read(cx, form.policy_id, None).await)?.name;
    let tokens = into_problem(form::tokens(cx, id).await)?;
    let page = url::form(tenant, id);
    let may_write = may_write(cx);
    Ok(FormPage {
        tenant,
        row: FormRow::new(&form, policy, submissions),
        now: shown(&form)?,
        unsaved: if may_write { get(&key(id)).await } else { None },
        link: governance().link(&url::hosted_form(id)),
        tokens: tokens.iter().map(token_row).collect(),
        contract: form::contract_of(cx, &form),
        secret: take_created(&page),
        may_write,
        refused: take_rejected(&page).await.map(|rejected| rejected.problem),
    })
}

/// Returns the stored values of a form with their digest, as the edit form represents them.
fn shown(form: &Form) -> Result<FormEdit, Problem> {
    Ok(FormEdit { seen: into_problem(form::digest(form))?, ..FormEdit::from(form) })
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

pub(crate) async fn create(cx: &Cx, form: &NewForm) -> Result<FormId, Problem> {
    into_problem(form::create(cx, form.draft()?).await).map(|form| form.id)
}

/// Performs the action of a button and returns the page that shows the result. Unsaved input is stored for
/// that page.
pub(crate) async fn edit(
    cx: &Cx,
    tenant: TenantId,
    id: FormId,
    form: FormEdit,
    act: FormAct,
) -> Result<String, Problem> {
    into_problem(cx.tenant(permission::WRITE_FORMS).map(drop))?;
    let had_password = !form.password.is_empty();
    let (form, errors, changed_question) = match act {
        FormAct::Save => match save(cx, id, &form).await? {
            SaveResult::Saved => return discard(tenant, id, &form).await,
            SaveResult::Invalid(errors) => (form, errors, None),
            SaveResult::Changed(problem) => {
                let pending = PendingFormEdit {
                    form: form.preserved_members(),
                    had_password,
                    ..PendingFormEdit::default()
                };
                let is_input_lost = !put(&key(id), pending).await?;
                return Err(Problem { is_input_lost, ..problem });
            }
        },
        FormAct::Discard => return discard(tenant, id, &form).await,
        FormAct::AsJson => (form.into_json(), Vec::new(), None),
        FormAct::OneByOne => match form.one_by_one() {
            Ok(form) => (form, Vec::new(), None),
            Err(errors) => (form, errors, None),
        },
        FormAct::Change(change) => {
            let mut form = form;
            let changed_question = change.apply(&mut form.questions);
            (form, Vec::new(), changed_question)
        }
    };
    // Input is stored only for forms that exist.
    into_problem(form::read(cx, id).await)?;
    let page = form_url(tenant, id, &form);
    let pending = PendingFormEdit {
        form: form.preserved_members(),
        errors,
        at: changed_question,
        had_password,
    };
    if put(&key(id), &pending).await? {
        return Ok(page);
    }
    let problem = match pending.errors.as_slice() {
        [] => too_large(),
        errors => Problem::of_fields(errors, &[]),
    };
    Err(Problem { is_input_lost: true, ..problem })
}

/// Stores the input while it differs from the saved form.
pub(crate) async fn store_form(cx: &Cx, id: FormId, input: &FormEdit) -> Result<(), Problem> {
    into_problem(cx.tenant(permission::WRITE_FORMS).map(drop))?;
    let saved = shown(&into_problem(form::read(cx, id).await)?)?;
    let saved = if input.json.is_some() { saved.into_json() } else { saved };
    if *input == saved {
        return remove(&key(id)).await;
    }
    let form = input.clone().preserved_members();
    let is_retained = put(&key(id), PendingFormEdit { form, ..PendingFormEdit::default() }).await?;
    if is_retained { Ok(()) } else { Err(too_large()) }
}

enum SaveResult {
    Saved,
    Invalid(Vec<FieldError>),
    /// The stored form is not the one that the user has seen.
    Changed(Problem),
}

/// Saves the form, unless it has changed since the user read it.
async fn save(cx: &Cx, id: FormId, edit: &FormEdit) -> Result<SaveResult, Problem> {
    let patch = match edit.patch() {
        Ok(patch) => patch,
        Err(errors) => return Ok(SaveResult::Invalid(errors)),
    };
    let expected = ExpectedForm { digest: edit.seen.clone(), is_published: None };
    let Err(error) = form::edit(cx, id, patch, Some(&expected)).await else {
        return Ok(SaveResult::Saved);
    };
    match fields(&error) {
        Some(errors) => Ok(SaveResult::Invalid(errors)),
        None if error.code() == ErrorCode::Conflict => Ok(SaveResult::Changed(to_problem(&error))),
        None => Err(to_problem(&error)),
    }
}

/// Removes the stored input and returns the page with the view, fields or JSON, that the form used.
async fn discard(tenant: TenantId, id: FormId, form: &FormEdit) -> Result<String, Problem> {
    remove(&key(id)).await?;
    Ok(form_url(tenant, id, form))
}

/// Returns the page of a form with its questions as entered: one by one, or as JSON.
fn form_url(tenant: TenantId, id: FormId, form: &FormEdit) -> String {
    if form.json.is_some() { url::form_as_json(tenant, id) } else { url::form(tenant, id) }
}

/// Returns the session key of the stored input.
fn key(id: FormId) -> String {
    format!("hosted {id}")
}

/// Publishes or unpublishes a form, unless it has changed since the user read it.
pub(crate) async fn publish(
    cx: &Cx,
    id: FormId,
    published: bool,
    seen: String,
) -> Result<(), Problem> {
    let body = contract::json::Object::from([("is_published", published.into())]);
    let patch = read::body(&body.into()).map_err(|errors| Problem::of_fields(&errors, &[]))?;
    let expected = ExpectedForm { digest: seen, is_published: None };
    into_problem(form::edit(cx, id, patch, Some(&expected)).await).map(drop)
}

/// Deletes a form, unless it has changed since the user read it.
pub(crate) async fn delete(
    cx: &Cx,
    id: FormId,
    published: bool,
    seen: String,
) -> Result<(), Problem> {
    let expected = ExpectedForm { digest: seen, is_published: Some(published) };
    into_problem(form::delete(cx, id, Some(&expected)).await)
}

pub(crate) async fn make_token(
    cx: &Cx,
    id: FormId,
    uses: &str,
    expires: &str,
) -> Result<OneTimeSecret, Problem> {
    let draft = token_draft(uses, expires)?;
    let token = into_problem(form::issue_token(cx, id, draft).await)?;
    Ok(OneTimeSecret { name: token.id.to_string(), secret: token.url })
}

/// Redirects to the form, which shows why an action was rejected.
pub(crate) async fn reject(problem: Problem, tenant: TenantId, id: FormId) -> Result<(), Problem> {
    crate::request::set_rejected(problem, url::form(tenant, id), String::new()).await
}
