//! The stage of a policy version.

use serde::{Deserialize, Serialize};

/// The stage of a version: its status together with the review of its last submission. The console shows the
/// stage as the status of the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum VersionStage {
    /// The version can be edited.
    Draft,
    /// The submitted revision has no review record.
    WaitingForReview,
    /// A reviewer requested changes that no later submission has addressed.
    ChangesRequested,
    /// The version was submitted without a review, or its revision was accepted.
    WaitingForRatification,
    /// The version is ratified and was never active.
    Ratified,
    /// The version is the active version.
    Active,
    /// The version was active before.
    Inactive,
    /// The draft was superseded by another draft.
    Replaced,
    /// The version was closed without being used.
    SetAside,
}
