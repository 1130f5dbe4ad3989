//! Invitations of a user: list, accept and decline.

use contract::{
    member::{MemberStatus, PendingInvitation, PendingInvitations},
    session::Membership,
};
use entity::{member as table, tenant, user};

use crate::{
    SignedIn,
    access::{account_link, membership, session},
    base::{database, prelude::*, tenancy::see_memberships_of},
};

/// Returns the invitations that the signed-in user may accept: those of the account and, if the account
/// is proven, those of its address.
///
/// # Errors
/// `UNAUTHORIZED` when the account no longer exists.
pub async fn list(governance: &Governance, signed_in: &SignedIn) -> Result<PendingInvitations> {
    if signed_in.provider.is_some() {
        // The session gives access only to the tenant of its identity provider.
        return Ok(PendingInvitations { items: Vec::new() });
    }
    let holder = Holder::load(governance, signed_in.user_id).await?;
    let (mut items, mut inviters) = (Vec::new(), Vec::new());
    let tx = database::begin(governance.database()).await?;
    for account in &holder.accounts {
        // Row-level security shows users their own invitations, so the transaction acts as each account
        // in turn.
        see_memberships_of(&tx, *account).await?;
        let invited = membership::of_user(*account, MemberStatus::Invited)
            .join(JoinType::InnerJoin, membership::to_tenant())
            .order_by_asc(table::Column::TenantId)
            .limit(200)
            .select_only()
            .columns([
                table::Column::TenantId,
                table::Column::Role,
                table::Column::CreatedAt,
                table::Column::InvitedBy,
            ])
            .column(tenant::Column::Name);
        let rows: Vec<InvitationRow> = invited.into_tuple().all(&tx).await?;
        for (tenant, role, created_at, inviter, tenant_name) in rows {
            inviters.push(inviter);
            items.push(PendingInvitation {
                tenant_id: TenantId(tenant),
                tenant_name,
                role: role.0,
                invited_by: None,
                created_at: from_column(created_at),
            });
        }
    }
    tx.rollback().await?;
    let names = display_names(governance, inviters.iter().flatten().copied()).await?;
    for (item, inviter) in items.iter_mut().zip(inviters) {
        item.invited_by = inviter.and_then(|inviter| names.get(&inviter).cloned());
    }
    items.sort_by(|a, b| (&a.tenant_name, a.tenant_id).cmp(&(&b.tenant_name, b.tenant_id)));
    Ok(PendingInvitations { items })
}

/// An invitation: tenant, role, time, inviter, and the name of the tenant.
type InvitationRow = (Uuid, TextEnum<Role>, DateTimeUtc, Option<Uuid>, String);

/// Returns the display names of users by ID.
async fn display_names(
    governance: &Governance,
    users: impl Iterator<Item = Uuid>,
) -> Result<BTreeMap<Uuid, String>> {
    let users: BTreeSet<Uuid> = users.collect();
    if users.is_empty() {
        return Ok(BTreeMap::new());
    }
    let names = untenanted::<user::Entity>()
        .filter(user::Column::UserId.eq_any(users))
        .select_only()
        .columns([user::Column::UserId, user::Column::DisplayName])
        .into_tuple::<(Uuid, String)>();
    Ok(names.all(governance.database()).await?.into_iter().collect())
}

/// Accepts the invitation of a tenant. The membership then has the rights of its role. `cx` is the
/// context of a public operation.
///
/// # Errors
/// `UNAUTHORIZED` when the account no longer exists; `FORBIDDEN` for a session of an identity provider; `NOT_FOUND`
/// for a tenant that did not invite the user.
pub async fn accept(cx: &Cx, signed_in: &SignedIn, tenant: TenantId) -> Result<Membership> {
    let response = Response::start(cx, signed_in, tenant).await?;
    let Response { cx, tx, offer, user_id } = response;
    let role = offer.role;
    let set = table::ActiveModel {
        user_id: Set(user_id.0),
        status: Set(MemberStatus::Active.into()),
        ..Default::default()
    };
    let accept = tx.update().set(set).filter(table::Column::UserId.eq(offer.account.0));
    accept.exec(tx.connection()).await.map_err(membership::map_insert_error)?;
    let event = Event::new("member.accept", "member", user_id).with("role", role.as_str());
    let event = if offer.account == user_id {
        event
    } else {
        event.with("invited_as", offer.account.to_string())
    };
    tx.commit(&cx, event).await?;
    Ok(Membership { tenant_id: tenant, tenant_name: offer.tenant_name, role })
}

