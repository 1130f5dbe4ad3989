//! Policy group endpoints.

use contract::{
    group::{GroupDraft, GroupPatch, PolicyGroup},
    id::PolicyGroupId,
    pagination::Page,
    policy::Policy,
};
use governance::{
    PageRequest,
    authoring::{group, policy},
};

use crate::edge::{ApiResult, Authorized, Body, Created, Id, Json, JsonResult, NoContent, Query};

/// Create a policy group.
#[post(
    "/v1/policy-groups", WRITE_POLICIES, audit = "policy_group.create",
    example = {"code": "TREASURY", "name": "Treasury"},
    409 = "`DUPLICATE_CODE`",
)]
async fn create(cx: Authorized, body: Body<GroupDraft>) -> ApiResult<Created<PolicyGroup>> {
    let group = group::create(&cx, body.value).await?;
    Ok(Created(format!("/v1/policy-groups/{}", group.id), group))
}

/// List policy groups, newest first.
#[get("/v1/policy-groups", READ_POLICIES)]
async fn list(cx: Authorized, Query(page): Query<PageRequest>) -> JsonResult<Page<PolicyGroup>> {
    Ok(Json(group::list(&cx, &page).await?))
}

/// Read a policy group.
#[get("/v1/policy-groups/{id}", READ_POLICIES)]
async fn read(cx: Authorized, Id(id): Id<PolicyGroupId>) -> JsonResult<PolicyGroup> {
    Ok(Json(group::read(&cx, id).await?))
}

/// Change a policy group.
///
/// A change of a group with active policies creates a `governance_change` alert. API keys get
/// `HUMAN_REQUIRED` for it while the setting `human_changes_only` is on.
#[patch(
    "/v1/policy-groups/{id}", WRITE_POLICIES, audit = "policy_group.edit",
    example = {"description": "Policies for payments."},
    403 = "`HUMAN_REQUIRED`, `FORBIDDEN`",
    409 = "`DUPLICATE_CODE`",
)]
async fn edit(
    cx: Authorized,
    Id(id): Id<PolicyGroupId>,
    body: Body<GroupPatch>,
) -> JsonResult<PolicyGroup> {
    Ok(Json(group::edit(&cx, id, body.value, None).await?))
}

/// Delete a policy group that has no policies.
#[delete(
    "/v1/policy-groups/{id}", WRITE_POLICIES, audit = "policy_group.delete",
    204 = "Deleted",
    409 = "`CONFLICT`: the group has policies",
)]
async fn delete(cx: Authorized, Id(id): Id<PolicyGroupId>) -> ApiResult<NoContent> {
    group::delete(&cx, id, None).await?;
    Ok(NoContent)
}

/// List the policies of a group, newest first.
#[get("/v1/policy-groups/{id}/policies", READ_POLICIES)]
async fn policies(
    cx: Authorized,
    Id(id): Id<PolicyGroupId>,
    Query(page): Query<PageRequest>,
) -> JsonResult<Page<Policy>> {
    Ok(Json(policy::of_group(&cx, id, &page).await?))
}
