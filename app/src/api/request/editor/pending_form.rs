//! Unsaved forms of the editor, stored in the session.

use serde::{Deserialize, Serialize};

use crate::{
    api::request::{session, write_error},
    problem::Problem,
    view::editor::{EditorTarget, JsonText, SaveRejection, SaveResult, rule::RuleForm},
};

/// A form that was sent but not saved.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum PendingForm {
    /// The form of one rule.
    Rule { target: EditorTarget, form: Box<RuleForm>, unsaved: Option<SaveRejection> },
    /// All rules as JSON, for the revision that the user has read.
    Json { target: EditorTarget, json: JsonText },
}

/// Stores a form.
pub(super) async fn store(target: &EditorTarget, form: PendingForm) -> Result<(), Problem> {
    match session() {
        Some(session) => session.insert(&form_key(target), form).await.map_err(|_| write_error()),
        None => Ok(()),
    }
}

/// Returns the unsaved form. It stays stored, across sign-ins and other pages, until it is saved or
/// discarded.
pub(super) async fn get(target: &EditorTarget) -> Option<PendingForm> {
    session()?.get(&form_key(target)).await.ok()?
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

/// Removes the stored form.
pub(super) async fn clear(target: &EditorTarget) -> Result<(), Problem> {
    let Some(session) = session() else { return Ok(()) };
    // Read first: removing an absent value would still write the session.
    if get(target).await.is_some() {
        session.remove_value(&form_key(target)).await.map_err(|_| write_error())?;
    }
    Ok(())
}

/// Stores the sample of a policy until the user signs out.
pub(super) async fn store_sample(target: &EditorTarget, sample: String) -> Result<(), Problem> {
    match session() {
        Some(session) if !sample.trim().is_empty() => {
            session.insert(&sample_key(target), sample).await.map_err(|_| write_error())
        }
        _ => Ok(()),
    }
}

/// Returns the sample that was used last.
pub(super) async fn sample(target: &EditorTarget) -> Option<String> {
    session()?.get(&sample_key(target)).await.ok()?
}

fn form_key(target: &EditorTarget) -> String {
    format!("form {} {}", target.policy, target.version)
}

fn sample_key(target: &EditorTarget) -> String {
    format!("sample {}", target.policy)
}
