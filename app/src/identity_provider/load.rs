//! Data of the pages of identity providers.

use contract::{id::TenantId, pagination::LIMIT_MAX, read};
use governance::{Cx, PageRequest, access::permission, authoring::identity_provider as providers};

use super::view::{ProviderForm, ProviderFormPage, ProviderRow, ProvidersPage};
use crate::{
    flash::FormWithErrors,
    problem::Problem,
    request::{
        fields, form_text, into_problem, redirect, set_errors, set_rejected, take_form,
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
    Ok(ProviderFormPage { tenant, form, problem, errors })
}

/// Creates a provider and redirects to the list. A rejected form is stored without the client secret.
pub(crate) async fn create(cx: &Cx, tenant: TenantId, form: ProviderForm) -> Result<(), Problem> {
    let page = url::new_identity_provider(tenant);
    let stored = ProviderForm { client_secret: String::new(), ..form.clone() };
    let draft = match read::body(&form.draft()) {
        Ok(draft) => draft,
        Err(errors) => return set_errors(page, stored, errors).await,
    };
    match providers::create(cx, draft).await {
        Ok(_) => {
            redirect(&url::identity_providers(tenant));
            Ok(())
        }
        Err(error) => match fields(&error) {
            Some(errors) => set_errors(page, stored, errors).await,
            None => set_rejected(to_problem(&error), page, form_text(stored, Vec::new())).await,
        },
    }
}
