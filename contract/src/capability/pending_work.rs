//! What waits for people within the reach of a capability.

use serde::{Deserialize, Serialize};

use crate::{
    id::{CapabilityId, PolicyId, PolicyVersionId, ReviewRecordId, SubmissionId},
    policy::VersionStatus,
    time::Timestamp,
};

/// Review and activation work in the scope of a capability. It is no snapshot: read the subject again
/// before acting on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PendingWork {
    /// The grant whose signed chain scoped the read; another than the caller knows when it was carried.
    pub capability_id: CapabilityId,
    /// Where that chain starts.
    pub root_capability_id: CapabilityId,
    /// The policy.
    pub policy_id: PolicyId,
    /// The head version, by id.
    pub policy_version_id: PolicyVersionId,
    /// The head version, by number.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub policy_version_number: u32,
    /// When the read started.
    pub observed_at: Timestamp,
    /// What waits: of the head version, and of at most one earlier draft.
    pub items: Vec<PendingItem>,
    /// The one return that the next seal must name as `answers_record_id`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub next_seal_answers: Option<Returned>,
    /// Returns that no next seal answers.
    pub returns_not_answerable: Vec<NotAnswerable>,
    /// Present when the lineage of drafts could not be followed back: then what is absent here says
    /// nothing.
    #[serde(skip_serializing_if = "is_false", default)]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub lineage_unresolved: bool,
    /// Present when no grant of the chain names the version that the next seal follows: its items are
    /// not listed.
    #[serde(skip_serializing_if = "is_false", default)]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub lineage_not_backed_by_grant: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// A kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PendingKind {
    /// Judging and approving.
    Review,
    /// Bringing into force.
    Activation,
}

/// What is asked of people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum RequestedAct {
    /// A review record.
    Review,
    /// A ratification.
    Ratify,
    /// An activation.
    Activate,
}

/// The stored column that says since when an item waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum EnteredStateSource {
    /// The version was submitted.
    SubmittedAt,
    /// A revision of it was sealed.
    SealedAt,
    /// What was sealed was accepted.
    AcceptRecordedAt,
    /// The version was ratified.
    RatifiedAt,
}

/// One piece of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PendingItem {
    /// Its kind.
    pub kind: PendingKind,
    /// What is asked for.
    pub requested_act: RequestedAct,
    /// The policy.
    pub policy_id: PolicyId,
    /// The policy's name.
    pub policy_name: String,
    /// The policy's code.
    pub policy_code: String,
    /// The version, by id.
    pub policy_version_id: PolicyVersionId,
    /// The version, by number.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub version: u32,
    /// Its state.
    pub status: VersionStatus,
    /// Its current draft revision.
    pub draft_revision: u32,
    /// The latest sealed submission, when the item derives from one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub submission_id: Option<SubmissionId>,
    /// The number of that submission.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub submission_sequence: Option<u32>,
    /// The revision that it sealed; can trail `draft_revision`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub candidate_revision: Option<u32>,
    /// The record from which a ratify item derives.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub accept_record_id: Option<ReviewRecordId>,
    /// The draft that corrects this one; of a replaced version.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub superseded_by_version: Option<u32>,
    /// Since when it waits.
    pub entered_state_at: Timestamp,
    /// The column that says so.
    pub entered_state_source: EnteredStateSource,
}

/// A return of a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Returned {
    /// The version whose submission was returned, by id.
    pub policy_version_id: PolicyVersionId,
    /// The same, by number.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub version: u32,
    /// The submission.
    pub submission_id: SubmissionId,
    /// The record that returned it.
    pub review_record_id: ReviewRecordId,
    /// Who returned it, by a name that does not change.
    pub returned_by: String,
    /// When.
    pub returned_at: Timestamp,
}

/// Why a return is not answered by the next seal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum NotAnswerableReason {
    /// It is on another submission than the one that the next seal answers.
    NotLineagePrevious,
    /// It is on that submission, but the head version cannot be sealed.
    HeadNotSealable,
}

/// A return that no next seal answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NotAnswerable {
    /// The return.
    #[serde(flatten)]
    pub returned: Returned,
    /// Why.
    pub reason: NotAnswerableReason,
}
