//! What happened after a decision: the form that tells it, and what was told.

use std::collections::BTreeMap;

use contract::{
    evaluation::Verdict,
    id::{DecisionId, TenantId},
    outcome::{DecisionOutcome, OutcomeStatus},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::{kept::Kept, people::acted};

/// The outcome of a decision, as pages show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// What became of the verdict.
    pub status: OutcomeStatus,
    /// In words.
    pub note: Option<String>,
    /// The caller's own id of what happened.
    pub reference_id: Option<String>,
    /// Who made it happen.
    pub actor: Option<String>,
    /// When it happened.
    pub occurred_at: Option<Timestamp>,
    /// When we were told.
    pub recorded_at: Timestamp,
    /// Who told us.
    pub by: String,
}

impl Told {
    /// The outcome, with the name of whoever told it.
    pub fn new(outcome: DecisionOutcome, names: &BTreeMap<String, String>) -> Self {
        let actor = outcome.actor.as_ref().and_then(acted);
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
}

/// The page on which an outcome is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomePage {
    /// The tenant.
    pub tenant: TenantId,
    /// The decision.
    pub id: DecisionId,
    /// Its verdict.
    pub verdict: Verdict,
    /// What kind of decision it is.
    pub decision_type: String,
    /// What was told before.
    pub told: Option<Told>,
    /// What was typed, and why it was refused.
    pub kept: Option<Kept>,
}

/// The form that tells an outcome.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct OutcomeForm {
    /// What became of the verdict.
    pub status: String,
    /// In words.
    pub note: String,
    /// The person's own id of what happened.
    pub reference_id: String,
    /// When it happened, in UTC, as a field for date and time sends it.
    pub occurred_at: String,
}
