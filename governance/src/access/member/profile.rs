//! What the list of members shows of a member besides the membership.

use std::collections::BTreeMap;

use contract::{id::UserId, time::Timestamp};
use entity::column::from_column;
use sea_orm::{QueryResult, prelude::DateTimeUtc};

use crate::{
    access::permission,
    base::{cx::Cx, error::Result},
};

/// The name of a member, and the last activity in the tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberProfile {
    pub name: String,
    /// The time of the member's last event in the tenant's audit log, which also records sign-ins. Sessions
    /// are not read, because they do not name the tenant in which a user was active.
    pub last_active: Option<Timestamp>,
}

// SQL: the last event of each member.
const SELECT_PROFILES: &str = "SELECT m.user_id, u.display_name, e.occurred_at FROM members m \
     JOIN users u ON u.user_id = m.user_id \
     LEFT JOIN LATERAL (SELECT occurred_at FROM audit_events \
       WHERE tenant_id = $1 AND actor_id = m.user_id::text ORDER BY seq DESC LIMIT 1) e ON true \
     WHERE m.tenant_id = $1 AND m.user_id = ANY ($2)";

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
    let tx = cx.tenant(permission::LIST_MEMBERS)?.begin().await?;
    let rows = tx.all(SELECT_PROFILES, [members.into()]).await?;
    tx.finish_read().await?;
    let profile = |row: &QueryResult| {
        let last_active: Option<DateTimeUtc> = row.try_get_by_index(2)?;
        let name = row.try_get_by_index(1)?;
        let profile = MemberProfile { name, last_active: last_active.map(from_column) };
        Ok((UserId(row.try_get_by_index(0)?), profile))
    };
    rows.iter().map(profile).collect()
}
