//! Invitations as their holder has them: listed, accepted, declined.

use contract::{
    id::{TenantId, UserId},
    member::{MemberStatus, PendingInvitation, PendingInvitations},
    scope::Role,
    session::Membership,
};
use entity::{
    column::{Word, instant},
    member as table, tenant, user,
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, JoinType, QueryFilter, QueryOrder, QuerySelect,
    prelude::DateTimeUtc,
};
use uuid::Uuid;

use super::link;
use crate::{
    Governance, SignedIn,
    audit::Event,
    caller::Person,
    cx::Cx,
    database::{self, untenanted},
    error::{Noun, Result, not_found},
    member, session,
    tenancy::{TenantTx, see_places_of},
};

/// Returns the invitations that the signed-in person may accept: those of the account, and, for a proven
/// one, those of its address.
///
/// # Errors
/// `UNAUTHORIZED` when the account is gone.
pub async fn list(governance: &Governance, signed_in: &SignedIn) -> Result<PendingInvitations> {
    let holder = Holder::of(governance, signed_in.user_id).await?;
    let mut items = Vec::new();
    let tx = database::begin(governance.database()).await?;
    for account in &holder.accounts {
        // People see where they were invited; so the transaction looks as each of the accounts.
        see_places_of(&tx, *account).await?;
        let invited = member::places_of(*account, MemberStatus::Invited)
            .join(JoinType::InnerJoin, member::tenant())
            .order_by_asc(table::Column::TenantId)
            .limit(200)
            .select_only()
            .columns([table::Column::TenantId, table::Column::Role, table::Column::CreatedAt])
            .column(tenant::Column::Name);
        let rows: Vec<(Uuid, Word<Role>, DateTimeUtc, String)> =
            invited.into_tuple().all(&tx).await?;
        items.extend(rows.into_iter().map(|(tenant, role, created_at, tenant_name)| {
            PendingInvitation {
                tenant_id: TenantId(tenant),
                tenant_name,
                role: role.0,
                created_at: instant(created_at),
            }
        }));
    }
    tx.rollback().await?;
    items.sort_by(|a, b| (&a.tenant_name, a.tenant_id).cmp(&(&b.tenant_name, b.tenant_id)));
    Ok(PendingInvitations { items })
}

/// Accepts the invitation of a tenant: from here on the place carries its rights. `cx` is a public operation.
///
/// # Errors
/// `UNAUTHORIZED` when the account is gone; `NOT_FOUND` for a tenant that did not invite the person.
pub async fn accept(cx: &Cx, signed_in: &SignedIn, tenant: TenantId) -> Result<Membership> {
    let answer = Answer::begin(cx, signed_in, tenant).await?;
    let Answer { cx, tx, place, person } = answer;
    let role = place.role;
    let set = table::ActiveModel {
        user_id: Set(person.0),
        status: Set(MemberStatus::Active.into()),
        ..Default::default()
    };
    let accept = tx.update().set(set).filter(table::Column::UserId.eq(place.account.0));
    accept.exec(tx.connection()).await.map_err(member::is_member)?;
    let event = Event::new("member.accept", "member", person).with("role", role.as_str());
    let event = if place.account == person {
        event
    } else {
        event.with("invited_as", place.account.to_string())
    };
    tx.commit(&cx, event).await?;
    Ok(Membership { tenant_id: tenant, tenant_name: place.tenant_name, role })
}

/// Declines the invitation of a tenant. `cx` is a public operation.
///
/// # Errors
/// As [`accept`].
pub async fn decline(cx: &Cx, signed_in: &SignedIn, tenant: TenantId) -> Result<()> {
    let Answer { cx, tx, place, .. } = Answer::begin(cx, signed_in, tenant).await?;
    let decline = tx.delete::<table::Entity>();
    decline.filter(table::Column::UserId.eq(place.account.0)).exec(tx.connection()).await?;
    let event = Event::new("member.decline", "member", place.account);
    tx.commit(&cx, event.with("role", place.role.as_str())).await
}

/// The signed-in person, with the accounts whose invitations are the person's own.
struct Holder {
    email: String,
    /// The account itself, and where its address is proven, the accounts without a password that tenants
    /// made to invite the address.
    accounts: Vec<UserId>,
}

impl Holder {
    async fn of(governance: &Governance, person: UserId) -> Result<Self> {
        let row = session::user(governance, person).await?;
        let mut accounts = vec![person];
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

/// A place that was offered and is locked.
struct Place {
    account: UserId,
    role: Role,
    tenant_name: String,
}

/// An answer to an invitation, under way.
struct Answer {
    cx: Cx,
    tx: TenantTx,
    place: Place,
    person: UserId,
}

impl Answer {
    /// Locks the place that the tenant offers, and voids the mailed links that would accept it.
    async fn begin(cx: &Cx, signed_in: &SignedIn, tenant: TenantId) -> Result<Self> {
        let person = signed_in.user_id;
        let Holder { email, accounts } = Holder::of(&cx.governance, person).await?;
        let cx = cx.by(Person { user_id: person, email });
        let tx = cx.tenant_unchecked(tenant).begin().await?;
        let offered = tx
            .find::<table::Entity>()
            .join(JoinType::InnerJoin, member::tenant())
            .filter(table::Column::UserId.eq_any(accounts.iter().map(|account| account.0)))
            .filter(table::Column::Status.eq(MemberStatus::Invited.as_str()))
            .order_by_asc(table::Column::UserId)
            .select_only()
            .columns([table::Column::UserId, table::Column::Role])
            .column(tenant::Column::Name);
        let offered = member::locked(offered).into_tuple::<(Uuid, Word<Role>, String)>();
        let offered = offered.one(tx.connection()).await?;
        let (account, role, tenant_name) = offered.ok_or_else(|| not_found(Noun::Invitation))?;
        let place = Place { account: UserId(account), role: role.0, tenant_name };
        if place.account != person {
            link::void(tx.connection(), place.account).await?;
        }
        Ok(Self { cx, tx, place, person })
    }
}
