//! Policy groups: the list, one with its policies, and changing them.

use contract::id::{PolicyGroupId, TenantId};
use leptos::prelude::server;

use super::codec::Answer;
use crate::{
    problem::Problem,
    view::group::{GroupForm, GroupPage, GroupsPage, MoveForm},
};

/// One page of the list.
#[server(prefix = "/console", endpoint = "groups", output = Answer)]
pub(crate) async fn list_groups(tenant: TenantId, cursor: String) -> Result<GroupsPage, Problem> {
    use super::ssr::{self, group as sources};
    let cx = ssr::human(tenant).await?;
    sources::list(&cx, tenant, cursor).await
}

/// One group, and a page of its policies.
#[server(prefix = "/console", endpoint = "group", output = Answer)]
pub(crate) async fn read_group(
    tenant: TenantId,
    id: PolicyGroupId,
    cursor: String,
) -> Result<GroupPage, Problem> {
    use super::ssr::{self, group as sources};
    let cx = ssr::human(tenant).await?;
    sources::page(&cx, tenant, id, cursor).await
}

/// Makes a group and leads to it.
#[server(prefix = "/console", endpoint = "create-group", output = Answer)]
pub(crate) async fn create_group(tenant: TenantId, form: GroupForm) -> Result<(), Problem> {
    use super::ssr::{self, group as sources};
    use crate::text::url;
    let cx = ssr::human(tenant).await?;
    match sources::create(&cx, &form).await {
        Ok(id) => ssr::go(&url::group(tenant, id)),
        Err(problem) => ssr::keep(problem, url::groups(tenant), sources::typed(&form)).await?,
    }
    Ok(())
}

/// Changes a group's own members and leads back to it.
#[server(prefix = "/console", endpoint = "edit-group", output = Answer)]
pub(crate) async fn edit_group(
    tenant: TenantId,
    id: PolicyGroupId,
    form: GroupForm,
) -> Result<(), Problem> {
    use super::ssr::{self, group as sources};
    use crate::{text::url, view::group::Refused};
    let cx = ssr::human(tenant).await?;
    let page = url::group(tenant, id);
    match sources::edit(&cx, id, &form).await {
        Ok(()) => ssr::go(&page),
        Err(problem) => ssr::keep(problem, page, sources::typed(&Refused::Edit(form))).await?,
    }
    Ok(())
}

/// Deletes a group without policies and leads to the list.
#[server(prefix = "/console", endpoint = "delete-group", output = Answer)]
pub(crate) async fn delete_group(
    tenant: TenantId,
    id: PolicyGroupId,
    seen: String,
) -> Result<(), Problem> {
    use super::ssr::{self, group as sources};
    use crate::{text::url, view::group::Refused};
    let cx = ssr::human(tenant).await?;
    match sources::delete(&cx, id, seen).await {
        Ok(()) => ssr::go(&url::groups(tenant)),
        Err(problem) => {
            ssr::keep(problem, url::group(tenant, id), sources::typed(&Refused::Act)).await?;
        }
    }
    Ok(())
}

/// Puts a policy into a group, or takes one out, and leads back to the group.
#[server(prefix = "/console", endpoint = "move-policy", output = Answer)]
pub(crate) async fn move_policy(form: MoveForm) -> Result<(), Problem> {
    use super::ssr::{self, group as sources};
    use crate::{text::url, view::group::Refused};
    let cx = ssr::human(form.tenant).await?;
    let page = url::group(form.tenant, form.group);
    match sources::put(&cx, &form).await {
        Ok(()) => ssr::go(&page),
        Err(problem) => {
            let refused = form.policy.map_or(Refused::Add(form.code), |_| Refused::Act);
            ssr::keep(problem, page, sources::typed(&refused)).await?;
        }
    }
    Ok(())
}
