//! Who belongs to a tenant, and as what.

use std::collections::BTreeMap;

use contract::{
    id::{TenantId, UserId},
    member::{Invitation, Member, MemberPatch, MemberStatus, UserDraft},
    page::Page,
    scope::Role,
    session::User,
};
use entity::{column, member as table};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, QueryFilter, QueryResult, QuerySelect};
use uuid::Uuid;

use crate::{
    account, api_key,
    audit::Event,
    caller::Caller,
    cx::Cx,
    error::{
        Error, Noun, Refusal, Result, constraint, human_required, last_admin, member_already,
        not_another_admin, not_found,
    },
    mail::{self, Letter},
    page::{List, PageRequest},
    permission,
    tenancy::{Tenant, TenantTx, instant, statement},
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

const LIST: &str = "SELECT m.tenant_id, m.user_id, m.role, m.created_at, u.email, m.status, \
                    m.sequence \
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
    let rows = rows.iter().map(|row| Ok((row.try_get_by_index(6)?, member(row)?)));
    let rows = rows.collect::<Result<Vec<(i64, Member)>>>()?;
    Ok(list.page(rows, page.limit, |(sequence, _)| *sequence).map(|(_, member)| member))
}

/// Invites a person. A place of an account of another tenant, and of an address that this tenant does not
/// know, carries no rights until its holder accepts it. An account that this tenant made and that has a
/// password becomes an active member at once; one without a password does where there is no mail.
///
/// An address that the tenant does not know gets an account of its own, confined to this tenant, whether or
/// not it has a proven account: the answer is the same. The holder of a proven account accepts in its place.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`; `HUMAN_REQUIRED` when a key invites as more than a viewer; `NOT_FOUND`
/// for an id without a proven account, and without mail for an address that the tenant does not know;
/// `CONFLICT` for a member, also for one who was invited.
pub async fn invite(cx: &Cx, invitation: Invitation) -> Result<Member> {
    let tenant = cx.tenant(permission::INVITE_MEMBERS)?;
    cx.check_freshness()?;
    let role = invitation.role.unwrap_or(Role::Viewer);
    viewers_only(cx, role)?;
    let mut tx = tenant.begin().await?;
    let invitee = match (invitation.user_id, invitation.email) {
        (Some(id), _) => Invitee::by_id(&tx, id).await?,
        (None, Some(email)) => Invitee::by_email(&tx, cx, email).await?,
        (None, None) => return Err(not_found(Noun::User).into()),
    };
    let member = add(&mut tx, cx, invitee, role).await?;
    tx.commit(cx, invited(&member)).await?;
    Ok(member)
}

fn invited(member: &Member) -> Event {
    Event::new("member.invite", "member", member.user_id)
        .with("role", member.role.as_str())
        .with("status", member.status.as_str())
}

