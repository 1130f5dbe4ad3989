//! The versions of a policy and their moves.

use std::num::NonZeroU32;

use axum::response::{IntoResponse, Response};
use contract::{
    error::ErrorBody,
    id::PolicyId,
    page::Page,
    policy::{
        Empty, PolicyVersion, Ratification, VersionDiff, VersionDraft, VersionPatch, WithReason,
    },
};
use governance::policy::{
    authored::{Edit, NewVersion},
    version,
};
use http::{StatusCode, header};
use utoipa::{IntoParams, IntoResponses};

use crate::edge::{
    error::Reply,
    extract::{Api, Body, FromPath, Json, Path, Query},
};

/// One version of a policy, by its path.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct Version {
    /// The policy.
    pub(super) id: PolicyId,
    /// The number of the version.
    pub(super) version: u32,
}

impl FromPath for Version {
    fn from_path(segments: &[String]) -> Option<Self> {
        FromPath::from_path(segments).map(|(id, version)| Self { id, version })
    }
}

/// Why a version did not move.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "it only describes the answers")]
pub(super) enum Refused {
    /// `HUMAN_REQUIRED`, `FORBIDDEN`, `INSUFFICIENT_SCOPE`; of `ratify` also
    /// `MAKER_CHECKER_VIOLATION`.
    #[response(status = 403)]
    Caller(ErrorBody),
    /// No such version here.
    #[response(status = 404)]
    Missing(ErrorBody),
    /// `INVALID_TRANSITION`; where a revision is expected also `STALE_DRAFT_REVISION`.
    #[response(status = 409)]
    State(ErrorBody),
    /// `VALIDATION_ERROR`.
    #[response(status = 422)]
    Body(ErrorBody),
}

/// Open a draft.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions", tag = "versions", request_body = VersionDraft,
    params(("id" = String, Path, description = "The policy")),
    responses(
        (status = 201, body = PolicyVersion),
        (status = 404, body = ErrorBody),
        (status = 409, description = "`DRAFT_EXISTS`", body = ErrorBody),
        (
            status = 422, body = ErrorBody,
            description = "`VALIDATION_ERROR`, `UNSUPPORTED_RULE_TYPE`, `CODIFICATION_REFUSED`",
        ),
    )
)]
pub async fn create(
    Api(cx): Api,
    Path((id,)): Path<(PolicyId,)>,
    body: Body<NewVersion>,
) -> Reply<Response> {
    let version = version::create(&cx, id, body.read).await?;
    let location = format!("/v1/policies/{id}/versions/{}", version.version);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(version)).into_response())
}

/// List the versions of a policy, newest first, without their rules.
#[utoipa::path(
    get, path = "/v1/policies/{id}/versions", tag = "versions",
    params(
        ("id" = String, Path, description = "The policy"),
        ("limit" = Option<u32>, Query, description = "1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    responses(
        (status = 200, body = Page<PolicyVersion>),
        (status = 404, body = ErrorBody),
        (status = 422, body = ErrorBody),
    )
)]
pub async fn list(
    Api(cx): Api,
    Path((id,)): Path<(PolicyId,)>,
    mut query: Query,
) -> Reply<Json<Page<PolicyVersion>>> {
    let page = query.page();
    query.finish()?;
    Ok(Json(version::list(&cx, id, &page).await?))
}

/// Read one version.
#[utoipa::path(
    get, path = "/v1/policies/{id}/versions/{version}", tag = "versions",
    params(Version),
    responses((status = 200, body = PolicyVersion), (status = 404, body = ErrorBody))
)]
pub async fn read(
    Api(cx): Api,
    Path(Version { id, version }): Path<Version>,
    query: Query,
) -> Reply<Json<PolicyVersion>> {
    query.finish()?;
    Ok(Json(version::read(&cx, id, version).await?))
}

/// Edit a draft in place.
#[utoipa::path(
    patch, path = "/v1/policies/{id}/versions/{version}", tag = "versions",
    request_body = VersionPatch,
    params(Version),
    responses(
        (status = 200, body = PolicyVersion),
        (status = 404, body = ErrorBody),
        (status = 409, description = "`STALE_DRAFT_REVISION`, `INVALID_TRANSITION`", body = ErrorBody),
        (
            status = 422, body = ErrorBody,
            description = "`VALIDATION_ERROR`, `UNSUPPORTED_RULE_TYPE`, `CODIFICATION_REFUSED`",
        ),
    )
)]
pub async fn edit(
    Api(cx): Api,
    Path(Version { id, version }): Path<Version>,
    body: Body<Edit>,
) -> Reply<Json<PolicyVersion>> {
    Ok(Json(version::edit(&cx, id, version, body.read).await?))
}

