//! Members: the list, inviting, changing roles, and removing.

use contract::id::{TenantId, UserId};
use leptos::prelude::server;

use super::codec::Answer;
use crate::{
    problem::Problem,
    view::member::{InviteForm, MemberPage, MembersPage},
};

/// One page of the list, and the link of an account that was made a moment ago.
#[server(prefix = "/console", endpoint = "members", output = Answer)]
pub(crate) async fn list_members(tenant: TenantId, cursor: String) -> Result<MembersPage, Problem> {
    use super::ssr::{self, member as sources};
    let cx = ssr::human(tenant).await?;
    sources::list(&cx, tenant, cursor).await
}

/// The page that removes a member.
#[server(prefix = "/console", endpoint = "member", output = Answer)]
pub(crate) async fn read_member(tenant: TenantId, id: UserId) -> Result<MemberPage, Problem> {
    use super::ssr::{self, member as sources};
    let cx = ssr::human(tenant).await?;
    sources::read(&cx, tenant, id, &crate::text::url::remove_member(tenant, id)).await
}

/// The page that changes a member's role.
#[server(prefix = "/console", endpoint = "member-role", output = Answer)]
pub(crate) async fn read_role(tenant: TenantId, id: UserId) -> Result<MemberPage, Problem> {
    use super::ssr::{self, member as sources};
    let cx = ssr::human(tenant).await?;
    sources::read(&cx, tenant, id, &crate::text::url::change_role(tenant, id)).await
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

/// Changes what a member may do and leads to the list; the person's keys go to `keys_to`, or are revoked
/// when it is empty and the new role has fewer rights.
#[server(prefix = "/console", endpoint = "change-role", output = Answer)]
pub(crate) async fn change_role(
    tenant: TenantId,
    id: UserId,
    role: String,
    #[server(default)] keys_to: String,
) -> Result<(), Problem> {
    use super::ssr::{self, member as sources};
    use crate::text::url;
    let cx = ssr::human(tenant).await?;
    match sources::change_role(&cx, id, &role, &keys_to).await {
        Ok(()) => ssr::go(&url::members(tenant)),
        Err(problem) => ssr::keep(problem, url::change_role(tenant, id), role).await?,
    }
    Ok(())
}

/// Removes a member and redirects to the list; a person who removes themselves is redirected to the start
/// page. The person's keys go to `keys_to`, or are revoked when it is empty.
#[server(prefix = "/console", endpoint = "remove-member", output = Answer)]
pub(crate) async fn remove_member(
    tenant: TenantId,
    id: UserId,
    #[server(default)] keys_to: String,
) -> Result<(), Problem> {
    use super::ssr::{self, member as sources};
    use crate::text::url;
    let cx = ssr::human(tenant).await?;
    match sources::remove(&cx, id, &keys_to).await {
        Ok(()) if ssr::me() == Some(id) => ssr::go("/"),
        Ok(()) => ssr::go(&url::members(tenant)),
        Err(problem) => {
            ssr::keep(problem, url::remove_member(tenant, id), String::new()).await?;
        }
    }
    Ok(())
}
