//! Hosted forms: managed here, used by the public through the submodules.

mod access;
mod examples;
mod public;
mod row;
mod submit;
mod token;

use contract::{
    form::{AccessMode, Form, FormContract, FormDraft, FormField, FormLanguage, FormPatch},
    read::FieldPatch,
};
use entity::{
    form as table, policy as policy_table, policy_version,
    public_id::{self, PublicKind},
};
use sea_orm::sea_query::LockType;

use self::row::{find, json, lock, read_row, to_i32, tokens_used};
pub use self::{
    access::FormCredentials,
    public::{
        PublicForm, SubmissionConfirmation, confirmation, contract, language, load,
        load_for_resubmission, receipt, schema,
    },
    submit::submit,
    token::{IssuedToken, issue_token, revoke_token, tokens},
};
use crate::{
    access::{password::Salt, permission},
    authoring::policy::stored_rules,
    base::{pagination::newest, prelude::*},
};

/// The state of a form that the caller has read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedForm {
    /// The [`digest`] of the form.
    pub digest: String,
    pub is_published: Option<bool>,
}

/// A form and its total number of submissions.
pub type FormWithCount = (Form, u64);

/// Creates a form. If the draft has no fields, they are derived from the active rules of the policy.
///
/// # Errors
/// `NOT_FOUND` for the policy; `VALIDATION_ERROR` for a decision type that the policy does not govern, for
/// an invalid pattern, and if no fields can be derived.
pub async fn create(cx: &Cx, draft: FormDraft) -> Result<Form> {
    let tenant = cx.tenant(permission::WRITE_FORMS)?;
    let password_hash = match draft.password {
        Some(password) => Some(hash_password(cx, password).await?),
        None => None,
    };
    let id: FormId = cx.governance.entropy().id();
    let mut tx = tenant.begin().await?;
    let policy = lock_policy(&tx, draft.policy_id).await?;
    let decision_type = decision_type(&policy, draft.decision_type)?;
    let fields = match draft.fields {
        Some(fields) => check_fields(fields)?,
        None => derive_fields(&tx, &policy).await?,
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
        access_mode: Set(TextEnum(access_mode)),
        password_hash: Set(password_hash),
        is_published: Set(draft.is_published.unwrap_or(false)),
        budget_limit: Set(to_i32(budget.limit)?),
        budget_window: Set(TextEnum(budget.window)),
        window_start: Set(to_column(budget.window.start(cx.now))),
        tokens_used: Set(0),
        submissions: Set(0),
        branding: Set(json(&draft.branding.unwrap_or_default())?),
        success_message: Set(draft.success_message),
        language: Set(TextEnum(draft.language.unwrap_or(FormLanguage::Auto))),
        created_at: Set(to_column(cx.now)),
        created_by: Set(cx.caller.principal()),
        updated_at: Set(to_column(cx.now)),
        ..Default::default()
    };
    let row = row.insert(tx.connection()).await?;
    let public_id_row = public_id::ActiveModel {
        id: Set(id.0),
        tenant_id: Set(tenant.id().0),
        kind: Set(TextEnum(PublicKind::Form)),
    };
    public_id::Entity::insert(public_id_row).exec_without_returning(tx.connection()).await?;
    let form = read_row(&row, cx)?;
    tx.commit(cx, form_event("form.create", &form)).await?;
    Ok(form)
}

/// Returns a page of the tenant's forms, newest first.
///
/// # Errors
/// `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, page: &PageRequest) -> Result<Page<Form>> {
    Ok(list_with_counts(cx, page).await?.map(|(form, _)| form))
}

/// Returns a page of the tenant's forms with their numbers of submissions, newest first.
///
/// # Errors
/// As [`list`].
pub async fn list_with_counts(cx: &Cx, page: &PageRequest) -> Result<Page<FormWithCount>> {
    let tenant = cx.tenant(permission::READ_FORMS)?;
    let Page { items, next_cursor } = newest::<table::Entity>(&tenant, "forms", page).await?;
    let items = items.iter().map(|row| Ok((read_row(row, cx)?, row.submissions.unsigned_abs())));
    Ok(Page { items: items.collect::<Result<_>>()?, next_cursor })
}

