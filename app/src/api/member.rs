//! Members: list, invite, change roles and remove.

use contract::id::{TenantId, UserId};
use leptos::prelude::server;

use crate::{
    codec::JsonCodec,
    problem::Problem,
    view::member::{InviteForm, MemberPage, MembersPage},
};

/// Returns one page of the list, and the setup link of an account that was just created.
#[server(prefix = "/console", endpoint = "members", output = JsonCodec)]
pub(crate) async fn list_members(tenant: TenantId, cursor: String) -> Result<MembersPage, Problem> {
    use super::request::{self, member as sources};
    let cx = request::human(tenant).await?;
    sources::list(&cx, tenant, cursor).await
}

/// Returns the page that removes a member.
#[server(prefix = "/console", endpoint = "member", output = JsonCodec)]
pub(crate) async fn read_member(tenant: TenantId, id: UserId) -> Result<MemberPage, Problem> {
    use super::request::{self, member as sources};
    let cx = request::human(tenant).await?;
    sources::read(&cx, tenant, id, &crate::text::url::remove_member(tenant, id)).await
}

/// Returns the page that changes a member's role.
#[server(prefix = "/console", endpoint = "member-role", output = JsonCodec)]
pub(crate) async fn read_role(tenant: TenantId, id: UserId) -> Result<MemberPage, Problem> {
    use super::request::{self, member as sources};
    let cx = request::human(tenant).await?;
    sources::read(&cx, tenant, id, &crate::text::url::change_role(tenant, id)).await
}

/// Invites a user, with a new account when the form contains a name, and redirects to the list.
#[server(prefix = "/console", endpoint = "invite-member", output = JsonCodec)]
pub(crate) async fn invite_member(tenant: TenantId, form: InviteForm) -> Result<(), Problem> {
    use super::request::{self, member as sources};
    let cx = request::human(tenant).await?;
    let page = crate::text::url::members(tenant);
    match sources::invite(&cx, &form).await {
        Ok(link) => {
            if let Some(link) = link {
                request::set_created(&link, &page);
            }
            request::redirect(&page);
        }
        Err(problem) => request::set_rejected(problem, page, request::form_json(&form)).await?,
    }
    Ok(())
}

/// Changes the role of a member and redirects to the list. The member's keys go to `keys_to`. If `keys_to` is
/// empty and the new role has fewer rights, they are revoked.
#[server(prefix = "/console", endpoint = "change-role", output = JsonCodec)]
pub(crate) async fn change_role(
    tenant: TenantId,
    id: UserId,
    role: String,
    #[server(default)] keys_to: String,
    seen: String,
) -> Result<(), Problem> {
    use super::request::{self, member as sources};
    use crate::text::url;
    let cx = request::human(tenant).await?;
    let result = sources::change_role(&cx, id, &role, &keys_to, &seen).await;
    request::respond(result, &url::members(tenant), &url::change_role(tenant, id), role).await
}

/// Removes a member and redirects to the list. A user who removes themselves is redirected to the start page.
/// The member's keys go to `keys_to`, or are revoked when it is empty.
#[server(prefix = "/console", endpoint = "remove-member", output = JsonCodec)]
pub(crate) async fn remove_member(
    tenant: TenantId,
    id: UserId,
    #[server(default)] keys_to: String,
    seen: String,
) -> Result<(), Problem> {
    use super::request::{self, member as sources};
    use crate::text::url;
    let cx = request::human(tenant).await?;
    match sources::remove(&cx, id, &keys_to, &seen).await {
        Ok(()) if request::current_user_id() == Some(id) => request::redirect("/"),
        Ok(()) => request::redirect(&url::members(tenant)),
        Err(problem) => {
            request::set_rejected(problem, url::remove_member(tenant, id), String::new()).await?;
        }
    }
    Ok(())
}
