//! The versions of a policy and their moves.

use axum::response::{IntoResponse, Response};
use contract::{
    error::ErrorBody,
    id::PolicyId,
    policy::{Empty, PolicyVersion, Ratification, VersionDraft, VersionPatch, WithReason},
};
use governance::policy::{
    authored::{Edit, NewVersion},
    version,
};
use http::{StatusCode, header};

use crate::edge::{
    error::Reply,
    extract::{Api, Body, Json, Path, Query},
};

/// The policy and the number of one of its versions.
type Version = (PolicyId, u32);

/// Open a draft.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions", tag = "versions", request_body = VersionDraft,
    params(("id" = String, Path, description = "The policy")),
    responses(
        (status = 201, body = PolicyVersion),
        (status = 404, body = ErrorBody),
        (status = 409, description = "`DRAFT_EXISTS`", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`, `UNSUPPORTED_RULE_TYPE`", body = ErrorBody),
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

/// Read one version.
#[utoipa::path(
    get, path = "/v1/policies/{id}/versions/{version}", tag = "versions",
    params(("id" = String, Path), ("version" = u32, Path)),
    responses((status = 200, body = PolicyVersion), (status = 404, body = ErrorBody))
)]
pub async fn read(
    Api(cx): Api,
    Path((id, number)): Path<Version>,
    query: Query,
) -> Reply<Json<PolicyVersion>> {
    query.finish()?;
    Ok(Json(version::read(&cx, id, number).await?))
}

/// Edit a draft in place.
#[utoipa::path(
    patch, path = "/v1/policies/{id}/versions/{version}", tag = "versions",
    request_body = VersionPatch,
    params(("id" = String, Path), ("version" = u32, Path)),
    responses(
        (status = 200, body = PolicyVersion),
        (status = 404, body = ErrorBody),
        (status = 409, description = "`STALE_DRAFT_REVISION`, `INVALID_TRANSITION`", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`, `UNSUPPORTED_RULE_TYPE`", body = ErrorBody),
    )
)]
pub async fn edit(
    Api(cx): Api,
    Path((id, number)): Path<Version>,
    body: Body<Edit>,
) -> Reply<Json<PolicyVersion>> {
    Ok(Json(version::edit(&cx, id, number, body.read).await?))
}

/// Send a draft to its ratifiers.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/submit", tag = "versions",
    request_body = Empty,
    params(("id" = String, Path), ("version" = u32, Path)),
    responses(
        (status = 200, body = PolicyVersion),
        (status = 409, description = "`INVALID_TRANSITION`", body = ErrorBody),
    )
)]
pub async fn submit(
    Api(cx): Api,
    Path((id, number)): Path<Version>,
    _: Body<Empty>,
) -> Reply<Json<PolicyVersion>> {
    Ok(Json(version::submit(&cx, id, number).await?))
}

/// Take a submitted version back.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/recall", tag = "versions",
    request_body = Empty,
    params(("id" = String, Path), ("version" = u32, Path)),
    responses(
        (status = 200, body = PolicyVersion),
        (status = 409, description = "`INVALID_TRANSITION`", body = ErrorBody),
    )
)]
pub async fn recall(
    Api(cx): Api,
    Path((id, number)): Path<Version>,
    _: Body<Empty>,
) -> Reply<Json<PolicyVersion>> {
    Ok(Json(version::recall(&cx, id, number).await?))
}

/// Send a submitted version back to its author.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/reject", tag = "versions",
    request_body = WithReason,
    params(("id" = String, Path), ("version" = u32, Path)),
    responses(
        (status = 200, body = PolicyVersion),
        (status = 403, description = "`HUMAN_REQUIRED`, `FORBIDDEN`", body = ErrorBody),
        (status = 409, description = "`INVALID_TRANSITION`", body = ErrorBody),
    )
)]
pub async fn reject(
    Api(cx): Api,
    Path((id, number)): Path<Version>,
    body: Body<WithReason>,
) -> Reply<Json<PolicyVersion>> {
    Ok(Json(version::reject(&cx, id, number, body.read).await?))
}

/// Approve a submitted version.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/ratify", tag = "versions",
    request_body = Ratification,
    params(("id" = String, Path), ("version" = u32, Path)),
    responses(
        (status = 200, body = PolicyVersion),
        (status = 403, description = "`HUMAN_REQUIRED`, `MAKER_CHECKER_VIOLATION`", body = ErrorBody),
        (status = 409, description = "`INVALID_TRANSITION`, `STALE_DRAFT_REVISION`", body = ErrorBody),
    )
)]
pub async fn ratify(
    Api(cx): Api,
    Path((id, number)): Path<Version>,
    body: Body<Ratification>,
) -> Reply<Json<PolicyVersion>> {
    Ok(Json(version::ratify(&cx, id, number, body.read).await?))
}

/// Make a ratified version the one that decides.
#[utoipa::path(
    post, path = "/v1/policies/{id}/versions/{version}/activate", tag = "versions",
    request_body = Empty,
    params(("id" = String, Path), ("version" = u32, Path)),
    responses(
        (status = 200, body = PolicyVersion),
        (status = 403, description = "`HUMAN_REQUIRED`, `FORBIDDEN`", body = ErrorBody),
        (status = 409, description = "`INVALID_TRANSITION`", body = ErrorBody),
    )
)]
pub async fn activate(
    Api(cx): Api,
    Path((id, number)): Path<Version>,
    _: Body<Empty>,
) -> Reply<Json<PolicyVersion>> {
    Ok(Json(version::activate(&cx, id, number).await?))
}
