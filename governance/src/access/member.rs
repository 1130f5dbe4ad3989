//! Members of a tenant and their roles.

use std::collections::{BTreeMap, BTreeSet};

use contract::{
    id::{ApiKeyId, UserId},
    member::{Invitation, Member, MemberPatch, MemberStatus, UserDraft},
    pagination::Page,
    scope::Role,
    session::User,
};
use entity::{
    column::{from_column, to_column},
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
    access::{
        account, api_key,
        auth::lock_authority,
        permission::{self, Permission},
    },
    base::{
        audit_event::Event,
        caller::Caller,
        cx::Cx,
        database::untenanted,
        error::{
            Error, Refusal, ResourceKind, Result, already_member, conflict, constraint,
            human_required, last_admin, not_another_admin, not_found,
        },
        pagination::{Cursor, PageRequest},
        tenancy::{Tenant, TenantTx, statement},
    },
    notify::mail::{self, MailContent},
};

/// A membership with the e-mail address of its account.
#[derive(Debug, FromQueryResult)]
struct Row {
    #[sea_orm(nested)]
    membership: table::Model,
    email: String,
}

impl From<Row> for Member {
    fn from(Row { membership, email }: Row) -> Self {
        Self {
            user_id: membership.user_id.into(),
            tenant_id: membership.tenant_id.into(),
            role: membership.role.0,
            status: membership.status.0,
            created_at: from_column(membership.created_at),
            email,
        }
    }
}

/// Selects the tenant's memberships with the e-mail addresses of their accounts.
pub(crate) fn memberships(tx: &TenantTx) -> Select<table::Entity> {
    let user_relation = table::Entity::belongs_to(user::Entity);
    let user_relation: RelationDef =
        user_relation.from(Column::UserId).to(user::Column::UserId).into();
    tx.find::<table::Entity>().join(JoinType::InnerJoin, user_relation).column(user::Column::Email)
}

/// Selects a user's memberships in all tenants, for a transaction that may see them.
#[expect(clippy::disallowed_methods, reason = "a user has memberships in many tenants")]
pub(crate) fn memberships_of(user_id: UserId, status: MemberStatus) -> Select<table::Entity> {
    table::Entity::find()
        .filter(Column::UserId.eq(user_id.0))
        .filter(Column::Status.eq(status.as_str()))
}

/// Returns the relation from a membership to its tenant.
pub(crate) fn tenant() -> RelationDef {
    let tenant = table::Entity::belongs_to(tenant::Entity);
    tenant.from(Column::TenantId).to(tenant::Column::TenantId).into()
}

/// Locks the memberships of a query, without the joined rows.
pub(crate) fn locked(mut memberships: Select<table::Entity>) -> Select<table::Entity> {
    QuerySelect::query(&mut memberships).lock_with_tables(LockType::Update, [table::Entity]);
    memberships
}

// SQL: one statement queries two tables.
const SELECT_NAMES: &str = "SELECT u.user_id::text, u.display_name FROM members m \
                     JOIN users u ON u.user_id = m.user_id WHERE m.tenant_id = $1 \
                     UNION ALL SELECT id::text, name FROM api_keys WHERE tenant_id = $1";

/// Returns the display names of the tenant's users and keys by the ids that records contain.
///
/// # Errors
/// `FORBIDDEN` for callers outside the tenant.
pub async fn names(cx: &Cx) -> Result<BTreeMap<String, String>> {
    let tx = cx.tenant(permission::READ_MEMBERS)?.begin().await?;
    let rows = tx.connection().query_all_raw(statement(SELECT_NAMES, [tx.tenant_value()])).await?;
    tx.finish_read().await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}

/// Returns the tenant's members, newest first.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`; `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, page: &PageRequest) -> Result<Page<Member>> {
    let tenant = cx.tenant(permission::LIST_MEMBERS)?;
    let list = Cursor {
        governance: &cx.governance,
        name: "members",
        tenant: tenant.id(),
        filter: String::new(),
    };
    let before = list.before(page)?;
    let tx = tenant.begin().await?;
    let rows = memberships(&tx)
        .filter(Column::Sequence.lt(before))
        .order_by_desc(Column::Sequence)
        .limit(u64::from(page.limit) + 1);
    let rows = rows.into_model::<Row>().all(tx.connection()).await?;
    tx.finish_read().await?;
    Ok(list.page(rows, page.limit, |row| row.membership.sequence).map(Member::from))
}

