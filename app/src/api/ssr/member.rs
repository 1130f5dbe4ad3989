//! What the pages of members are made of.

use contract::{
    error::ErrorCode,
    id::{TenantId, UserId},
    page::LIMIT_MAX,
};
use governance::{Cx, PageRequest, account, member, permission};

use super::{answer, kept, made, me, page_at, refuse};
use crate::{
    problem::Problem,
    text::url,
    view::{
        kept::Made,
        member::{InviteForm, MemberRow, MembersPage, role},
    },
};

/// One page of the list, newest first.
pub(in crate::api) async fn list(
    cx: &Cx,
    tenant: TenantId,
    cursor: String,
) -> Result<MembersPage, Problem> {
    answer(cx.tenant(permission::CHANGE_MEMBERS).map(drop))?;
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

/// One member.
pub(in crate::api) async fn read(cx: &Cx, id: UserId) -> Result<MemberRow, Problem> {
    let mut page = PageRequest { limit: LIMIT_MAX, cursor: None };
    loop {
        let found = answer(member::list(cx, &page).await)?;
        if let Some(member) = found.items.into_iter().find(|member| member.user_id == id) {
            let names = answer(member::names(cx).await)?;
            return Ok(MemberRow::new(member, &names, me()));
        }
        page.cursor = found.next_cursor;
        if page.cursor.is_none() {
            let missing = governance::error::not_found(governance::error::Noun::Member);
            return Err(refuse(&missing.into()));
        }
    }
}

/// Invites whom a form names. With a name, an account is made first, or a new link for one without a
/// password: the link is handed back, and whoever was a member before stays one.
pub(in crate::api) async fn invite(cx: &Cx, form: &InviteForm) -> Result<Option<Made>, Problem> {
    let (invitation, account) = (form.invitation()?, form.account()?);
    let made = match account {
        Some(draft) => match account::create(cx, draft).await {
            Ok(made) => Some(Made { name: made.user.email, secret: made.setup_url }),
            // Somebody has an account: the invitation alone is what is left to do.
            Err(error) if error.code() == ErrorCode::Conflict => None,
            Err(error) => return Err(refuse(&error)),
        },
        None => None,
    };
    match member::invite(cx, invitation).await {
        Ok(_) => Ok(made),
        Err(error) if error.code() == ErrorCode::Conflict && made.is_some() => Ok(made),
        Err(error) if error.code() == ErrorCode::NotFound => Err(InviteForm::no_account()),
        Err(error) => Err(refuse(&error)),
    }
}

/// Changes what a member may do.
pub(in crate::api) async fn change_role(cx: &Cx, id: UserId, word: &str) -> Result<(), Problem> {
    answer(member::change_role(cx, id, role(word)?).await).map(drop)
}

/// A form as it is kept for its page.
pub(in crate::api) fn typed(form: &InviteForm) -> String {
    serde_json::to_string(form).unwrap_or_default()
}
