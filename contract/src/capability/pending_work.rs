//! Pending work: review and ratification steps visible to a capability.

use serde::{Deserialize, Serialize};

use crate::{
    id::{CapabilityId, PolicyId, PolicyVersionId, ReviewRecordId, SubmissionId},
    policy::VersionStatus,
    time::Timestamp,
};

/// Pending review and activation work that is visible to a capability.
///
/// The work can change after it was read. Read the version again before acting on it.
#[wire(Eq)]
pub struct PendingWork {
    /// The ID of the grant that permitted the read. It differs from the ID of the issued grant if the
    /// capability was carried over.
    pub capability_id: CapabilityId,
    /// The ID of the first grant of the lineage.
    pub root_capability_id: CapabilityId,
    /// The ID of the policy.
    pub policy_id: PolicyId,
    /// The ID of the head version.
    pub policy_version_id: PolicyVersionId,
    /// The version number of the head version.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub policy_version_number: u32,
    /// The time at which the read started.
    pub observed_at: Timestamp,
    /// The pending items of the head version and of at most one earlier draft.
    pub items: Vec<PendingItem>,
    /// The requested changes that the next review submission must reference as `answers_record_id`.
    pub next_seal_answers: Option<ReturnedSubmission>,
    /// Requested changes that the next review submission cannot reference.
    pub returns_not_answerable: Vec<UnanswerableReturn>,
    /// Present and true if the draft lineage could not be resolved. The lists can then be incomplete.
    #[serde(skip_serializing_if = "is_false", default)]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub lineage_unresolved: bool,
    /// Present and true if no grant of the lineage names the version of the previous submission. The items of
    /// that version are then omitted.
    #[serde(skip_serializing_if = "is_false", default)]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub lineage_not_backed_by_grant: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// The kind of a pending item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PendingKind {
    /// Review or ratification.
    Review,
    /// Activation.
    Activation,
}

/// The action that a person must take next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum RequestedAct {
    /// Create a review record.
    Review,
    /// Ratify the version.
    Ratify,
    /// Activate the version.
    Activate,
}

/// The stored event from which an item is pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum EnteredStateSource {
    /// The version was submitted.
    SubmittedAt,
    /// A revision of the version was sealed.
    SealedAt,
    /// The review submission was accepted.
    AcceptRecordedAt,
    /// The version was ratified.
    RatifiedAt,
}

/// A pending item.
#[wire(Eq)]
pub struct PendingItem {
    /// The kind of the item.
    pub kind: PendingKind,
    /// The requested action.
    pub requested_act: RequestedAct,
    /// The ID of the policy.
    pub policy_id: PolicyId,
    /// The name of the policy.
    pub policy_name: String,
    /// The code of the policy.
    pub policy_code: String,
    /// The ID of the version.
    pub policy_version_id: PolicyVersionId,
    /// The version number.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub version: u32,
    /// The status of the version.
    pub status: VersionStatus,
    /// The current draft revision.
    pub draft_revision: u32,
    /// The ID of the latest review submission, if the item derives from one.
    pub submission_id: Option<SubmissionId>,
    /// The sequence number of that submission.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub submission_sequence: Option<u32>,
    /// The revision that the submission sealed. It can be lower than `draft_revision`.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub candidate_revision: Option<u32>,
    /// The ID of the accepting review record from which a ratify item derives.
    pub accept_record_id: Option<ReviewRecordId>,
    /// The version number of the draft that replaces this one; only for replaced versions.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub superseded_by_version: Option<u32>,
    /// The time from which the item is pending.
    pub entered_state_at: Timestamp,
    /// The stored event that `entered_state_at` comes from.
    pub entered_state_source: EnteredStateSource,
}

/// Requested changes: a review record with the verdict `RETURN`.
#[wire(Eq)]
pub struct ReturnedSubmission {
    /// The ID of the version whose submission was returned.
    pub policy_version_id: PolicyVersionId,
    /// The version number of that version.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub version: u32,
    /// The ID of the returned submission.
    pub submission_id: SubmissionId,
    /// The ID of the review record.
    pub review_record_id: ReviewRecordId,
    /// The stable ID of the reviewer.
    pub returned_by: String,
    /// The time of the review record.
    pub returned_at: Timestamp,
}

/// The reason why the next review submission cannot reference requested changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum NotAnswerableReason {
    /// They concern a submission other than the one that the next submission follows.
    NotLineagePrevious,
    /// They concern that submission, but the head version cannot be sealed.
    HeadNotSealable,
}

/// Requested changes that the next review submission cannot reference.
#[wire(Eq)]
pub struct UnanswerableReturn {
    /// The requested changes.
    #[serde(flatten)]
    pub returned: ReturnedSubmission,
    /// The reason.
    pub reason: NotAnswerableReason,
}
