//! Review endpoints, and the endpoints to supersede and set aside versions.

use axum::response::{IntoResponse, Response};
use contract::{
    id::{PolicyId, SubmissionId},
    pagination::Page,
    policy::{
        PolicyApproval, PolicyVersion, ReasonBody, ReviewDraft, ReviewRecord, ReviewSubmission,
        SealRequest, SupersedeDraft, Superseded,
    },
};
use governance::{
    PageRequest,
    authoring::policy::{rule_input::SupersedeInput, version},
};

use super::{
    policies::rules,
    versions::{TRANSITION_ERRORS, Version},
};
use crate::edge::{ApiResult, Authorized, Body, Created, Json, JsonResult, Path, Query, RulesBody};

/// Seal the current revision of a version for review.
///
/// A revision is sealed once: repeating the request returns the same submission with status 200. After a
/// reviewer has requested changes, the next submission must name that review record in `answers_record_id`.
/// This includes review records of drafts in the lineage.
#[post(
    "/v1/policies/{id}/versions/{version}/seal", SEAL_VERSION, tag = "reviews",
    audit = "policy_version.seal",
    example = {},
    answer = Created<ReviewSubmission>,
    200 = "The revision was already sealed",
    400 = "`RESUBMISSION_ANSWERS_RECORD_REQUIRED`",
    409 = "`INVALID_TRANSITION` with `VERSION_NOT_SEALABLE`, `LINEAGE_UNRESOLVED`, \
                `RESUBMISSION_PRIOR_NOT_RETURNED`, `RESUBMISSION_ANSWERS_RECORD_MISMATCH`",
)]
async fn seal(
    cx: Authorized,
    Path(at): Path<Version>,
    body: Body<SealRequest>,
) -> ApiResult<Response> {
    let result = version::seal(&cx, at.id, at.version, body.value).await?;
    if !result.is_new {
        return Ok(Json(result.submission).into_response());
    }
    let location = format!("/v1/policies/{}/versions/{}/submissions", at.id, at.version);
    Ok(Created(location, result.submission).into_response())
}

/// List the review submissions of a version, newest first, with their review records.
#[get("/v1/policies/{id}/versions/{version}/submissions", READ_SUBMISSIONS, tag = "reviews")]
async fn submissions(
    cx: Authorized,
    Path(at): Path<Version>,
    Query(page): Query<PageRequest>,
) -> JsonResult<Page<ReviewSubmission>> {
    Ok(Json(version::submissions(&cx, at.id, at.version, &page).await?))
}

/// Record the verdict of a review: `ACCEPT` or `RETURN`, once per review submission.
///
/// With maker-checker on, the user who sealed the submission cannot review it.
#[post(
    "/v1/policies/{id}/versions/{version}/submissions/{submission_id}/records", REVIEW,
    tag = "reviews", audit = "policy_version.review",
    example = {
        "verdict": "RETURN",
        "comments": [{"rule_code": "PAY-LIMIT", "text": "The limit is per day."}],
    },
    403 = "`HUMAN_REQUIRED`, `FORBIDDEN`, `MAKER_CHECKER_VIOLATION`",
    409 = "`CONFLICT`: the submission has a review record; `INVALID_TRANSITION` with \
                `VERSION_NOT_REVIEWABLE`",
)]
async fn record(
    cx: Authorized,
    Path((id, version, submission)): Path<(PolicyId, u32, SubmissionId)>,
    body: Body<ReviewDraft>,
) -> ApiResult<Created<ReviewRecord>> {
    let record = version::record(&cx, id, version, submission, body.value).await?;
    Ok(Created(format!("/v1/policies/{id}/versions/{version}/submissions"), record))
}

/// Replace a draft with a new draft that corrects it.
///
/// The replaced draft is retained as history.
#[post(
    "/v1/policies/{id}/versions/{version}/supersede", SUPERSEDE, tag = "versions",
    audit = "policy_version.supersede",
    example = {
        "expected_revision": 1, "rules": rules(), "change_reason": "The limit is per day.",
    },
    403 = "`HUMAN_REQUIRED`, `FORBIDDEN`",
    409 = "`INVALID_TRANSITION` with `VERSION_NOT_DRAFT` or \
                `VERSION_BOUND_TO_CAPABILITY`; `STALE_DRAFT_REVISION`",
    422 = "`VALIDATION_ERROR`, `UNSUPPORTED_RULE_TYPE`, `CODIFICATION_REFUSED`",
)]
async fn supersede(
    cx: Authorized,
    Path(at): Path<Version>,
    body: RulesBody<SupersedeInput, SupersedeDraft>,
) -> ApiResult<Created<Superseded>> {
    let result = version::supersede(&cx, at.id, at.version, body.value).await?;
    Ok(Created(format!("/v1/policies/{}/versions/{}", at.id, result.draft.version), result))
}

/// Set aside a version that was never active.
#[post(
    "/v1/policies/{id}/versions/{version}/set-aside", SET_ASIDE, tag = "versions",
    audit = "policy_version.set_aside",
    example = {"reason": "The law was withdrawn."},
    errors = TRANSITION_ERRORS,
)]
async fn set_aside(
    cx: Authorized,
    Path(at): Path<Version>,
    body: Body<ReasonBody>,
) -> JsonResult<PolicyVersion> {
    Ok(Json(version::set_aside(&cx, at.id, at.version, body.value).await?))
}

/// Show the signed approval of a ratified version.
#[get("/v1/policies/{id}/versions/{version}/approval", READ_POLICIES, tag = "versions")]
async fn approval(cx: Authorized, Path(at): Path<Version>) -> JsonResult<PolicyApproval> {
    Ok(Json(version::approval(&cx, at.id, at.version).await?))
}
