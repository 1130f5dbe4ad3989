//! Authoring capabilities: grants for programs that write one version of one policy.

use axum::response::{IntoResponse, Response};
use contract::{
    capability::{
        Capability, CapabilityCarry, CapabilityCreated, CapabilityDraft, pending_work::PendingWork,
    },
    error::ErrorBody,
    id::CapabilityId,
    page::Page,
};
use governance::capability;
use http::{StatusCode, header};

use crate::edge::{
    error::Reply,
    extract::{Api, Body, Json, Path, Query},
};

/// Grant a new key some work on one version of a policy; the key's plaintext is answered this once.
///
/// The key can do nothing else. The version is bound to the grant for as long as it is live: it is
/// not superseded, but set aside. `max_uses` counts writes only.
#[utoipa::path(
    post, path = "/v1/authoring-capabilities", tag = "authoring", request_body = CapabilityDraft,
    responses(
        (status = 201, body = CapabilityCreated),
        (status = 403, description = "`HUMAN_REQUIRED`, `FORBIDDEN`", body = ErrorBody),
        (status = 404, description = "No such policy or version here", body = ErrorBody),
        (
            status = 409, body = ErrorBody,
            description = "`INVALID_TRANSITION` with `VERSION_CLOSED`; `CONFLICT` where nothing is \
                signed",
        ),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn issue(Api(cx): Api, body: Body<CapabilityDraft>) -> Reply<Response> {
    let issued = capability::issue(&cx, body.read).await?;
    let location = location(issued.capability.id);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(issued)).into_response())
}

/// List grants, carried and revoked ones too, newest first.
#[utoipa::path(
    get, path = "/v1/authoring-capabilities", tag = "authoring",
    params(
        ("limit" = Option<u32>, Query, description = "1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    responses((status = 200, body = Page<Capability>), (status = 422, body = ErrorBody))
)]
pub async fn list(Api(cx): Api, mut query: Query) -> Reply<Json<Page<Capability>>> {
    let page = query.page();
    query.finish()?;
    Ok(Json(capability::list(&cx, &page).await?))
}

/// Read a grant, with the chain that leads to it, each as it was signed.
#[utoipa::path(
    get, path = "/v1/authoring-capabilities/{id}", tag = "authoring",
    params(("id" = String, Path, description = "The grant")),
    responses((status = 200, body = Capability), (status = 404, body = ErrorBody))
)]
pub async fn read(
    Api(cx): Api,
    Path((id,)): Path<(CapabilityId,)>,
    query: Query,
) -> Reply<Json<Capability>> {
    query.finish()?;
    Ok(Json(capability::read(&cx, id).await?))
}

/// Revoke a grant and all that it was carried to, at once and for good. Again: nothing changes.
#[utoipa::path(
    delete, path = "/v1/authoring-capabilities/{id}", tag = "authoring",
    params(("id" = String, Path, description = "The grant")),
    responses(
        (status = 204, description = "Revoked; the list keeps the record"),
        (status = 403, description = "`HUMAN_REQUIRED`, `FORBIDDEN`", body = ErrorBody),
        (status = 404, body = ErrorBody),
    )
)]
pub async fn revoke(
    Api(cx): Api,
    Path((id,)): Path<(CapabilityId,)>,
    query: Query,
) -> Reply<StatusCode> {
    query.finish()?;
    capability::revoke(&cx, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Carry a live grant to a successor draft of the same policy: a new grant for the same key, on the
/// same terms and with the uses made so far.
#[utoipa::path(
    post, path = "/v1/authoring-capabilities/{id}/carry", tag = "authoring",
    request_body = CapabilityCarry,
    params(("id" = String, Path, description = "The grant")),
    responses(
        (status = 201, body = Capability),
        (
            status = 403, body = ErrorBody,
            description = "`HUMAN_REQUIRED`, `FORBIDDEN`, `AUTHORING_CAPABILITY_INTEGRITY`",
        ),
        (status = 404, description = "No such grant or version here", body = ErrorBody),
        (
            status = 409, body = ErrorBody,
            description = "`INVALID_TRANSITION` with `CAPABILITY_NOT_LIVE`, `CAPABILITY_CHAIN_FULL` \
                or `VERSION_NOT_DRAFT`; `CONFLICT` where nothing is signed",
        ),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn carry(
    Api(cx): Api,
    Path((id,)): Path<(CapabilityId,)>,
    body: Body<CapabilityCarry>,
) -> Reply<Response> {
    let carried = capability::carry(&cx, id, body.read).await?;
    let location = location(carried.id);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(carried)).into_response())
}

/// Show the grant that governs the calling key.
#[utoipa::path(
    get, path = "/v1/authoring-capabilities/current", tag = "authoring",
    responses(
        (status = 200, body = Capability),
        (status = 403, description = "`FORBIDDEN`, `AUTHORING_CAPABILITY_…`", body = ErrorBody),
    )
)]
pub async fn current(Api(cx): Api, query: Query) -> Reply<Json<Capability>> {
    query.finish()?;
    Ok(Json(capability::current(&cx).await?))
}

/// List the review and activation work in the scope of the calling key's grant.
///
/// The scope comes from the signed grants alone. The answer is no snapshot: read the subject again
/// before acting on it. Ask at most once a minute while something is pending, and every five minutes
/// when nothing changes.
#[utoipa::path(
    get, path = "/v1/authoring-capabilities/current/pending-work", tag = "authoring",
    responses(
        (status = 200, body = PendingWork),
        (
            status = 403, body = ErrorBody,
            description = "`FORBIDDEN` for whoever carries no capability, and `AUTHORING_CAPABILITY_` \
                with `MISSING`, `INTEGRITY`, `REVOKED`, `EXHAUSTED`, `EXPIRED`, `NOT_YET_VALID`, \
                `OUT_OF_SCOPE` or `OBJECT_MISMATCH`",
        ),
        (status = 404, description = "The version of the grant is gone", body = ErrorBody),
    )
)]
pub async fn pending_work(Api(cx): Api, query: Query) -> Reply<Json<PendingWork>> {
    query.finish()?;
    Ok(Json(capability::pending_work(&cx).await?))
}

fn location(id: CapabilityId) -> String {
    format!("/v1/authoring-capabilities/{id}")
}
