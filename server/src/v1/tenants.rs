//! Tenant endpoints for operator keys.

use contract::{
    error::ErrorBody,
    pagination::Page,
    tenant::{Tenant, TenantDraft},
};
use governance::{PageRequest, access::operator::tenant};

use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Body, Created, Json},
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
    )
)]
pub async fn create(
    Authorized(cx): Authorized,
    body: Body<TenantDraft>,
) -> ApiResult<Created<Tenant>> {
    let tenant = tenant::create(&cx, body.value).await?;
    Ok(Created("/v1/admin/tenants".to_owned(), tenant))
}

/// List all tenants, newest first.
#[utoipa::path(
    get, path = "/v1/admin/tenants", tag = "operator", security(("api_key" = [])),
    params(Query<PageRequest>),
    responses(
        (status = 200, body = Page<Tenant>),
        (status = 403, description = "`INSUFFICIENT_SCOPE`, `FORBIDDEN`", body = ErrorBody),
    )
)]
pub async fn list(
    Authorized(cx): Authorized,
    Query(page): Query<PageRequest>,
) -> ApiResult<Json<Page<Tenant>>> {
    Ok(Json(tenant::list(&cx, &page).await?))
}
