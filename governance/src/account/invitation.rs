//! Invitations as their holder has them: listed, accepted, declined.

use contract::{
    id::{TenantId, UserId},
    member::{PendingInvitation, PendingInvitations},
    scope::Role,
    session::Membership,
};
use sea_orm::{ConnectionTrait, QueryResult};
use uuid::Uuid;

use super::{AS_PERSON, link};
use crate::{
    Governance, SignedIn,
    audit::Event,
    caller::Person,
    cx::Cx,
    database,
    error::{Error, Noun, Result, not_found},
    member, session,
    tenancy::{TenantTx, statement},
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
        tx.query_one_raw(statement(AS_PERSON, [account.to_string().into()])).await?;
        let rows = tx.query_all_raw(statement(INVITATIONS, [(*account).into()])).await?;
        let found: Vec<_> = rows.iter().map(pending).collect::<Result<_>>()?;
        items.extend(found);
    }
    tx.rollback().await?;
    items.sort_by(|a, b| (&a.tenant_name, a.tenant_id).cmp(&(&b.tenant_name, b.tenant_id)));
    Ok(PendingInvitations { items })
}

const INVITATIONS: &str = "SELECT m.tenant_id, t.name, m.role, m.created_at FROM members m \
     JOIN tenants t ON t.tenant_id = m.tenant_id \
     WHERE m.user_id = $1 AND m.status = 'invited' ORDER BY m.tenant_id LIMIT 200";

fn pending(row: &QueryResult) -> Result<PendingInvitation> {
    Ok(PendingInvitation {
        tenant_id: TenantId(row.try_get_by_index(0)?),
        tenant_name: row.try_get_by_index(1)?,
        role: role(row, 2)?,
        created_at: entity::column::instant(row.try_get_by_index(3)?),
    })
}

fn role(row: &QueryResult, index: usize) -> Result<Role> {
    let role: String = row.try_get_by_index(index)?;
    role.parse().map_err(|()| Error::bug("a role that does not exist"))
}

/// Accepts the invitation of a tenant: from here on the place carries its rights. `cx` is a public operation.
///
/// # Errors
/// `UNAUTHORIZED` when the account is gone; `NOT_FOUND` for a tenant that did not invite the person.
pub async fn accept(cx: &Cx, signed_in: &SignedIn, tenant: TenantId) -> Result<Membership> {
    let answer = Answer::begin(cx, signed_in, tenant).await?;
    let Answer { cx, tx, place, person } = answer;
    let role = place.role;
    let set = [place.account.into(), person.0.into()];
    tx.execute(ACCEPT, set).await.map_err(member::is_member)?;
    let event = Event::new("member.accept", "member", person).with("role", role.as_str());
    let event = if place.account == person.0 {
        event
    } else {
        event.with("invited_as", place.account.to_string())
    };
    tx.commit(&cx, event).await?;
    Ok(Membership { tenant_id: tenant, tenant_name: place.tenant_name, role })
}

const ACCEPT: &str = "UPDATE members SET user_id = $3, status = 'active' \
     WHERE tenant_id = $1 AND user_id = $2";

/// Declines the invitation of a tenant. `cx` is a public operation.
///
/// # Errors
/// As [`accept`].
pub async fn decline(cx: &Cx, signed_in: &SignedIn, tenant: TenantId) -> Result<()> {
    let Answer { cx, tx, place, .. } = Answer::begin(cx, signed_in, tenant).await?;
    tx.execute(DECLINE, [place.account.into()]).await?;
    let event = Event::new("member.decline", "member", place.account);
    tx.commit(&cx, event.with("role", place.role.as_str())).await
}

const DECLINE: &str = "DELETE FROM members WHERE tenant_id = $1 AND user_id = $2";

/// The signed-in person, with the accounts whose invitations are the person's own.
struct Holder {
    email: String,
    accounts: Vec<Uuid>,
}

/// The account itself, and where its address is proven, the accounts without a password that tenants made
/// to invite the address.
const ACCOUNTS: &str = "SELECT a.user_id FROM users me JOIN users a ON a.user_id = me.user_id \
     OR (me.confined_tenant_id IS NULL AND a.email = me.email \
         AND a.confined_tenant_id IS NOT NULL AND a.password_hash IS NULL) \
     WHERE me.user_id = $1";

impl Holder {
    async fn of(governance: &Governance, person: UserId) -> Result<Self> {
        let row = session::user(governance, person).await?;
        let accounts = statement(ACCOUNTS, [person.0.into()]);
        let rows = governance.database().query_all_raw(accounts).await?;
        let accounts = rows.iter().map(|row| Ok(row.try_get_by_index(0)?));
        Ok(Self { email: row.try_get_by_index(1)?, accounts: accounts.collect::<Result<_>>()? })
    }
}

/// A place that was offered and is locked.
struct Place {
    account: Uuid,
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

const OFFERED: &str = "SELECT m.user_id, m.role, t.name FROM members m \
     JOIN tenants t ON t.tenant_id = m.tenant_id \
     WHERE m.tenant_id = $1 AND m.user_id = ANY($2) AND m.status = 'invited' \
     ORDER BY m.user_id LIMIT 1 FOR UPDATE OF m";

impl Answer {
    /// Locks the place that the tenant offers, and voids the mailed links that would accept it.
    async fn begin(cx: &Cx, signed_in: &SignedIn, tenant: TenantId) -> Result<Self> {
        let person = signed_in.user_id;
        let Holder { email, accounts } = Holder::of(&cx.governance, person).await?;
        let cx = cx.by(Person { user_id: person, email });
        let tx = cx.tenant_unchecked(tenant).begin().await?;
        let row = tx.one(OFFERED, [accounts.into()]).await?;
        let row = row.ok_or_else(|| not_found(Noun::Invitation))?;
        let place = Place {
            account: row.try_get_by_index(0)?,
            role: role(&row, 1)?,
            tenant_name: row.try_get_by_index(2)?,
        };
        if place.account != person.0 {
            link::void(tx.connection(), UserId(place.account)).await?;
        }
        Ok(Self { cx, tx, place, person })
    }
}