/// Returns a form.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read(cx: &Cx, id: FormId) -> Result<Form> {
    Ok(read_with_count(cx, id).await?.0)
}

/// Returns a form with its number of submissions.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read_with_count(cx: &Cx, id: FormId) -> Result<FormWithCount> {
    let tx = cx.tenant(permission::READ_FORMS)?.begin().await?;
    let row = find(&tx, id).one(tx.connection()).await?;
    tx.finish_read().await?;
    let row = row.or_not_found(ResourceKind::Form)?;
    Ok((read_row(&row, cx)?, row.submissions.unsigned_abs()))
}

/// Returns the integration contract of a form for those who manage it.
pub fn contract_of(cx: &Cx, form: &Form) -> FormContract {
    examples::contract(form, cx.governance())
}

/// Returns the digest of the members of a form that [`edit`] changes, except `is_published` and the
/// password.
///
/// # Errors
/// Internal error when the members cannot be serialized.
pub fn digest(form: &Form) -> Result<String> {
    let members = json(&(
        &form.title,
        &form.description,
        &form.decision_type,
        &form.fields,
        form.access_mode,
        &form.token_budget,
        &form.branding,
        &form.success_message,
        form.language,
    ))?;
    Ok(Digest::compute(members.as_bytes()).to_string())
}

/// Changes a form. Writes nothing if the patch changes nothing. The form must equal `expected`.
///
/// # Errors
/// `NOT_FOUND`; `VALIDATION_ERROR` as for [`create`], and for access mode `password` without a password;
/// `CONFLICT` when the form differs from `expected`.
pub async fn edit(
    cx: &Cx,
    id: FormId,
    patch: FormPatch,
    expected: Option<&ExpectedForm>,
) -> Result<Form> {
    let tenant = cx.tenant(permission::WRITE_FORMS)?;
    let password_hash = match patch.password.clone() {
        FieldPatch::Keep => FieldPatch::Keep,
        FieldPatch::Clear => FieldPatch::Clear,
        FieldPatch::Set(password) => FieldPatch::Set(hash_password(cx, password).await?),
    };
    let tx = tenant.begin().await?;
    let before = lock(&tx, id).await?;
    check_unchanged(&before, cx, expected)?;
    let after = apply_patch(&tx, &before, patch, password_hash).await?;
    if after == before {
        tx.finish_read().await?;
        return read_row(&before, cx);
    }
    let form = read_row(&write(&tx, cx, before, after).await?, cx)?;
    tx.commit(cx, form_event("form.edit", &form)).await?;
    Ok(form)
}

/// Checks that the form equals the state that the caller has read.
fn check_unchanged(row: &table::Model, cx: &Cx, expected: Option<&ExpectedForm>) -> Result<()> {
    let Some(ExpectedForm { digest: expected, is_published }) = expected else { return Ok(()) };
    let has_same_status = is_published.is_none_or(|is_published| is_published == row.is_published);
    if has_same_status && digest(&read_row(row, cx)?)? == *expected {
        return Ok(());
    }
    Err(conflict("the form was changed concurrently; reload it").into())
}

/// Returns the row after `patch`.
async fn apply_patch(
    tx: &TenantTx,
    before: &table::Model,
    patch: FormPatch,
    password_hash: FieldPatch<String>,
) -> Result<table::Model> {
    let mut after = before.clone();
    if let Some(requested) = patch.decision_type {
        let policy = lock_policy(tx, PolicyId(before.policy_id)).await?;
        after.decision_type = decision_type(&policy, Some(requested))?;
    }
    if let Some(fields) = patch.fields {
        after.fields = json(&check_fields(fields)?)?;
    }
    if let Some(budget) = patch.token_budget {
        after.budget_limit = to_i32(budget.limit)?;
        after.budget_window = TextEnum(budget.window);
    }
    if let Some(branding) = patch.branding {
        after.branding = json(&branding)?;
    }
    after.title = patch.title.unwrap_or(after.title);
    after.description = patch.description.apply(after.description);
    after.success_message = patch.success_message.apply(after.success_message);
    after.language = patch.language.map_or(after.language, TextEnum);
    after.access_mode = patch.access_mode.map_or(after.access_mode, TextEnum);
    after.is_published = patch.is_published.unwrap_or(after.is_published);
    after.password_hash = password_hash.apply(after.password_hash);
    if after.access_mode.0 == AccessMode::Password && after.password_hash.is_none() {
        let message = "access mode `password` requires a password";
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
    // Usage of a different window is unknown, so a new window starts at zero.
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
        row.window_start = Set(to_column(after.budget_window.0.start(cx.now)));
        row.tokens_used = Set(0);
    }
    row.branding = Set(after.branding);
    row.success_message = Set(after.success_message);
    row.language = Set(after.language);
    row.updated_at = Set(to_column(cx.now));
    Ok(row.update(tx.connection()).await?)
}

