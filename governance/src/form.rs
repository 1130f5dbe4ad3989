//! Hosted forms: made and looked after here; what the public does with them stands below.

mod access;
mod examples;
mod public;
mod submit;
mod token;

use contract::{
    error::FieldError,
    form::{AccessMode, Form, FormContract, FormDraft, FormField, FormPatch},
    id::{FormId, PolicyId},
    page::Page,
    read::Change,
};
use entity::{
    column::{Word, at, instant, number},
    form as table, policy as policy_table, policy_version,
    public_id::{self, PublicKind},
};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter,
    QuerySelect, Select, sea_query::LockType,
};
use serde::{Serialize, de::DeserializeOwned};

pub use self::{
    access::Admission,
    public::{Shown, Thanks, contract, receipt, schema, shown, shown_again, thanks},
    submit::submit,
    token::{IssuedToken, issue_token, revoke_token, tokens},
};
use crate::{
    audit::Event,
    cx::Cx,
    error::{Error, Noun, Result, invalid, invalid_field, not_found},
    page::{PageRequest, newest},
    password::Salt,
    permission,
    snapshot::read_rules,
    tenancy::TenantTx,
};

/// A form, and how many submissions it took ever.
pub type Counted = (Form, u64);

/// Makes a form. Without questions, they are drawn from the active rules of its policy.
///
/// # Errors
/// `NOT_FOUND` for the policy; `VALIDATION_ERROR` for a decision type that the policy does not decide on,
/// for a pattern that is none, and when there are no rules to draw questions from.
pub async fn create(cx: &Cx, draft: FormDraft) -> Result<Form> {
    let tenant = cx.tenant(permission::WRITE_FORMS)?;
    let password_hash = match draft.password {
        Some(password) => Some(hashed(cx, password).await?),
        None => None,
    };
    let id: FormId = cx.governance.chance().id();
    let mut tx = tenant.begin().await?;
    let policy = hold_policy(&tx, draft.policy_id).await?;
    let decision_type = decision_type(&policy, draft.decision_type)?;
    let fields = match draft.fields {
        Some(fields) => checked(fields)?,
        None => drawn(&tx, &policy).await?,
    };
    let budget = draft.token_budget.unwrap_or_default();
    let access_mode = draft.access_mode.unwrap_or(AccessMode::Open);
    let row = table::ActiveModel {
        tenant_id: Set(tenant.id().0),
        id: Set(id.0),
        sequence: Set(tx.next_sequence().await?),
        policy_id: Set(policy.id),
        title: Set(draft.title),
        description: Set(draft.description),
        decision_type: Set(decision_type),
        fields: Set(json(&fields)?),
        access_mode: Set(Word(access_mode)),
        password_hash: Set(password_hash),
        is_published: Set(draft.is_published.unwrap_or(false)),
        budget_limit: Set(whole(budget.limit)?),
        budget_window: Set(Word(budget.window)),
        window_start: Set(at(budget.window.start(cx.now))),
        tokens_used: Set(0),
        submissions: Set(0),
        branding: Set(json(&draft.branding.unwrap_or_default())?),
        success_message: Set(draft.success_message),
        created_at: Set(at(cx.now)),
        created_by: Set(cx.caller.principal()),
        updated_at: Set(at(cx.now)),
    };
    let row = row.insert(tx.connection()).await?;
    let named = public_id::ActiveModel {
        id: Set(id.0),
        tenant_id: Set(tenant.id().0),
        kind: Set(Word(PublicKind::Form)),
    };
    public_id::Entity::insert(named).exec_without_returning(tx.connection()).await?;
    let form = read_row(&row, cx)?;
    tx.commit(cx, told("form.create", &form)).await?;
    Ok(form)
}

/// The tenant's forms, newest first.
///
/// # Errors
/// `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, page: &PageRequest) -> Result<Page<Form>> {
    Ok(counted(cx, page).await?.map(|(form, _)| form))
}

/// The tenant's forms, newest first, with their submissions.
///
/// # Errors
/// As [`list`].
pub async fn counted(cx: &Cx, page: &PageRequest) -> Result<Page<Counted>> {
    let tenant = cx.tenant(permission::READ_FORMS)?;
    let Page { items, next_cursor } = newest::<table::Entity>(&tenant, "forms", page).await?;
    let items = items.iter().map(|row| Ok((read_row(row, cx)?, row.submissions.unsigned_abs())));
    Ok(Page { items: items.collect::<Result<_>>()?, next_cursor })
}

/// One form.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read(cx: &Cx, id: FormId) -> Result<Form> {
    Ok(read_counted(cx, id).await?.0)
}

