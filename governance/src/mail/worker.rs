//! The mail worker: claims letters that are due, makes their links, and hands them to the transport.

use contract::{
    id::{TenantId, UserId},
    time::Timestamp,
};
use entity::{
    column::at,
    mail_outbox::{self as table, Column},
    tenant, user,
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, QueryFilter, QueryResult, SelectExt,
    sea_query::{Expr, ExprTrait},
};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::{
    Address, Letter, Line, Message, Notice, SendError,
    letter::{self, ResetLink, Text},
};
use crate::{
    Governance,
    account::link::{self, NewLink, Purpose},
    database::{delete_untenanted, untenanted, update_untenanted},
    error::{Error, Result},
    tenancy::{instant, statement},
};

/// How many letters one round claims. They are sent at the same time.
const CLAIMED_MAX: i64 = 8;

/// How long a claim lasts, in milliseconds: 5 minutes. A letter of a process that died is sent again then.
const LEASE_MS: i64 = 5 * 60 * 1_000;

/// The delay after each attempt that failed temporarily, in milliseconds. After the last one the letter is
/// given up. In all about a day and a half.
const BACKOFF_MS: [i64; 10] = {
    const MINUTE_MS: i64 = 60 * 1_000;
    [
        10_000,
        MINUTE_MS,
        5 * MINUTE_MS,
        15 * MINUTE_MS,
        30 * MINUTE_MS,
        60 * MINUTE_MS,
        2 * 60 * MINUTE_MS,
        4 * 60 * MINUTE_MS,
        8 * 60 * MINUTE_MS,
        16 * 60 * MINUTE_MS,
    ]
};

/// A request to reset within so many milliseconds of the one before sends nothing: 2 minutes.
const RESET_AGAIN_MS: i64 = 2 * 60 * 1_000;

/// A letter of the queue that this process sends.
#[derive(Debug)]
struct Claimed {
    id: Uuid,
    person: Option<UserId>,
    email: String,
    letter: Letter,
    attempts: i32,
    created_at: Timestamp,
}

/// Sends the letters that are due at `now`, at most one round of them; returns how many were claimed. A
/// letter that was claimed by a process that died is sent again, so a person may get it twice.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away.
pub async fn send_due(governance: &Governance, now: Timestamp) -> Result<usize> {
    if governance.mail().is_none() {
        return Ok(0);
    }
    let claimed = claim(governance, now).await?;
    let count = claimed.len();
    let mut sending = JoinSet::new();
    for one in claimed {
        let governance = governance.clone();
        sending.spawn(async move { send(&governance, now, one).await });
    }
    let mut outcome = Ok(count);
    while let Some(sent) = sending.join_next().await {
        let sent = sent.map_err(|error| Error::Bug(error.into())).and_then(|sent| sent);
        outcome = sent.and(outcome);
    }
    outcome
}

// SQL: one statement takes the letters that no other process is taking.
const CLAIM: &str = "UPDATE mail_outbox SET attempts = attempts + 1, due_at = $2 \
     WHERE id IN (SELECT id FROM mail_outbox WHERE due_at <= $1 ORDER BY due_at LIMIT $3 \
     FOR UPDATE SKIP LOCKED) \
     RETURNING id, user_id, email, letter, attempts, created_at";

async fn claim(governance: &Governance, now: Timestamp) -> Result<Vec<Claimed>> {
    let values = [instant(now), instant(now.plus_millis(LEASE_MS)), CLAIMED_MAX.into()];
    let rows = governance.database().query_all_raw(statement(CLAIM, values)).await?;
    rows.iter().map(claimed).collect()
}

fn claimed(row: &QueryResult) -> Result<Claimed> {
    let letter: String = row.try_get_by_index(3)?;
    Ok(Claimed {
        id: row.try_get_by_index(0)?,
        person: row.try_get_by_index::<Option<Uuid>>(1)?.map(UserId),
        email: row.try_get_by_index(2)?,
        letter: serde_json::from_str(&letter).map_err(|error| Error::Bug(error.into()))?,
        attempts: row.try_get_by_index(4)?,
        created_at: entity::column::instant(row.try_get_by_index(5)?),
    })
}

/// Sends one letter and settles what became of it.
async fn send(governance: &Governance, now: Timestamp, letter: Claimed) -> Result<()> {
    let sent = match (compose(governance, now, &letter).await?, governance.mail()) {
        (Some(message), Some(mail)) => mail.transport().send(&message).await,
        _ => Ok(()),
    };
    let attempts = usize::try_from(letter.attempts).unwrap_or_default();
    let wait = BACKOFF_MS.get(attempts.saturating_sub(1)).copied();
    match (sent, wait) {
        (Ok(()), _) => settle(governance, &letter).await,
        (Err(SendError::Temporary), Some(wait)) => {
            tracing::warn!(letter.id = %letter.id, attempts, "a mail was not sent yet");
            postpone(governance, &letter, now.plus_millis(wait)).await
        }
        (Err(error), _) => {
            tracing::error!(letter.id = %letter.id, attempts, %error, "a mail was given up");
            settle(governance, &letter).await
        }
    }
}

/// Whether a row is a letter that no other process has claimed meanwhile.
fn is_still(letter: &Claimed) -> Expr {
    Column::Id.eq(letter.id).and(Column::Attempts.eq(letter.attempts))
}

