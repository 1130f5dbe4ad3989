//! Role changes and removals of members, with the effect on their keys and sessions.

use contract::member::{Member, MemberPatch, MemberStatus};
use entity::member::{self as table, Column};
use sea_orm::sea_query::ExprTrait;

use super::{check_viewers_only, is_active_admin};
use crate::{
    access::{
        api_key,
        auth::lock_memberships,
        permission::{self, Permission},
        removal, session,
    },
    base::{
        error::{last_admin, not_another_admin},
        prelude::*,
    },
};

/// Changes the role of a member, effective with the next request. The member's current role changes
/// nothing.
///
/// If the new role lacks a right of the old one, the user's keys are revoked in the same transaction,
/// or transferred to the admin `keys_to`. The member must equal `expected`.
///
/// # Errors
/// `HUMAN_REQUIRED` for a key; `FORBIDDEN`; `NOT_FOUND`; `VALIDATION_ERROR` at `/keys_to` for a user
/// who is not another admin; `CONFLICT` for the last admin, or when the member differs from `expected`.
pub async fn change_role(
    cx: &Cx,
    user_id: UserId,
    patch: MemberPatch,
    expected: Option<&ExpectedMember>,
) -> Result<Member> {
    let MemberPatch { role, keys_to } = patch;
    let tenant = cx.tenant(permission::CHANGE_ROLES)?;
    cx.check_freshness()?;
    let tx = tenant.begin().await?;
    let target = LockedMember::load(&tx, cx, permission::CHANGE_ROLES, user_id).await?;
    target.check_unchanged(&tx, expected).await?;
    target.check_keys_to(keys_to)?;
    let before = target.member.role;
    if before == role {
        tx.finish_read().await?;
        return Ok(target.member);
    }
    target.check_not_last_admin()?;
    let event = set_role(&tx, cx, &target.member, role, keys_to).await?;
    tx.commit(cx, event).await?;
    Ok(Member { role, ..target.member })
}

/// Stores the role of a locked member and releases the user's keys if the role loses rights. Returns the audit event.
async fn set_role(
    tx: &TenantTx,
    cx: &Cx,
    member: &Member,
    role: Role,
    keys_to: Option<UserId>,
) -> Result<Event> {
    let user_id = member.user_id;
    let set = table::ActiveModel { role: Set(role.into()), ..Default::default() };
    let change = tx.update::<table::Entity>().set(set).filter(Column::UserId.eq(user_id.0));
    change.exec(tx.connection()).await?;
    let event = Event::new("member.change_role", "member", user_id)
        .with("before", member.role.as_str())
        .with("after", role.as_str());
    if member.role.loses_rights_as(role) {
        return Ok(api_key::release(tx, cx, user_id, keys_to).await?.add_to(event));
    }
    Ok(event)
}

/// Gives a member the role that an identity provider assigns, in the transaction of the sign-in. The last admin stays an
/// admin.
pub(crate) async fn assign_role(
    tx: &mut TenantTx,
    cx: &Cx,
    user_id: UserId,
    role: Role,
    provider: IdentityProviderId,
) -> Result<()> {
    let target = LockedMember::load(tx, cx, permission::CHANGE_ROLES, user_id).await?;
    if target.member.role == role || target.check_not_last_admin().is_err() {
        return Ok(());
    }
    let event = set_role(tx, cx, &target.member, role, None).await?;
    tx.add_event(event.with("identity_provider", provider.to_string()));
    Ok(())
}

/// Removes a member. Every process refuses requests of the user in this tenant from now on.
///
/// The user's keys are revoked in the same transaction, or transferred to the admin `keys_to`. A user
/// without another membership is signed out. Identity providers cannot add the user again, also not with another account of
/// the same address, until the tenant invites the user. The member must equal `expected`.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`; `HUMAN_REQUIRED` for a key that removes a member other than a
/// viewer or transfers keys; `NOT_FOUND`; `VALIDATION_ERROR` at `/keys_to` for a user who is not
/// another admin; `CONFLICT` for the last admin, or when the member differs from `expected`.
pub async fn remove(
    cx: &Cx,
    user_id: UserId,
    keys_to: Option<UserId>,
    expected: Option<&ExpectedMember>,
) -> Result<()> {
    let tenant = cx.tenant(permission::REMOVE_MEMBERS)?;
    cx.check_freshness()?;
    if keys_to.is_some() {
        cx.human()?;
    }
    let tx = tenant.begin().await?;
    let target = LockedMember::load(&tx, cx, permission::REMOVE_MEMBERS, user_id).await?;
    check_viewers_only(cx, target.member.role)?;
    target.check_unchanged(&tx, expected).await?;
    target.check_keys_to(keys_to)?;
    target.check_not_last_admin()?;
    let released = api_key::release(&tx, cx, user_id, keys_to).await?;
    let membership = tx.delete::<table::Entity>().filter(Column::UserId.eq(user_id.0));
    membership.exec(tx.connection()).await?;
    removal::record(&tx, cx, user_id).await?;
    session::end_without_membership(&tx, user_id).await?;
    let event = Event::new("member.remove", "member", user_id);
    let event = event.with("role", target.member.role.as_str());
    tx.commit(cx, released.add_to(event)).await
}

/// The state of a member that the caller has read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedMember {
    pub role: Role,
    /// The user's keys that are not revoked.
    pub keys: BTreeSet<ApiKeyId>,
}

/// A member, all active admins and the caller, locked until the transaction ends, so that the last two
/// admins cannot be removed concurrently.
struct LockedMember {
    member: Member,
    admins: Vec<UserId>,
}

impl LockedMember {
    async fn load(tx: &TenantTx, cx: &Cx, permission: Permission, user_id: UserId) -> Result<Self> {
        let condition = Column::UserId.eq(user_id.0).or(is_active_admin());
        let members = lock_memberships(tx, cx, permission, condition).await?;
        let admins = members.iter().filter(|member| is_admin(member));
        let admins = admins.map(|member| member.user_id).collect();
        let member = members.into_iter().find(|member| member.user_id == user_id);
        Ok(Self { member: member.or_not_found(ResourceKind::Member)?, admins })
    }

    /// Checks that role and keys equal those that the caller has read.
    async fn check_unchanged(
        &self,
        tx: &TenantTx,
        expected: Option<&ExpectedMember>,
    ) -> Result<()> {
        let Some(expected) = expected else { return Ok(()) };
        let keys = api_key::active_ids(tx, self.member.user_id).await?;
        if self.member.role == expected.role && keys == expected.keys {
            return Ok(());
        }
        Err(conflict("the member was changed concurrently; reload it").into())
    }

    fn check_not_last_admin(&self) -> Result<()> {
        let is_last = is_admin(&self.member) && self.admins.len() == 1;
        if is_last { Err(last_admin().into()) } else { Ok(()) }
    }

    /// Checks that the receiver of keys is another active admin.
    fn check_keys_to(&self, keys_to: Option<UserId>) -> Result<(), Refusal> {
        let Some(receiver) = keys_to else { return Ok(()) };
        let is_other = receiver != self.member.user_id;
        if is_other && self.admins.contains(&receiver) { Ok(()) } else { Err(not_another_admin()) }
    }
}

/// Returns whether a member is an active admin. An invited admin is not.
fn is_admin(member: &Member) -> bool {
    member.role == Role::Admin && member.status == MemberStatus::Active
}
