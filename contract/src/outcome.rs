//! Decision outcomes: write-once records of what happened after a decision.

use crate::{decision::Actor, id::DecisionId, read::text, time::Timestamp};

/// The maximum length of the note of an outcome in characters.
pub const NOTE_MAX: usize = 2_000;

string_enum! {
    /// The status of a decision outcome.
    pub enum OutcomeStatus {
        /// The verdict was followed.
        Accepted = "accepted",
        /// A person decided differently.
        Overridden = "overridden",
        /// The decision was escalated to a higher authority.
        Escalated = "escalated",
        /// The decision expired before anyone acted.
        Expired = "expired",
        /// The underlying matter was abandoned.
        Abandoned = "abandoned",
    }
}

/// The body of `POST /v1/decisions/{id}/outcome`.
#[body(Eq)]
#[cfg_attr(feature = "openapi", schema(example = json!({
    "status": "overridden",
    "note": "Approved by the treasurer by telephone.",
    "reference_id": "CASE-118",
    "actor": {"id": "treasurer", "type": "human"},
    "occurred_at": "2026-09-01T11:30:00Z",
})))]
pub struct OutcomeRequest {
    /// The status of the outcome.
    pub status: OutcomeStatus,
    /// A note; at most 2,000 characters.
    #[json(with = text(0, NOTE_MAX))]
    pub note: Option<String>,
    /// The caller's ID of the outcome.
    #[json(with = text(1, 255))]
    pub reference_id: Option<String>,
    /// The person or program that caused the outcome.
    pub actor: Option<Actor>,
    /// The time at which the outcome occurred.
    pub occurred_at: Option<Timestamp>,
}

/// The outcome of a decision. A decision has at most one outcome, which cannot be changed.
#[wire(Eq)]
pub struct DecisionOutcome {
    /// The ID of the decision.
    pub decision_id: DecisionId,
    /// The status of the outcome.
    pub status: OutcomeStatus,
    /// A note.
    pub note: Option<String>,
    /// The caller's ID of the outcome.
    pub reference_id: Option<String>,
    /// The person or program that caused the outcome.
    pub actor: Option<Actor>,
    /// The time at which the outcome occurred.
    pub occurred_at: Option<Timestamp>,
    /// The time at which the outcome was recorded.
    pub recorded_at: Timestamp,
    /// The ID of the user or API key that recorded the outcome.
    pub recorded_by: String,
}
