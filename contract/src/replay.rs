//! Replays: evaluations of a stored context against its stored snapshot.

use crate::{
    evaluation::{Verdict, Violation},
    json::Value,
};

/// The response of `POST /v1/decisions/{id}/replay`.
#[wire]
pub struct Replay {
    /// The result as recorded.
    pub original: ReplaySide,
    /// The result of evaluating the stored context against the stored snapshot now.
    pub replay: ReplaySide,
    /// Whether both results are equal.
    pub matches: bool,
    /// The differences, in the order of the members; empty if the results match.
    pub differences: Vec<Difference>,
}

/// The compared part of a result.
#[wire]
pub struct ReplaySide {
    /// The verdict.
    pub decision: Verdict,
    /// The failed checks, in the order of the rules.
    pub violations: Vec<Violation>,
    /// The digest of context, snapshot and verdict.
    pub integrity_hash: String,
}

/// A value that differs.
#[wire]
pub struct Difference {
    /// The JSON Pointer to the value in `original` and in `replay`.
    #[cfg_attr(feature = "openapi", schema(example = "/violations/0/reason"))]
    pub path: String,
    /// The recorded value; absent if there is none.
    pub original: Option<Value>,
    /// The value of the replay; absent if there is none.
    pub replay: Option<Value>,
}
