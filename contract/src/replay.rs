//! Replays: a recorded decision, made again of what was stored.

use serde::{Deserialize, Serialize};

use crate::{
    evaluation::{Verdict, Violation},
    json::Value,
};

/// The answer of `POST /v1/decisions/{id}/replay`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Replay {
    /// As it was recorded.
    pub original: Replayed,
    /// As the stored context and the stored snapshot give it today.
    pub replay: Replayed,
    /// Whether both say the same.
    pub matches: bool,
    /// Where they differ, in the order of the members; empty when they match.
    pub differences: Vec<Difference>,
}

/// What a decision says, and the hash that binds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Replayed {
    /// The verdict.
    pub decision: Verdict,
    /// Failing checks, in rule order.
    pub violations: Vec<Violation>,
    /// Digest of context, snapshot and verdict.
    pub integrity_hash: String,
}

/// One value that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Difference {
    /// JSON Pointer to the value, within `original` and within `replay`.
    #[cfg_attr(feature = "openapi", schema(example = "/violations/0/reason"))]
    pub path: String,
    /// The value as recorded; absent where there was none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub original: Option<Value>,
    /// The value of the replay; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub replay: Option<Value>,
}
