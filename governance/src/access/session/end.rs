//! The end of all sessions of a user.

use entity::session_digest;

use crate::base::{prelude::*, tenancy::see_memberships_of};

/// Ends all sessions of a user.
pub(crate) async fn end_all(connection: &impl ConnectionTrait, user_id: UserId) -> Result<()> {
    let sessions = delete_untenanted::<session_digest::Entity>();
    sessions.filter(session_digest::Column::UserId.eq(user_id.0)).exec(connection).await?;
    Ok(())
}

// SQL: the deletion depends on rows of another table.
const DELETE_SESSIONS_WITHOUT_MEMBERSHIP: &str = "DELETE FROM session_digests WHERE user_id = $1 \
     AND NOT EXISTS (SELECT FROM members WHERE user_id = $1 AND status = 'active')";

/// Ends the sessions of a user without any active membership. A user with a membership elsewhere stays
/// signed in, so one tenant cannot sign users out of another.
pub(crate) async fn end_without_membership(tx: &TenantTx, user_id: UserId) -> Result<()> {
    // Row-level security shows users their own memberships, so the transaction acts as this user to see
    // all tenants.
    see_memberships_of(tx.connection(), user_id).await?;
    let delete = statement(DELETE_SESSIONS_WITHOUT_MEMBERSHIP, [user_id.0.into()]);
    tx.connection().execute_raw(delete).await?;
    Ok(())
}
