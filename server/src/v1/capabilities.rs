//! Authoring capability endpoints. A capability permits one API key to work on one version of a policy.

use contract::{
    capability::{
        Capability, CapabilityCarry, CapabilityCreated, CapabilityDraft, pending_work::PendingWork,
    },
    id::CapabilityId,
    pagination::Page,
};
use governance::{PageRequest, authoring::capability};

use crate::edge::{ApiResult, Authorized, Body, Created, Id, Json, JsonResult, NoContent, Query};

/// Issue an authoring capability to a new API key.
///
/// The capability permits work on one version of a policy and nothing else. The plaintext key is returned
/// only once. While a capability with a writing action is live, its version can be set aside but not
/// superseded. `max_uses` counts writes only.
#[post(
    "/v1/authoring-capabilities", ISSUE_CAPABILITIES, tag = "authoring",
    audit = "capability.issue",
    example = {
        "policy_id": "0b7c6f5e-8d0f-4d0e-9a55-6f2f5f6d1c11",
        "version": 4,
        "actions": ["policy.read", "policy.draft.edit", "review.seal", "review.retrieve"],
        "expires_at": "2027-01-31T00:00:00Z",
        "max_uses": 40,
        "name": "drafting assistant",
    },
    403 = "`HUMAN_REQUIRED`, `FORBIDDEN`",
    404 = "`NOT_FOUND`: the policy or its version",
    409 = "`INVALID_TRANSITION` with `VERSION_CLOSED`; `CONFLICT` if the service \
                has no signing key",
)]
async fn issue(
    cx: Authorized,
    body: Body<CapabilityDraft>,
) -> ApiResult<Created<CapabilityCreated>> {
    let issued = capability::issue(&cx, body.value).await?;
    Ok(Created(location(issued.capability.id), issued))
}

/// List authoring capabilities, newest first, including those carried over or revoked.
#[get("/v1/authoring-capabilities", READ_POLICIES, tag = "authoring")]
async fn list(cx: Authorized, Query(page): Query<PageRequest>) -> JsonResult<Page<Capability>> {
    Ok(Json(capability::list(&cx, &page).await?))
}

/// Read an authoring capability.
///
/// Includes its lineage of signed grants.
#[get("/v1/authoring-capabilities/{id}", READ_POLICIES, tag = "authoring")]
async fn read(cx: Authorized, Id(id): Id<CapabilityId>) -> JsonResult<Capability> {
    Ok(Json(capability::read(&cx, id).await?))
}

/// Revoke an authoring capability immediately and permanently.
///
/// The capabilities that it was carried over to are revoked too. Revoking it again changes nothing.
#[delete(
    "/v1/authoring-capabilities/{id}", REVOKE_CAPABILITIES, tag = "authoring",
    audit = "capability.revoke",
    204 = "Revoked; the capability remains in the list",
    403 = "`HUMAN_REQUIRED`, `FORBIDDEN`",
)]
async fn revoke(cx: Authorized, Id(id): Id<CapabilityId>) -> ApiResult<NoContent> {
    capability::revoke(&cx, id).await?;
    Ok(NoContent)
}

/// Carry a live authoring capability over to a successor draft of the same policy.
///
/// Creates a new grant for the same key with the same terms and the current use count.
#[post(
    "/v1/authoring-capabilities/{id}/carry", CARRY_OVER_CAPABILITIES, tag = "authoring",
    audit = "capability.carry",
    example = {"version": 5},
    403 = "`HUMAN_REQUIRED`, `FORBIDDEN`, `AUTHORING_CAPABILITY_INTEGRITY`",
    404 = "`NOT_FOUND`: the capability or the version",
    409 = "`INVALID_TRANSITION` with `CAPABILITY_NOT_LIVE`, `CAPABILITY_CHAIN_FULL` \
                or `VERSION_NOT_DRAFT`; `CONFLICT` if the service has no signing key",
)]
async fn carry(
    cx: Authorized,
    Id(id): Id<CapabilityId>,
    body: Body<CapabilityCarry>,
) -> ApiResult<Created<Capability>> {
    let carried = capability::carry(&cx, id, body.value).await?;
    Ok(Created(location(carried.id), carried))
}

/// Show the authoring capability of the calling key.
#[get(
    "/v1/authoring-capabilities/current", USE_CAPABILITY, tag = "authoring",
    403 = "`FORBIDDEN`, `AUTHORING_CAPABILITY_…`",
)]
async fn current(cx: Authorized) -> JsonResult<Capability> {
    Ok(Json(capability::current(&cx).await?))
}

/// List the review and activation work in the scope of the calling key's authoring capability.
///
/// The scope is defined only by the signed grants. The response may be outdated: read the version again
/// before acting on it. Poll at most once per minute while something is pending, and every five minutes when
/// nothing changes.
#[get(
    "/v1/authoring-capabilities/current/pending-work", READ_PENDING_WORK, tag = "authoring",
    403 = "`FORBIDDEN` for a key without a capability; `AUTHORING_CAPABILITY_` followed \
                by `MISSING`, `INTEGRITY`, `REVOKED`, `EXHAUSTED`, `EXPIRED`, `NOT_YET_VALID`, \
                `OUT_OF_SCOPE` or `OBJECT_MISMATCH`",
    404 = "`NOT_FOUND`: the version was deleted",
)]
async fn pending_work(cx: Authorized) -> JsonResult<PendingWork> {
    Ok(Json(capability::pending_work(&cx).await?))
}

fn location(id: CapabilityId) -> String {
    format!("/v1/authoring-capabilities/{id}")
}
