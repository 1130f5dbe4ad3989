//! Limits of the mails that a person or an API key causes, and that an account receives, in a tenant within an hour.

use super::{MailContent, Notice};
use crate::base::prelude::*;

const HOUR_MS: i64 = 60 * 60 * 1_000;

/// The mails that count together, and their numbers for each hour.
#[derive(Clone, Copy, Debug)]
struct Limits {
    by: Limit,
    to: Limit,
}

#[derive(Clone, Copy, Debug)]
struct Limit {
    /// The name in the stored counts.
    kind: &'static str,
    mails: i32,
}

const MENTIONS: Limits = Limits {
    by: Limit { kind: "mention_by", mails: 30 },
    to: Limit { kind: "mention_to", mails: 20 },
};

/// Invitations and setup links.
const INVITATIONS: Limits = Limits {
    by: Limit { kind: "invitation_by", mails: 50 },
    to: Limit { kind: "invitation_to", mails: 5 },
};

/// Notices about keys to an account. Its programs can create and revoke keys at any rate.
const KEY_NOTICES: Limit = Limit { kind: "key_notice_to", mails: 100 };

/// A reached limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exceeded {
    /// The time in seconds until another mail is possible.
    pub(super) wait_s: u32,
}

/// Counts a mail of the caller to an account. The counts are part of the transaction.
pub(super) async fn count(
    tx: &TenantTx,
    cx: &Cx,
    recipient: UserId,
    content: &MailContent,
) -> Result<Option<Exceeded>> {
    let limits = match content {
        MailContent::Mention { .. } => MENTIONS,
        MailContent::Invitation { .. } | MailContent::SetUp { .. } => INVITATIONS,
        MailContent::Notice(Notice::Key { .. }) => {
            return add(tx, cx.now, KEY_NOTICES, recipient.0).await;
        }
        MailContent::Reset | MailContent::Notice(_) => return Ok(None),
    };
    if let Some(sender) = sender(&cx.caller)
        && let Some(exceeded) = add(tx, cx.now, limits.by, sender).await?
    {
        return Ok(Some(exceeded));
    }
    add(tx, cx.now, limits.to, recipient.0).await
}

/// Returns the person behind a caller, so that several keys of one person have no higher limit; otherwise the key.
fn sender(caller: &Caller) -> Option<Uuid> {
    let key = || match caller {
        Caller::Key(key) => Some(key.id.0),
        _ => None,
    };
    caller.person().map(|person| person.0).or_else(key)
}

// SQL: one statement increments a count, or begins a new hour.
const ADD: &str = "INSERT INTO mail_counts AS c (tenant_id, kind, subject, started_at, mails) \
     VALUES ($1, $2, $3, $4, 1) ON CONFLICT (tenant_id, kind, subject) DO UPDATE SET \
     started_at = CASE WHEN c.started_at <= $5 THEN $4 ELSE c.started_at END, \
     mails = CASE WHEN c.started_at <= $5 THEN 1 ELSE c.mails + 1 END \
     RETURNING started_at, mails";

async fn add(
    tx: &TenantTx,
    now: Timestamp,
    limit: Limit,
    subject: Uuid,
) -> Result<Option<Exceeded>> {
    let hour_ago = timestamp_value(now.plus_millis(-HOUR_MS));
    let values = [limit.kind.into(), subject.into(), timestamp_value(now), hour_ago];
    let (started_at, mails): (DateTimeUtc, i32) = tx.only(ADD, values).await?;
    if mails <= limit.mails {
        return Ok(None);
    }
    let wait_ms =
        from_column(started_at).plus_millis(HOUR_MS).millis().saturating_sub(now.millis());
    let wait_s = wait_ms.max(1).unsigned_abs().div_ceil(1_000);
    Ok(Some(Exceeded { wait_s: u32::try_from(wait_s).unwrap_or(u32::MAX) }))
}
