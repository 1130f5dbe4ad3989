//! Members of a tenant and their roles.

mod change;
mod invite;

use std::collections::BTreeMap;

use contract::{
    id::UserId,
    member::{Member, MemberStatus},
    pagination::Page,
    scope::Role,
};
use entity::{member::Column, user};
use sea_orm::{
    ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait},
};
use uuid::Uuid;

pub use self::{
    change::{ExpectedMember, change_role, remove},
    invite::{create, invite},
};
use crate::{
    access::{
        membership::{self, MembershipRow},
        permission,
    },
    base::{
        caller::Caller,
        cx::Cx,
        error::{Refusal, ResourceKind, Result, human_required, not_found},
        pagination::{Cursor, PageRequest},
        tenancy::{Tenant, statement},
    },
};

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
    let list = Cursor::new(&tenant, "members", String::new());
    let tx = tenant.begin().await?;
    let rows = list.newest(membership::of_tenant(&tx), Column::Sequence, page)?;
    let rows = rows.into_model::<MembershipRow>().all(tx.connection()).await?;
    tx.finish_read().await?;
    Ok(list.page(rows, page.limit, |row| row.membership.sequence).map(Member::from))
}

/// Returns one member.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`; `NOT_FOUND`.
pub async fn read(cx: &Cx, user_id: UserId) -> Result<Member> {
    let tx = cx.tenant(permission::LIST_MEMBERS)?.begin().await?;
    let row = membership::of_tenant(&tx)
        .filter(Column::UserId.eq(user_id.0))
        .into_model::<MembershipRow>();
    let row = row.one(tx.connection()).await?;
    tx.finish_read().await?;
    Ok(row.ok_or_else(|| not_found(ResourceKind::Member))?.into())
}

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
    let rows =
        membership::of_tenant(&tx).filter(is_active_admin()).order_by_asc(user::Column::Email);
    let rows = rows.into_model::<MembershipRow>().all(tx.connection()).await?;
    tx.finish_read().await?;
    Ok(rows.into_iter().map(Member::from).collect())
}

/// Returns the active member with an e-mail address, ignoring case.
pub(crate) async fn by_email(tenant: Tenant<'_>, email: &str) -> Result<Option<UserId>> {
    let tx = tenant.begin().await?;
    let member = membership::of_tenant(&tx)
        .select_only()
        .column(Column::UserId)
        .filter(user::Column::Email.eq(email.trim().to_lowercase()))
        .filter(Column::Status.eq(MemberStatus::Active.as_str()));
    let member = member.into_tuple::<Uuid>().one(tx.connection()).await?;
    tx.finish_read().await?;
    Ok(member.map(UserId))
}

/// Checks that a key invites or removes only viewers. Other roles need a signed-in admin.
fn check_viewers_only(cx: &Cx, role: Role) -> Result<(), Refusal> {
    let is_allowed = role == Role::Viewer || !matches!(cx.caller, Caller::Key(_));
    if is_allowed { Ok(()) } else { Err(human_required()) }
}