/// One form, with its submissions.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read_counted(cx: &Cx, id: FormId) -> Result<Counted> {
    let tx = cx.tenant(permission::READ_FORMS)?.begin().await?;
    let row = find(&tx, id).one(tx.connection()).await?;
    tx.end().await?;
    let row = row.ok_or_else(|| not_found(Noun::Form))?;
    Ok((read_row(&row, cx)?, row.submissions.unsigned_abs()))
}

/// How a program submits to a form, for those who look after it.
pub fn contract_of(cx: &Cx, form: &Form) -> FormContract {
    examples::contract(form, cx.governance())
}

/// Changes a form: its questions, what opens it, whether it is there for the public. A patch that asks
/// for what is so already writes nothing.
///
/// # Errors
/// `NOT_FOUND`; `VALIDATION_ERROR` as [`create`], and for access by password without one.
pub async fn edit(cx: &Cx, id: FormId, patch: FormPatch) -> Result<Form> {
    let tenant = cx.tenant(permission::WRITE_FORMS)?;
    let password_hash = match patch.password.clone() {
        Change::Keep => Change::Keep,
        Change::Clear => Change::Clear,
        Change::Set(password) => Change::Set(hashed(cx, password).await?),
    };
    let tx = tenant.begin().await?;
    let before = lock(&tx, id).await?;
    let after = changed(&tx, &before, patch, password_hash).await?;
    if after == before {
        tx.end().await?;
        return read_row(&before, cx);
    }
    let form = read_row(&write(&tx, cx, before, after).await?, cx)?;
    tx.commit(cx, told("form.edit", &form)).await?;
    Ok(form)
}

/// The row after `patch`.
async fn changed(
    tx: &TenantTx,
    before: &table::Model,
    patch: FormPatch,
    password_hash: Change<String>,
) -> Result<table::Model> {
    let mut after = before.clone();
    if let Some(asked) = patch.decision_type {
        let policy = hold_policy(tx, PolicyId(before.policy_id)).await?;
        after.decision_type = decision_type(&policy, Some(asked))?;
    }
    if let Some(fields) = patch.fields {
        after.fields = json(&checked(fields)?)?;
    }
    if let Some(budget) = patch.token_budget {
        after.budget_limit = whole(budget.limit)?;
        after.budget_window = Word(budget.window);
    }
    if let Some(branding) = patch.branding {
        after.branding = json(&branding)?;
    }
    after.title = patch.title.unwrap_or(after.title);
    after.description = patch.description.apply(after.description);
    after.success_message = patch.success_message.apply(after.success_message);
    after.access_mode = patch.access_mode.map_or(after.access_mode, Word);
    after.is_published = patch.is_published.unwrap_or(after.is_published);
    after.password_hash = password_hash.apply(after.password_hash);
    if after.access_mode.0 == AccessMode::Password && after.password_hash.is_none() {
        let message = "access by password needs a password";
        return Err(invalid_field("/password", "required", message).into());
    }
    Ok(after)
}

async fn write(
    tx: &TenantTx,
    cx: &Cx,
    before: table::Model,
    after: table::Model,
) -> Result<table::Model> {
    // A budget of another window begins with what was used in it: nothing that is known.
    let is_rewound = before.budget_window != after.budget_window;
    let mut row = before.into_active_model();
    row.title = Set(after.title);
    row.description = Set(after.description);
    row.decision_type = Set(after.decision_type);
    row.fields = Set(after.fields);
    row.access_mode = Set(after.access_mode);
    row.password_hash = Set(after.password_hash);
    row.is_published = Set(after.is_published);
    row.budget_limit = Set(after.budget_limit);
    row.budget_window = Set(after.budget_window);
    if is_rewound {
        row.window_start = Set(at(after.budget_window.0.start(cx.now)));
        row.tokens_used = Set(0);
    }
    row.branding = Set(after.branding);
    row.success_message = Set(after.success_message);
    row.updated_at = Set(at(cx.now));
    Ok(row.update(tx.connection()).await?)
}

/// Deletes a form with its tokens. The decisions that it led to stay, with their receipts.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn delete(cx: &Cx, id: FormId) -> Result<()> {
    let tx = cx.tenant(permission::WRITE_FORMS)?.begin().await?;
    lock(&tx, id).await?;
    let row = tx.delete::<table::Entity>().filter(table::Column::Id.eq(id.0));
    row.exec(tx.connection()).await?;
    tx.commit(cx, Event::new("form.delete", "form", id)).await
}

