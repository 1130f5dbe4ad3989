//! Tenant endpoints for operator keys.

use axum::response::{IntoResponse, Response};
use contract::{
    error::ErrorBody,
    pagination::Page,
    tenant::{Tenant, TenantDraft},
};
use governance::{PageRequest, access::operator::tenant};
use http::{StatusCode, header};

use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Body, Json},
    query::Query,
};

/// Create a tenant.
///
/// This requires an operator key with `tenants:provision`, and no tenant header.
#[utoipa::path(
    post, path = "/v1/admin/tenants", tag = "operator", request_body = TenantDraft,
    security(("api_key" = [])),
    responses(
        (status = 201, body = Tenant),
        (status = 403, description = "`INSUFFICIENT_SCOPE`, `FORBIDDEN`", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn create(Authorized(cx): Authorized, body: Body<TenantDraft>) -> ApiResult<Response> {
    let tenant = tenant::create(&cx, body.value).await?;
    let location = format!("/v1/admin/tenants/{}", tenant.tenant_id);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(tenant)).into_response())
}

/// List all tenants, newest first.
#[utoipa::path(
    get, path = "/v1/admin/tenants", tag = "operator", security(("api_key" = [])),
    params(
        Query<PageRequest>,
    ),
    responses(
        (status = 200, body = Page<Tenant>),
        (status = 403, description = "`INSUFFICIENT_SCOPE`, `FORBIDDEN`", body = ErrorBody),
        (status = 422, body = ErrorBody),
    )
)]
pub async fn list(
    Authorized(cx): Authorized,
    Query(page): Query<PageRequest>,
) -> ApiResult<Json<Page<Tenant>>> {
    Ok(Json(tenant::list(&cx, &page).await?))
}
