//! Authoring capability endpoints. A capability permits one API key to work on one version of a policy.

use contract::{
    capability::{
        Capability, CapabilityCarry, CapabilityCreated, CapabilityDraft, pending_work::PendingWork,
    },
    error::ErrorBody,
    id::CapabilityId,
    pagination::Page,
};
use governance::{PageRequest, authoring::capability};
use http::StatusCode;

use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Body, Created, Json, Path},
    query::{NoQuery, Query},
};

/// Issue an authoring capability to a new API key.
///
/// The capability permits work on one version of a policy and nothing else. The plaintext key is returned
/// only once. While a capability with a writing action is live, its version can be set aside but not
/// superseded. `max_uses` counts writes only.
#[utoipa::path(
    post, path = "/v1/authoring-capabilities", tag = "authoring", request_body = CapabilityDraft,
    responses(
        (status = 201, body = CapabilityCreated),
        (status = 403, description = "`HUMAN_REQUIRED`, `FORBIDDEN`", body = ErrorBody),
        (status = 404, description = "`NOT_FOUND`: the policy or its version", body = ErrorBody),
        (
            status = 409, body = ErrorBody,
            description = "`INVALID_TRANSITION` with `VERSION_CLOSED`; `CONFLICT` if the service \
                has no signing key",
        ),
    )
)]
pub async fn issue(
    Authorized(cx): Authorized,
    body: Body<CapabilityDraft>,
) -> ApiResult<Created<CapabilityCreated>> {
    let issued = capability::issue(&cx, body.value).await?;
    Ok(Created(location(issued.capability.id), issued))
}

/// List authoring capabilities, newest first, including those carried over or revoked.
#[utoipa::path(
    get, path = "/v1/authoring-capabilities", tag = "authoring",
    params(Query<PageRequest>),
    responses((status = 200, body = Page<Capability>))
)]
pub async fn list(
    Authorized(cx): Authorized,
    Query(page): Query<PageRequest>,
) -> ApiResult<Json<Page<Capability>>> {
    Ok(Json(capability::list(&cx, &page).await?))
}

/// Read an authoring capability.
///
/// Includes its lineage of signed grants.
#[utoipa::path(
    get, path = "/v1/authoring-capabilities/{id}", tag = "authoring",
    responses((status = 200, body = Capability))
)]
pub async fn read(
    Authorized(cx): Authorized,
    Path((id,)): Path<(CapabilityId,)>,
    _: NoQuery,
) -> ApiResult<Json<Capability>> {
    Ok(Json(capability::read(&cx, id).await?))
}

/// Revoke an authoring capability immediately and permanently.
///
/// The capabilities that it was carried over to are revoked too. Revoking it again changes nothing.
#[utoipa::path(
    delete, path = "/v1/authoring-capabilities/{id}", tag = "authoring",
    responses(
        (status = 204, description = "Revoked; the capability remains in the list"),
        (status = 403, description = "`HUMAN_REQUIRED`, `FORBIDDEN`", body = ErrorBody),
    )
)]
pub async fn revoke(
    Authorized(cx): Authorized,
    Path((id,)): Path<(CapabilityId,)>,
    _: NoQuery,
) -> ApiResult<StatusCode> {
    capability::revoke(&cx, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Carry a live authoring capability over to a successor draft of the same policy.
///
/// Creates a new grant for the same key with the same terms and the current use count.
#[utoipa::path(
    post, path = "/v1/authoring-capabilities/{id}/carry", tag = "authoring",
    request_body = CapabilityCarry,
    responses(
        (status = 201, body = Capability),
        (
            status = 403, body = ErrorBody,
            description = "`HUMAN_REQUIRED`, `FORBIDDEN`, `AUTHORING_CAPABILITY_INTEGRITY`",
        ),
        (status = 404, description = "`NOT_FOUND`: the capability or the version", body = ErrorBody),
        (
            status = 409, body = ErrorBody,
            description = "`INVALID_TRANSITION` with `CAPABILITY_NOT_LIVE`, `CAPABILITY_CHAIN_FULL` \
                or `VERSION_NOT_DRAFT`; `CONFLICT` if the service has no signing key",
        ),
    )
)]
pub async fn carry(
    Authorized(cx): Authorized,
    Path((id,)): Path<(CapabilityId,)>,
    body: Body<CapabilityCarry>,
) -> ApiResult<Created<Capability>> {
    let carried = capability::carry(&cx, id, body.value).await?;
    Ok(Created(location(carried.id), carried))
}

/// Show the authoring capability of the calling key.
#[utoipa::path(
    get, path = "/v1/authoring-capabilities/current", tag = "authoring",
    responses(
        (status = 200, body = Capability),
        (status = 403, description = "`FORBIDDEN`, `AUTHORING_CAPABILITY_…`", body = ErrorBody),
    )
)]
pub async fn current(Authorized(cx): Authorized, _: NoQuery) -> ApiResult<Json<Capability>> {
    Ok(Json(capability::current(&cx).await?))
}

/// List the review and activation work in the scope of the calling key's authoring capability.
///
/// The scope is defined only by the signed grants. The response may be outdated: read the version again
/// before acting on it. Poll at most once per minute while something is pending, and every five minutes when
/// nothing changes.
#[utoipa::path(
    get, path = "/v1/authoring-capabilities/current/pending-work", tag = "authoring",
    responses(
        (status = 200, body = PendingWork),
        (
            status = 403, body = ErrorBody,
            description = "`FORBIDDEN` for a key without a capability; `AUTHORING_CAPABILITY_` followed \
                by `MISSING`, `INTEGRITY`, `REVOKED`, `EXHAUSTED`, `EXPIRED`, `NOT_YET_VALID`, \
                `OUT_OF_SCOPE` or `OBJECT_MISMATCH`",
        ),
        (status = 404, description = "`NOT_FOUND`: the version was deleted", body = ErrorBody),
    )
)]
pub async fn pending_work(Authorized(cx): Authorized, _: NoQuery) -> ApiResult<Json<PendingWork>> {
    Ok(Json(capability::pending_work(&cx).await?))
}

fn location(id: CapabilityId) -> String {
    format!("/v1/authoring-capabilities/{id}")
}
