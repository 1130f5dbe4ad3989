//! Invitations: adding members, with new accounts for addresses that are unknown in the tenant.

use contract::{
    member::{Invitation, Member, MemberStatus, UserCreated, UserDraft},
    session::User,
};
use entity::{member::Column, user};
use sea_orm::{SelectExt, sea_query::ExprTrait};

use super::check_viewers_only;
use crate::{
    access::{
        account,
        auth::lock_inviter,
        mail::{self, MailContent},
        membership::{self, MembershipRow},
        permission,
    },
    base::{
        error::{already_member, email_taken},
        prelude::*,
    },
};

/// Invites a user.
///
/// - An account that this tenant created and that has a password becomes an active member immediately.
///   An account without a password does so if the service sends no mail.
/// - Any other membership has no rights until the invited user accepts it.
/// - An address that is unknown in the tenant gets a new account confined to this tenant, whether or
///   not the address has a proven account. The response is the same. The holder of a proven account can
///   accept with that account instead.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`; `HUMAN_REQUIRED` when a key invites with a role other than
/// viewer; `NOT_FOUND` for an ID without a proven account, and without mail for an address that is
/// unknown in the tenant; `CONFLICT` for a member, including an invited one.
pub async fn invite(cx: &Cx, invitation: Invitation) -> Result<Member> {
    let tenant = cx.tenant(permission::INVITE_MEMBERS)?;
    cx.check_freshness()?;
    let role = invitation.role.unwrap_or(Role::Viewer);
    check_viewers_only(cx, role)?;
    let mut tx = tenant.begin().await?;
    let invitee = match (invitation.user_id, invitation.email) {
        (Some(id), _) => Invitee::by_id(&tx, id).await?,
        (None, Some(email)) => Invitee::by_email(&tx, cx, email).await?,
        (None, None) => return Err(not_found(ResourceKind::User).into()),
    };
    lock_inviter(&tx, cx, permission::INVITE_MEMBERS, &invitee.email).await?;
    let member = add(&mut tx, cx, invitee, role).await?;
    tx.commit(cx, invite_event(&member)).await?;
    Ok(member)
}

/// Creates an account as [`account::create`] does and invites it, in one transaction and with one mail.
///
/// A user with an account of this tenant is invited without a new account. A member whose account has no
/// password gets a new link.
///
/// # Errors
/// As [`account::create`] and [`invite`].
pub async fn create(
    cx: &Cx,
    draft: UserDraft,
    role: Role,
) -> Result<(Member, Option<UserCreated>)> {
    let tenant = cx.tenant(permission::CREATE_ACCOUNTS)?;
    cx.check_freshness()?;
    let mut tx = tenant.begin().await?;
    let email = draft.email.clone();
    let (user, event) = match account::create_or_renew(&tx, cx, draft).await {
        Ok(created) => created,
        Err(Error::Refused(refusal)) if *refusal == email_taken() => {
            tx.finish_read().await?;
            let invitation = Invitation { user_id: None, email: Some(email), role: Some(role) };
            return Ok((invite(cx, invitation).await?, None));
        }
        Err(error) => return Err(error),
    };
    lock_inviter(&tx, cx, permission::CREATE_ACCOUNTS, &user.email).await?;
    let setup_url = account::visible_link(&tx, cx, &user).await?;
    let member = add_created(&mut tx, cx, &user, role).await?;
    tx.commit(cx, event).await?;
    Ok((member, Some(UserCreated { user, setup_url })))
}

fn invite_event(member: &Member) -> Event {
    Event::new("member.invite", "member", member.user_id)
        .with("role", member.role.as_str())
        .with("status", member.status.as_str())
}

/// Adds an account that this tenant has just created or renewed as a member and queues a mail. An
/// existing membership does not change.
async fn add_created(tx: &mut TenantTx, cx: &Cx, user: &User, role: Role) -> Result<Member> {
    let member = membership::locked(membership::of_tenant(tx).filter(Column::UserId.eq(user.id.0)));
    if let Some(row) = member.into_model::<MembershipRow>().one(tx.connection()).await? {
        let member = Member::from(row);
        mail_invitation(tx, cx, &member).await?;
        return Ok(member);
    }
    let invitee = Invitee {
        user_id: user.id,
        email: user.email.clone(),
        is_confined: true,
        has_password: false,
    };
    let member = add(tx, cx, invitee, role).await?;
    tx.add_event(invite_event(&member));
    Ok(member)
}

