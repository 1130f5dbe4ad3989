//! Policy version endpoints.

use contract::{
    error::ErrorBody,
    id::PolicyId,
    pagination::Page,
    policy::{
        EmptyBody, PolicyVersion, Ratification, ReasonBody, VersionDiff, VersionDraft, VersionPatch,
    },
};
use governance::{
    PageRequest,
    authoring::policy::{
        rule_input::{NewVersion, VersionEdit},
        version,
    },
};
use http::StatusCode;
use utoipa::IntoResponses;

use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Body, Created, FromPath, Json, NoBody, Path},
    query::{FromQuery, NoQuery, Query, QueryReader},
};

/// The path of a policy version.
#[derive(Debug)]
pub struct Version {
    /// The ID of the policy.
    pub(super) id: PolicyId,
    /// The number of the version.
    pub(super) version: u32,
}

impl FromPath for Version {
    fn from_path(segments: &[String]) -> Option<Self> {
        FromPath::from_path(segments).map(|(id, version)| Self { id, version })
    }
}

/// The errors of a version transition.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "it only describes the responses")]
pub(super) enum TransitionErrors {
    /// `HUMAN_REQUIRED`, `FORBIDDEN`, `INSUFFICIENT_SCOPE`; for `ratify` also `MAKER_CHECKER_VIOLATION`.
    #[response(status = 403)]
    Caller(ErrorBody),
    /// The version was not found.
    #[response(status = 404)]
    Missing(ErrorBody),
    /// `INVALID_TRANSITION`; if a revision is expected, also `STALE_DRAFT_REVISION`.
    #[response(status = 409)]
    State(ErrorBody),
    /// `VALIDATION_ERROR`.
    #[response(status = 422)]
    Body(ErrorBody),
}

/// Create a draft.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions", tag = "versions", request_body = VersionDraft,
    responses(
        (status = 201, body = PolicyVersion),
        (status = 409, description = "`DRAFT_EXISTS`", body = ErrorBody),
        (
            status = 422, body = ErrorBody,
            description = "`VALIDATION_ERROR`, `UNSUPPORTED_RULE_TYPE`, `CODIFICATION_REFUSED`",
        ),
    )
)]
pub async fn create(
    Authorized(cx): Authorized,
    Path((id,)): Path<(PolicyId,)>,
    body: Body<NewVersion>,
) -> ApiResult<Created<PolicyVersion>> {
    let version = version::create(&cx, id, body.value).await?;
    Ok(Created(format!("/v1/policies/{id}/versions/{}", version.version), version))
}

/// List the versions of a policy, newest first.
///
/// Only a draft or a submitted version has its rules.
#[utoipa::path(
    get, path = "/v1/policies/{id}/versions", tag = "versions",
    params(Query<PageRequest>),
    responses((status = 200, body = Page<PolicyVersion>))
)]
pub async fn list(
    Authorized(cx): Authorized,
    Path((id,)): Path<(PolicyId,)>,
    Query(page): Query<PageRequest>,
) -> ApiResult<Json<Page<PolicyVersion>>> {
    Ok(Json(version::list(&cx, id, &page).await?))
}

/// Read a version.
#[utoipa::path(
    get, path = "/v1/policies/{id}/versions/{version}", tag = "versions",
    responses((status = 200, body = PolicyVersion))
)]
pub async fn read(
    Authorized(cx): Authorized,
    Path(Version { id, version }): Path<Version>,
    _: NoQuery,
) -> ApiResult<Json<PolicyVersion>> {
    Ok(Json(version::read(&cx, id, version).await?))
}

/// Edit a draft in place.
#[utoipa::path(
    patch, path = "/v1/policies/{id}/versions/{version}", tag = "versions",
    request_body = VersionPatch,
    responses(
        (status = 200, body = PolicyVersion),
        (status = 409, description = "`STALE_DRAFT_REVISION`, `INVALID_TRANSITION`", body = ErrorBody),
        (
            status = 422, body = ErrorBody,
            description = "`VALIDATION_ERROR`, `UNSUPPORTED_RULE_TYPE`, `CODIFICATION_REFUSED`",
        ),
    )
)]
pub async fn edit(
    Authorized(cx): Authorized,
    Path(Version { id, version }): Path<Version>,
    body: Body<VersionEdit>,
) -> ApiResult<Json<PolicyVersion>> {
    Ok(Json(version::edit(&cx, id, version, body.value).await?))
}

