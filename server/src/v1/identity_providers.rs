//! Identity providers of a tenant.

use contract::{
    error::ErrorBody,
    id::IdentityProviderId,
    identity_provider::{
        IdentityProvider, IdentityProviderDraft, IdentityProviderPatch, IdentityProviderTest,
    },
    pagination::Page,
    policy::EmptyBody,
};
use governance::{PageRequest, authoring::identity_provider};
use http::StatusCode;

use crate::edge::{
    error::ApiResult,
    extract::{Authorized, Body, Created, Json, NoBody, Path},
    query::{NoQuery, Query},
};

/// Create an identity provider.
///
/// Members sign in with it by `OpenID` Connect. The client secret is never returned. The change creates a
/// `governance_change` alert.
#[utoipa::path(
    post, path = "/v1/admin/identity-providers", tag = "administration", request_body = IdentityProviderDraft,
    responses(
        (status = 201, body = IdentityProvider),
        (status = 409, description = "`CONFLICT`: the tenant has 20 identity providers", body = ErrorBody),
    )
)]
pub async fn create(
    Authorized(cx): Authorized,
    body: Body<IdentityProviderDraft>,
) -> ApiResult<Created<IdentityProvider>> {
    let created = identity_provider::create(&cx, body.value).await?;
    Ok(Created(format!("/v1/admin/identity-providers/{}", created.id), created))
}

/// List identity providers, newest first.
#[utoipa::path(
    get, path = "/v1/admin/identity-providers", tag = "administration",
    params(Query<PageRequest>),
    responses((status = 200, body = Page<IdentityProvider>))
)]
pub async fn list(
    Authorized(cx): Authorized,
    Query(page): Query<PageRequest>,
) -> ApiResult<Json<Page<IdentityProvider>>> {
    Ok(Json(identity_provider::list(&cx, &page).await?))
}

/// Read an identity provider.
#[utoipa::path(
    get, path = "/v1/admin/identity-providers/{id}", tag = "administration",
    responses((status = 200, body = IdentityProvider))
)]
pub async fn read(
    Authorized(cx): Authorized,
    Path((id,)): Path<(IdentityProviderId,)>,
    _: NoQuery,
) -> ApiResult<Json<IdentityProvider>> {
    Ok(Json(identity_provider::read(&cx, id).await?))
}

/// Change an identity provider. Absent members keep their values.
///
/// Disabling it ends the sessions that it started. The change creates a `governance_change` alert.
#[utoipa::path(
    patch, path = "/v1/admin/identity-providers/{id}", tag = "administration", request_body = IdentityProviderPatch,
    responses((status = 200, body = IdentityProvider))
)]
pub async fn edit(
    Authorized(cx): Authorized,
    Path((id,)): Path<(IdentityProviderId,)>,
    body: Body<IdentityProviderPatch>,
) -> ApiResult<Json<IdentityProvider>> {
    Ok(Json(identity_provider::edit(&cx, id, body.value).await?))
}

/// Delete an identity provider.
///
/// The sessions that it started end. Accounts and memberships remain.
#[utoipa::path(
    delete, path = "/v1/admin/identity-providers/{id}", tag = "administration",
    responses((status = 204, description = "Deleted"))
)]
pub async fn delete(
    Authorized(cx): Authorized,
    Path((id,)): Path<(IdentityProviderId,)>,
    _: NoQuery,
) -> ApiResult<StatusCode> {
    identity_provider::delete(&cx, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Test an identity provider.
///
/// Reads the configuration and the keys that the provider publishes. It changes nothing.
#[utoipa::path(
    post, path = "/v1/admin/identity-providers/{id}/test", tag = "administration", request_body = EmptyBody,
    responses((status = 200, body = IdentityProviderTest))
)]
pub async fn test(
    Authorized(cx): Authorized,
    Path((id,)): Path<(IdentityProviderId,)>,
    _: NoBody,
) -> ApiResult<Json<IdentityProviderTest>> {
    Ok(Json(identity_provider::test(&cx, id).await?))
}
