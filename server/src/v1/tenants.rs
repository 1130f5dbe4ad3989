//! Tenants, for an operator's key.

use axum::response::{IntoResponse, Response};
use contract::{
    error::ErrorBody,
    page::Page,
    tenant::{Tenant, TenantDraft},
};
use governance::operator::tenant;
use http::{StatusCode, header};

use crate::edge::{
    error::Reply,
    extract::{Api, Body, Json, Query},
};

/// Make a tenant. For a key with `tenants:provision`, which needs no tenant header.
#[utoipa::path(
    post, path = "/v1/admin/tenants", tag = "operator", request_body = TenantDraft,
    security(("api_key" = [])),
    responses(
        (status = 201, body = Tenant),
        (status = 403, description = "`INSUFFICIENT_SCOPE`, `FORBIDDEN`", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn create(Api(cx): Api, body: Body<TenantDraft>) -> Reply<Response> {
    let tenant = tenant::create(&cx, body.read).await?;
    let location = format!("/v1/admin/tenants/{}", tenant.tenant_id);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(tenant)).into_response())
}

/// List all tenants, newest first.
#[utoipa::path(
    get, path = "/v1/admin/tenants", tag = "operator", security(("api_key" = [])),
    params(
        ("limit" = Option<u32>, Query, description = "1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    responses(
        (status = 200, body = Page<Tenant>),
        (status = 403, description = "`INSUFFICIENT_SCOPE`, `FORBIDDEN`", body = ErrorBody),
        (status = 422, body = ErrorBody),
    )
)]
pub async fn list(Api(cx): Api, mut query: Query) -> Reply<Json<Page<Tenant>>> {
    let page = query.page();
    query.finish()?;
    Ok(Json(tenant::list(&cx, &page).await?))
}