/// Declines the invitation of a tenant. `cx` is the context of a public operation.
///
/// # Errors
/// As [`accept`].
pub async fn decline(cx: &Cx, signed_in: &SignedIn, tenant: TenantId) -> Result<()> {
    let Response { cx, tx, offer, .. } = Response::start(cx, signed_in, tenant).await?;
    let decline = tx.delete::<table::Entity>();
    decline.filter(table::Column::UserId.eq(offer.account.0)).exec(tx.connection()).await?;
    let event = Event::new("member.decline", "member", offer.account);
    tx.commit(&cx, event.with("role", offer.role.as_str())).await
}

/// The signed-in user and the accounts whose invitations the user may accept.
struct Holder {
    email: String,
    /// The user's account. If its address is proven, also the accounts without a password that tenants
    /// created to invite the address.
    accounts: Vec<UserId>,
}

impl Holder {
    async fn load(governance: &Governance, user_id: UserId) -> Result<Self> {
        let row = session::user(governance, user_id).await?;
        let mut accounts = vec![user_id];
        if row.confined_tenant_id.is_none() {
            let invited = untenanted::<user::Entity>()
                .filter(user::Column::Email.eq(row.email.as_str()))
                .filter(user::Column::ConfinedTenantId.is_not_null())
                .filter(user::Column::PasswordHash.is_null());
            let invited = invited.select_only().column(user::Column::UserId).into_tuple::<Uuid>();
            accounts.extend(invited.all(governance.database()).await?.into_iter().map(UserId));
        }
        Ok(Self { email: row.email, accounts })
    }
}

/// A locked invitation: the membership that a tenant offers.
struct Offer {
    account: UserId,
    role: Role,
    tenant_name: String,
}

/// The response to an invitation within its transaction.
struct Response {
    cx: Cx,
    tx: TenantTx,
    offer: Offer,
    user_id: UserId,
}

impl Response {
    /// Locks the offered membership and deletes the mailed links that would accept it.
    async fn start(cx: &Cx, signed_in: &SignedIn, tenant: TenantId) -> Result<Self> {
        signed_in.require_unconfined()?;
        let user_id = signed_in.user_id;
        let Holder { email, accounts } = Holder::load(&cx.governance, user_id).await?;
        let cx = cx.with_person(Person { user_id, email });
        let tx = cx.tenant_unchecked(tenant).begin().await?;
        let invitation = tx
            .find::<table::Entity>()
            .join(JoinType::InnerJoin, membership::to_tenant())
            .filter(table::Column::UserId.eq_any(accounts.iter().map(|account| account.0)))
            .filter(table::Column::Status.eq(MemberStatus::Invited.as_str()))
            .order_by_asc(table::Column::UserId)
            .select_only()
            .columns([table::Column::UserId, table::Column::Role])
            .column(tenant::Column::Name);
        let invitation =
            membership::locked(invitation).into_tuple::<(Uuid, TextEnum<Role>, String)>();
        let invitation = invitation.one(tx.connection()).await?;
        let (account, role, tenant_name) = invitation.or_not_found(ResourceKind::Invitation)?;
        let offer = Offer { account: UserId(account), role: role.0, tenant_name };
        if offer.account != user_id {
            account_link::revoke_all(tx.connection(), offer.account).await?;
        }
        Ok(Self { cx, tx, offer, user_id })
    }
}
