//! Policy group endpoints.

use axum::response::NoContent;
use contract::{
    group::{GroupDraft, GroupPatch, PolicyGroup},
    id::PolicyGroupId,
    pagination::Page,
    policy::Policy,
};
use endpoint_macro::{delete, get, patch, post};
use governance::{
    PageRequest,
    access::permission::{READ_POLICIES, WRITE_POLICIES},
    authoring::{group, policy},
};

use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Body, Created, Json, Path},
    query::Query,
};

/// Create a policy group.
#[post(
    "/v1/policy-groups", WRITE_POLICIES, audit = "policy_group.create",
    example = {"code": "TREASURY", "name": "Treasury"},
    409 = "`DUPLICATE_CODE`",
)]
pub async fn create(
    Authorized(cx): Authorized,
    body: Body<GroupDraft>,
) -> ApiResult<Created<PolicyGroup>> {
    let group = group::create(&cx, body.value).await?;
    Ok(Created(format!("/v1/policy-groups/{}", group.id), group))
}

/// List policy groups, newest first.
#[get("/v1/policy-groups", READ_POLICIES)]
pub async fn list(
    Authorized(cx): Authorized,
    Query(page): Query<PageRequest>,
) -> ApiResult<Json<Page<PolicyGroup>>> {
    Ok(Json(group::list(&cx, &page).await?))
}

/// Read a policy group.
#[get("/v1/policy-groups/{id}", READ_POLICIES)]
pub async fn read(
    Authorized(cx): Authorized,
    Path((id,)): Path<(PolicyGroupId,)>,
) -> ApiResult<Json<PolicyGroup>> {
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
pub async fn edit(
    Authorized(cx): Authorized,
    Path((id,)): Path<(PolicyGroupId,)>,
    body: Body<GroupPatch>,
) -> ApiResult<Json<PolicyGroup>> {
    Ok(Json(group::edit(&cx, id, body.value, None).await?))
}

/// Delete a policy group that has no policies.
#[delete(
    "/v1/policy-groups/{id}", WRITE_POLICIES, audit = "policy_group.delete",
    204 = "Deleted",
    409 = "`CONFLICT`: the group has policies",
)]
pub async fn delete(
    Authorized(cx): Authorized,
    Path((id,)): Path<(PolicyGroupId,)>,
) -> ApiResult<NoContent> {
    group::delete(&cx, id, None).await?;
    Ok(NoContent)
}

/// List the policies of a group, newest first.
#[get("/v1/policy-groups/{id}/policies", READ_POLICIES)]
pub async fn policies(
    Authorized(cx): Authorized,
    Path((id,)): Path<(PolicyGroupId,)>,
    Query(page): Query<PageRequest>,
) -> ApiResult<Json<Page<Policy>>> {
    Ok(Json(policy::of_group(&cx, id, &page).await?))
}
