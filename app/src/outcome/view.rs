//! Decision outcomes: the form that records an outcome, and the recorded outcome.

use contract::{
    evaluation::Verdict,
    id::{DecisionId, TenantId},
    outcome::{DecisionOutcome, OutcomeStatus},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use crate::{
    flash::RejectedForm,
    member::names::{Names, actor_name},
    text::time,
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomeDetails {
    pub status: OutcomeStatus,
    pub note: Option<String>,
    /// The caller's reference.
    pub reference_id: Option<String>,
    /// The name of the actor.
    pub actor: Option<String>,
    pub occurred_at: Option<Timestamp>,
    pub recorded_at: Timestamp,
    /// The name of the user or key that recorded it.
    pub by: String,
}

impl OutcomeDetails {
    /// Creates the details of an outcome; `names` contains the name of the recorder.
    pub fn new(outcome: DecisionOutcome, names: &Names) -> Self {
        let actor = outcome.actor.as_ref().and_then(actor_name);
        let by = names.get(&outcome.recorded_by).cloned();
        Self {
            status: outcome.status,
            note: outcome.note.filter(|note| !note.is_empty()),
            reference_id: outcome.reference_id,
            actor,
            occurred_at: outcome.occurred_at,
            recorded_at: outcome.recorded_at,
            by: by.unwrap_or(outcome.recorded_by),
        }
    }

    pub fn already_recorded(&self) -> String {
        let at = time::minute(self.recorded_at);
        format!("Already recorded as {} by {} at {at}. It cannot be changed.", self.status, self.by)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomePage {
    pub tenant: TenantId,
    pub id: DecisionId,
    pub verdict: Verdict,
    pub decision_type: String,
    pub outcome: Option<OutcomeDetails>,
    /// The rejected input and the reason.
    pub rejected: Option<RejectedForm>,
}

/// The input of the form that records an outcome.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct OutcomeForm {
    pub status: String,
    pub note: String,
    pub reference_id: String,
    /// The time at which it happened, in UTC, in the format of a date and time field.
    pub occurred_at: String,
}
