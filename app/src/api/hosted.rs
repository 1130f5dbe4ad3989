//! Hosted forms: the list, one form, and what changes it.

use contract::id::{FormId, FormTokenId, TenantId};
use leptos::prelude::server;

use super::codec::Answer;
use crate::{
    problem::Problem,
    view::hosted::{FormAct, FormEdit, FormPage, FormsPage, NewForm},
};

/// One page of the list.
#[server(prefix = "/console", endpoint = "forms", output = Answer)]
pub(crate) async fn list_forms(tenant: TenantId, cursor: String) -> Result<FormsPage, Problem> {
    use super::ssr::{self, hosted as sources};
    let cx = ssr::human(tenant).await?;
    sources::list(&cx, tenant, cursor).await
}

/// One form.
#[server(prefix = "/console", endpoint = "form", output = Answer)]
pub(crate) async fn read_form(tenant: TenantId, id: FormId) -> Result<FormPage, Problem> {
    use super::ssr::{self, hosted as sources};
    let cx = ssr::human(tenant).await?;
    sources::page(&cx, tenant, id).await
}

/// Makes a form of an active policy and leads to it.
#[server(prefix = "/console", endpoint = "create-form", output = Answer)]
pub(crate) async fn create_form(tenant: TenantId, form: NewForm) -> Result<(), Problem> {
    use super::ssr::{self, hosted as sources};
    use crate::text::url;
    let cx = ssr::human(tenant).await?;
    match sources::create(&cx, &form).await {
        Ok(id) => ssr::go(&url::form(tenant, id)),
        Err(problem) => ssr::keep(problem, url::forms(tenant), sources::typed(&form)).await?,
    }
    Ok(())
}

/// Changes a form, or only what is typed, as the pressed button says; and leads back to it.
#[server(prefix = "/console", endpoint = "edit-form", output = Answer)]
pub(crate) async fn edit_form(
    tenant: TenantId,
    id: FormId,
    form: FormEdit,
    #[server(default)] act: String,
) -> Result<(), Problem> {
    use super::ssr::{self, hosted as sources};
    let cx = ssr::human(tenant).await?;
    match sources::edit(&cx, tenant, id, form, FormAct::of(&act)).await {
        Ok(page) => ssr::go(&page),
        Err(problem) => sources::refused(problem, tenant, id).await?,
    }
    Ok(())
}

/// The questions of a form that is being typed, as the public will read them: HTML. What was typed is held for
/// its page, should that be left.
#[server(prefix = "/console", endpoint = "preview-questions", output = Answer)]
pub(crate) async fn preview_questions(
    tenant: TenantId,
    id: FormId,
    form: FormEdit,
) -> Result<String, Problem> {
    use super::ssr;
    use leptos::tachys::view::RenderHtml;
    let cx = ssr::human(tenant).await?;
    ssr::hosted::hold_typed(&cx, id, &form).await?;
    Ok(crate::page::hosted::preview(&form).to_html())
}

/// Publishes a form, or takes it back, and leads back to it.
#[server(prefix = "/console", endpoint = "publish-form", output = Answer)]
pub(crate) async fn publish_form(
    tenant: TenantId,
    id: FormId,
    published: bool,
) -> Result<(), Problem> {
    use super::ssr::{self, hosted as sources};
    let cx = ssr::human(tenant).await?;
    match sources::publish(&cx, id, published).await {
        Ok(()) => ssr::go(&crate::text::url::form(tenant, id)),
        Err(problem) => sources::refused(problem, tenant, id).await?,
    }
    Ok(())
}

/// Deletes a form and leads to the list.
#[server(prefix = "/console", endpoint = "delete-form", output = Answer)]
pub(crate) async fn delete_form(tenant: TenantId, id: FormId) -> Result<(), Problem> {
    use super::ssr::{self, hosted as sources};
    let cx = ssr::human(tenant).await?;
    match ssr::answer(governance::form::delete(&cx, id).await) {
        Ok(()) => ssr::go(&crate::text::url::forms(tenant)),
        Err(problem) => sources::refused(problem, tenant, id).await?,
    }
    Ok(())
}

/// Makes a token for a form, and leads to the form, which shows it this once.
#[server(prefix = "/console", endpoint = "form-token", output = Answer)]
pub(crate) async fn make_form_token(
    tenant: TenantId,
    id: FormId,
    #[server(default)] uses: String,
    #[server(default)] expires: String,
) -> Result<(), Problem> {
    use super::ssr::{self, hosted as sources};
    let cx = ssr::human(tenant).await?;
    let page = crate::text::url::form_tab(tenant, id, "tokens");
    match sources::make_token(&cx, id, &uses, &expires).await {
        Ok(made) => {
            ssr::keep_made(&made, &crate::text::url::form(tenant, id));
            ssr::go(&page);
        }
        Err(problem) => sources::refused(problem, tenant, id).await?,
    }
    Ok(())
}

/// Revokes a token of a form, and leads back to the tokens.
#[server(prefix = "/console", endpoint = "revoke-form-token", output = Answer)]
pub(crate) async fn revoke_form_token(
    tenant: TenantId,
    id: FormId,
    token: FormTokenId,
) -> Result<(), Problem> {
    use super::ssr::{self, hosted as sources};
    let cx = ssr::human(tenant).await?;
    match ssr::answer(governance::form::revoke_token(&cx, id, token).await) {
        Ok(()) => ssr::go(&crate::text::url::form_tab(tenant, id, "tokens")),
        Err(problem) => sources::refused(problem, tenant, id).await?,
    }
    Ok(())
}
