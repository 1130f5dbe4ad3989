//! Removals of members. A removal holds for the account and for its address until the tenant invites the person again.

use crate::base::prelude::*;

const INSERT_REMOVAL: &str = "INSERT INTO removed_members (tenant_id, user_id, removed_at) VALUES ($1, $2, $3) \
     ON CONFLICT DO NOTHING";

/// Records that the tenant has removed a member.
pub(crate) async fn record(tx: &TenantTx, cx: &Cx, user_id: UserId) -> Result<()> {
    tx.execute(INSERT_REMOVAL, [user_id.0.into(), timestamp_value(cx.now)]).await?;
    Ok(())
}

// SQL: the removals are selected by a column of another table.
const DELETE_REMOVALS: &str = "DELETE FROM removed_members r USING users removed, users invited \
     WHERE r.tenant_id = $1 AND removed.user_id = r.user_id AND invited.user_id = $2 \
     AND removed.email = invited.email";

/// Ends the removals of the address of an account, because the tenant has invited it.
pub(crate) async fn end(tx: &TenantTx, user_id: UserId) -> Result<()> {
    tx.execute(DELETE_REMOVALS, [user_id.0.into()]).await?;
    Ok(())
}

// SQL: one statement queries two tables.
const SELECT_IS_REMOVED: &str = "SELECT EXISTS (SELECT FROM removed_members r JOIN users u ON u.user_id = r.user_id \
     WHERE r.tenant_id = $1 AND u.email = $2)";

/// Returns whether an identity provider may make the person with an address a member: the tenant has not removed an
/// account of the address, or has invited the person since.
pub(crate) async fn may_join(tx: &TenantTx, email: &str) -> Result<bool> {
    Ok(!tx.only::<bool>(SELECT_IS_REMOVED, [email.into()]).await?)
}
