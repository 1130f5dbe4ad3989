//! Outcomes: what happened after a verdict, said once for each decision.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{
    decision::Actor,
    id::DecisionId,
    json::Value,
    read::{At, Errors, Members, Read, instant, text, word},
    time::Timestamp,
};

/// How many characters the note of an outcome has at the most.
pub const NOTE_MAX: usize = 2_000;

/// What became of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum OutcomeStatus {
    /// It was followed.
    Accepted,
    /// Somebody decided otherwise.
    Overridden,
    /// It was handed to somebody higher up.
    Escalated,
    /// Its time ran out before anybody acted.
    Expired,
    /// What it was about was given up.
    Abandoned,
}

impl OutcomeStatus {
    /// All of them, in the order of the specification.
    pub const ALL: [Self; 5] =
        [Self::Accepted, Self::Overridden, Self::Escalated, Self::Expired, Self::Abandoned];

    /// The words of the wire.
    pub const WORDS: [&'static str; 5] =
        ["accepted", "overridden", "escalated", "expired", "abandoned"];

    /// The word of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Overridden => "overridden",
            Self::Escalated => "escalated",
            Self::Expired => "expired",
            Self::Abandoned => "abandoned",
        }
    }
}

impl fmt::Display for OutcomeStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for OutcomeStatus {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|status| status.as_str() == text).ok_or(())
    }
}

/// The body of `POST /v1/decisions/{id}/outcome`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(example = json!({
    "status": "overridden",
    "note": "Approved by the treasurer by telephone.",
    "reference_id": "CASE-118",
    "actor": {"id": "treasurer", "type": "human"},
    "occurred_at": "2026-09-01T11:30:00Z",
})))]
pub struct OutcomeRequest {
    /// What became of the verdict.
    pub status: OutcomeStatus,
    /// In words; at most 2,000 characters.
    pub note: Option<String>,
    /// The caller's own id of what happened.
    pub reference_id: Option<String>,
    /// Who made it happen.
    pub actor: Option<Actor>,
    /// When it happened.
    pub occurred_at: Option<Timestamp>,
}

impl Read for OutcomeRequest {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let status = members.required("status", word(&OutcomeStatus::WORDS));
        let note = members.optional("note", text(0, NOTE_MAX));
        let reference_id = members.optional("reference_id", text(1, 255));
        let actor = members.optional("actor", Actor::read);
        let occurred_at = members.optional("occurred_at", instant);
        members.finish()?;
        Some(Self { status: status?, note, reference_id, actor, occurred_at })
    }
}

/// What happened after a verdict. There is at most one for a decision, and it never changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DecisionOutcome {
    /// The decision.
    pub decision_id: DecisionId,
    /// What became of the verdict.
    pub status: OutcomeStatus,
    /// In words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
    /// The caller's own id of what happened.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reference_id: Option<String>,
    /// Who made it happen.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub actor: Option<Actor>,
    /// When it happened.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub occurred_at: Option<Timestamp>,
    /// When we were told.
    pub recorded_at: Timestamp,
    /// Who told us: the id of a person or of a key.
    pub recorded_by: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_comes_back_as_it_went() {
        for (status, word) in OutcomeStatus::ALL.into_iter().zip(OutcomeStatus::WORDS) {
            assert_eq!(status.as_str(), word);
            assert_eq!(word.parse(), Ok(status));
            assert_eq!(serde_json::to_string(&status).unwrap(), format!("\"{word}\""));
        }
    }
}
