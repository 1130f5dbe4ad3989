//! The threads in which a comment mentions the signed-in user.

use contract::{
    id::{PolicyId, UserId},
    time::Timestamp,
};
use entity::column::{from_column, unsigned};
use sea_orm::{QueryResult, prelude::DateTimeUtc};

use super::{Cause, RequestedAction, WAITING_MAX, WaitingVersion, threads};
use crate::base::{error::Result, tenancy::TenantTx};

// SQL: the first mention in each thread that the user has not answered, with its joins.
const SELECT_MENTIONS: &str = "SELECT DISTINCT ON (coalesce(c.in_reply_to, c.id)) \
       p.id, p.name, v.version, v.draft_revision, c.created_at, c.author::text, n.threads, n.open \
     FROM comment_mentions m \
     JOIN version_comments c ON c.tenant_id = $1 AND c.id = m.comment_id \
     JOIN version_comments f ON f.tenant_id = $1 AND f.id = coalesce(c.in_reply_to, c.id) \
     JOIN policy_versions v ON v.tenant_id = $1 AND v.id = c.policy_version_id \
     JOIN policies p ON p.tenant_id = $1 AND p.id = v.policy_id \
     CROSS JOIN LATERAL ( \
       SELECT count(*) AS threads, count(*) FILTER (WHERE n.resolved_at IS NULL) AS open \
         FROM version_comments n WHERE n.tenant_id = $1 AND n.policy_version_id = v.id \
           AND n.in_reply_to IS NULL) n \
     WHERE m.tenant_id = $1 AND m.user_id = $2 AND f.resolved_at IS NULL \
       AND NOT EXISTS (SELECT FROM version_comments r WHERE r.tenant_id = $1 \
         AND r.in_reply_to = f.id AND r.author = $2 AND r.sequence > c.sequence) \
     ORDER BY coalesce(c.in_reply_to, c.id), c.sequence LIMIT $3";

/// Returns the versions with a thread in which a comment mentions the user, until the user replies or the
/// thread is resolved.
pub(super) async fn load(tx: &TenantTx, user: UserId) -> Result<Vec<WaitingVersion>> {
    let rows = tx.all(SELECT_MENTIONS, [user.0.into(), WAITING_MAX.into()]).await?;
    rows.iter().map(waiting).collect()
}

fn waiting(row: &QueryResult) -> Result<WaitingVersion> {
    let since: Timestamp = from_column(row.try_get_by_index::<DateTimeUtc>(4)?);
    Ok(WaitingVersion {
        action: RequestedAction::Reply,
        cause: Cause::Mentioned,
        policy_id: PolicyId(row.try_get_by_index(0)?),
        policy_name: row.try_get_by_index(1)?,
        version: unsigned(row.try_get_by_index(2)?),
        revision: unsigned(row.try_get_by_index(3)?),
        sealed_revision: None,
        since,
        by: row.try_get_by_index(5)?,
        is_actionable: true,
        comments: threads(row, 6)?,
        open_comments: threads(row, 7)?,
    })
}
