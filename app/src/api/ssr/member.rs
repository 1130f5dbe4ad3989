//! What the pages of members are made of.

use contract::{
    error::ErrorCode,
    id::{TenantId, UserId},
    scope::Role,
};
use governance::{Cx, account, api_key, member, permission};

use super::{answer, kept, made, me, page_at, refuse};
use crate::{
    problem::Problem,
    text::url,
    view::{
        kept::Made,
        key::KeyRow,
        member::{InviteForm, MemberKeys, MemberPage, MemberRow, MembersPage, patch, receiver},
    },
};

/// One page of the list, newest first.
pub(in crate::api) async fn list(
    cx: &Cx,
    tenant: TenantId,
    cursor: String,
) -> Result<MembersPage, Problem> {
    answer(cx.tenant(permission::INVITE_MEMBERS).map(drop))?;
    let rows = answer(member::list(cx, &page_at(cursor)).await)?;
    let names = answer(member::names(cx).await)?;
    let page = url::members(tenant);
    let refused = kept(&page).await;
    Ok(MembersPage {
        tenant,
        rows: rows.map(|row| MemberRow::new(row, &names, me())),
        made: made(&page),
        refused: refused.map(|kept| {
            let form = serde_json::from_str(&kept.text).unwrap_or_default();
            (kept.problem, form)
        }),
    })
}

/// Returns the page on which a member is removed or gets another role.
pub(in crate::api) async fn read(
    cx: &Cx,
    tenant: TenantId,
    id: UserId,
    page: &str,
) -> Result<MemberPage, Problem> {
    let member = answer(member::read(cx, id).await)?;
    let names = answer(member::names(cx).await)?;
    let keys = answer(api_key::of_person(cx, id).await)?;
    let admins = answer(member::admins(cx).await)?;
    let others = admins.into_iter().filter(|admin| admin.user_id != id);
    let receivers = others.map(|admin| {
        let row = MemberRow::new(admin, &names, me());
        (
            row.id,
            if row.name == row.email { row.name } else { format!("{} ({})", row.name, row.email) },
        )
    });
    let keys = MemberKeys {
        rows: keys.into_iter().map(|key| KeyRow::new(key, &names, cx.now)).collect(),
        receivers: receivers.collect(),
    };
    Ok(MemberPage {
        tenant,
        row: MemberRow::new(member, &names, me()),
        keys,
        kept: kept(page).await,
    })
}

/// Invites the person that a form names. With a name, an account is made first, or a new link for one without
/// a password; the link is returned where it was not mailed alone.
pub(in crate::api) async fn invite(cx: &Cx, form: &InviteForm) -> Result<Option<Made>, Problem> {
    let (invitation, account) = (form.invitation()?, form.account()?);
    let Some(draft) = account else {
        return match member::invite(cx, invitation).await {
            Ok(_) => Ok(None),
            Err(error) if error.code() == ErrorCode::NotFound => Err(InviteForm::no_account()),
            Err(error) => Err(refuse(&error)),
        };
    };
    let role = invitation.role.unwrap_or(Role::Viewer);
    let (_, made) = answer(account::create_member(cx, draft, role).await)?;
    let link = made.and_then(|made| Some((made.user.email, made.setup_url?)));
    Ok(link.map(|(name, secret)| Made { name, secret }))
}

/// Changes what a member may do.
pub(in crate::api) async fn change_role(
    cx: &Cx,
    id: UserId,
    role: &str,
    keys_to: &str,
) -> Result<(), Problem> {
    answer(member::change_role(cx, id, patch(role, keys_to)?).await).map(drop)
}

/// Removes a member.
pub(in crate::api) async fn remove(cx: &Cx, id: UserId, keys_to: &str) -> Result<(), Problem> {
    answer(member::remove(cx, id, receiver(keys_to)?).await)
}

/// A form as it is kept for its page.
pub(in crate::api) fn typed(form: &InviteForm) -> String {
    serde_json::to_string(form).unwrap_or_default()
}