/// Delete a draft that was never sealed, recalled and rejected ones too. Its history stays in the audit
/// log, and its number is not given out again.
#[utoipa::path(
    delete, path = "/v1/policies/{id}/versions/{version}", tag = "versions",
    params(Version),
    responses(
        (status = 204, description = "It is gone"),
        (status = 404, body = ErrorBody),
        (
            status = 409, body = ErrorBody,
            description = "`INVALID_TRANSITION`: `VERSION_NOT_DRAFT`, `VERSION_WAS_SEALED`",
        ),
    )
)]
pub async fn delete(
    Api(cx): Api,
    Path(Version { id, version }): Path<Version>,
    query: Query,
) -> Reply<StatusCode> {
    query.finish()?;
    version::delete(&cx, id, version).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Compare the rules of a version with those of another.
///
/// Without `against` it is compared with the version that decides, else with the one before it; when
/// there is none either, every rule is new.
#[utoipa::path(
    get, path = "/v1/policies/{id}/versions/{version}/diff", tag = "versions",
    params(
        Version,
        ("against" = Option<u32>, Query, description = "The number of the other version"),
    ),
    responses(
        (status = 200, body = VersionDiff),
        (status = 404, body = ErrorBody),
        (status = 422, body = ErrorBody),
    )
)]
pub async fn diff(
    Api(cx): Api,
    Path(Version { id, version }): Path<Version>,
    mut query: Query,
) -> Reply<Json<VersionDiff>> {
    let against = query.parsed::<NonZeroU32>("against", "the number of a version");
    query.finish()?;
    Ok(Json(version::diff(&cx, id, version, against.map(NonZeroU32::get)).await?))
}

/// Send a draft to its ratifiers.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/submit", tag = "versions",
    request_body = Empty,
    params(Version),
    responses((status = 200, body = PolicyVersion), Refused)
)]
pub async fn submit(
    Api(cx): Api,
    Path(Version { id, version }): Path<Version>,
    _: Body<Empty>,
) -> Reply<Json<PolicyVersion>> {
    Ok(Json(version::submit(&cx, id, version).await?))
}

/// Take a submitted version back.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/recall", tag = "versions",
    request_body = Empty,
    params(Version),
    responses((status = 200, body = PolicyVersion), Refused)
)]
pub async fn recall(
    Api(cx): Api,
    Path(Version { id, version }): Path<Version>,
    _: Body<Empty>,
) -> Reply<Json<PolicyVersion>> {
    Ok(Json(version::recall(&cx, id, version).await?))
}

/// Send a submitted version back to its author.
///
/// Raises a `governance_change` alert. A key gets `HUMAN_REQUIRED` while the setting
/// `human_changes_only` is on.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/reject", tag = "versions",
    request_body = WithReason,
    params(Version),
    responses((status = 200, body = PolicyVersion), Refused)
)]
pub async fn reject(
    Api(cx): Api,
    Path(Version { id, version }): Path<Version>,
    body: Body<WithReason>,
) -> Reply<Json<PolicyVersion>> {
    Ok(Json(version::reject(&cx, id, version, body.read).await?))
}

/// Approve a version: one that was submitted, or a draft whose very revision a review accepted.
///
/// With maker-checker on, a person who had a part in making the version cannot ratify it, and a version
/// with a maker that is not a known person cannot be ratified (`MAKER_UNKNOWN`). A revision that a
/// reviewer returned cannot be ratified (`VERSION_RETURNED`). The approval is signed: `GET …/approval`
/// shows it.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/ratify", tag = "versions",
    request_body = Ratification,
    params(Version),
    responses((status = 200, body = PolicyVersion), Refused)
)]
pub async fn ratify(
    Api(cx): Api,
    Path(Version { id, version }): Path<Version>,
    body: Body<Ratification>,
) -> Reply<Json<PolicyVersion>> {
    Ok(Json(version::ratify(&cx, id, version, body.read).await?))
}

/// Make a ratified version the one that decides.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/activate", tag = "versions",
    request_body = Empty,
    params(Version),
    responses((status = 200, body = PolicyVersion), Refused)
)]
pub async fn activate(
    Api(cx): Api,
    Path(Version { id, version }): Path<Version>,
    _: Body<Empty>,
) -> Reply<Json<PolicyVersion>> {
    Ok(Json(version::activate(&cx, id, version).await?))
}
