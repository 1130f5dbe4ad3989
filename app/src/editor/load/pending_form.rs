//! Unsaved forms of the editor, stored in the session.

use serde::{Deserialize, Serialize};

use crate::{
    editor::view::{EditorTarget, JsonText, SaveRejection, SaveResult, rule::RuleForm},
    problem::Problem,
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

pub(super) async fn store(target: &EditorTarget, form: PendingForm) -> Result<(), Problem> {
    request::put(&form_key(target), form).await
}

/// Returns the unsaved form. It stays stored, across sign-ins and other pages, until it is saved or
/// discarded.
pub(super) async fn get(target: &EditorTarget) -> Option<PendingForm> {
    request::get(&form_key(target)).await
}

/// Stores a form that was not saved, and removes one that was.
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
    store(target, form).await
}

pub(super) async fn clear(target: &EditorTarget) -> Result<(), Problem> {
    request::remove(&form_key(target)).await
}

/// Stores the sample of a policy until the user signs out.
pub(super) async fn store_sample(target: &EditorTarget, sample: String) -> Result<(), Problem> {
    if sample.trim().is_empty() {
        return Ok(());
    }
    request::put(&sample_key(target), sample).await
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
