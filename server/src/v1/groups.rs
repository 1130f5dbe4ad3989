//! Policy group endpoints.

use contract::{
    error::ErrorBody,
    group::{GroupDraft, GroupPatch, PolicyGroup},
    id::PolicyGroupId,
    pagination::Page,
    policy::Policy,
};
use governance::{
    PageRequest,
    authoring::{group, policy},
};
use http::StatusCode;

use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Body, Created, Json, Path},
    query::{NoQuery, Query},
};

/// Create a policy group.
#[utoipa::path(
    post, path = "/v1/policy-groups", tag = "policy-groups", request_body = GroupDraft,
    responses(
        (status = 201, body = PolicyGroup),
        (status = 409, description = "`DUPLICATE_CODE`", body = ErrorBody),
    )
)]
pub async fn create(
    Authorized(cx): Authorized,
    body: Body<GroupDraft>,
) -> ApiResult<Created<PolicyGroup>> {
    let group = group::create(&cx, body.value).await?;
    Ok(Created(format!("/v1/policy-groups/{}", group.id), group))
}

/// List policy groups, newest first.
#[utoipa::path(
    get, path = "/v1/policy-groups", tag = "policy-groups",
    params(Query<PageRequest>),
    responses((status = 200, body = Page<PolicyGroup>))
)]
pub async fn list(
    Authorized(cx): Authorized,
    Query(page): Query<PageRequest>,
) -> ApiResult<Json<Page<PolicyGroup>>> {
    Ok(Json(group::list(&cx, &page).await?))
}

/// Read a policy group.
#[utoipa::path(
    get, path = "/v1/policy-groups/{id}", tag = "policy-groups",
    responses((status = 200, body = PolicyGroup))
)]
pub async fn read(
    Authorized(cx): Authorized,
    Path((id,)): Path<(PolicyGroupId,)>,
    _: NoQuery,
) -> ApiResult<Json<PolicyGroup>> {
    Ok(Json(group::read(&cx, id).await?))
}

/// Change a policy group.
///
/// A change of a group with active policies creates a `governance_change` alert. API keys get
/// `HUMAN_REQUIRED` for it while the setting `human_changes_only` is on.
#[utoipa::path(
    patch, path = "/v1/policy-groups/{id}", tag = "policy-groups", request_body = GroupPatch,
    responses(
        (status = 200, body = PolicyGroup),
        (status = 403, description = "`HUMAN_REQUIRED`, `FORBIDDEN`", body = ErrorBody),
        (status = 409, description = "`DUPLICATE_CODE`", body = ErrorBody),
    )
)]
pub async fn edit(
    Authorized(cx): Authorized,
    Path((id,)): Path<(PolicyGroupId,)>,
    body: Body<GroupPatch>,
) -> ApiResult<Json<PolicyGroup>> {
    Ok(Json(group::edit(&cx, id, body.value, None).await?))
}

/// Delete a policy group that has no policies.
#[utoipa::path(
    delete, path = "/v1/policy-groups/{id}", tag = "policy-groups",
    responses(
        (status = 204, description = "Deleted"),
        (status = 409, description = "`CONFLICT`: the group has policies", body = ErrorBody),
    )
)]
pub async fn delete(
    Authorized(cx): Authorized,
    Path((id,)): Path<(PolicyGroupId,)>,
    _: NoQuery,
) -> ApiResult<StatusCode> {
    group::delete(&cx, id, None).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List the policies of a group, newest first.
#[utoipa::path(
    get, path = "/v1/policy-groups/{id}/policies", tag = "policy-groups",
    params(Query<PageRequest>),
    responses((status = 200, body = Page<Policy>))
)]
pub async fn policies(
    Authorized(cx): Authorized,
    Path((id,)): Path<(PolicyGroupId,)>,
    Query(page): Query<PageRequest>,
) -> ApiResult<Json<Page<Policy>>> {
    Ok(Json(policy::of_group(&cx, id, &page).await?))
}