/// Invites a user.
///
/// - An account that this tenant created and that has a password becomes an active member immediately.
///   An account without a password does so if the service sends no mail.
/// - Any other membership has no rights until the invited user accepts it.
/// - An address that the tenant does not know gets a new account confined to this tenant, whether or
///   not the address has a proven account. The response is the same. The holder of a proven account can
///   accept with that account instead.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`; `HUMAN_REQUIRED` when a key invites with a role other than
/// viewer; `NOT_FOUND` for an id without a proven account, and without mail for an address that the
/// tenant does not know; `CONFLICT` for a member, including an invited one.
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

fn invite_event(member: &Member) -> Event {
    Event::new("member.invite", "member", member.user_id)
        .with("role", member.role.as_str())
        .with("status", member.status.as_str())
}

/// Adds an account that this tenant has just created or renewed as a member and queues a mail. An
/// existing membership does not change.
///
/// # Errors
/// As [`invite`].
pub(crate) async fn add_created(
    tx: &mut TenantTx,
    cx: &Cx,
    user: &User,
    role: Role,
) -> Result<Member> {
    let member = locked(memberships(tx).filter(Column::UserId.eq(user.id.0)));
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
        Ok(row.ok_or_else(|| not_found(ResourceKind::User))?.into())
    }

    /// Returns the invitee for an account that this tenant created. With mail, creates an account for
    /// an address that the tenant does not know.
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
    if locked(memberships(tx).filter(is_same_user)).exists(tx.connection()).await? {
        return Err(already_member().into());
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

/// Queues the mail to an invited user. An active member needs none.
async fn mail_invitation(tx: &TenantTx, cx: &Cx, member: &Member) -> Result<()> {
    if member.status == MemberStatus::Active {
        return Ok(());
    }
    let content = MailContent::Invitation { tenant_id: member.tenant_id, role: member.role };
    mail::queue(&cx.governance, tx.connection(), cx.now, member.user_id, &content).await
}

/// Stores a membership.
///
/// # Errors
/// `CONFLICT` for an existing member.
pub(crate) async fn insert(
    tx: &mut TenantTx,
    cx: &Cx,
    user_id: UserId,
    role: Role,
    status: MemberStatus,
) -> Result<()> {
    let row = table::ActiveModel {
        tenant_id: Set(tx.tenant_id().0),
        user_id: Set(user_id.0),
        role: Set(role.into()),
        status: Set(status.into()),
        created_at: Set(to_column(cx.now)),
        sequence: Set(tx.next_sequence().await?),
    };
    let insert = table::Entity::insert(row).exec_without_returning(tx.connection());
    insert.await.map_err(map_insert_error)?;
    Ok(())
}

pub(crate) fn map_insert_error(error: DbErr) -> Error {
    match constraint(&error) {
        Some("members_pkey") => already_member().into(),
        _ => error.into(),
    }
}

/// Activates the invited membership of the transaction's tenant and adds the audit event. Does nothing
/// for other statuses.
pub(crate) async fn activate(tx: &mut TenantTx, user_id: UserId) -> Result<()> {
    let changes =
        table::ActiveModel { status: Set(MemberStatus::Active.into()), ..Default::default() };
    let update = tx
        .update::<table::Entity>()
        .set(changes)
        .filter(Column::UserId.eq(user_id.0))
        .filter(Column::Status.eq(MemberStatus::Invited.as_str()));
    if update.exec(tx.connection()).await?.rows_affected > 0 {
        tx.add_event(Event::new("member.accept", "member", user_id));
    }
    Ok(())
}

/// Checks that a key invites or removes only viewers. Other roles need a signed-in admin.
fn check_viewers_only(cx: &Cx, role: Role) -> Result<(), Refusal> {
    let is_allowed = role == Role::Viewer || !matches!(cx.caller, Caller::Key(_));
    if is_allowed { Ok(()) } else { Err(human_required()) }
}

/// Locks the memberships of an e-mail address and that of the caller, and repeats the authorization of
/// the caller. Rows of accounts come before memberships in the lock order.
///
/// # Errors
/// As [`lock_authority`].
pub(crate) async fn lock_inviter(
    tx: &TenantTx,
    cx: &Cx,
    permission: Permission,
    email: &str,
) -> Result<()> {
    let invited = user::Column::Email.eq(email);
    lock_with_caller(tx, cx, permission, invited).await.map(drop)
}

/// Locks the memberships that match `condition` and that of the caller, repeats the authorization of the
/// caller and returns the memberships.
async fn lock_with_caller(
    tx: &TenantTx,
    cx: &Cx,
    permission: Permission,
    condition: Expr,
) -> Result<Vec<Member>> {
    let is_caller = Column::UserId.eq_any(cx.caller.person().map(|person| person.0));
    let rows = memberships(tx).filter(condition.or(is_caller));
    // A fixed order prevents deadlocks.
    let rows = locked(rows.order_by_asc(Column::UserId)).into_model::<Row>();
    let rows = rows.all(tx.connection()).await?;
    lock_authority(tx, cx, permission).await?;
    Ok(rows.into_iter().map(Member::from).collect())
}

/// Returns the role of an active member and locks the row until the transaction ends, which prevents
/// removals and role changes.
pub(crate) async fn lock_role(tx: &TenantTx, user_id: UserId) -> Result<Option<Role>> {
    let rows = tx.find::<table::Entity>().filter(Column::UserId.eq(user_id.0));
    let rows = rows.filter(Column::Status.eq(MemberStatus::Active.as_str()));
    let row = rows.lock_shared().one(tx.connection()).await?;
    Ok(row.map(|row| row.role.0))
}

/// Returns the active member with an e-mail address, ignoring case.
pub(crate) async fn by_email(tenant: Tenant<'_>, email: &str) -> Result<Option<UserId>> {
    let tx = tenant.begin().await?;
    let member = memberships(&tx)
        .select_only()
        .column(Column::UserId)
        .filter(user::Column::Email.eq(email.trim().to_lowercase()))
        .filter(Column::Status.eq(MemberStatus::Active.as_str()));
    let member = member.into_tuple::<Uuid>().one(tx.connection()).await?;
    tx.finish_read().await?;
    Ok(member.map(UserId))
}

/// Returns one member.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`; `NOT_FOUND`.
pub async fn read(cx: &Cx, user_id: UserId) -> Result<Member> {
    let tx = cx.tenant(permission::LIST_MEMBERS)?.begin().await?;
    let row = memberships(&tx).filter(Column::UserId.eq(user_id.0)).into_model::<Row>();
    let row = row.one(tx.connection()).await?;
    tx.finish_read().await?;
    Ok(row.ok_or_else(|| not_found(ResourceKind::Member))?.into())
}

/// Matches memberships of active admins.
fn is_active_admin() -> Expr {
    let is_active = Column::Status.eq(MemberStatus::Active.as_str());
    Column::Role.eq(Role::Admin.as_str()).and(is_active)
}

/// Returns the active admins of the tenant, ordered by e-mail address.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`.
pub async fn admins(cx: &Cx) -> Result<Vec<Member>> {
    let tx = cx.tenant(permission::LIST_MEMBERS)?.begin().await?;
    let rows = memberships(&tx).filter(is_active_admin()).order_by_asc(user::Column::Email);
    let rows = rows.into_model::<Row>().all(tx.connection()).await?;
    tx.finish_read().await?;
    Ok(rows.into_iter().map(Member::from).collect())
}

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
    let set = table::ActiveModel { role: Set(role.into()), ..Default::default() };
    let change = tx.update::<table::Entity>().set(set).filter(Column::UserId.eq(user_id.0));
    change.exec(tx.connection()).await?;
    let mut event = Event::new("member.change_role", "member", user_id)
        .with("before", before.as_str())
        .with("after", role.as_str());
    if before.loses_rights_as(role) {
        event = api_key::release(&tx, cx, user_id, keys_to).await?.add_to(event);
    }
    tx.commit(cx, event).await?;
    Ok(Member { role, ..target.member })
}

/// Removes a member. Every process rejects requests of the user in this tenant from now on.
///
/// The user's keys are revoked in the same transaction, or transferred to the admin `keys_to`. A user
/// without another membership is signed out. The member must equal `expected`.
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
    account::end_sessions_without_membership(&tx, user_id).await?;
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

/// A member, all active admins and the caller, locked until the transaction ends. So two admins cannot leave at the
/// same time.
struct LockedMember {
    member: Member,
    admins: Vec<UserId>,
}

impl LockedMember {
    async fn load(tx: &TenantTx, cx: &Cx, permission: Permission, user_id: UserId) -> Result<Self> {
        let condition = Column::UserId.eq(user_id.0).or(is_active_admin());
        let members = lock_with_caller(tx, cx, permission, condition).await?;
        let admins = members.iter().filter(|member| is_admin(member));
        let admins = admins.map(|member| member.user_id).collect();
        let member = members.into_iter().find(|member| member.user_id == user_id);
        Ok(Self { member: member.ok_or_else(|| not_found(ResourceKind::Member))?, admins })
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

    /// Checks that the member is not the last admin.
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
