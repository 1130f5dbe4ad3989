//! Who belongs to a tenant, and as what.

use std::collections::BTreeMap;

use contract::{
    id::UserId,
    member::{Invitation, Member, MemberPatch, MemberStatus, UserDraft},
    page::Page,
    scope::Role,
    session::User,
};
use entity::{
    column::{at, instant},
    member::{self as table, Column},
    tenant, user,
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, JoinType, QueryFilter,
    QueryOrder, QuerySelect, RelationDef, Select, SelectExt,
    sea_query::{Expr, ExprTrait, LockType},
};
use uuid::Uuid;

use crate::{
    account, api_key,
    audit::Event,
    caller::Caller,
    cx::Cx,
    database::untenanted,
    error::{
        Error, Noun, Refusal, Result, constraint, human_required, last_admin, member_already,
        not_another_admin, not_found,
    },
    mail::{self, Letter},
    page::{List, PageRequest},
    permission,
    tenancy::{Tenant, TenantTx, statement},
};

/// A place, with the address of its account.
#[derive(Debug, FromQueryResult)]
struct Row {
    #[sea_orm(nested)]
    place: table::Model,
    email: String,
}

impl From<Row> for Member {
    fn from(Row { place, email }: Row) -> Self {
        Self {
            user_id: place.user_id.into(),
            tenant_id: place.tenant_id.into(),
            role: place.role.0,
            status: place.status.0,
            created_at: instant(place.created_at),
            email,
        }
    }
}

/// Selects the tenant's places, with the addresses of their accounts.
pub(crate) fn places(tx: &TenantTx) -> Select<table::Entity> {
    let account = table::Entity::belongs_to(user::Entity);
    let account: RelationDef = account.from(Column::UserId).to(user::Column::UserId).into();
    tx.find::<table::Entity>().join(JoinType::InnerJoin, account).column(user::Column::Email)
}

/// Selects the places of a person in all tenants, for a transaction that sees those of the person.
#[expect(clippy::disallowed_methods, reason = "a person's places lie in many tenants")]
pub(crate) fn places_of(person: UserId, status: MemberStatus) -> Select<table::Entity> {
    table::Entity::find()
        .filter(Column::UserId.eq(person.0))
        .filter(Column::Status.eq(status.as_str()))
}

/// The tenant of a place.
pub(crate) fn tenant() -> RelationDef {
    let tenant = table::Entity::belongs_to(tenant::Entity);
    tenant.from(Column::TenantId).to(tenant::Column::TenantId).into()
}

/// Locks the places of a query, and not what is joined to them.
pub(crate) fn locked(mut places: Select<table::Entity>) -> Select<table::Entity> {
    QuerySelect::query(&mut places).lock_with_tables(LockType::Update, [table::Entity]);
    places
}

// SQL: one statement asks two tables.
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
    let rows = places(&tx)
        .filter(Column::Sequence.lt(below))
        .order_by_desc(Column::Sequence)
        .limit(u64::from(page.limit) + 1);
    let rows = rows.into_model::<Row>().all(tx.connection()).await?;
    tx.end().await?;
    Ok(list.page(rows, page.limit, |row| row.place.sequence).map(Member::from))
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
    let member = locked(places(tx).filter(Column::UserId.eq(user.id.0)));
    if let Some(row) = member.into_model::<Row>().one(tx.connection()).await? {
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
    tx.also(invited(&member));
    Ok(member)
}

