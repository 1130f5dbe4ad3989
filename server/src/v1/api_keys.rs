//! API key endpoints.

use contract::{
    api_key::{ApiKey, ApiKeyCreated, ApiKeyDraft},
    error::ErrorBody,
    id::ApiKeyId,
    pagination::Page,
};
use governance::{PageRequest, access::api_key};
use http::StatusCode;

use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Body, Created, Json, Path},
    query::{NoQuery, Query},
};

/// Create an API key.
///
/// The plaintext key is returned only once. An API key can create keys with a subset of its own scopes, which
/// expire no later than itself.
#[utoipa::path(
    post, path = "/v1/api-keys", tag = "api-keys", request_body = ApiKeyDraft,
    responses(
        (status = 201, body = ApiKeyCreated),
        (status = 403, description = "`INSUFFICIENT_SCOPE`, `FORBIDDEN`", body = ErrorBody),
    )
)]
pub async fn create(
    Authorized(cx): Authorized,
    body: Body<ApiKeyDraft>,
) -> ApiResult<Created<ApiKeyCreated>> {
    let created = api_key::create(&cx, body.value).await?;
    Ok(Created(format!("/v1/api-keys/{}", created.key.id), created))
}

/// List API keys, newest first, including revoked ones.
#[utoipa::path(
    get, path = "/v1/api-keys", tag = "api-keys",
    params(Query<PageRequest>),
    responses((status = 200, body = Page<ApiKey>))
)]
pub async fn list(
    Authorized(cx): Authorized,
    Query(page): Query<PageRequest>,
) -> ApiResult<Json<Page<ApiKey>>> {
    Ok(Json(api_key::list(&cx, &page).await?))
}

/// Read an API key. A revoked key remains.
#[utoipa::path(
    get, path = "/v1/api-keys/{id}", tag = "api-keys",
    responses((status = 200, body = ApiKey))
)]
pub async fn read(
    Authorized(cx): Authorized,
    Path((id,)): Path<(ApiKeyId,)>,
    _: NoQuery,
) -> ApiResult<Json<ApiKey>> {
    Ok(Json(api_key::read(&cx, id).await?))
}

/// Revoke an API key immediately and permanently.
///
/// Revoking it again changes nothing.
#[utoipa::path(
    delete, path = "/v1/api-keys/{id}", tag = "api-keys",
    responses((status = 204, description = "Revoked; the key remains in the list"))
)]
pub async fn revoke(
    Authorized(cx): Authorized,
    Path((id,)): Path<(ApiKeyId,)>,
    _: NoQuery,
) -> ApiResult<StatusCode> {
    api_key::revoke(&cx, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
