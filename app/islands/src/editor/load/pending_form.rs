//! Unsaved forms of the editor, stored in the session.

use crate::{
    editor::view::{EditorTarget, JsonText, SaveRejection, SaveResult, rule::RuleForm},
    prelude::*,
    request,
};

/// A form that was sent but not saved.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum PendingForm {
    /// The form of one rule.
    Rule { target: EditorTarget, form: Box<RuleForm>, unsaved: Option<SaveRejection> },
    /// All rules as JSON, for the revision that the user has read.
    Json { target: EditorTarget, json: JsonText },
}

/// Stores a form. Returns whether it is stored: a form that is too large is not.
pub(super) async fn store(target: &EditorTarget, form: PendingForm) -> Result<bool, Problem> {
    request::put(&form_key(target), form).await
}

/// Returns the unsaved form. It stays stored, across sign-ins and other pages, until it is saved or
/// discarded.
pub(super) async fn get(target: &EditorTarget) -> Option<PendingForm> {
    request::get(&form_key(target)).await
}

/// Stores a form that was not saved, and removes one that was.
///
/// # Errors
/// The errors of a form that is too large to be stored, if the page of the form shows them.
pub(super) async fn store_or_clear(
    target: &EditorTarget,
    form: &RuleForm,
    saved: &SaveResult,
) -> Result<(), Problem> {
    let SaveResult::Not(unsaved) = saved else { return clear(target).await };
    let form = PendingForm::Rule {
        target: target.clone(),
        form: Box::new(form.clone()),
        unsaved: Some(unsaved.clone()),
    };
    if store(target, form).await? || !request::wants_page() {
        return Ok(());
    }
    let problem = match unsaved {
        SaveRejection::Errors(errors) if !errors.is_empty() => Problem::of_fields(errors, &[]),
        _ => request::too_large(),
    };
    Err(Problem { is_input_lost: true, ..problem })
}

pub(super) async fn clear(target: &EditorTarget) -> Result<(), Problem> {
    request::remove(&form_key(target)).await
}

/// Stores the sample of a policy until the user signs out.
pub(super) async fn store_sample(target: &EditorTarget, sample: String) -> Result<(), Problem> {
    if sample.trim().is_empty() {
        return Ok(());
    }
    if request::put(&sample_key(target), sample).await? || !request::wants_page() {
        return Ok(());
    }
    Err(request::too_large())
}

/// Returns the sample that was used last.
pub(super) async fn sample(target: &EditorTarget) -> Option<String> {
    request::get(&sample_key(target)).await
}

fn form_key(target: &EditorTarget) -> String {
    format!("form {} {}", target.policy, target.version)
}

fn sample_key(target: &EditorTarget) -> String {
    format!("sample {}", target.policy)
}
