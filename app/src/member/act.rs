//! Members: list, invite, change roles and remove.

use contract::id::{TenantId, UserId};
use leptos::prelude::server;

use super::{
    load as sources,
    view::{InviteForm, MemberPage, MemberTab, MembersPage},
    words as strings,
};
use crate::{codec::JsonCodec, problem::Problem, request, text::url};

/// Returns a tab of the page, and the setup link of an account that was just created.
pub(crate) async fn list_members(
    tenant: TenantId,
    tab: MemberTab,
    cursor: String,
) -> Result<MembersPage, Problem> {
    let cx = request::human(tenant).await?;
    sources::list(&cx, tenant, tab, cursor).await
}

/// Returns the page that removes a member.
pub(crate) async fn read_member(tenant: TenantId, id: UserId) -> Result<MemberPage, Problem> {
    let cx = request::human(tenant).await?;
    sources::read(&cx, tenant, id, &url::remove_member(tenant, id)).await
}

/// Returns the page that changes a member's role.
pub(crate) async fn read_role(tenant: TenantId, id: UserId) -> Result<MemberPage, Problem> {
    let cx = request::human(tenant).await?;
    sources::read(&cx, tenant, id, &url::change_role(tenant, id)).await
}

/// Returns the page that removes a member's second factors.
pub(crate) async fn read_reset(tenant: TenantId, id: UserId) -> Result<MemberPage, Problem> {
    let cx = request::human(tenant).await?;
    sources::read(&cx, tenant, id, &url::reset_second_factors(tenant, id)).await
}

/// Invites a user, with a new account when the form contains a name, and redirects to the list.
#[server(prefix = "/console", endpoint = "invite-member", output = JsonCodec)]
pub(crate) async fn invite_member(tenant: TenantId, form: InviteForm) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let page = url::members(tenant);
    match sources::invite(&cx, &form).await {
        Ok((notice, link)) => {
            match link {
                Some(link) => request::set_created(&link, &page),
                None => request::set_result(&page, &notice).await?,
            }
            request::redirect(&page);
        }
        Err(problem) => request::set_rejected(problem, page, request::form_json(&form)).await?,
    }
    Ok(())
}

/// Changes the role of a member and redirects to the list. The member's keys are transferred to the user `keys_to`.
/// If `keys_to` is empty and the new role has fewer rights, the keys are revoked. `seen` is the member as the user
/// has read it.
#[server(prefix = "/console", endpoint = "change-role", output = JsonCodec)]
pub(crate) async fn change_role(
    tenant: TenantId,
    id: UserId,
    role: String,
    #[server(default)] keys_to: String,
    seen: String,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let page = url::members(tenant);
    let result = sources::change_role(&cx, id, &role, &keys_to, &seen).await;
    if let Ok(member) = &result {
        request::set_result(&page, &strings::changed(&member.email, member.role)).await?;
    }
    request::respond(result, &page, &url::change_role(tenant, id), role).await
}

/// Removes a member, or withdraws an invitation, and redirects to the list with the tab `tab`. A user who
/// removes themselves is redirected to the start page. The member's keys are transferred to the user
/// `keys_to`, or revoked if it is empty.
#[server(prefix = "/console", endpoint = "remove-member", output = JsonCodec)]
pub(crate) async fn remove_member(
    tenant: TenantId,
    id: UserId,
    #[server(default)] keys_to: String,
    seen: String,
    #[server(default)] tab: String,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let tab = MemberTab::read(&tab);
    match sources::remove(&cx, id, &keys_to, &seen).await {
        Ok(()) if request::current_user_id() == Some(id) => request::redirect("/"),
        Ok(()) => {
            let notice = match tab {
                MemberTab::Invitations => strings::WITHDRAWN,
                MemberTab::Members | MemberTab::Roles => strings::REMOVED,
            };
            request::set_result(&url::members(tenant), &notice).await?;
            request::redirect(&url::members_tab(tenant, tab.word()));
        }
        Err(problem) => {
            request::set_rejected(problem, url::remove_member(tenant, id), String::new()).await?;
        }
    }
    Ok(())
}

/// Removes the second factors of a member and redirects to the list.
#[server(prefix = "/console", endpoint = "reset-second-factors", output = JsonCodec)]
pub(crate) async fn reset_second_factors(tenant: TenantId, id: UserId) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let page = url::members(tenant);
    let result = request::into_problem(governance::access::second_factor::reset(&cx, id).await);
    if result.is_ok() {
        request::set_result(&page, &strings::FACTORS_RESET).await?;
    }
    request::respond(result, &page, &url::reset_second_factors(tenant, id), String::new()).await
}