#[derive(Debug)]
struct Invitee {
    user_id: UserId,
    email: String,
    /// Whether the account is confined to this tenant.
    is_confined: bool,
    has_password: bool,
}

impl From<user::Model> for Invitee {
    fn from(row: user::Model) -> Self {
        Self {
            user_id: row.user_id.into(),
            email: row.email,
            is_confined: row.confined_tenant_id.is_some(),
            has_password: row.password_hash.is_some(),
        }
    }
}

impl Invitee {
    /// Returns the invitee for a proven account, or for an account confined to the tenant.
    async fn by_id(tx: &TenantTx, id: UserId) -> Result<Self> {
        let confined_to = user::Column::ConfinedTenantId;
        let row = untenanted::<user::Entity>()
            .filter(user::Column::UserId.eq(id.0))
            .filter(confined_to.is_null().or(confined_to.eq(tx.tenant_id().0)));
        let row = row.one(tx.connection()).await?;
        Ok(row.or_not_found(ResourceKind::User)?.into())
    }

    /// Returns the invitee for an account that this tenant created. With mail, creates an account for
    /// an address that is unknown in the tenant.
    async fn by_email(tx: &TenantTx, cx: &Cx, email: String) -> Result<Self> {
        let accounts = untenanted::<user::Entity>()
            .filter(user::Column::SetupTenantId.eq(tx.tenant_id().0))
            .filter(user::Column::Email.eq(email.as_str()));
        if let Some(row) = accounts.one(tx.connection()).await? {
            return Ok(row.into());
        }
        if account::is_known(tx, &email).await? {
            return Err(already_member().into());
        }
        if cx.governance.mail().is_none() {
            return Err(not_found(ResourceKind::User).into());
        }
        let display_name = email.split('@').next().unwrap_or(&email).to_owned();
        let created = account::insert(tx, cx, UserDraft { email, display_name }).await?;
        Ok(Self {
            user_id: created.id,
            email: created.email,
            is_confined: true,
            has_password: false,
        })
    }

    /// Returns the status of the new membership. An account confined to this tenant needs no
    /// acceptance, unless its holder will choose the first password by mail, which accepts the
    /// invitation.
    fn status(&self, cx: &Cx) -> MemberStatus {
        let is_own = self.is_confined && (self.has_password || cx.governance.mail().is_none());
        if is_own { MemberStatus::Active } else { MemberStatus::Invited }
    }
}

/// Stores a membership and queues the mail about it.
async fn add(tx: &mut TenantTx, cx: &Cx, invitee: Invitee, role: Role) -> Result<Member> {
    // A concurrent removal has locked the row and waits for the head, so the row is checked first.
    let is_same_user = Column::UserId.eq(invitee.user_id.0);
    let is_same_user = is_same_user.or(user::Column::Email.eq(invitee.email.as_str()));
    if membership::locked(membership::of_tenant(tx).filter(is_same_user))
        .exists(tx.connection())
        .await?
    {
        return Err(already_member().into());
    }
    let status = invitee.status(cx);
    membership::insert(tx, cx, invitee.user_id, role, status).await?;
    let member = Member {
        user_id: invitee.user_id,
        tenant_id: tx.tenant_id(),
        role,
        status,
        created_at: cx.now,
        email: invitee.email,
    };
    mail_invitation(tx, cx, &member).await?;
    Ok(member)
}

/// Queues the mail to an invited user. An active member needs none.
async fn mail_invitation(tx: &TenantTx, cx: &Cx, member: &Member) -> Result<()> {
    if member.status == MemberStatus::Active {
        return Ok(());
    }
    let content = MailContent::Invitation { tenant_id: member.tenant_id, role: member.role };
    mail::queue(tx, cx, member.user_id, &content).await
}
