//! Refusals of moves in the life of a version (contract, section 4).

use contract::{
    error::ErrorCode,
    id::ReviewRecordId,
    json::{Object, Value},
    policy::PolicyVersion,
};

use super::{Refusal, refusal};

/// The ratifier had a part in making the version.
pub fn maker_checker() -> Refusal {
    refusal(
        ErrorCode::MakerCheckerViolation,
        "you had a part in making this version; another person must ratify it",
    )
}

/// A maker of the version is not a known person, so no ratifier can be shown to be independent.
pub fn maker_unknown() -> Refusal {
    Refusal {
        details: Some(Object::from([("reason", Value::from("MAKER_UNKNOWN"))]).into()),
        ..refusal(
            ErrorCode::MakerCheckerViolation,
            "an API key without an owner had a part in making this version, so it cannot be \
             ratified; set it aside and make a new draft as a person or with a key that has an owner",
        )
    }
}

/// The reviewer sealed the submission.
pub fn reviewer_sealed() -> Refusal {
    refusal(
        ErrorCode::MakerCheckerViolation,
        "you sealed this submission; another person must review it",
    )
}

/// The last submission was returned: the next one must say that it answers that record.
pub fn answers_record_required(record: ReviewRecordId) -> Refusal {
    Refusal {
        details: Some(Object::from([("record_id", Value::from(record.to_string()))]).into()),
        ..refusal(
            ErrorCode::ResubmissionAnswersRecordRequired,
            "the last submission was returned; name that record in `answers_record_id`",
        )
    }
}

/// The submission before this one was not returned, so nothing is to be answered.
pub fn prior_not_returned() -> Refusal {
    refusal(
        ErrorCode::ResubmissionPriorNotReturned,
        "the last submission was not returned; leave out `answers_record_id`",
    )
}

/// Another record was returned last.
pub fn answers_record_mismatch(record: ReviewRecordId) -> Refusal {
    Refusal {
        details: Some(Object::from([("record_id", Value::from(record.to_string()))]).into()),
        ..refusal(
            ErrorCode::ResubmissionAnswersRecordMismatch,
            "`answers_record_id` is not the record that returned the last submission",
        )
    }
}

/// The drafts before this one cannot be followed back.
pub fn lineage_unresolved() -> Refusal {
    refusal(
        ErrorCode::LineageUnresolved,
        "the drafts that this one corrects cannot be followed back to what was last sealed",
    )
}

/// A draft is open already.
pub fn draft_exists(version: Option<u32>) -> Refusal {
    Refusal {
        details: version.map(|open| Object::from([("version", Value::from(open))]).into()),
        ..refusal(
            ErrorCode::DraftExists,
            "a draft of this policy is open already; edit it, or close it first",
        )
    }
}

/// The draft has moved on.
pub fn stale_draft(current: &PolicyVersion) -> Refusal {
    let details = serde_json::to_value(current)
        .ok()
        .and_then(|current| serde_json::from_value(current).ok())
        .map(|current: Value| Object::from([("current", current)]).into());
    Refusal {
        details,
        ..refusal(
            ErrorCode::StaleDraftRevision,
            format!("the draft has moved on to revision {}", current.draft_revision),
        )
    }
}

/// The state does not allow the move.
pub fn invalid_transition(reason: &str, from: &str, requested: &str) -> Refusal {
    let details = Object::from([
        ("reason", Value::from(reason)),
        ("from", Value::from(from)),
        ("requested", Value::from(requested)),
    ]);
    Refusal {
        details: Some(details.into()),
        ..refusal(
            ErrorCode::InvalidTransition,
            format!("`{requested}` is not possible while this is `{from}`"),
        )
    }
}