/// Makes the account that this tenant has just made, or renewed the link of, a member; with a mail. An account
/// that is a member stays what it is.
///
/// # Errors
/// As [`invite`].
pub(crate) async fn add_made(
    tx: &mut TenantTx,
    cx: &Cx,
    user: &User,
    role: Role,
) -> Result<Member> {
    if let Some(row) = tx.one(MEMBER, [user.id.0.into()]).await? {
        let member = member(&row)?;
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
    tx.also(invited(&member));
    Ok(member)
}

const MEMBER: &str = "SELECT m.tenant_id, m.user_id, m.role, m.created_at, u.email, m.status \
     FROM members m JOIN users u ON u.user_id = m.user_id \
     WHERE m.tenant_id = $1 AND m.user_id = $2 FOR UPDATE OF m";

/// A person who is invited.
#[derive(Debug)]
struct Invitee {
    user_id: UserId,
    email: String,
    /// Whether the account is confined to this tenant.
    is_confined: bool,
    has_password: bool,
}

const BY_ID: &str = "SELECT user_id, email, confined_tenant_id IS NOT NULL, password_hash IS NOT NULL \
     FROM users WHERE user_id = $2 AND (confined_tenant_id IS NULL OR confined_tenant_id = $1)";

const OWN: &str = "SELECT user_id, email, confined_tenant_id IS NOT NULL, password_hash IS NOT NULL \
     FROM users WHERE setup_tenant_id = $1 AND email = $2";

impl Invitee {
    /// Returns the person of a proven account, or of one that is confined to the tenant.
    async fn by_id(tx: &TenantTx, id: UserId) -> Result<Self> {
        let row = tx.one(BY_ID, [id.0.into()]).await?;
        Self::of(&row.ok_or_else(|| not_found(Noun::User))?)
    }

    /// Returns the person of an account that this tenant made; with mail, makes one for an address that the
    /// tenant does not know.
    async fn by_email(tx: &TenantTx, cx: &Cx, email: String) -> Result<Self> {
        if let Some(row) = tx.one(OWN, [email.as_str().into()]).await? {
            return Self::of(&row);
        }
        if account::is_known(tx, &email).await? {
            return Err(member_already().into());
        }
        if cx.governance.mail().is_none() {
            return Err(not_found(Noun::User).into());
        }
        let display_name = email.split('@').next().unwrap_or(&email).to_owned();
        let made = account::insert(tx, cx, UserDraft { email, display_name }).await?;
        Ok(Self { user_id: made.id, email: made.email, is_confined: true, has_password: false })
    }

    fn of(row: &QueryResult) -> Result<Self> {
        Ok(Self {
            user_id: UserId(row.try_get_by_index(0)?),
            email: row.try_get_by_index(1)?,
            is_confined: row.try_get_by_index(2)?,
            has_password: row.try_get_by_index(3)?,
        })
    }

    /// Returns the status of the new place. An account that is confined to this tenant is its own; where its
    /// first password comes by mail, choosing it accepts the invitation.
    fn status(&self, cx: &Cx) -> MemberStatus {
        let is_own = self.is_confined && (self.has_password || cx.governance.mail().is_none());
        if is_own { MemberStatus::Active } else { MemberStatus::Invited }
    }
}

const IS_MEMBER: &str = "SELECT 1 FROM members m JOIN users u ON u.user_id = m.user_id \
     WHERE m.tenant_id = $1 AND (m.user_id = $2 OR u.email = $3) FOR UPDATE OF m";

/// Stores a place for a person, and queues the mail about it.
async fn add(tx: &mut TenantTx, cx: &Cx, invitee: Invitee, role: Role) -> Result<Member> {
    // A person who is being removed holds the row and waits for the head, so it is looked at first.
    let is_member = [invitee.user_id.0.into(), invitee.email.as_str().into()];
    if tx.one(IS_MEMBER, is_member).await?.is_some() {
        return Err(member_already().into());
    }
    let status = invitee.status(cx);
    insert(tx, cx, invitee.user_id, role, status).await?;
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

/// Queues the mail to a person who was invited; a place that is active needs none.
async fn mail_invitation(tx: &TenantTx, cx: &Cx, member: &Member) -> Result<()> {
    if member.status == MemberStatus::Active {
        return Ok(());
    }
    let letter = Letter::Invitation { tenant_id: member.tenant_id, role: member.role };
    mail::queue(&cx.governance, tx.connection(), cx.now, member.user_id, &letter).await
}

const INSERT: &str = "INSERT INTO members (tenant_id, user_id, role, status, created_at, sequence) \
                      VALUES ($1, $2, $3, $4, $5, $6)";

/// Stores a membership.
///
/// # Errors
/// `CONFLICT` for a member.
pub(crate) async fn insert(
    tx: &mut TenantTx,
    cx: &Cx,
    person: UserId,
    role: Role,
    status: MemberStatus,
) -> Result<()> {
    let sequence = tx.next_sequence().await?;
    let row = [
        person.0.into(),
        role.as_str().into(),
        status.as_str().into(),
        instant(cx.now),
        sequence.into(),
    ];
    tx.execute(INSERT, row).await.map_err(is_member)?;
    Ok(())
}

pub(crate) fn is_member(error: DbErr) -> Error {
    match constraint(&error) {
        Some("members_pkey") => member_already().into(),
        _ => error.into(),
    }
}

const ACTIVATE: &str = "UPDATE members SET status = 'active' \
     WHERE tenant_id = $1 AND user_id = $2 AND status = 'invited'";

/// Makes an invited place of the transaction's tenant an active one, with its event; other places stay as they
/// are.
pub(crate) async fn activate(tx: &mut TenantTx, person: UserId) -> Result<()> {
    let activated = tx.execute(ACTIVATE, [person.0.into()]).await?;
    if activated.rows_affected() > 0 {
        tx.also(Event::new("member.accept", "member", person));
    }
    Ok(())
}

/// Refuses a key that invites or removes a person with more rights than a viewer: that is an act of a
/// signed-in admin.
fn viewers_only(cx: &Cx, role: Role) -> Result<(), Refusal> {
    let is_allowed = role == Role::Viewer || !matches!(cx.caller, Caller::Key(_));
    if is_allowed { Ok(()) } else { Err(human_required()) }
}

/// Returns the role of an active member, whose row is locked until the transaction ends: no removal and no
/// change of the role comes in between.
pub(crate) async fn lock_role(tx: &TenantTx, person: UserId) -> Result<Option<Role>> {
    let rows = tx.find::<table::Entity>().filter(table::Column::UserId.eq(person.0));
    let rows = rows.filter(table::Column::Status.eq(MemberStatus::Active.as_str()));
    let row = rows.lock_shared().one(tx.connection()).await?;
    Ok(row.map(|row| row.role.0))
}

const BY_EMAIL: &str = "SELECT u.user_id FROM members m JOIN users u ON u.user_id = m.user_id \
                        WHERE m.tenant_id = $1 AND u.email = $2 AND m.status = 'active'";

/// Returns the active member of a tenant with an e-mail address, in any case.
pub(crate) async fn by_email(tenant: Tenant<'_>, email: &str) -> Result<Option<UserId>> {
    let tx = tenant.begin().await?;
    let row = tx.one(BY_EMAIL, [email.trim().to_lowercase().into()]).await?;
    tx.end().await?;
    Ok(row.map(|row| row.try_get_by_index(0).map(UserId)).transpose()?)
}

const READ: &str = "SELECT m.tenant_id, m.user_id, m.role, m.created_at, u.email, m.status \
                    FROM members m JOIN users u ON u.user_id = m.user_id \
                    WHERE m.tenant_id = $1 AND m.user_id = $2";

/// Returns one member.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`; `NOT_FOUND`.
pub async fn read(cx: &Cx, person: UserId) -> Result<Member> {
    let tx = cx.tenant(permission::LIST_MEMBERS)?.begin().await?;
    let row = tx.one(READ, [person.0.into()]).await?;
    tx.end().await?;
    member(&row.ok_or_else(|| not_found(Noun::Member))?)
}

const ADMINS: &str = "SELECT m.tenant_id, m.user_id, m.role, m.created_at, u.email, m.status \
                      FROM members m JOIN users u ON u.user_id = m.user_id \
                      WHERE m.tenant_id = $1 AND m.role = 'admin' AND m.status = 'active' \
                      ORDER BY u.email";

/// Returns the active admins of the tenant, by e-mail address.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`.
pub async fn admins(cx: &Cx) -> Result<Vec<Member>> {
    let tx = cx.tenant(permission::LIST_MEMBERS)?.begin().await?;
    let rows = tx.all(ADMINS, []).await?;
    tx.end().await?;
    rows.iter().map(member).collect()
}

const SET_ROLE: &str = "UPDATE members SET role = $3 WHERE tenant_id = $1 AND user_id = $2";

/// Changes what a member may do, from the next request on. A role that the member has already
/// changes nothing. With a role that lacks a right of the one before, the person's keys are revoked in
/// the same transaction, or transferred to the admin whom `keys_to` names.
///
/// # Errors
/// `HUMAN_REQUIRED` for a key; `FORBIDDEN`; `NOT_FOUND`; `VALIDATION_ERROR` at `/keys_to` for a person
/// who is not another admin; `CONFLICT` for the last admin.
pub async fn change_role(cx: &Cx, person: UserId, patch: MemberPatch) -> Result<Member> {
    let MemberPatch { role, keys_to } = patch;
    let tenant = cx.tenant(permission::CHANGE_ROLES)?;
    cx.check_freshness()?;
    let tx = tenant.begin().await?;
    let held = Held::of(&tx, person).await?;
    held.may_receive_keys(keys_to)?;
    let before = held.member.role;
    if before == role {
        tx.end().await?;
        return Ok(held.member);
    }
    held.may_cease_to_be_admin()?;
    tx.execute(SET_ROLE, [person.0.into(), role.as_str().into()]).await?;
    let mut event = Event::new("member.change_role", "member", person)
        .with("before", before.as_str())
        .with("after", role.as_str());
    if before.loses_rights_as(role) {
        event = api_key::release(&tx, cx, person, keys_to).await?.listed_in(event);
    }
    tx.commit(cx, event).await?;
    Ok(Member { role, ..held.member })
}

const REMOVE: &str = "DELETE FROM members WHERE tenant_id = $1 AND user_id = $2";

/// Takes a person out of the tenant: no request of that person in this tenant is let in from here
/// on, in any process. The person's keys are revoked in the same transaction, or transferred to the
/// admin whom `keys_to` names. Whoever belongs to no other tenant is signed out.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`; `HUMAN_REQUIRED` for a key that removes more than a viewer or
/// transfers keys; `NOT_FOUND`; `VALIDATION_ERROR` at `/keys_to` for a person who is not another admin;
/// `CONFLICT` for the last admin.
pub async fn remove(cx: &Cx, person: UserId, keys_to: Option<UserId>) -> Result<()> {
    let tenant = cx.tenant(permission::REMOVE_MEMBERS)?;
    cx.check_freshness()?;
    if keys_to.is_some() {
        cx.human()?;
    }
    let tx = tenant.begin().await?;
    let held = Held::of(&tx, person).await?;
    viewers_only(cx, held.member.role)?;
    held.may_receive_keys(keys_to)?;
    held.may_cease_to_be_admin()?;
    let released = api_key::release(&tx, cx, person, keys_to).await?;
    tx.execute(REMOVE, [person.0.into()]).await?;
    account::end_sessions_of_nobody(&tx, person).await?;
    let event = Event::new("member.remove", "member", person);
    let event = event.with("role", held.member.role.as_str());
    tx.commit(cx, released.listed_in(event)).await
}

/// A member and all active admins, held until the transaction ends: so that of two admins who would go at
/// the same time one stays.
struct Held {
    member: Member,
    admins: Vec<UserId>,
}

// In one order for everybody, so that nobody waits in a circle.
const HOLD: &str = "SELECT m.tenant_id, m.user_id, m.role, m.created_at, u.email, m.status \
                    FROM members m JOIN users u ON u.user_id = m.user_id \
                    WHERE m.tenant_id = $1 \
                    AND (m.user_id = $2 OR (m.role = 'admin' AND m.status = 'active')) \
                    ORDER BY m.user_id FOR UPDATE OF m";

impl Held {
    async fn of(tx: &TenantTx, person: UserId) -> Result<Self> {
        let rows = tx.all(HOLD, [person.0.into()]).await?;
        let rows = rows.iter().map(member).collect::<Result<Vec<_>>>()?;
        let admins = rows.iter().filter(|member| is_admin(member));
        let admins = admins.map(|member| member.user_id).collect();
        let member = rows.into_iter().find(|member| member.user_id == person);
        Ok(Self { member: member.ok_or_else(|| not_found(Noun::Member))?, admins })
    }

    /// Refuses to take the last admin away.
    fn may_cease_to_be_admin(&self) -> Result<()> {
        let is_last = is_admin(&self.member) && self.admins.len() == 1;
        if is_last { Err(last_admin().into()) } else { Ok(()) }
    }

    /// Refuses to transfer keys to a person who is not another active admin.
    fn may_receive_keys(&self, keys_to: Option<UserId>) -> Result<(), Refusal> {
        let Some(receiver) = keys_to else { return Ok(()) };
        let is_other = receiver != self.member.user_id;
        if is_other && self.admins.contains(&receiver) { Ok(()) } else { Err(not_another_admin()) }
    }
}

/// Returns whether a member may act as an admin. One who was only invited may not.
fn is_admin(member: &Member) -> bool {
    member.role == Role::Admin && member.status == MemberStatus::Active
}

/// Returns the member of a row that begins with tenant, person, role, time, address and status.
fn member(row: &QueryResult) -> Result<Member> {
    let role: String = row.try_get_by_index(2)?;
    let status: String = row.try_get_by_index(5)?;
    Ok(Member {
        tenant_id: TenantId(row.try_get_by_index::<Uuid>(0)?),
        user_id: UserId(row.try_get_by_index::<Uuid>(1)?),
        role: role.parse().map_err(|()| Error::bug("a role that does not exist"))?,
        created_at: column::instant(row.try_get_by_index(3)?),
        email: row.try_get_by_index(4)?,
        status: status.parse().map_err(|()| Error::bug("a status that does not exist"))?,
    })
}
