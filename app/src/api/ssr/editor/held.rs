//! What a page without scripts has sent, on its way to being shown again.

use serde::{Deserialize, Serialize};

use crate::{
    api::ssr::{session, store_fault},
    problem::Problem,
    view::editor::{JsonText, Place, Saved, Unsaved, rule::RuleForm},
};

/// A form that was sent and is not in the draft.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Held {
    /// The form of one rule.
    Rule { place: Place, form: Box<RuleForm>, unsaved: Option<Unsaved> },
    /// All rules as JSON, on the revision that was read.
    Json { place: Place, json: JsonText },
}

/// Holds a form.
pub(super) async fn hold(place: &Place, held: Held) -> Result<(), Problem> {
    match session() {
        Some(session) => session.insert(&form_key(place), held).await.map_err(|_| store_fault()),
        None => Ok(()),
    }
}

/// What was sent and is not in the draft. It stays until it is saved or given up: through a sign-in,
/// and through other pages.
pub(super) async fn get(place: &Place) -> Option<Held> {
    session()?.get(&form_key(place)).await.ok()?
}

/// Holds a form that was not saved, and lets go of one that was.
pub(super) async fn follow(place: &Place, form: &RuleForm, saved: &Saved) -> Result<(), Problem> {
    let Saved::Not(unsaved) = saved else { return clear(place).await };
    let (place, form, unsaved) = (place.clone(), Box::new(form.clone()), Some(unsaved.clone()));
    hold(&place.clone(), Held::Rule { place, form, unsaved }).await
}

/// Lets go of what is held.
pub(super) async fn clear(place: &Place) -> Result<(), Problem> {
    let Some(session) = session() else { return Ok(()) };
    // Looked at first: taking a value that is not there would still write the session.
    if get(place).await.is_some() {
        session.remove_value(&form_key(place)).await.map_err(|_| store_fault())?;
    }
    Ok(())
}

/// Remembers the sample of a policy until the person signs out.
pub(super) async fn remember(place: &Place, sample: String) -> Result<(), Problem> {
    match session() {
        Some(session) if !sample.trim().is_empty() => {
            session.insert(&sample_key(place), sample).await.map_err(|_| store_fault())
        }
        _ => Ok(()),
    }
}

/// The sample that was used last.
pub(super) async fn sample(place: &Place) -> Option<String> {
    session()?.get(&sample_key(place)).await.ok()?
}

fn form_key(place: &Place) -> String {
    format!("form {} {}", place.policy, place.version)
}

fn sample_key(place: &Place) -> String {
    format!("sample {}", place.policy)
}
