//! Who belongs to a tenant, and as what.

use std::collections::BTreeMap;

use contract::{
    id::{TenantId, UserId},
    member::{Invitation, Member},
    page::Page,
    scope::Role,
};
use entity::column;
use sea_orm::{ConnectionTrait, DbErr, QueryResult};
use uuid::Uuid;

use crate::{
    account,
    audit::Event,
    cx::Cx,
    error::{Error, Noun, Result, constraint, last_admin, member_already, not_found},
    page::{List, PageRequest},
    permission,
    tenancy::{TenantTx, instant, statement},
};

const NAMES: &str = "SELECT u.user_id::text, u.display_name FROM members m \
                     JOIN users u ON u.user_id = m.user_id WHERE m.tenant_id = $1 \
                     UNION ALL SELECT id::text, name FROM api_keys WHERE tenant_id = $1";

/// The names of the tenant's people and keys by their id, as records name them.
///
/// # Errors
/// `FORBIDDEN` for a stranger.
pub async fn names(cx: &Cx) -> Result<BTreeMap<String, String>> {
    let tx = cx.tenant(permission::READ_MEMBERS)?.begin().await?;
    let rows = tx.connection().query_all_raw(statement(NAMES, [tx.tenant_value()])).await?;
    tx.end().await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}

const LIST: &str = "SELECT m.tenant_id, m.user_id, m.role, m.created_at, u.email, m.sequence \
                    FROM members m JOIN users u ON u.user_id = m.user_id \
                    WHERE m.tenant_id = $1 AND m.sequence < $2 ORDER BY m.sequence DESC LIMIT $3";

/// The tenant's members, newest first.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`; `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, page: &PageRequest) -> Result<Page<Member>> {
    let tenant = cx.tenant(permission::LIST_MEMBERS)?;
    let list = List {
        governance: &cx.governance,
        name: "members",
        tenant: tenant.id(),
        filter: String::new(),
    };
    let below = list.below(page)?;
    let tx = tenant.begin().await?;
    let rows = tx.all(LIST, [below.into(), (i64::from(page.limit) + 1).into()]).await?;
    tx.end().await?;
    let rows = rows.iter().map(|row| Ok((row.try_get_by_index(5)?, member(row)?)));
    let rows = rows.collect::<Result<Vec<(i64, Member)>>>()?;
    Ok(list.page(rows, page.limit, |(sequence, _)| *sequence).map(|(_, member)| member))
}

const HELD: &str = "SELECT 1 FROM members WHERE tenant_id = $1 AND user_id = $2 FOR UPDATE";

/// Makes somebody who has an account a member.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`; `NOT_FOUND` when nobody has this id or address; `CONFLICT` for
/// a member.
pub async fn invite(cx: &Cx, invitation: Invitation) -> Result<Member> {
    let tenant = cx.tenant(permission::CHANGE_MEMBERS)?;
    let role = invitation.role.unwrap_or(Role::Viewer);
    let mut tx = tenant.begin().await?;
    let (user_id, email) = invitee(&tx, &invitation).await?;
    // Whoever is being removed holds the row and waits for the head, so it is looked at first.
    if tx.one(HELD, [user_id.0.into()]).await?.is_some() {
        return Err(member_already().into());
    }
    insert(&mut tx, cx, user_id, role).await?;
    let event = Event::new("member.invite", "member", user_id).with("role", role.as_str());
    tx.commit(cx, event).await?;
    Ok(Member { user_id, tenant_id: tenant.id(), role, created_at: cx.now, email })
}

const INVITEE: &str = "SELECT user_id, email FROM users WHERE user_id = $1 OR email = $2";

/// The person whom an invitation names.
async fn invitee(tx: &TenantTx, invitation: &Invitation) -> Result<(UserId, String)> {
    let (id, email) = (invitation.user_id.map(|id| id.0), invitation.email.clone());
    let named = statement(INVITEE, [id.into(), email.into()]);
    let row = tx.connection().query_one_raw(named).await?;
    let row = row.ok_or_else(|| not_found(Noun::User))?;
    Ok((UserId(row.try_get_by_index(0)?), row.try_get_by_index(1)?))
}

const INSERT: &str = "INSERT INTO members (tenant_id, user_id, role, created_at, sequence) \
                      VALUES ($1, $2, $3, $4, $5)";

