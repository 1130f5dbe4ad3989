//! Data of the member pages.

use contract::{
    error::ErrorCode,
    id::{TenantId, UserId},
    member::{Member, MemberStatus},
    scope::Role,
};
use governance::{
    Cx,
    access::{
        api_key,
        member::{self, ExpectedMember, MemberProfile},
        permission,
    },
};

use super::{
    view::{
        InviteForm, MemberFactors, MemberKeys, MemberPage, MemberRow, MemberTab, MembersPage,
        SeenMember, patch, receiver,
    },
    words as strings,
};
use crate::{
    flash::OneTimeSecret,
    problem::Problem,
    request::{
        current_user_id, directory, into_problem, list_page, page_at, take_created, take_input,
        take_rejected, take_result, to_problem,
    },
    text::url,
    ui::list_page::ListPage,
};

/// Returns a tab of the page. The lists are newest first.
pub(crate) async fn list(
    cx: &Cx,
    tenant: TenantId,
    tab: MemberTab,
    cursor: String,
) -> Result<MembersPage, Problem> {
    into_problem(cx.tenant(permission::INVITE_MEMBERS).map(drop))?;
    let counts = into_problem(member::counts(cx).await)?;
    let rows = match tab.status() {
        Some(status) => {
            let window = into_problem(member::window(cx, Some(status), &page_at(cursor)).await)?;
            let ids: Vec<_> = window.items.iter().map(|member| member.user_id).collect();
            let mut profiles = into_problem(member::profiles(cx, ids).await)?;
            list_page(window).map(|member| {
                let Some(profile) = profiles.remove(&member.user_id) else {
                    return MemberRow::new(member, None, current_user_id());
                };
                MemberRow {
                    last_active: profile.last_active,
                    factors: factors(&profile),
                    ..MemberRow::new(member, Some(profile.name), current_user_id())
                }
            })
        }
        None => ListPage::default(),
    };
    let page = url::members(tenant);
    Ok(MembersPage {
        tenant,
        tab,
        counts: [counts.active, counts.invited],
        has_one_admin: counts.admins == 1,
        now: cx.now,
        rows,
        notice: take_result(&page).await,
        secret: take_created(&page),
        refused: take_input(&page).await,
    })
}

fn factors(profile: &MemberProfile) -> MemberFactors {
    match (profile.can_reset_second_factors, profile.has_second_factor) {
        (true, _) => MemberFactors::Resettable,
        (false, true) => MemberFactors::Present,
        (false, false) => MemberFactors::None,
    }
}

/// Returns the page on which a member is removed or gets another role.
pub(crate) async fn read(
    cx: &Cx,
    tenant: TenantId,
    id: UserId,
    page: &str,
) -> Result<MemberPage, Problem> {
    let member = into_problem(member::read(cx, id).await)?;
    let names = &directory(cx).await?.names;
    let keys = into_problem(api_key::of_person(cx, id).await)?;
    let admins = into_problem(member::admins(cx).await)?;
    let others = admins.into_iter().filter(|admin| admin.user_id != id);
    let row = |member: Member| {
        let name = names.get(&member.user_id.to_string()).cloned();
        MemberRow::new(member, name, current_user_id())
    };
    let receivers = others.map(|admin| {
        let row = row(admin);
        (
            row.id,
            if row.name == row.email { row.name } else { format!("{} ({})", row.name, row.email) },
        )
    });
    let keys = MemberKeys { rows: keys, receivers: receivers.collect() };
    Ok(MemberPage { tenant, row: row(member), keys, rejected: take_rejected(page).await })
}

/// Invites the user described by a form. With a name, it first creates an account, or a new setup link for an
/// account without a password. Returns a sentence about the result, and the link unless it was only sent by
/// mail.
pub(crate) async fn invite(
    cx: &Cx,
    form: &InviteForm,
) -> Result<(String, Option<OneTimeSecret>), Problem> {
    let (invitation, account) = (form.invitation()?, form.account()?);
    let notice =
        |member: &Member| strings::invited(&member.email, member.status == MemberStatus::Active);
    let Some(draft) = account else {
        return match member::invite(cx, invitation).await {
            Ok(member) => Ok((notice(&member), None)),
            Err(error) if error.code() == ErrorCode::NotFound => Err(InviteForm::no_account()),
            Err(error) => Err(to_problem(&error)),
        };
    };
    let role = invitation.role.unwrap_or(Role::Viewer);
    let (member, created) = into_problem(member::create(cx, draft, role).await)?;
    let link = created.and_then(|created| Some((created.user.email, created.setup_url?)));
    Ok((notice(&member), link.map(|(name, secret)| OneTimeSecret { name, secret })))
}

/// Changes the role of a member, unless the member has changed since the user read it.
pub(crate) async fn change_role(
    cx: &Cx,
    id: UserId,
    role: &str,
    keys_to: &str,
    seen: &str,
) -> Result<Member, Problem> {
    let (patch, expected) = (patch(role, keys_to)?, expected(seen)?);
    into_problem(member::change_role(cx, id, patch, Some(&expected)).await)
}

/// Removes a member, unless the member has changed since the user read it.
pub(crate) async fn remove(cx: &Cx, id: UserId, keys_to: &str, seen: &str) -> Result<(), Problem> {
    let (receiver, expected) = (receiver(keys_to)?, expected(seen)?);
    into_problem(member::remove(cx, id, receiver, Some(&expected)).await)
}

fn expected(seen: &str) -> Result<ExpectedMember, Problem> {
    let SeenMember { role, keys } = SeenMember::parse(seen)?;
    Ok(ExpectedMember { role, keys })
}
