//! Tenant endpoints for operator keys.

use contract::{
    pagination::Page,
    tenant::{Tenant, TenantDraft},
};
use governance::{PageRequest, access::operator::tenant};

use crate::edge::{ApiResult, Authorized, Body, Created, Json, JsonResult, Query};

/// Create a tenant.
///
/// This requires an operator key with `tenants:provision`, and no tenant header.
#[post(
    "/v1/admin/tenants", PROVISION, tag = "operator",
    no_audit = "the event is in the audit log of the new tenant",
    example = {"name": "Acme Finance"},
    403 = "`INSUFFICIENT_SCOPE`, `FORBIDDEN`",
)]
async fn create(cx: Authorized, body: Body<TenantDraft>) -> ApiResult<Created<Tenant>> {
    let tenant = tenant::create(&cx, body.value).await?;
    Ok(Created("/v1/admin/tenants".to_owned(), tenant))
}

/// List all tenants, newest first.
#[get("/v1/admin/tenants", PROVISION, tag = "operator", 403 = "`INSUFFICIENT_SCOPE`, `FORBIDDEN`")]
async fn list(cx: Authorized, Query(page): Query<PageRequest>) -> JsonResult<Page<Tenant>> {
    Ok(Json(tenant::list(&cx, &page).await?))
}