/// Stores a membership.
///
/// # Errors
/// `CONFLICT` for a member.
pub(crate) async fn insert(tx: &mut TenantTx, cx: &Cx, person: UserId, role: Role) -> Result<()> {
    let sequence = tx.next_sequence().await?;
    let row = [person.0.into(), role.as_str().into(), instant(cx.now), sequence.into()];
    tx.execute(INSERT, row).await.map_err(is_member)?;
    Ok(())
}

fn is_member(error: DbErr) -> Error {
    match constraint(&error) {
        Some("members_pkey") => member_already().into(),
        _ => error.into(),
    }
}

const SET_ROLE: &str = "UPDATE members SET role = $3 WHERE tenant_id = $1 AND user_id = $2";

/// Changes what a member may do, from the next request on. A role that the member has already
/// changes nothing.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`; `NOT_FOUND`; `CONFLICT` for the last admin.
pub async fn change_role(cx: &Cx, person: UserId, role: Role) -> Result<Member> {
    let tx = cx.tenant(permission::CHANGE_MEMBERS)?.begin().await?;
    let held = Held::of(&tx, person).await?;
    if held.member.role == role {
        tx.end().await?;
        return Ok(held.member);
    }
    held.may_cease_to_be_admin()?;
    tx.execute(SET_ROLE, [person.0.into(), role.as_str().into()]).await?;
    let event = Event::new("member.change_role", "member", person)
        .with("before", held.member.role.as_str())
        .with("after", role.as_str());
    tx.commit(cx, event).await?;
    Ok(Member { role, ..held.member })
}

const REMOVE: &str = "DELETE FROM members WHERE tenant_id = $1 AND user_id = $2";

/// Takes somebody out of the tenant: no request of that person in this tenant is let in from here
/// on, in any process. Whoever belongs to no other tenant is signed out.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`; `NOT_FOUND`; `CONFLICT` for the last admin.
pub async fn remove(cx: &Cx, person: UserId) -> Result<()> {
    let tx = cx.tenant(permission::CHANGE_MEMBERS)?.begin().await?;
    let held = Held::of(&tx, person).await?;
    held.may_cease_to_be_admin()?;
    tx.execute(REMOVE, [person.0.into()]).await?;
    account::end_sessions_of_nobody(&tx, person).await?;
    let event = Event::new("member.remove", "member", person);
    tx.commit(cx, event.with("role", held.member.role.as_str())).await
}

/// A member and all admins, held until the transaction ends: so that of two admins who would go at
/// the same time one stays.
struct Held {
    member: Member,
    admins: usize,
}

// In one order for everybody, so that nobody waits in a circle.
const HOLD: &str = "SELECT m.tenant_id, m.user_id, m.role, m.created_at, u.email \
                    FROM members m JOIN users u ON u.user_id = m.user_id \
                    WHERE m.tenant_id = $1 AND (m.user_id = $2 OR m.role = 'admin') \
                    ORDER BY m.user_id FOR UPDATE OF m";

impl Held {
    async fn of(tx: &TenantTx, person: UserId) -> Result<Self> {
        let rows = tx.all(HOLD, [person.0.into()]).await?;
        let rows = rows.iter().map(member).collect::<Result<Vec<_>>>()?;
        let admins = rows.iter().filter(|member| member.role == Role::Admin).count();
        let member = rows.into_iter().find(|member| member.user_id == person);
        Ok(Self { member: member.ok_or_else(|| not_found(Noun::Member))?, admins })
    }

    /// Refuses to take the last admin away.
    fn may_cease_to_be_admin(&self) -> Result<()> {
        let is_last = self.member.role == Role::Admin && self.admins == 1;
        if is_last { Err(last_admin().into()) } else { Ok(()) }
    }
}

/// The member of a row that begins with tenant, person, role, instant and address.
fn member(row: &QueryResult) -> Result<Member> {
    let role: String = row.try_get_by_index(2)?;
    Ok(Member {
        tenant_id: TenantId(row.try_get_by_index::<Uuid>(0)?),
        user_id: UserId(row.try_get_by_index::<Uuid>(1)?),
        role: role.parse().map_err(|()| Error::bug("a role that does not exist"))?,
        created_at: column::instant(row.try_get_by_index(3)?),
        email: row.try_get_by_index(4)?,
    })
}
