//! Identity providers: list, create, change, enable, disable, test and delete.

use contract::id::{IdentityProviderId, TenantId};
use leptos::prelude::server;

use super::view::{ProviderForm, ProviderFormPage, ProvidersPage};
use crate::{codec::JsonCodec, problem::Problem};

/// Returns the list, with the result of the test of the provider `tested`, if that is set.
#[server(prefix = "/console", endpoint = "identity-providers", output = JsonCodec)]
pub(crate) async fn list_providers(
    tenant: TenantId,
    tested: String,
) -> Result<ProvidersPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::list(&cx, tenant, &tested).await
}

/// Returns the form of a new identity provider.
#[server(prefix = "/console", endpoint = "identity-provider-form", output = JsonCodec)]
pub(crate) async fn read_provider_form(tenant: TenantId) -> Result<ProviderFormPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::form(&cx, tenant).await
}

/// Creates an identity provider and redirects to the list.
#[server(prefix = "/console", endpoint = "create-identity-provider", output = JsonCodec)]
pub(crate) async fn create_provider(tenant: TenantId, form: ProviderForm) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::create(&cx, tenant, form).await
}

/// Returns the form of an identity provider with its current values.
#[server(prefix = "/console", endpoint = "identity-provider", output = JsonCodec)]
pub(crate) async fn read_provider(
    tenant: TenantId,
    id: IdentityProviderId,
) -> Result<ProviderFormPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::edit_form(&cx, tenant, id).await
}

/// Changes an identity provider and redirects to the list.
#[server(prefix = "/console", endpoint = "edit-identity-provider", output = JsonCodec)]
pub(crate) async fn edit_provider(
    tenant: TenantId,
    id: IdentityProviderId,
    form: ProviderForm,
) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::edit(&cx, tenant, id, form).await
}

/// Enables or disables an identity provider and redirects to the list.
#[server(prefix = "/console", endpoint = "enable-identity-provider", output = JsonCodec)]
pub(crate) async fn enable_provider(
    tenant: TenantId,
    id: IdentityProviderId,
    is_enabled: bool,
) -> Result<(), Problem> {
    use crate::request;
    let cx = request::human(tenant).await?;
    let patch = contract::identity_provider::IdentityProviderPatch {
        is_enabled: Some(is_enabled),
        ..Default::default()
    };
    let list = crate::text::url::identity_providers(tenant);
    let result = governance::authoring::identity_provider::edit(&cx, id, patch).await;
    request::respond(request::into_problem(result), &list, &list, String::new()).await
}

/// Deletes an identity provider and redirects to the list.
#[server(prefix = "/console", endpoint = "delete-identity-provider", output = JsonCodec)]
pub(crate) async fn delete_provider(
    tenant: TenantId,
    id: IdentityProviderId,
) -> Result<(), Problem> {
    use crate::request;
    let cx = request::human(tenant).await?;
    let list = crate::text::url::identity_providers(tenant);
    let result = governance::authoring::identity_provider::delete(&cx, id).await;
    request::respond(request::into_problem(result), &list, &list, String::new()).await
}
