//! The rows of memberships: selecting, locking and storing them.

use contract::member::{Member, MemberStatus};
use entity::{
    member::{self as table, Column},
    tenant, user,
};
use sea_orm::sea_query::LockType;

use crate::{
    access::removal,
    base::{database, error::already_member, prelude::*, tenancy::see_memberships_of},
};

/// A membership with the email address of its account.
#[derive(Debug, FromQueryResult)]
pub(crate) struct MembershipRow {
    #[sea_orm(nested)]
    pub(crate) membership: table::Model,
    email: String,
}

impl From<MembershipRow> for Member {
    fn from(MembershipRow { membership, email }: MembershipRow) -> Self {
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

/// Selects the tenant's memberships with the email addresses of their accounts.
pub(crate) fn of_tenant(tx: &TenantTx) -> Select<table::Entity> {
    let user_relation = table::Entity::belongs_to(user::Entity);
    let user_relation: RelationDef =
        user_relation.from(Column::UserId).to(user::Column::UserId).into();
    tx.find::<table::Entity>().join(JoinType::InnerJoin, user_relation).column(user::Column::Email)
}

/// Selects a user's memberships in all tenants, for a transaction that may see them.
#[expect(clippy::disallowed_methods, reason = "a user has memberships in many tenants")]
pub(crate) fn of_user(user_id: UserId, status: MemberStatus) -> Select<table::Entity> {
    table::Entity::find()
        .filter(Column::UserId.eq(user_id.0))
        .filter(Column::Status.eq(status.as_str()))
}

/// Returns the tenants of a user, in the lock order of their heads.
pub(crate) async fn tenants_of(governance: &Governance, user_id: UserId) -> Result<Vec<TenantId>> {
    let tx = database::begin(governance.database()).await?;
    see_memberships_of(&tx, user_id).await?;
    let memberships =
        of_user(user_id, MemberStatus::Active).order_by_asc(Column::TenantId).all(&tx).await?;
    tx.rollback().await?;
    Ok(memberships.into_iter().map(|membership| TenantId(membership.tenant_id)).collect())
}

pub(crate) fn to_tenant() -> RelationDef {
    let tenant = table::Entity::belongs_to(tenant::Entity);
    tenant.from(Column::TenantId).to(tenant::Column::TenantId).into()
}

/// Locks the memberships of a query, without the joined rows.
pub(crate) fn locked(mut memberships: Select<table::Entity>) -> Select<table::Entity> {
    QuerySelect::query(&mut memberships).lock_with_tables(LockType::Update, [table::Entity]);
    memberships
}

/// Returns the role of an active member and locks the row until the transaction ends, which prevents
/// removals and role changes.
pub(crate) async fn lock_role(tx: &TenantTx, user_id: UserId) -> Result<Option<Role>> {
    let rows = tx.find::<table::Entity>().filter(Column::UserId.eq(user_id.0));
    let rows = rows.filter(Column::Status.eq(MemberStatus::Active.as_str()));
    let row = rows.lock_shared().one(tx.connection()).await?;
    Ok(row.map(|row| row.role.0))
}

/// Stores a membership, which ends an earlier removal of the account or its address.
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
    let inviter = match &cx.caller {
        Caller::Human(human) => Some(human.user_id),
        _ => None,
    };
    let row = table::ActiveModel {
        tenant_id: Set(tx.tenant_id().0),
        user_id: Set(user_id.0),
        role: Set(role.into()),
        status: Set(status.into()),
        invited_by: Set(inviter.map(|inviter| inviter.0)),
        created_at: Set(to_column(cx.now)),
        sequence: Set(tx.next_sequence().await?),
    };
    let insert = table::Entity::insert(row).exec_without_returning(tx.connection());
    insert.await.map_err(map_insert_error)?;
    removal::end(tx, user_id).await
}

/// Converts the error of storing a membership: `CONFLICT` for an existing member.
pub(crate) fn map_insert_error(error: DbErr) -> Error {
    map_violation(error, &["members_pkey"], already_member)
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
