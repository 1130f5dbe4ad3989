//! Refusals of reviews and version transitions (contract, section 4).

use contract::{
    error::ErrorCode,
    id::{CommentId, ReviewRecordId},
    policy::PolicyVersion,
};

use super::{Details, Refusal, refusal};

/// Returns the refusal for a ratifier who helped to create the version.
pub fn maker_checker() -> Refusal {
    refusal(
        ErrorCode::MakerCheckerViolation,
        "you helped create this version; another person must ratify it",
    )
}

/// Returns the refusal for a version with a maker who is not a known user. No ratifier is provably
/// independent of such a maker.
pub fn maker_unknown() -> Refusal {
    refusal(
            ErrorCode::MakerCheckerViolation,
            "an API key without an owner helped to create this version, so it cannot be \
             ratified; set it aside and create a new draft as a user or with a key that has an owner",
        )
    .with_reason("MAKER_UNKNOWN")
}

/// Returns the refusal for a reviewer who sealed the submission.
pub fn reviewer_sealed() -> Refusal {
    refusal(
        ErrorCode::MakerCheckerViolation,
        "you sealed this submission; another user must review it",
    )
}

/// Returns the refusal for a second review of a submission.
pub fn review_exists() -> Refusal {
    refusal(ErrorCode::Conflict, "this submission already has a review record")
}

/// Returns the refusal for a submission without a reference to the last requested changes.
pub fn answers_record_required(record: ReviewRecordId) -> Refusal {
    refusal(
        ErrorCode::ResubmissionAnswersRecordRequired,
        "the last submission was returned; set `answers_record_id` to its review record",
    )
    .with_details(Details::Record { record_id: record })
}

/// Returns the refusal for a reference to requested changes when the last submission was not returned.
pub fn prior_not_returned() -> Refusal {
    refusal(
        ErrorCode::ResubmissionPriorNotReturned,
        "the last submission was not returned; omit `answers_record_id`",
    )
}

/// Returns the refusal for a reference to the wrong review record.
pub fn answers_record_mismatch(record: ReviewRecordId) -> Refusal {
    refusal(
        ErrorCode::ResubmissionAnswersRecordMismatch,
        "`answers_record_id` is not the record that returned the last submission",
    )
    .with_details(Details::Record { record_id: record })
}

/// Returns the refusal for resolving or reopening a reply. Only the first entry of a thread has a state.
pub fn comment_is_reply(first: CommentId) -> Refusal {
    refusal(
        ErrorCode::Conflict,
        "this comment is a reply; use the first entry of its thread, `details.first`",
    )
    .with_details(Details::Thread { first })
}

/// Returns the refusal for a draft whose lineage does not reach the last submission.
pub fn lineage_unresolved() -> Refusal {
    refusal(ErrorCode::LineageUnresolved, "the draft lineage does not reach the last submission")
}

pub fn draft_exists(version: Option<u32>) -> Refusal {
    Refusal {
        details: version.map(|version| Details::OpenDraft { version }),
        ..refusal(
            ErrorCode::DraftExists,
            "the policy already has an open draft; edit it or close it first",
        )
    }
}

/// Returns the refusal for a draft that was changed since the revision of the request. It contains the
/// current draft.
pub fn stale_draft(current: &PolicyVersion) -> Refusal {
    refusal(
        ErrorCode::StaleDraftRevision,
        format!("the draft was updated to revision {}; reload it", current.draft_revision),
    )
    .with_details(Details::StaleDraft { current: Box::new(current.clone()) })
}

pub fn invalid_transition(
    reason: &'static str,
    from: &'static str,
    requested: &'static str,
) -> Refusal {
    refusal(ErrorCode::InvalidTransition, format!("cannot `{requested}` from status `{from}`"))
        .with_details(Details::Transition { reason, from, requested })
}