/// A person who is invited.
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
    /// Returns the person of a proven account, or of one that is confined to the tenant.
    async fn by_id(tx: &TenantTx, id: UserId) -> Result<Self> {
        let confined_to = user::Column::ConfinedTenantId;
        let row = untenanted::<user::Entity>()
            .filter(user::Column::UserId.eq(id.0))
            .filter(confined_to.is_null().or(confined_to.eq(tx.tenant_id().0)));
        let row = row.one(tx.connection()).await?;
        Ok(row.ok_or_else(|| not_found(Noun::User))?.into())
    }

    /// Returns the person of an account that this tenant made; with mail, makes one for an address that the
    /// tenant does not know.
    async fn by_email(tx: &TenantTx, cx: &Cx, email: String) -> Result<Self> {
        let own = untenanted::<user::Entity>()
            .filter(user::Column::SetupTenantId.eq(tx.tenant_id().0))
            .filter(user::Column::Email.eq(email.as_str()));
        if let Some(row) = own.one(tx.connection()).await? {
            return Ok(row.into());
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

    /// Returns the status of the new place. An account that is confined to this tenant is its own; where its
    /// first password comes by mail, choosing it accepts the invitation.
    fn status(&self, cx: &Cx) -> MemberStatus {
        let is_own = self.is_confined && (self.has_password || cx.governance.mail().is_none());
        if is_own { MemberStatus::Active } else { MemberStatus::Invited }
    }
}

/// Stores a place for a person, and queues the mail about it.
async fn add(tx: &mut TenantTx, cx: &Cx, invitee: Invitee, role: Role) -> Result<Member> {
    // A person who is being removed holds the row and waits for the head, so it is looked at first.
    let is_same = Column::UserId.eq(invitee.user_id.0);
    let is_same = is_same.or(user::Column::Email.eq(invitee.email.as_str()));
    if locked(places(tx).filter(is_same)).exists(tx.connection()).await? {
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
    let row = table::ActiveModel {
        tenant_id: Set(tx.tenant_id().0),
        user_id: Set(person.0),
        role: Set(role.into()),
        status: Set(status.into()),
        created_at: Set(at(cx.now)),
        sequence: Set(tx.next_sequence().await?),
    };
    let insert = table::Entity::insert(row).exec_without_returning(tx.connection());
    insert.await.map_err(is_member)?;
    Ok(())
}

pub(crate) fn is_member(error: DbErr) -> Error {
    match constraint(&error) {
        Some("members_pkey") => member_already().into(),
        _ => error.into(),
    }
}

/// Makes an invited place of the transaction's tenant an active one, with its event; other places stay as they
/// are.
pub(crate) async fn activate(tx: &mut TenantTx, person: UserId) -> Result<()> {
    let active =
        table::ActiveModel { status: Set(MemberStatus::Active.into()), ..Default::default() };
    let activate = tx
        .update::<table::Entity>()
        .set(active)
        .filter(Column::UserId.eq(person.0))
        .filter(Column::Status.eq(MemberStatus::Invited.as_str()));
    if activate.exec(tx.connection()).await?.rows_affected > 0 {
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
    let rows = tx.find::<table::Entity>().filter(Column::UserId.eq(person.0));
    let rows = rows.filter(Column::Status.eq(MemberStatus::Active.as_str()));
    let row = rows.lock_shared().one(tx.connection()).await?;
    Ok(row.map(|row| row.role.0))
}

/// Returns the active member of a tenant with an e-mail address, in any case.
pub(crate) async fn by_email(tenant: Tenant<'_>, email: &str) -> Result<Option<UserId>> {
    let tx = tenant.begin().await?;
    let person = places(&tx)
        .select_only()
        .column(Column::UserId)
        .filter(user::Column::Email.eq(email.trim().to_lowercase()))
        .filter(Column::Status.eq(MemberStatus::Active.as_str()));
    let person = person.into_tuple::<Uuid>().one(tx.connection()).await?;
    tx.end().await?;
    Ok(person.map(UserId))
}

/// Returns one member.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`; `NOT_FOUND`.
pub async fn read(cx: &Cx, person: UserId) -> Result<Member> {
    let tx = cx.tenant(permission::LIST_MEMBERS)?.begin().await?;
    let row = places(&tx).filter(Column::UserId.eq(person.0)).into_model::<Row>();
    let row = row.one(tx.connection()).await?;
    tx.end().await?;
    Ok(row.ok_or_else(|| not_found(Noun::Member))?.into())
}

/// Whether a place is that of an active admin.
fn of_admin() -> Expr {
    let is_active = Column::Status.eq(MemberStatus::Active.as_str());
    Column::Role.eq(Role::Admin.as_str()).and(is_active)
}

/// Returns the active admins of the tenant, by e-mail address.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`.
pub async fn admins(cx: &Cx) -> Result<Vec<Member>> {
    let tx = cx.tenant(permission::LIST_MEMBERS)?.begin().await?;
    let rows = places(&tx).filter(of_admin()).order_by_asc(user::Column::Email);
    let rows = rows.into_model::<Row>().all(tx.connection()).await?;
    tx.end().await?;
    Ok(rows.into_iter().map(Member::from).collect())
}

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
    let set = table::ActiveModel { role: Set(role.into()), ..Default::default() };
    let change = tx.update::<table::Entity>().set(set).filter(Column::UserId.eq(person.0));
    change.exec(tx.connection()).await?;
    let mut event = Event::new("member.change_role", "member", person)
        .with("before", before.as_str())
        .with("after", role.as_str());
    if before.loses_rights_as(role) {
        event = api_key::release(&tx, cx, person, keys_to).await?.listed_in(event);
    }
    tx.commit(cx, event).await?;
    Ok(Member { role, ..held.member })
}

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
    let place = tx.delete::<table::Entity>().filter(Column::UserId.eq(person.0));
    place.exec(tx.connection()).await?;
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

impl Held {
    async fn of(tx: &TenantTx, person: UserId) -> Result<Self> {
        let rows = places(tx).filter(Column::UserId.eq(person.0).or(of_admin()));
        // In one order for everybody, so that nobody waits in a circle.
        let rows = locked(rows.order_by_asc(Column::UserId)).into_model::<Row>();
        let rows = rows.all(tx.connection()).await?;
        let members: Vec<_> = rows.into_iter().map(Member::from).collect();
        let admins = members.iter().filter(|member| is_admin(member));
        let admins = admins.map(|member| member.user_id).collect();
        let member = members.into_iter().find(|member| member.user_id == person);
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
