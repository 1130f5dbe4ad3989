//! Members of a tenant and their roles.

mod change;
mod invite;

use contract::{
    email::fold_email,
    member::{Member, MemberStatus},
};
use entity::{member::Column, user};
use sea_orm::sea_query::ExprTrait;

pub(crate) use self::change::assign_role;
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
        error::human_required,
        pagination::{Rows, Start},
        prelude::*,
    },
};

// SQL: one statement queries two tables.
const SELECT_NAMES: &str = "SELECT u.user_id::text, u.display_name, u.user_id, m.status = 'active' \
                     FROM members m JOIN users u ON u.user_id = m.user_id WHERE m.tenant_id = $1 \
                     UNION ALL SELECT id::text, name, id, false FROM api_keys WHERE tenant_id = $1 \
                     ORDER BY 2, 1";

/// The names of the users and keys of a tenant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Directory {
    /// The display names of users and keys by the IDs that records contain.
    pub names: BTreeMap<String, String>,
    /// The active members, ordered by name.
    pub people: Vec<(UserId, String)>,
}

/// Returns the names of the tenant's users and keys, read with one query.
///
/// # Errors
/// `FORBIDDEN` for callers outside the tenant.
pub async fn directory(cx: &Cx) -> Result<Directory> {
    let rows = cx.tenant(permission::READ_MEMBERS)?;
    let rows = rows.tuples::<(_, String, _, bool)>(SELECT_NAMES, []).await?;
    let mut directory = Directory::default();
    for (id, name, user, is_active) in rows {
        if is_active {
            directory.people.push((UserId(user), name.clone()));
        }
        directory.names.insert(id, name);
    }
    Ok(directory)
}

/// Returns the display names of the tenant's users and keys by the IDs that records contain.
///
/// # Errors
/// As [`directory`].
pub async fn names(cx: &Cx) -> Result<BTreeMap<String, String>> {
    Ok(directory(cx).await?.names)
}

/// Returns the tenant's members, newest first.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`; `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, page: &PageRequest) -> Result<Page<Member>> {
    Ok(window(cx, None, page).await?.into())
}

/// Returns a page of the tenant's members, or of those with a status, newest first, with the cursors of both
/// adjacent pages.
///
/// # Errors
/// As [`list`].
pub async fn window(
    cx: &Cx,
    status: Option<MemberStatus>,
    page: &PageRequest,
) -> Result<Window<Member>> {
    let tenant = cx.tenant(permission::LIST_MEMBERS)?;
    let list = Cursor::new(&tenant, "members", status.map_or_else(String::new, |s| s.to_string()));
    let tx = tenant.begin().await?;
    let members = membership::of_tenant(&tx)
        .apply_if(status, |rows, status| rows.filter(Column::Status.eq(status.as_str())));
    let connection = tx.connection();
    let fetch = |start: Start| -> Rows<'_, _> {
        let rows = start.newest(members.clone(), Column::Sequence).limit(page.fetched());
        let rows = rows.into_model::<MembershipRow>();
        Box::pin(async move { Ok(rows.all(connection).await?) })
    };
    let rows = list.window(page, fetch, |row| row.membership.sequence).await?;
    tx.finish_read().await?;
    Ok(rows.map(Member::from))
}

/// The numbers of a tenant's members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemberCounts {
    /// The members with rights.
    pub active: u64,
    /// The users who have not accepted their invitation.
    pub invited: u64,
    /// The active admins.
    pub admins: u64,
}

// SQL: counts of some rows each.
const SELECT_COUNTS: &str = "SELECT count(*) FILTER (WHERE status = 'active'), \
                     count(*) FILTER (WHERE status = 'invited'), \
                     count(*) FILTER (WHERE status = 'active' AND role = 'admin') \
                     FROM members WHERE tenant_id = $1";

/// Returns the numbers of the tenant's members.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN`.
pub async fn counts(cx: &Cx) -> Result<MemberCounts> {
    let tx = cx.tenant(permission::LIST_MEMBERS)?.begin().await?;
    let counts: (i64, i64, i64) = tx.only(SELECT_COUNTS, []).await?;
    tx.finish_read().await?;
    let [active, invited, admins] = <[i64; 3]>::from(counts).map(i64::unsigned_abs);
    Ok(MemberCounts { active, invited, admins })
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
    Ok(row.or_not_found(ResourceKind::Member)?.into())
}

fn is_active_admin() -> Expr {
    let is_active = Column::Status.eq(MemberStatus::Active.as_str());
    Column::Role.eq(Role::Admin.as_str()).and(is_active)
}

/// Returns the active admins of the tenant, ordered by email address.
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

/// Returns the active member with an email address, without regard to the case of ASCII letters.
pub(crate) async fn by_email(tenant: Tenant<'_>, email: &str) -> Result<Option<UserId>> {
    let tx = tenant.begin().await?;
    let member = membership::of_tenant(&tx)
        .select_only()
        .column(Column::UserId)
        .filter(user::Column::Email.eq(fold_email(email)))
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

/// The name of a member, the last activity in the tenant, and whether the account has a second factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberProfile {
    pub name: String,
    /// The time of the member's last event in the tenant's audit log, which also records sign-ins. Sessions
    /// are not read, because they do not name the tenant in which a user was active.
    pub last_active: Option<Timestamp>,
    /// Whether the account has a passkey or an authenticator app.
    pub has_second_factor: bool,
    /// Whether an admin can reset the second factors: the account is confined to the tenant and has one.
    pub can_reset_second_factors: bool,
}

// SQL: the last event of each member.
const SELECT_PROFILES: &str = "SELECT m.user_id, u.display_name, e.occurred_at, \
     EXISTS (SELECT FROM passkeys p WHERE p.user_id = m.user_id) OR EXISTS (SELECT FROM totp_secrets s \
       WHERE s.user_id = m.user_id AND s.confirmed_at IS NOT NULL), \
     u.confined_tenant_id IS NOT DISTINCT FROM m.tenant_id FROM members m \
     JOIN users u ON u.user_id = m.user_id \
     LEFT JOIN LATERAL (SELECT occurred_at FROM audit_events \
       WHERE tenant_id = $1 AND actor_id = m.user_id::text ORDER BY seq DESC LIMIT 1) e ON true \
     WHERE m.tenant_id = $1 AND m.user_id = ANY ($2)";

type ProfileRow = (Uuid, String, Option<DateTimeUtc>, bool, bool);

/// Returns the profiles of members.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`, `FORBIDDEN` for callers who cannot list members or read the audit log.
pub async fn profiles(
    cx: &Cx,
    members: impl IntoIterator<Item = UserId>,
) -> Result<BTreeMap<UserId, MemberProfile>> {
    cx.tenant(permission::READ_AUDIT)?;
    let members: Vec<_> = members.into_iter().map(|member| member.0).collect();
    let tenant = cx.tenant(permission::LIST_MEMBERS)?;
    let rows: Vec<ProfileRow> = tenant.tuples(SELECT_PROFILES, [members.into()]).await?;
    let profile = |(id, name, last_active, has_second_factor, is_confined): ProfileRow| {
        let profile = MemberProfile {
            name,
            last_active: last_active.map(from_column),
            has_second_factor,
            can_reset_second_factors: has_second_factor && is_confined,
        };
        (UserId(id), profile)
    };
    Ok(rows.into_iter().map(profile).collect())
}
