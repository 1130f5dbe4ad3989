//! API keys.

use axum::response::{IntoResponse, Response};
use contract::{
    api_key::{ApiKey, ApiKeyCreated, ApiKeyDraft},
    error::ErrorBody,
    id::ApiKeyId,
    page::Page,
};
use governance::api_key;
use http::{StatusCode, header};

use crate::edge::{
    error::Reply,
    extract::{Api, Body, Json, Path, Query},
};

/// Make an API key; its plaintext is answered this once. A key makes keys of a subset of its own scopes, which
/// expire no later than itself.
#[utoipa::path(
    post, path = "/v1/api-keys", tag = "api keys", request_body = ApiKeyDraft,
    responses(
        (status = 201, body = ApiKeyCreated),
        (status = 403, description = "`INSUFFICIENT_SCOPE`, `FORBIDDEN`", body = ErrorBody),
        (status = 422, description = "`VALIDATION_ERROR`", body = ErrorBody),
    )
)]
pub async fn create(Api(cx): Api, body: Body<ApiKeyDraft>) -> Reply<Response> {
    let created = api_key::create(&cx, body.read).await?;
    let location = format!("/v1/api-keys/{}", created.key.id);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(created)).into_response())
}

/// List API keys, revoked ones too, newest first.
#[utoipa::path(
    get, path = "/v1/api-keys", tag = "api keys",
    params(
        ("limit" = Option<u32>, Query, description = "1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    responses((status = 200, body = Page<ApiKey>), (status = 422, body = ErrorBody))
)]
pub async fn list(Api(cx): Api, mut query: Query) -> Reply<Json<Page<ApiKey>>> {
    let page = query.page();
    query.finish()?;
    Ok(Json(api_key::list(&cx, &page).await?))
}

/// Revoke an API key, at once and for good. Revoking it again changes nothing.
#[utoipa::path(
    delete, path = "/v1/api-keys/{id}", tag = "api keys",
    params(("id" = String, Path, description = "The key")),
    responses(
        (status = 204, description = "Revoked; the list keeps the record"),
        (status = 404, body = ErrorBody),
    )
)]
pub async fn revoke(
    Api(cx): Api,
    Path((id,)): Path<(ApiKeyId,)>,
    query: Query,
) -> Reply<StatusCode> {
    query.finish()?;
    api_key::revoke(&cx, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
