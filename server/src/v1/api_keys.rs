//! API key endpoints.

use contract::{
    api_key::{ApiKey, ApiKeyCreated, ApiKeyDraft},
    id::ApiKeyId,
    pagination::Page,
};
use governance::{PageRequest, access::api_key};

use crate::edge::{ApiResult, Authorized, Body, Created, Id, Json, JsonResult, NoContent, Query};

/// Create an API key.
///
/// The plaintext key is returned only once. An API key can create keys with a subset of its own scopes, which
/// expire no later than itself.
#[post(
    "/v1/api-keys", ADMINISTER_KEYS, audit = "api_key.create",
    example = {"name": "invoice service", "scopes": ["decisions:evaluate", "decisions:write"]},
    403 = "`INSUFFICIENT_SCOPE`, `FORBIDDEN`",
)]
async fn create(cx: Authorized, body: Body<ApiKeyDraft>) -> ApiResult<Created<ApiKeyCreated>> {
    let created = api_key::create(&cx, body.value).await?;
    Ok(Created(format!("/v1/api-keys/{}", created.key.id), created))
}

/// List API keys, newest first, including revoked ones.
#[get("/v1/api-keys", ADMINISTER_KEYS)]
async fn list(cx: Authorized, Query(page): Query<PageRequest>) -> JsonResult<Page<ApiKey>> {
    Ok(Json(api_key::list(&cx, &page).await?))
}

/// Read an API key. A revoked key remains.
#[get("/v1/api-keys/{id}", ADMINISTER_KEYS)]
async fn read(cx: Authorized, Id(id): Id<ApiKeyId>) -> JsonResult<ApiKey> {
    Ok(Json(api_key::read(&cx, id).await?))
}

/// Revoke an API key immediately and permanently.
///
/// Revoking it again changes nothing.
#[delete(
    "/v1/api-keys/{id}", ADMINISTER_KEYS, audit = "api_key.revoke",
    204 = "Revoked; the key remains in the list",
)]
async fn revoke(cx: Authorized, Id(id): Id<ApiKeyId>) -> ApiResult<NoContent> {
    api_key::revoke(&cx, id).await?;
    Ok(NoContent)
}
