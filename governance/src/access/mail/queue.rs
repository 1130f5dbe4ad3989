//! The mail queue: filled in the transaction that causes a mail, emptied by the worker.
//!
//! Mails that are not routine are sent first. Each mail gets a turn when it is queued: the turn after the last waiting mail
//! of its tenant, and at least the turn that is being sent. So every tenant has one mail in each turn, and a tenant with many
//! mails delays the first mail of another one by one mail.

use super::{
    MailContent, Notice,
    limit::{self, Exceeded},
    worker::LEASE_MS,
};
use crate::base::{error::too_many_invitations, prelude::*};

// SQL: one statement copies the address from the account and determines the turn.
const INSERT_MAIL: &str = "INSERT INTO mail_outbox \
     (id, user_id, email, letter, created_at, due_at, is_routine, turn_of, turn) \
     SELECT $1, user_id, email, $3, $4, $4, $5, coalesce($6, user_id), 1 + greatest(0, \
     (SELECT max(turn) FROM mail_outbox WHERE is_routine = $5 AND turn_of = coalesce($6, users.user_id)), \
     (SELECT min(turn) - 1 FROM mail_outbox WHERE is_routine = $5 AND due_at <= $4)) \
     FROM users WHERE user_id = $2";

/// Queues a mail to a user in the transaction that causes it. Does nothing if mail is not configured.
///
/// A mention or a notice about a key over the limit of the hour is not mailed; the inbox and the audit log have it.
///
/// # Errors
/// `TOO_MANY_REQUESTS` for an invitation or a setup link over the limit of the hour; `SERVICE_UNAVAILABLE` if the database
/// is unavailable.
pub(crate) async fn queue(
    tx: &TenantTx,
    cx: &Cx,
    user_id: UserId,
    content: &MailContent,
) -> Result<()> {
    if cx.governance.mail().is_none() {
        return Ok(());
    }
    if let Some(Exceeded { wait_s }) = limit::count(tx, cx, user_id, content).await? {
        return match content {
            MailContent::Mention { .. } | MailContent::Notice(_) => Ok(()),
            _ => Err(too_many_invitations(wait_s).into()),
        };
    }
    let id: uuid::Uuid = cx.governance.entropy().id();
    let row = [
        id.into(),
        user_id.0.into(),
        to_json(content)?.into(),
        timestamp_value(cx.now),
        content.is_routine().into(),
        content.tenant().map(|tenant| tenant.0).into(),
    ];
    tx.connection().execute_raw(statement(INSERT_MAIL, row)).await?;
    Ok(())
}

/// Queues a security notice to a user in the transaction that causes it. Does nothing if mail is not
/// configured.
pub(crate) async fn notify(tx: &TenantTx, cx: &Cx, user_id: UserId, notice: Notice) -> Result<()> {
    queue(tx, cx, user_id, &MailContent::Notice(notice)).await
}

// SQL: one statement determines the turn, which is the one that is being sent. At most one reset per address is queued. One
// that waits for its next attempt is sent at once, but not one that a process may be sending.
const INSERT_RESET: &str = "INSERT INTO mail_outbox \
     (id, email, letter, created_at, due_at, is_routine, turn) \
     VALUES ($1, $2, $3, $4, $4, false, 1 + greatest(0, \
     (SELECT min(turn) - 1 FROM mail_outbox WHERE NOT is_routine AND due_at <= $4))) \
     ON CONFLICT (email) WHERE user_id IS NULL DO UPDATE SET due_at = $4 WHERE mail_outbox.due_at > $5";

/// Queues a password reset for an address, whether or not it has an account; the worker checks. Does
/// nothing if mail is not configured.
pub(crate) async fn queue_reset(cx: &Cx, email: String) -> Result<()> {
    let governance = &cx.governance;
    if governance.mail().is_none() {
        return Ok(());
    }
    let id: uuid::Uuid = governance.entropy().id();
    let letter = to_json(&MailContent::Reset)?;
    let lease_end = timestamp_value(cx.now.plus_millis(LEASE_MS));
    let row = [id.into(), email.into(), letter.into(), timestamp_value(cx.now), lease_end];
    governance.database().execute_raw(statement(INSERT_RESET, row)).await?;
    Ok(())
}

fn to_json(content: &MailContent) -> Result<String> {
    Ok(serde_json::to_string(content)?)
}
