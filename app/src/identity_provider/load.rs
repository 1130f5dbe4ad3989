//! Data of the pages of identity providers.

use contract::{
    id::{IdentityProviderId, TenantId},
    identity_provider::IdentityProvider,
    pagination::LIMIT_MAX,
    read,
};
use governance::{Cx, PageRequest, access::permission, authoring::identity_provider as providers};

use super::view::{ProviderForm, ProviderFormPage, ProviderRow, ProvidersPage, StoredProvider};
use crate::{
    flash::FormWithErrors,
    problem::Problem,
    request::{
        fields, form_text, governance, into_problem, redirect, set_errors, set_rejected, take_form,
        take_rejected, to_problem,
    },
    text::url,
};

/// Returns all providers of a tenant, newest first. A tenant has at most one page of them.
pub(crate) async fn list(
    cx: &Cx,
    tenant: TenantId,
    tested: &str,
) -> Result<ProvidersPage, Problem> {
    let page = PageRequest { limit: LIMIT_MAX, cursor: None };
    let items = into_problem(providers::list(cx, &page).await)?.items;
    let test = match items.iter().find(|provider| provider.id.to_string() == tested) {
        Some(provider) => match providers::test(cx, provider.id).await {
            Ok(test) => Some((provider.name.clone(), test)),
            Err(error) => return Err(to_problem(&error)),
        },
        None => None,
    };
    let refused = take_rejected(&url::identity_providers(tenant)).await;
    Ok(ProvidersPage {
        tenant,
        rows: items.into_iter().map(ProviderRow::from).collect(),
        sign_in: governance().link(&url::sign_in(tenant, "", None)),
        test,
        refused: refused.map(|rejected| rejected.problem),
    })
}

/// Returns the form of a new provider, with the rejected input if there is one.
pub(crate) async fn form(cx: &Cx, tenant: TenantId) -> Result<ProviderFormPage, Problem> {
    into_problem(cx.tenant(permission::READ_IDENTITY_PROVIDERS).map(drop))?;
    let (problem, refused) = take_form(&url::new_identity_provider(tenant)).await;
    let FormWithErrors { form, errors } = refused
        .unwrap_or_else(|| FormWithErrors { form: ProviderForm::default(), errors: Vec::new() });
    Ok(ProviderFormPage { tenant, stored: None, form, problem, errors })
}

/// Returns the form of a provider with its current values, or with the rejected input if there is one.
pub(crate) async fn edit_form(
    cx: &Cx,
    tenant: TenantId,
    id: IdentityProviderId,
) -> Result<ProviderFormPage, Problem> {
    let provider = into_problem(providers::read(cx, id).await)?;
    let stored = StoredProvider {
        id,
        name: provider.name.clone(),
        issuer: provider.issuer.clone(),
        has_secret: provider.has_client_secret,
    };
    let (problem, refused) = take_form(&url::edit_identity_provider(tenant, id)).await;
    let FormWithErrors { form, errors } =
        refused.unwrap_or_else(|| FormWithErrors { form: provider.into(), errors: Vec::new() });
    Ok(ProviderFormPage { tenant, stored: Some(stored), form, problem, errors })
}

/// Creates a provider and redirects to the list. A rejected form is stored without the client secret.
pub(crate) async fn create(cx: &Cx, tenant: TenantId, form: ProviderForm) -> Result<(), Problem> {
    let page = url::new_identity_provider(tenant);
    let draft = match read::body(&form.draft()) {
        Ok(draft) => draft,
        Err(errors) => return set_errors(page, form.without_secret(), errors).await,
    };
    respond(providers::create(cx, draft).await, tenant, page, form).await
}

/// Changes a provider and redirects to the list. A rejected form is stored without the client secret.
pub(crate) async fn edit(
    cx: &Cx,
    tenant: TenantId,
    id: IdentityProviderId,
    form: ProviderForm,
) -> Result<(), Problem> {
    let page = url::edit_identity_provider(tenant, id);
    let patch = match read::body(&form.patch()) {
        Ok(patch) => patch,
        Err(errors) => return set_errors(page, form.without_secret(), errors).await,
    };
    respond(providers::edit(cx, id, patch).await, tenant, page, form).await
}

/// Redirects to the list, or to the form with its errors.
async fn respond(
    result: governance::Result<IdentityProvider>,
    tenant: TenantId,
    page: String,
    form: ProviderForm,
) -> Result<(), Problem> {
    let Err(error) = result else {
        redirect(&url::identity_providers(tenant));
        return Ok(());
    };
    let form = form.without_secret();
    match fields(&error) {
        Some(errors) => set_errors(page, form, errors).await,
        None => set_rejected(to_problem(&error), page, form_text(form, Vec::new())).await,
    }
}
