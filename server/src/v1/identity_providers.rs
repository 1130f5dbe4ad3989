//! Identity providers of a tenant.

use contract::{
    id::IdentityProviderId,
    identity_provider::{
        IdentityProvider, IdentityProviderDraft, IdentityProviderPatch, IdentityProviderTest,
    },
    pagination::Page,
};
use governance::{PageRequest, authoring::identity_provider};

use crate::edge::{ApiResult, Authorized, Body, Created, Id, Json, JsonResult, NoContent, Query};

/// Create an identity provider.
///
/// Members sign in with it by `OpenID` Connect. The client secret is never returned. The change creates a
/// `governance_change` alert.
#[post(
    "/v1/admin/identity-providers", MANAGE_IDENTITY_PROVIDERS, tag = "administration",
    audit = "identity_provider.create",
    example = {
        "name": "Acme",
        "issuer": "https://login.acme.example",
        "client_id": "govern",
        "client_secret": "the secret that the provider generated",
        "email_domains": ["acme.example"],
        "role_claim": "groups",
        "role_mapping": [{"value": "risk-officers", "role": "ratifier"}],
        "default_role": "viewer",
    },
    409 = "`CONFLICT`: the tenant has 20 identity providers",
)]
async fn create(
    cx: Authorized,
    body: Body<IdentityProviderDraft>,
) -> ApiResult<Created<IdentityProvider>> {
    let created = identity_provider::create(&cx, body.value).await?;
    Ok(Created(format!("/v1/admin/identity-providers/{}", created.id), created))
}

/// List identity providers, newest first.
#[get("/v1/admin/identity-providers", READ_IDENTITY_PROVIDERS, tag = "administration")]
async fn list(
    cx: Authorized,
    Query(page): Query<PageRequest>,
) -> JsonResult<Page<IdentityProvider>> {
    Ok(Json(identity_provider::list(&cx, &page).await?))
}

/// Read an identity provider.
#[get("/v1/admin/identity-providers/{id}", READ_IDENTITY_PROVIDERS, tag = "administration")]
async fn read(cx: Authorized, Id(id): Id<IdentityProviderId>) -> JsonResult<IdentityProvider> {
    Ok(Json(identity_provider::read(&cx, id).await?))
}

/// Change an identity provider. Absent members keep their values.
///
/// Disabling it ends the sessions that it started. The change creates a `governance_change` alert.
#[patch(
    "/v1/admin/identity-providers/{id}", MANAGE_IDENTITY_PROVIDERS, tag = "administration",
    audit = "identity_provider.edit",
    example = {"default_role": "author"},
)]
async fn edit(
    cx: Authorized,
    Id(id): Id<IdentityProviderId>,
    body: Body<IdentityProviderPatch>,
) -> JsonResult<IdentityProvider> {
    Ok(Json(identity_provider::edit(&cx, id, body.value).await?))
}

/// Delete an identity provider.
///
/// The sessions that it started end. Accounts and memberships remain.
#[delete(
    "/v1/admin/identity-providers/{id}", MANAGE_IDENTITY_PROVIDERS, tag = "administration",
    audit = "identity_provider.delete",
    204 = "Deleted",
)]
async fn delete(cx: Authorized, Id(id): Id<IdentityProviderId>) -> ApiResult<NoContent> {
    identity_provider::delete(&cx, id).await?;
    Ok(NoContent)
}

/// Test an identity provider.
///
/// Reads the configuration and the keys that the provider publishes. It changes nothing.
#[post(
    "/v1/admin/identity-providers/{id}/test",
    READ_IDENTITY_PROVIDERS,
    tag = "administration",
    no_audit = "it only reads what the provider publishes"
)]
async fn test(cx: Authorized, Id(id): Id<IdentityProviderId>) -> JsonResult<IdentityProviderTest> {
    Ok(Json(identity_provider::test(&cx, id).await?))
}
