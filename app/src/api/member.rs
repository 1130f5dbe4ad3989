//! Members: the list, inviting, changing roles, and removing.

use contract::id::{TenantId, UserId};
use leptos::prelude::server;

use super::codec::Answer;
use crate::{
    problem::Problem,
    view::{
        kept::Kept,
        member::{InviteForm, MemberRow, MembersPage},
    },
};

/// One page of the list, and the link of an account that was made a moment ago.
#[server(prefix = "/console", endpoint = "members", output = Answer)]
pub(crate) async fn list_members(tenant: TenantId, cursor: String) -> Result<MembersPage, Problem> {
    use super::ssr::{self, member as sources};
    let cx = ssr::human(tenant).await?;
    sources::list(&cx, tenant, cursor).await
}

/// One member, and why the person was not removed a moment ago.
#[server(prefix = "/console", endpoint = "member", output = Answer)]
pub(crate) async fn read_member(
    tenant: TenantId,
    id: UserId,
) -> Result<(MemberRow, Option<Kept>), Problem> {
    use super::ssr::{self, member as sources};
    let cx = ssr::human(tenant).await?;
    let row = sources::read(&cx, id).await?;
    Ok((row, ssr::kept(&crate::text::url::remove_member(tenant, id)).await))
}

/// Invites somebody, with a new account when the form gives a name, and leads to the list.
#[server(prefix = "/console", endpoint = "invite-member", output = Answer)]
pub(crate) async fn invite_member(tenant: TenantId, form: InviteForm) -> Result<(), Problem> {
    use super::ssr::{self, member as sources};
    let cx = ssr::human(tenant).await?;
    let page = crate::text::url::members(tenant);
    match sources::invite(&cx, &form).await {
        Ok(made) => {
            if let Some(made) = made {
                ssr::keep_made(&made, &page);
            }
            ssr::go(&page);
        }
        Err(problem) => ssr::keep(problem, page, sources::typed(&form)).await?,
    }
    Ok(())
}

/// Changes what a member may do and leads to the list.
#[server(prefix = "/console", endpoint = "change-role", output = Answer)]
pub(crate) async fn change_role(tenant: TenantId, id: UserId, role: String) -> Result<(), Problem> {
    use super::ssr::{self, member as sources};
    let cx = ssr::human(tenant).await?;
    let page = crate::text::url::members(tenant);
    match sources::change_role(&cx, id, &role).await {
        Ok(()) => ssr::go(&page),
        Err(problem) => ssr::keep(problem, page, String::new()).await?,
    }
    Ok(())
}

/// Takes a member out of the tenant and leads to the list; whoever leaves is led to the start.
#[server(prefix = "/console", endpoint = "remove-member", output = Answer)]
pub(crate) async fn remove_member(tenant: TenantId, id: UserId) -> Result<(), Problem> {
    use super::ssr;
    use crate::text::url;
    let cx = ssr::human(tenant).await?;
    match ssr::answer(governance::member::remove(&cx, id).await) {
        Ok(()) if ssr::me() == Some(id) => ssr::go("/"),
        Ok(()) => ssr::go(&url::members(tenant)),
        Err(problem) => {
            ssr::keep(problem, url::remove_member(tenant, id), String::new()).await?;
        }
    }
    Ok(())
}