/// Delete a draft that was never sealed.
///
/// This includes recalled and rejected drafts. The history stays in the audit log, and the version number is
/// not used again.
#[utoipa::path(
    delete, path = "/v1/policies/{id}/versions/{version}", tag = "versions",
    responses(
        (status = 204, description = "Deleted"),
        (
            status = 409, body = ErrorBody,
            description = "`INVALID_TRANSITION`: `VERSION_NOT_DRAFT`, `VERSION_WAS_SEALED`",
        ),
    )
)]
pub async fn delete(
    Authorized(cx): Authorized,
    Path(Version { id, version }): Path<Version>,
    _: NoQuery,
) -> ApiResult<StatusCode> {
    version::delete(&cx, id, version).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Compare the rules of a version with those of another version.
///
/// Without `against`, the other version is the active one, or else the preceding one. If there is none, all
/// rules are new.
#[utoipa::path(
    get, path = "/v1/policies/{id}/versions/{version}/diff", tag = "versions",
    params(Query<OtherVersion>),
    responses((status = 200, body = VersionDiff))
)]
pub async fn diff(
    Authorized(cx): Authorized,
    Path(Version { id, version }): Path<Version>,
    Query(OtherVersion(against)): Query<OtherVersion>,
) -> ApiResult<Json<VersionDiff>> {
    Ok(Json(version::diff(&cx, id, version, against).await?))
}

/// The version to compare with.
#[derive(Debug)]
pub struct OtherVersion(Option<u32>);

impl FromQuery for OtherVersion {
    fn read(query: &mut QueryReader) -> Option<Self> {
        Some(Self(query.ordinal("against", "The number of the other version")))
    }
}

/// Submit a draft for ratification.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/submit", tag = "versions",
    request_body = EmptyBody,
    responses((status = 200, body = PolicyVersion), TransitionErrors)
)]
pub async fn submit(
    Authorized(cx): Authorized,
    Path(Version { id, version }): Path<Version>,
    _: NoBody,
) -> ApiResult<Json<PolicyVersion>> {
    Ok(Json(version::submit(&cx, id, version).await?))
}

/// Recall a submitted version to draft.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/recall", tag = "versions",
    request_body = EmptyBody,
    responses((status = 200, body = PolicyVersion), TransitionErrors)
)]
pub async fn recall(
    Authorized(cx): Authorized,
    Path(Version { id, version }): Path<Version>,
    _: NoBody,
) -> ApiResult<Json<PolicyVersion>> {
    Ok(Json(version::recall(&cx, id, version).await?))
}

/// Reject a submitted version and return it to draft.
///
/// Creates a `governance_change` alert. API keys get `HUMAN_REQUIRED` while the setting `human_changes_only`
/// is on.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/reject", tag = "versions",
    request_body = ReasonBody,
    responses((status = 200, body = PolicyVersion), TransitionErrors)
)]
pub async fn reject(
    Authorized(cx): Authorized,
    Path(Version { id, version }): Path<Version>,
    body: Body<ReasonBody>,
) -> ApiResult<Json<PolicyVersion>> {
    Ok(Json(version::reject(&cx, id, version, body.value).await?))
}

/// Ratify a submitted version, or a draft whose current revision a reviewer accepted.
///
/// With maker-checker on, a user who helped create the version cannot ratify it, and a version with an
/// unknown maker cannot be ratified (`MAKER_UNKNOWN`). A revision for which a reviewer requested changes
/// cannot be ratified (`VERSION_RETURNED`). The approval is signed; `GET …/approval` returns it.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/ratify", tag = "versions",
    request_body = Ratification,
    responses((status = 200, body = PolicyVersion), TransitionErrors)
)]
pub async fn ratify(
    Authorized(cx): Authorized,
    Path(Version { id, version }): Path<Version>,
    body: Body<Ratification>,
) -> ApiResult<Json<PolicyVersion>> {
    Ok(Json(version::ratify(&cx, id, version, body.value).await?))
}

/// Activate a ratified version.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/activate", tag = "versions",
    request_body = EmptyBody,
    responses((status = 200, body = PolicyVersion), TransitionErrors)
)]
pub async fn activate(
    Authorized(cx): Authorized,
    Path(Version { id, version }): Path<Version>,
    _: NoBody,
) -> ApiResult<Json<PolicyVersion>> {
    Ok(Json(version::activate(&cx, id, version).await?))
}
