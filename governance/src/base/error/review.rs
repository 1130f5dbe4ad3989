//! Refusals of reviews and version transitions (contract, section 4).

use contract::{
    error::ErrorCode,
    id::{CommentId, ReviewRecordId},
    policy::PolicyVersion,
};

use super::{Details, Refusal, refusal};

refusals! {
    /// For a ratifier who helped to create the version.
    maker_checker() = MakerCheckerViolation, "you helped create this version; another person must ratify it";
    /// For a version with a maker who is not a known user. No ratifier is provably independent of such a maker.
    maker_unknown() = MakerCheckerViolation,
        "an API key without an owner helped to create this version, so it cannot be ratified; set it aside and \
         create a new draft as a user or with a key that has an owner",
        with_reason("MAKER_UNKNOWN");
    /// For a reviewer who sealed the submission.
    reviewer_sealed() = MakerCheckerViolation, "you sealed this submission; another user must review it";
    /// For a second review of a submission.
    review_exists() = Conflict, "this submission already has a review record";
    /// For a submission without a reference to the last requested changes.
    answers_record_required(record: ReviewRecordId) = ResubmissionAnswersRecordRequired,
        "the last submission was returned; set `answers_record_id` to its review record",
        with_details(Details::Record { record_id: record });
    /// For a reference to requested changes when the last submission was not returned.
    prior_not_returned() = ResubmissionPriorNotReturned,
        "the last submission was not returned; omit `answers_record_id`";
    /// For a reference to the wrong review record.
    answers_record_mismatch(record: ReviewRecordId) = ResubmissionAnswersRecordMismatch,
        "`answers_record_id` is not the record that returned the last submission",
        with_details(Details::Record { record_id: record });
    /// For resolving or reopening a reply. Only the first entry of a thread has a state.
    comment_is_reply(first: CommentId) = Conflict,
        "this comment is a reply; use the first entry of its thread, `details.first`",
        with_details(Details::Thread { first });
    /// For a draft whose lineage does not reach the last submission.
    lineage_unresolved() = LineageUnresolved, "the draft lineage does not reach the last submission";
    invalid_transition(reason: &'static str, from: &'static str, requested: &'static str) = InvalidTransition,
        "cannot `{requested}` from status `{from}`",
        with_details(Details::Transition { reason, from, requested });
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
