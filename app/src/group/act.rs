//! Policy groups: list, read and change.

use contract::id::{PolicyGroupId, TenantId};
use leptos::prelude::server;

use super::view::{GroupForm, GroupPage, GroupsPage, MoveForm};
use crate::{codec::JsonCodec, problem::Problem};

#[server(prefix = "/console", endpoint = "groups", output = JsonCodec)]
pub(crate) async fn list_groups(tenant: TenantId, cursor: String) -> Result<GroupsPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::list(&cx, tenant, cursor).await
}

#[server(prefix = "/console", endpoint = "group", output = JsonCodec)]
pub(crate) async fn read_group(
    tenant: TenantId,
    id: PolicyGroupId,
    cursor: String,
) -> Result<GroupPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::page(&cx, tenant, id, cursor).await
}

/// Creates a group and redirects to it.
#[server(prefix = "/console", endpoint = "create-group", output = JsonCodec)]
pub(crate) async fn create_group(tenant: TenantId, form: GroupForm) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    use crate::text::url;
    let cx = request::human(tenant).await?;
    match sources::create(&cx, &form).await {
        Ok(id) => request::redirect(&url::group(tenant, id)),
        Err(problem) => {
            request::set_rejected(problem, url::groups(tenant), request::form_json(&form)).await?;
        }
    }
    Ok(())
}

/// Changes the code, name and description of a group and redirects to it.
#[server(prefix = "/console", endpoint = "edit-group", output = JsonCodec)]
pub(crate) async fn edit_group(
    tenant: TenantId,
    id: PolicyGroupId,
    form: GroupForm,
) -> Result<(), Problem> {
    use super::load as sources;
    use super::view::GroupError;
    use crate::request;
    use crate::text::url;
    let cx = request::human(tenant).await?;
    let page = url::group(tenant, id);
    let result = sources::edit(&cx, id, &form).await;
    request::respond(result, &page, &page, request::form_json(&GroupError::Edit(form))).await
}

/// Deletes a group without policies and redirects to the list.
#[server(prefix = "/console", endpoint = "delete-group", output = JsonCodec)]
pub(crate) async fn delete_group(
    tenant: TenantId,
    id: PolicyGroupId,
    seen: String,
) -> Result<(), Problem> {
    use super::load as sources;
    use super::view::GroupError;
    use crate::request;
    use crate::text::url;
    let cx = request::human(tenant).await?;
    let result = sources::delete(&cx, id, seen).await;
    request::respond(
        result,
        &url::groups(tenant),
        &url::group(tenant, id),
        request::form_json(&GroupError::Act),
    )
    .await
}

/// Adds a policy to a group, or removes one from it, and redirects to the group.
#[server(prefix = "/console", endpoint = "move-policy", output = JsonCodec)]
pub(crate) async fn move_policy(form: MoveForm) -> Result<(), Problem> {
    use super::load as sources;
    use super::view::GroupError;
    use crate::request;
    use crate::text::url;
    let cx = request::human(form.tenant).await?;
    let page = url::group(form.tenant, form.group);
    let result = sources::move_policy(&cx, &form).await;
    let error = form.policy.map_or(GroupError::Add(form.code), |_| GroupError::Act);
    request::respond(result, &page, &page, request::form_json(&error)).await
}
