//! Review endpoints, and the endpoints to supersede and set aside versions.

use axum::response::{IntoResponse, Response};
use contract::{
    error::ErrorBody,
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

use super::versions::{TransitionErrors, Version};
use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Body, Created, FromPath, Json, Path},
    query::{NoQuery, Query},
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
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/seal", tag = "reviews", request_body = SealRequest,
    responses(
        (status = 201, body = ReviewSubmission),
        (status = 200, description = "The revision was already sealed", body = ReviewSubmission),
        (
            status = 400, body = ErrorBody,
            description = "`RESUBMISSION_ANSWERS_RECORD_REQUIRED`",
        ),
        (
            status = 409, body = ErrorBody,
            description = "`INVALID_TRANSITION` with `VERSION_NOT_SEALABLE`, `LINEAGE_UNRESOLVED`, \
                `RESUBMISSION_PRIOR_NOT_RETURNED`, `RESUBMISSION_ANSWERS_RECORD_MISMATCH`",
        ),
    )
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
#[utoipa::path(
    get, path = "/v1/policies/{id}/versions/{version}/submissions", tag = "reviews",
    params(Query<PageRequest>),
    responses((status = 200, body = Page<ReviewSubmission>))
)]
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
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/submissions/{submission_id}/records",
    tag = "reviews", request_body = ReviewDraft,
    responses(
        (status = 201, body = ReviewRecord),
        (
            status = 403, body = ErrorBody,
            description = "`HUMAN_REQUIRED`, `FORBIDDEN`, `MAKER_CHECKER_VIOLATION`",
        ),
        (
            status = 409, body = ErrorBody,
            description = "`CONFLICT`: the submission has a review record; `INVALID_TRANSITION` with \
                `VERSION_NOT_REVIEWABLE`",
        ),
    )
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
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/supersede", tag = "versions",
    request_body = SupersedeDraft,
    responses(
        (status = 201, body = Superseded),
        (status = 403, description = "`HUMAN_REQUIRED`, `FORBIDDEN`", body = ErrorBody),
        (
            status = 409, body = ErrorBody,
            description = "`INVALID_TRANSITION` with `VERSION_NOT_DRAFT` or \
                `VERSION_BOUND_TO_CAPABILITY`; `STALE_DRAFT_REVISION`",
        ),
        (
            status = 422, body = ErrorBody,
            description = "`VALIDATION_ERROR`, `UNSUPPORTED_RULE_TYPE`, `CODIFICATION_REFUSED`",
        ),
    )
)]
pub async fn supersede(
    Authorized(cx): Authorized,
    Path(Version { id, version }): Path<Version>,
    body: Body<SupersedeInput>,
) -> ApiResult<Created<Superseded>> {
    let result = version::supersede(&cx, id, version, body.value).await?;
    Ok(Created(format!("/v1/policies/{id}/versions/{}", result.draft.version), result))
}

/// Set aside a version that was never active.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/set-aside", tag = "versions",
    request_body = ReasonBody,
    responses((status = 200, body = PolicyVersion), TransitionErrors)
)]
pub async fn set_aside(
    Authorized(cx): Authorized,
    Path(Version { id, version }): Path<Version>,
    body: Body<ReasonBody>,
) -> ApiResult<Json<PolicyVersion>> {
    Ok(Json(version::set_aside(&cx, id, version, body.value).await?))
}

/// Show the signed approval of a ratified version.
#[utoipa::path(
    get, path = "/v1/policies/{id}/versions/{version}/approval", tag = "versions",
    responses((status = 200, body = PolicyApproval))
)]
pub async fn approval(
    Authorized(cx): Authorized,
    Path(Version { id, version }): Path<Version>,
    _: NoQuery,
) -> ApiResult<Json<PolicyApproval>> {
    Ok(Json(version::approval(&cx, id, version).await?))
}