/// The event of a form that was made or changed.
fn told(action: &'static str, form: &Form) -> Event {
    Event::new(action, "form", form.id)
        .with("policy_id", form.policy_id.to_string())
        .with("access_mode", form.access_mode.as_str())
        .with("is_published", form.is_published)
}

async fn hashed(cx: &Cx, password: String) -> Result<String> {
    let salt = Salt::random(cx.governance.chance())?;
    cx.governance.passwords().hash(password, salt).await
}

/// The policy of a form, which stays until the form is written.
async fn hold_policy(tx: &TenantTx, id: PolicyId) -> Result<policy_table::Model> {
    let found = tx.find::<policy_table::Entity>().filter(policy_table::Column::Id.eq(id.0));
    let held = found.lock(LockType::KeyShare).one(tx.connection()).await?;
    Ok(held.ok_or_else(|| not_found(Noun::Policy))?)
}

/// What the form asks to be decided: one of the types that its policy decides on.
fn decision_type(policy: &policy_table::Model, asked: Option<String>) -> Result<String> {
    let at = "/decision_type";
    let own = policy.decision_types.as_slice();
    match (asked, own) {
        (Some(asked), _) if own.is_empty() || own.contains(&asked) => Ok(asked),
        (Some(_), _) => {
            let message = "is none of the decision types of the policy";
            Err(invalid_field(at, "unknown", message).into())
        }
        (None, [only]) => Ok(only.clone()),
        (None, _) => {
            let message = "`decision_type` is required: the policy decides on more than one type";
            Err(invalid_field(at, "required", message).into())
        }
    }
}

fn checked(fields: Vec<FormField>) -> Result<Vec<FormField>> {
    let faults: Vec<FieldError> = engine::form::refuse_patterns(&fields);
    if faults.is_empty() { Ok(fields) } else { Err(invalid(&faults).into()) }
}

/// The questions that the active rules of a policy lead to.
async fn drawn(tx: &TenantTx, policy: &policy_table::Model) -> Result<Vec<FormField>> {
    let missing = |message: &str| Error::from(invalid_field("/fields", "required", message));
    let active = policy.active_version.ok_or_else(|| {
        missing("`fields` is required: the policy has no active version to draw them from")
    })?;
    let row = tx
        .find::<policy_version::Entity>()
        .filter(policy_version::Column::PolicyId.eq(policy.id))
        .filter(policy_version::Column::Version.eq(active))
        .one(tx.connection())
        .await?
        .ok_or_else(|| Error::bug("an active version that is not there"))?;
    let (_, rules) = read_rules(&row.rules)?;
    let fields = engine::form::draw(&rules);
    if fields.is_empty() {
        return Err(missing("`fields` is required: no active rule of the policy reads a field"));
    }
    Ok(fields)
}

fn find(tx: &TenantTx, id: FormId) -> Select<table::Entity> {
    tx.find::<table::Entity>().filter(table::Column::Id.eq(id.0))
}

async fn lock(tx: &TenantTx, id: FormId) -> Result<table::Model> {
    let row = find(tx, id).lock_exclusive().one(tx.connection()).await?;
    Ok(row.ok_or_else(|| not_found(Noun::Form))?)
}

/// A row as it is answered: what was used of the budget counts for the current window only.
fn read_row(row: &table::Model, cx: &Cx) -> Result<Form> {
    let window = row.budget_window.0;
    Ok(Form {
        id: row.id.into(),
        tenant_id: row.tenant_id.into(),
        policy_id: row.policy_id.into(),
        title: row.title.clone(),
        description: row.description.clone(),
        decision_type: row.decision_type.clone(),
        fields: parsed(&row.fields)?,
        access_mode: row.access_mode.0,
        is_published: row.is_published,
        token_budget: contract::form::TokenBudget { limit: number(row.budget_limit), window },
        tokens_used: used(row, cx),
        branding: parsed(&row.branding)?,
        success_message: row.success_message.clone(),
        created_at: instant(row.created_at),
        created_by: row.created_by.clone(),
        updated_at: instant(row.updated_at),
    })
}

/// How much of the budget was used in the window that holds the moment.
fn used(row: &table::Model, cx: &Cx) -> u32 {
    let is_current = instant(row.window_start) == row.budget_window.0.start(cx.now);
    if is_current { number(row.tokens_used) } else { 0 }
}

fn json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::Bug(error.into()))
}

fn parsed<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| Error::Bug(error.into()))
}

fn whole(number: u32) -> Result<i32> {
    i32::try_from(number).map_err(|error| Error::Bug(error.into()))
}
