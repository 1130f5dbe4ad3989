//! What the list of members shows of a member besides the membership.

use crate::{access::permission, base::prelude::*};

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
        let (has_second_factor, is_confined) = (row.try_get_by_index(3)?, row.try_get_by_index(4)?);
        let profile = MemberProfile {
            name,
            last_active: last_active.map(from_column),
            has_second_factor,
            can_reset_second_factors: has_second_factor && is_confined,
        };
        Ok((UserId(row.try_get_by_index(0)?), profile))
    };
    rows.iter().map(profile).collect()
}
