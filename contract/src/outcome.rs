//! Decision outcomes: write-once records of what happened after a decision.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{
    decision::Actor,
    id::DecisionId,
    json::Value,
    read::{FieldErrors, FromJson, JsonPath, ObjectReader, enum_value, text, timestamp},
    time::Timestamp,
};

/// The maximum length of the note of an outcome in characters.
pub const NOTE_MAX: usize = 2_000;

/// What happened to a decision after its verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum OutcomeStatus {
    /// The verdict was followed.
    Accepted,
    /// A person decided differently.
    Overridden,
    /// The decision was escalated to a higher authority.
    Escalated,
    /// The decision expired before anyone acted.
    Expired,
    /// The underlying matter was abandoned.
    Abandoned,
}

impl OutcomeStatus {
    /// All statuses, in the order of the specification.
    pub const ALL: [Self; 5] =
        [Self::Accepted, Self::Overridden, Self::Escalated, Self::Expired, Self::Abandoned];

    /// The wire names, in the order of [`Self::ALL`].
    pub const WORDS: [&'static str; 5] =
        ["accepted", "overridden", "escalated", "expired", "abandoned"];

    /// Returns the wire name.
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
    /// What happened to the decision.
    pub status: OutcomeStatus,
    /// A note; at most 2,000 characters.
    pub note: Option<String>,
    /// The caller's ID of the outcome.
    pub reference_id: Option<String>,
    /// The person or program that caused the outcome.
    pub actor: Option<Actor>,
    /// The time at which the outcome occurred.
    pub occurred_at: Option<Timestamp>,
}

impl FromJson for OutcomeRequest {
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self> {
        let mut members = ObjectReader::new(value, at, errors)?;
        let status = members.required("status", enum_value(&OutcomeStatus::WORDS));
        let note = members.optional("note", text(0, NOTE_MAX));
        let reference_id = members.optional("reference_id", text(1, 255));
        let actor = members.optional("actor", Actor::from_json);
        let occurred_at = members.optional("occurred_at", timestamp);
        members.finish()?;
        Some(Self { status: status?, note, reference_id, actor, occurred_at })
    }
}

/// The outcome of a decision. A decision has at most one outcome, which cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DecisionOutcome {
    /// The ID of the decision.
    pub decision_id: DecisionId,
    /// What happened to the decision.
    pub status: OutcomeStatus,
    /// A note.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
    /// The caller's ID of the outcome.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reference_id: Option<String>,
    /// The person or program that caused the outcome.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub actor: Option<Actor>,
    /// The time at which the outcome occurred.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub occurred_at: Option<Timestamp>,
    /// The time at which the outcome was recorded.
    pub recorded_at: Timestamp,
    /// The ID of the user or API key that recorded the outcome.
    pub recorded_by: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcome_status_round_trips() {
        for (status, name) in OutcomeStatus::ALL.into_iter().zip(OutcomeStatus::WORDS) {
            assert_eq!(status.as_str(), name);
            assert_eq!(name.parse(), Ok(status));
            assert_eq!(serde_json::to_string(&status).unwrap(), format!("\"{name}\""));
        }
    }
}
