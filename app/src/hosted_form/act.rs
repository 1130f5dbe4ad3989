//! Hosted forms: list, read and change.

use contract::id::{FormId, FormTokenId, TenantId};
use leptos::prelude::server;

use super::view::{FormAct, FormEdit, FormPage, FormsPage, NewForm};
use crate::{codec::JsonCodec, problem::Problem};

#[server(prefix = "/console", endpoint = "forms", output = JsonCodec)]
pub(crate) async fn list_forms(tenant: TenantId, cursor: String) -> Result<FormsPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::list(&cx, tenant, cursor).await
}

#[server(prefix = "/console", endpoint = "form", output = JsonCodec)]
pub(crate) async fn read_form(tenant: TenantId, id: FormId) -> Result<FormPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::page(&cx, tenant, id).await
}

/// Creates a form for an active policy and redirects to it.
#[server(prefix = "/console", endpoint = "create-form", output = JsonCodec)]
pub(crate) async fn create_form(tenant: TenantId, form: NewForm) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    use crate::text::url;
    let cx = request::human(tenant).await?;
    match sources::create(&cx, &form).await {
        Ok(id) => request::redirect(&url::form(tenant, id)),
        Err(problem) => {
            request::set_rejected(problem, url::forms(tenant), request::form_json(&form)).await?;
        }
    }
    Ok(())
}

/// Saves a form, or changes only the unsaved input, depending on the pressed button. Redirects to the tab `tab` of the
/// form.
#[server(prefix = "/console", endpoint = "edit-form", output = JsonCodec)]
pub(crate) async fn edit_form(
    tenant: TenantId,
    id: FormId,
    form: FormEdit,
    #[server(default)] act: String,
    #[server(default)] tab: String,
) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    match sources::edit(&cx, tenant, id, form, FormAct::of(&act)).await {
        Ok(page) if tab.is_empty() => request::redirect(&page),
        Ok(_) => request::redirect(&crate::text::url::form_tab(tenant, id, &tab)),
        Err(problem) => sources::reject(problem, tenant, id).await?,
    }
    Ok(())
}

/// Renders the questions of an edited form as HTML, as the public page shows them. Stores the input, so that
/// it survives leaving the page.
#[server(prefix = "/console", endpoint = "preview-questions", output = JsonCodec)]
pub(crate) async fn preview_questions(
    tenant: TenantId,
    id: FormId,
    form: FormEdit,
) -> Result<String, Problem> {
    use crate::request;
    use leptos::tachys::view::RenderHtml;
    let cx = request::human(tenant).await?;
    super::load::store_form(&cx, id, &form).await?;
    Ok(crate::hosted_form::markup::preview(&form).to_html())
}

/// Publishes or unpublishes a form, and redirects to it.
#[server(prefix = "/console", endpoint = "publish-form", output = JsonCodec)]
pub(crate) async fn publish_form(
    tenant: TenantId,
    id: FormId,
    published: bool,
    seen: String,
) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    match sources::publish(&cx, id, published, seen).await {
        Ok(()) => request::redirect(&crate::text::url::form(tenant, id)),
        Err(problem) => sources::reject(problem, tenant, id).await?,
    }
    Ok(())
}

/// Deletes a form and redirects to the list.
#[server(prefix = "/console", endpoint = "delete-form", output = JsonCodec)]
pub(crate) async fn delete_form(
    tenant: TenantId,
    id: FormId,
    published: bool,
    seen: String,
) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    match sources::delete(&cx, id, published, seen).await {
        Ok(()) => request::redirect(&crate::text::url::forms(tenant)),
        Err(problem) => sources::reject(problem, tenant, id).await?,
    }
    Ok(())
}

/// Issues a token for a form, and redirects to the form, which shows the token once.
#[server(prefix = "/console", endpoint = "form-token", output = JsonCodec)]
pub(crate) async fn make_form_token(
    tenant: TenantId,
    id: FormId,
    #[server(default)] uses: String,
    #[server(default)] expires: String,
) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    let page = crate::text::url::form_tab(tenant, id, super::words::ACCESS_TAB);
    match sources::make_token(&cx, id, &uses, &expires).await {
        Ok(secret) => {
            request::set_created(&secret, &crate::text::url::form(tenant, id));
            request::redirect(&page);
        }
        Err(problem) => sources::reject(problem, tenant, id).await?,
    }
    Ok(())
}

/// Revokes a form token, and redirects to the tokens.
#[server(prefix = "/console", endpoint = "revoke-form-token", output = JsonCodec)]
pub(crate) async fn revoke_form_token(
    tenant: TenantId,
    id: FormId,
    token: FormTokenId,
) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    let page = crate::text::url::form_tab(tenant, id, super::words::ACCESS_TAB);
    match request::into_problem(governance::deciding::form::revoke_token(&cx, id, token).await) {
        Ok(()) => request::redirect(&page),
        Err(problem) => sources::reject(problem, tenant, id).await?,
    }
    Ok(())
}
