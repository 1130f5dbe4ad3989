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
use endpoint_macro::{get, post};
use governance::{
    PageRequest,
    access::permission::{
        READ_POLICIES, READ_SUBMISSIONS, REVIEW, SEAL_VERSION, SET_ASIDE, SUPERSEDE,
    },
    authoring::policy::{rule_input::SupersedeInput, version},
};

use super::{
    policies::rules,
    versions::{TRANSITION_ERRORS, Version},
};
use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Body, Created, FromPath, Json, Path, RulesBody},
    query::Query,
};

/// The path of a review submission.
#[derive(Debug)]
pub struct SubmissionPath {
    /// The ID of the policy.
    id: PolicyId,
    /// The number of the version.
    version: u32,
    /// The ID of the submission.
    submission_id: SubmissionId,
}

impl FromPath for SubmissionPath {
    fn from_path(segments: &[String]) -> Option<Self> {
        let [id, version, submission_id] = segments else { return None };
        Some(Self {
            id: id.parse().ok()?,
            version: version.parse().ok()?,
            submission_id: submission_id.parse().ok()?,
        })
    }
}

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
pub async fn seal(
    Authorized(cx): Authorized,
    Path(Version { id, version }): Path<Version>,
    body: Body<SealRequest>,
) -> ApiResult<Response> {
    let result = version::seal(&cx, id, version, body.value).await?;
    if !result.is_new {
        return Ok(Json(result.submission).into_response());
    }
    Ok(Created(format!("/v1/policies/{id}/versions/{version}/submissions"), result.submission)
        .into_response())
}

/// List the review submissions of a version, newest first, with their review records.
#[get("/v1/policies/{id}/versions/{version}/submissions", READ_SUBMISSIONS, tag = "reviews")]
pub async fn submissions(
    Authorized(cx): Authorized,
    Path(Version { id, version }): Path<Version>,
    Query(page): Query<PageRequest>,
) -> ApiResult<Json<Page<ReviewSubmission>>> {
    Ok(Json(version::submissions(&cx, id, version, &page).await?))
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
pub async fn record(
    Authorized(cx): Authorized,
    Path(SubmissionPath { id, version, submission_id }): Path<SubmissionPath>,
    body: Body<ReviewDraft>,
) -> ApiResult<Created<ReviewRecord>> {
    let record = version::record(&cx, id, version, submission_id, body.value).await?;
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
pub async fn supersede(
    Authorized(cx): Authorized,
    Path(Version { id, version }): Path<Version>,
    body: RulesBody<SupersedeInput, SupersedeDraft>,
) -> ApiResult<Created<Superseded>> {
    let result = version::supersede(&cx, id, version, body.value).await?;
    Ok(Created(format!("/v1/policies/{id}/versions/{}", result.draft.version), result))
}

/// Set aside a version that was never active.
#[post(
    "/v1/policies/{id}/versions/{version}/set-aside", SET_ASIDE, tag = "versions",
    audit = "policy_version.set_aside",
    example = {"reason": "The law was withdrawn."},
    errors = TRANSITION_ERRORS,
)]
pub async fn set_aside(
    Authorized(cx): Authorized,
    Path(Version { id, version }): Path<Version>,
    body: Body<ReasonBody>,
) -> ApiResult<Json<PolicyVersion>> {
    Ok(Json(version::set_aside(&cx, id, version, body.value).await?))
}

/// Show the signed approval of a ratified version.
#[get("/v1/policies/{id}/versions/{version}/approval", READ_POLICIES, tag = "versions")]
pub async fn approval(
    Authorized(cx): Authorized,
    Path(Version { id, version }): Path<Version>,
) -> ApiResult<Json<PolicyApproval>> {
    Ok(Json(version::approval(&cx, id, version).await?))
}