/// Deletes a letter that was sent or given up, unless another process has claimed it meanwhile.
async fn settle(governance: &Governance, letter: &Claimed) -> Result<()> {
    let settle = delete_untenanted::<table::Entity>().filter(is_still(letter));
    settle.exec(governance.database()).await?;
    Ok(())
}

async fn postpone(governance: &Governance, letter: &Claimed, until: Timestamp) -> Result<()> {
    let due = table::ActiveModel { due_at: Set(at(until)), ..Default::default() };
    let postpone = update_untenanted::<table::Entity>().set(due).filter(is_still(letter));
    postpone.exec(governance.database()).await?;
    Ok(())
}

/// Returns the message of a letter; nothing when there is nothing to send any more.
async fn compose(
    governance: &Governance,
    now: Timestamp,
    queued: &Claimed,
) -> Result<Option<Message>> {
    let text = match (&queued.letter, queued.person) {
        (Letter::SetUp { tenant_id }, Some(person)) => {
            set_up(governance, now, person, *tenant_id).await?
        }
        (Letter::Invitation { tenant_id, role }, Some(person)) => {
            let link = set_up_link(governance, now, person).await?;
            let tenant = tenant_name(governance, *tenant_id).await?;
            let account = governance.link("/account");
            Some(letter::invitation(&tenant, *role, link.as_deref(), &account))
        }
        (Letter::Notice(notice), Some(_)) => Some(notice_text(governance, notice).await?),
        (Letter::Reset, _) => reset(governance, now, queued).await?,
        _ => None,
    };
    let (Some(Text { subject, body }), Some(to)) = (text, Address::parse(&queued.email)) else {
        return Ok(None);
    };
    Ok(Some(Message { id: queued.id, to, subject, body, date: queued.created_at }))
}

async fn notice_text(governance: &Governance, notice: &Notice) -> Result<Text> {
    let tenant = match notice {
        Notice::Key { tenant_id, .. } => Some(tenant_name(governance, *tenant_id).await?),
        Notice::SignIn { .. } | Notice::PasswordChanged { .. } => None,
    };
    Ok(letter::notice(notice, tenant.as_ref(), &governance.link("/account")))
}

async fn set_up(
    governance: &Governance,
    now: Timestamp,
    person: UserId,
    tenant: TenantId,
) -> Result<Option<Text>> {
    let Some(link) = set_up_link(governance, now, person).await? else { return Ok(None) };
    Ok(Some(letter::set_up(&tenant_name(governance, tenant).await?, &link)))
}

/// Makes a link for the first password of an account; none for one that has a password.
async fn set_up_link(
    governance: &Governance,
    now: Timestamp,
    person: UserId,
) -> Result<Option<String>> {
    let account = untenanted::<user::Entity>()
        .filter(user::Column::UserId.eq(person.0))
        .filter(user::Column::PasswordHash.is_null());
    if !account.exists(governance.database()).await? {
        return Ok(None);
    }
    let link = NewLink { person, purpose: Purpose::SetUp, is_mailed: true };
    link::insert(governance, governance.database(), now, link).await.map(Some)
}

// SQL: one statement also tells which accounts were given a link a moment ago.
const ACCOUNTS: &str = "SELECT u.user_id, u.confined_tenant_id, EXISTS (SELECT FROM account_links l \
     WHERE l.user_id = u.user_id AND l.purpose = 'reset' AND l.created_at > $2) \
     FROM users u WHERE u.email = $1 AND u.password_hash IS NOT NULL \
     ORDER BY u.confined_tenant_id NULLS FIRST LIMIT 10";

/// The links of all accounts of an address that have a password; nothing for an address without any, and for
/// one that was asked for a moment ago.
async fn reset(governance: &Governance, now: Timestamp, queued: &Claimed) -> Result<Option<Text>> {
    let since = instant(now.plus_millis(-RESET_AGAIN_MS));
    let accounts = statement(ACCOUNTS, [queued.email.as_str().into(), since]);
    let mut links = Vec::new();
    for row in governance.database().query_all_raw(accounts).await? {
        let person = UserId(row.try_get_by_index(0)?);
        let confined: Option<Uuid> = row.try_get_by_index(1)?;
        let is_again: bool = row.try_get_by_index(2)?;
        // A later attempt at the same letter comes after its own links.
        if is_again && queued.attempts == 1 {
            return Ok(None);
        }
        let tenant = match confined {
            Some(tenant) => Some(tenant_name(governance, TenantId(tenant)).await?),
            None => None,
        };
        let link = NewLink { person, purpose: Purpose::Reset, is_mailed: true };
        let link = link::insert(governance, governance.database(), now, link).await?;
        links.push(ResetLink { tenant, link });
    }
    Ok((!links.is_empty()).then(|| letter::reset(&links)))
}

/// Returns the name of a tenant in one line.
async fn tenant_name(governance: &Governance, tenant: TenantId) -> Result<Line> {
    let cx = governance.operator();
    let tx = cx.tenant_unchecked(tenant).begin().await?;
    let row = tx.find::<tenant::Entity>().one(tx.connection()).await?;
    tx.end().await?;
    let row = row.ok_or_else(|| Error::bug("a letter about a tenant that does not exist"))?;
    Ok(Line::new(&row.name))
}