/// Deletes a form and its tokens. Decisions from its submissions and their receipts remain. The form must
/// equal `expected`.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` when the form differs from `expected`.
pub async fn delete(cx: &Cx, id: FormId, expected: Option<&ExpectedForm>) -> Result<()> {
    let tx = cx.tenant(permission::WRITE_FORMS)?.begin().await?;
    check_unchanged(&lock(&tx, id).await?, cx, expected)?;
    let row = tx.delete::<table::Entity>().filter(table::Column::Id.eq(id.0));
    row.exec(tx.connection()).await?;
    tx.commit(cx, Event::new("form.delete", "form", id)).await
}

/// Returns the audit event of a created or changed form.
fn form_event(action: &'static str, form: &Form) -> Event {
    Event::new(action, "form", form.id)
        .with("policy_id", form.policy_id.to_string())
        .with("access_mode", form.access_mode.as_str())
        .with("is_published", form.is_published)
}

async fn hash_password(cx: &Cx, password: String) -> Result<String> {
    let salt = Salt::random(cx.governance.entropy())?;
    cx.governance.access().passwords.hash(password, salt).await
}

/// Loads the policy of a form and locks it against deletion until the form is written.
async fn lock_policy(tx: &TenantTx, id: PolicyId) -> Result<policy_table::Model> {
    let policy = tx.find::<policy_table::Entity>().filter(policy_table::Column::Id.eq(id.0));
    let locked = policy.lock(LockType::KeyShare).one(tx.connection()).await?;
    Ok(locked.or_not_found(ResourceKind::Policy)?)
}

/// Returns the decision type of the form: the requested one if the policy governs it, or the policy's only
/// one.
fn decision_type(policy: &policy_table::Model, requested: Option<String>) -> Result<String> {
    let pointer = "/decision_type";
    let policy_types = policy.decision_types.as_slice();
    match (requested, policy_types) {
        (Some(requested), _) if policy_types.is_empty() || policy_types.contains(&requested) => {
            Ok(requested)
        }
        (Some(_), _) => {
            let message = "is not a decision type of the policy";
            Err(invalid_field(pointer, "unknown", message).into())
        }
        (None, [only]) => Ok(only.clone()),
        (None, _) => {
            let message = "`decision_type` is required: the policy has more than one decision type";
            Err(invalid_field(pointer, "required", message).into())
        }
    }
}

fn check_fields(fields: Vec<FormField>) -> Result<Vec<FormField>> {
    let errors: Vec<FieldError> = engine::form::check_patterns(&fields);
    if errors.is_empty() { Ok(fields) } else { Err(invalid(&errors).into()) }
}

/// Derives form fields from the active rules of a policy.
async fn derive_fields(tx: &TenantTx, policy: &policy_table::Model) -> Result<Vec<FormField>> {
    let missing = |message: &str| Error::from(invalid_field("/fields", "required", message));
    let active = policy.active_version.ok_or_else(|| {
        missing("`fields` is required: the policy has no active version to derive them from")
    })?;
    let row = tx
        .find::<policy_version::Entity>()
        .filter(policy_version::Column::PolicyId.eq(policy.id))
        .filter(policy_version::Column::Version.eq(active))
        .one(tx.connection())
        .await?
        .or_bug("an active version without its row")?;
    let (_, rules) = stored_rules::parse(&row.rules)?;
    let fields = engine::form::derive_fields(&rules);
    if fields.is_empty() {
        return Err(missing("`fields` is required: no active rule of the policy reads a field"));
    }
    Ok(fields)
}
