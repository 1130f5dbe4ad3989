//! Reviews of versions, and what becomes of versions that are not used.

use axum::response::{IntoResponse, Response};
use contract::{
    error::ErrorBody,
    id::{PolicyId, SubmissionId},
    page::Page,
    policy::{
        PolicyApproval, PolicyVersion, ReviewDraft, ReviewRecord, Seal, Submission, SupersedeDraft,
        Superseded, WithReason,
    },
};
use governance::policy::{authored::Correction, version};
use http::{StatusCode, header};
use utoipa::IntoParams;

use super::versions::{Refused, Version};
use crate::edge::{
    error::Reply,
    extract::{Api, Body, FromPath, Json, Path, Query},
};

/// One submission of a version, by its path.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct Sealed {
    /// The policy.
    id: PolicyId,
    /// The number of the version.
    version: u32,
    /// The submission.
    submission_id: SubmissionId,
}

impl FromPath for Sealed {
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
/// A revision is sealed once: asking again answers 200 with the same submission. After a return, the
/// next seal names that record in `answers_record_id`; the lineage of superseded drafts counts.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/seal", tag = "reviews", request_body = Seal,
    params(Version),
    responses(
        (status = 201, body = Submission),
        (status = 200, description = "This revision was sealed before", body = Submission),
        (
            status = 400, body = ErrorBody,
            description = "`RESUBMISSION_ANSWERS_RECORD_REQUIRED`",
        ),
        (status = 404, body = ErrorBody),
        (
            status = 409, body = ErrorBody,
            description = "`INVALID_TRANSITION` with `VERSION_NOT_SEALABLE`, `LINEAGE_UNRESOLVED`, \
                `RESUBMISSION_PRIOR_NOT_RETURNED`, `RESUBMISSION_ANSWERS_RECORD_MISMATCH`",
        ),
        (status = 422, body = ErrorBody),
    )
)]
pub async fn seal(
    Api(cx): Api,
    Path(Version { id, version }): Path<Version>,
    body: Body<Seal>,
) -> Reply<Response> {
    let sealed = version::seal(&cx, id, version, body.read).await?;
    if !sealed.is_new {
        return Ok(Json(sealed.submission).into_response());
    }
    let location = format!("/v1/policies/{id}/versions/{version}/submissions");
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(sealed.submission))
        .into_response())
}

/// List what was sealed of a version, newest first, each with its records.
#[utoipa::path(
    get, path = "/v1/policies/{id}/versions/{version}/submissions", tag = "reviews",
    params(
        Version,
        ("limit" = Option<u32>, Query, description = "1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    responses(
        (status = 200, body = Page<Submission>),
        (status = 404, body = ErrorBody),
        (status = 422, body = ErrorBody),
    )
)]
pub async fn submissions(
    Api(cx): Api,
    Path(Version { id, version }): Path<Version>,
    mut query: Query,
) -> Reply<Json<Page<Submission>>> {
    let page = query.page();
    query.finish()?;
    Ok(Json(version::submissions(&cx, id, version, &page).await?))
}

/// Record what a review found: `ACCEPT` or `RETURN`, once for each submission.
///
/// With maker-checker on, whoever sealed the submission does not review it.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/submissions/{submission_id}/records",
    tag = "reviews", request_body = ReviewDraft,
    params(Sealed),
    responses(
        (status = 201, body = ReviewRecord),
        (
            status = 403, body = ErrorBody,
            description = "`HUMAN_REQUIRED`, `FORBIDDEN`, `MAKER_CHECKER_VIOLATION`",
        ),
        (status = 404, body = ErrorBody),
        (
            status = 409, body = ErrorBody,
            description = "`CONFLICT`: it has its record; `INVALID_TRANSITION` with \
                `VERSION_NOT_REVIEWABLE`",
        ),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn record(
    Api(cx): Api,
    Path(Sealed { id, version, submission_id }): Path<Sealed>,
    body: Body<ReviewDraft>,
) -> Reply<Response> {
    let record = version::record(&cx, id, version, submission_id, body.read).await?;
    let location = format!("/v1/policies/{id}/versions/{version}/submissions");
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(record)).into_response())
}

/// Correct a draft without overwriting it: the old one is kept, and a new one begins.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/supersede", tag = "versions",
    request_body = SupersedeDraft,
    params(Version),
    responses(
        (status = 201, body = Superseded),
        (status = 403, description = "`HUMAN_REQUIRED`, `FORBIDDEN`", body = ErrorBody),
        (status = 404, body = ErrorBody),
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
    Api(cx): Api,
    Path(Version { id, version }): Path<Version>,
    body: Body<Correction>,
) -> Reply<Response> {
    let superseded = version::supersede(&cx, id, version, body.read).await?;
    let location = format!("/v1/policies/{id}/versions/{}", superseded.draft.version);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(superseded)).into_response())
}

/// Close a version that was never in force.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/set-aside", tag = "versions",
    request_body = WithReason,
    params(Version),
    responses((status = 200, body = PolicyVersion), Refused)
)]
pub async fn set_aside(
    Api(cx): Api,
    Path(Version { id, version }): Path<Version>,
    body: Body<WithReason>,
) -> Reply<Json<PolicyVersion>> {
    Ok(Json(version::set_aside(&cx, id, version, body.read).await?))
}

/// Show the signed approval of a ratified version.
#[utoipa::path(
    get, path = "/v1/policies/{id}/versions/{version}/approval", tag = "versions",
    params(Version),
    responses((status = 200, body = PolicyApproval), (status = 404, body = ErrorBody))
)]
pub async fn approval(
    Api(cx): Api,
    Path(Version { id, version }): Path<Version>,
    query: Query,
) -> Reply<Json<PolicyApproval>> {
    query.finish()?;
    Ok(Json(version::approval(&cx, id, version).await?))
}
