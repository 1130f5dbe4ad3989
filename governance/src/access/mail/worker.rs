//! Mail worker: claims due mails, creates their links and hands them to the transport.

use contract::member::MemberStatus;
use entity::{
    mail_outbox::{self as table, Column},
    member, policy, tenant, user,
};
use sea_orm::{SelectExt, sea_query::ExprTrait};
use tokio::task::JoinSet;

use super::{
    Address, Line, MailContent, Message, Notice, SendError,
    message_text::{self, MessageText, ResetLink},
};
use crate::{
    access::account_link::{self, NewLink, Purpose},
    base::{observe::AttemptOutcome, prelude::*},
};

/// The number of routine mails that a process sends concurrently.
const ROUTINE_MAX: usize = 8;

/// The number of other mails that a process sends at the same time as the routine ones.
const URGENT_MAX: usize = 4;

/// The lease of a claim in milliseconds: 5 minutes. After it, the mail of a crashed process is sent
/// again.
pub(super) const LEASE_MS: i64 = 5 * 60 * 1_000;

/// The delays after temporary failures in milliseconds. After the last one the mail is discarded, about 1.3
/// days after the first attempt.
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

/// The minimum time between two password resets of an address in milliseconds: 2 minutes. A request within
/// it sends nothing.
const RESET_INTERVAL_MIN_MS: i64 = 2 * 60 * 1_000;

/// A mail that this process has claimed.
#[derive(Debug)]
struct ClaimedMail {
    id: Uuid,
    user_id: Option<UserId>,
    email: String,
    /// The content as JSON.
    letter: String,
    attempts: i32,
    created_at: Timestamp,
}

/// The mails that this process is sending. Mails are sent at least once: a mail claimed by a crashed process is sent
/// again.
///
/// Each mail leaves its place when it was sent or postponed, so that a slow recipient delays only mails that need the same
/// place. Routine mails have places of their own and never delay a password reset.
#[derive(Debug)]
pub struct MailWorker {
    urgent: Places,
    routine: Places,
}

impl Default for MailWorker {
    fn default() -> Self {
        let places = |is_routine, count| Places { is_routine, count, sending: JoinSet::default() };
        Self { urgent: places(false, URGENT_MAX), routine: places(true, ROUTINE_MAX) }
    }
}

impl MailWorker {
    /// Starts to send mails that are due at `now`, one for each free place. Returns their number.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` if the database is unavailable.
    pub async fn start_due(&mut self, governance: &Governance, now: Timestamp) -> Result<usize> {
        if governance.mail().is_none() {
            return Ok(0);
        }
        let urgent = self.urgent.start_due(governance, now).await?;
        Ok(urgent + self.routine.start_due(governance, now).await?)
    }

    /// Waits until a mail was sent or postponed; forever while none is being sent.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` if the database is unavailable. The mail is then sent again.
    pub async fn next_sent(&mut self) -> Result<()> {
        let sent = tokio::select! {
            Some(sent) = self.urgent.sending.join_next() => sent,
            Some(sent) = self.routine.sending.join_next() => sent,
            else => std::future::pending().await,
        };
        sent.map_err(Error::internal)?
    }

    fn is_idle(&self) -> bool {
        self.urgent.sending.is_empty() && self.routine.sending.is_empty()
    }
}

/// The places of one kind of mails.
#[derive(Debug)]
struct Places {
    is_routine: bool,
    count: usize,
    sending: JoinSet<Result<()>>,
}

impl Places {
    async fn start_due(&mut self, governance: &Governance, now: Timestamp) -> Result<usize> {
        let free = self.count.saturating_sub(self.sending.len());
        if free == 0 {
            return Ok(0);
        }
        let claimed = claim(governance, now, self.is_routine, free).await?;
        let count = claimed.len();
        for mail in claimed {
            let governance = governance.clone();
            self.sending.spawn(async move { send(&governance, now, mail).await });
        }
        Ok(count)
    }
}

/// Sends one round of the mails that are due at `now`, and waits for it. Returns their number.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` if the database is unavailable.
pub async fn send_due(governance: &Governance, now: Timestamp) -> Result<usize> {
    let mut worker = MailWorker::default();
    let mut result = worker.start_due(governance, now).await;
    while !worker.is_idle() {
        result = worker.next_sent().await.and(result);
    }
    result
}

// SQL: one statement claims mails and skips those that another process is claiming.
const CLAIM_DUE: &str = "UPDATE mail_outbox SET attempts = attempts + 1, due_at = $2 \
     WHERE id IN (SELECT id FROM mail_outbox WHERE is_routine = $3 AND due_at <= $1 \
     ORDER BY turn, due_at LIMIT $4 FOR UPDATE SKIP LOCKED) \
     RETURNING id, user_id, email, letter, attempts, created_at";

async fn claim(
    governance: &Governance,
    now: Timestamp,
    is_routine: bool,
    count: usize,
) -> Result<Vec<ClaimedMail>> {
    let values = [
        timestamp_value(now),
        timestamp_value(now.plus_millis(LEASE_MS)),
        is_routine.into(),
        i64::try_from(count).unwrap_or(i64::MAX).into(),
    ];
    let rows = sql::tuples(governance.database(), CLAIM_DUE, values).await?;
    let claimed = rows.into_iter().map(|(id, user, email, letter, attempts, created_at)| {
        let (user_id, created_at) = (Option::map(user, UserId), from_column(created_at));
        ClaimedMail { id, user_id, email, letter, attempts, created_at }
    });
    Ok(claimed.collect())
}

/// Sends one mail and deletes or postpones it.
async fn send(governance: &Governance, now: Timestamp, claimed: ClaimedMail) -> Result<()> {
    let sent = match (compose(governance, now, &claimed).await, governance.mail()) {
        (Ok(Some(message)), Some(mail)) => mail.transport().send(&message).await,
        (Ok(_), _) => Ok(()),
        // Another version of the service may be able to send it. It does not hold up the other mails.
        (Err(error), _) => {
            tracing::error!(mail.id = %claimed.id, %error, "a mail could not be written");
            Err(SendError::Temporary)
        }
    };
    let attempts = usize::try_from(claimed.attempts).unwrap_or_default();
    let wait = BACKOFF_MS.get(attempts.saturating_sub(1)).copied();
    match (sent, wait) {
        (Ok(()), _) => {
            governance.emit(Observed::MailAttempted(AttemptOutcome::Delivered));
            delete(governance, &claimed).await
        }
        (Err(SendError::Temporary), Some(wait)) => {
            governance.emit(Observed::MailAttempted(AttemptOutcome::Failed));
            tracing::warn!(mail.id = %claimed.id, attempts, "mail delivery failed and will be retried");
            postpone(governance, &claimed, now.plus_millis(wait)).await
        }
        (Err(error), _) => {
            governance.emit(Observed::MailAttempted(AttemptOutcome::Dead));
            tracing::error!(mail.id = %claimed.id, attempts, %error, "mail delivery failed permanently");
            delete(governance, &claimed).await
        }
    }
}

/// Matches the row of a mail if no other process has claimed it since.
fn claim_filter(claimed: &ClaimedMail) -> Expr {
    Column::Id.eq(claimed.id).and(Column::Attempts.eq(claimed.attempts))
}

/// Deletes a mail that was sent or discarded, unless another process has claimed it since.
async fn delete(governance: &Governance, claimed: &ClaimedMail) -> Result<()> {
    let delete = delete_untenanted::<table::Entity>().filter(claim_filter(claimed));
    delete.exec(governance.database()).await?;
    Ok(())
}

async fn postpone(governance: &Governance, claimed: &ClaimedMail, until: Timestamp) -> Result<()> {
    let update = table::ActiveModel { due_at: Set(to_column(until)), ..Default::default() };
    let postpone = update_untenanted::<table::Entity>().set(update).filter(claim_filter(claimed));
    postpone.exec(governance.database()).await?;
    Ok(())
}

/// Composes the message of a mail; `None` if there is nothing left to send.
async fn compose(
    governance: &Governance,
    now: Timestamp,
    queued: &ClaimedMail,
) -> Result<Option<Message>> {
    let content = serde_json::from_str(&queued.letter)?;
    let text = match (&content, queued.user_id) {
        (MailContent::SetUp { tenant_id }, Some(user_id)) => {
            set_up(governance, now, user_id, *tenant_id).await?
        }
        (MailContent::Invitation { tenant_id, role }, Some(user_id)) => {
            let link = set_up_link(governance, now, user_id).await?;
            let tenant = tenant_name(governance, *tenant_id).await?;
            let page = governance.link("/invitations");
            Some(message_text::invitation(&tenant, *role, link.as_deref(), &page))
        }
        (MailContent::Notice(notice), Some(_)) => Some(notice_text(governance, notice).await?),
        (MailContent::Mention { tenant_id, policy_id, version, author }, Some(user_id)) => {
            mention(governance, user_id, *tenant_id, *policy_id, *version, *author).await?
        }
        (MailContent::Reset, _) => reset(governance, now, queued).await?,
        _ => None,
    };
    let (Some(MessageText { subject, body }), Some(to)) = (text, Address::parse(&queued.email))
    else {
        return Ok(None);
    };
    Ok(Some(Message { id: queued.id, to, subject, body, date: queued.created_at }))
}

async fn notice_text(governance: &Governance, notice: &Notice) -> Result<MessageText> {
    let tenant = match notice {
        Notice::Key { tenant_id, .. } => Some(tenant_name(governance, *tenant_id).await?),
        Notice::SignIn { .. } | Notice::PasswordChanged { .. } | Notice::SecondFactor { .. } => {
            None
        }
    };
    Ok(message_text::notice(notice, tenant.as_ref(), &governance.link("/account")))
}

/// Composes a mail about a mention; `None` if the policy was deleted, or the recipient was removed.
async fn mention(
    governance: &Governance,
    recipient: UserId,
    tenant_id: TenantId,
    policy_id: PolicyId,
    version: u32,
    author: UserId,
) -> Result<Option<MessageText>> {
    let cx = governance.operator();
    let tx = cx.tenant_unchecked(tenant_id).begin().await?;
    let policy = tx.find_by_id::<policy::Entity>(policy_id).one(tx.connection()).await?;
    let is_member = tx
        .find::<member::Entity>()
        .filter(member::Column::UserId.eq(recipient.0))
        .filter(member::Column::Status.eq(MemberStatus::Active.as_str()))
        .exists(tx.connection())
        .await?;
    tx.finish_read().await?;
    if !is_member {
        return Ok(None);
    }
    let author = untenanted::<user::Entity>().filter(user::Column::UserId.eq(author.0));
    let author = author.one(governance.database()).await?;
    let (Some(policy), Some(author)) = (policy, author) else { return Ok(None) };
    let link = governance.link(&format!("/t/{tenant_id}/policies/{policy_id}/versions/{version}"));
    let tenant = tenant_name(governance, tenant_id).await?;
    let (policy, author) = (Line::isolated(&policy.name), Line::isolated(&author.display_name));
    Ok(Some(message_text::mention(&tenant, &policy, version, &author, &link)))
}

async fn set_up(
    governance: &Governance,
    now: Timestamp,
    user_id: UserId,
    tenant: TenantId,
) -> Result<Option<MessageText>> {
    let Some(link) = set_up_link(governance, now, user_id).await? else { return Ok(None) };
    Ok(Some(message_text::set_up(&tenant_name(governance, tenant).await?, &link)))
}

/// Creates a link for the first password of an account; `None` if it has a password.
async fn set_up_link(
    governance: &Governance,
    now: Timestamp,
    user_id: UserId,
) -> Result<Option<String>> {
    let account = untenanted::<user::Entity>()
        .filter(user::Column::UserId.eq(user_id.0))
        .filter(user::Column::PasswordHash.is_null());
    if !account.exists(governance.database()).await? {
        return Ok(None);
    }
    let link = NewLink { person: user_id, purpose: Purpose::SetUp, is_mailed: true };
    account_link::insert(governance, governance.database(), now, link).await.map(Some)
}

// SQL: one statement also returns which accounts received a link recently.
const SELECT_ACCOUNTS: &str = "SELECT u.user_id, u.confined_tenant_id, EXISTS (SELECT FROM account_links l \
     WHERE l.user_id = u.user_id AND l.purpose = 'reset' AND l.created_at > $2) \
     FROM users u WHERE u.email = $1 AND u.password_hash IS NOT NULL \
     ORDER BY u.confined_tenant_id NULLS FIRST LIMIT 10";

/// Composes a password reset with links for all accounts of the address that have a password. Returns
/// `None` if there is none, or if a reset was requested recently.
async fn reset(
    governance: &Governance,
    now: Timestamp,
    queued: &ClaimedMail,
) -> Result<Option<MessageText>> {
    let since = timestamp_value(now.plus_millis(-RESET_INTERVAL_MIN_MS));
    let values = [queued.email.as_str().into(), since];
    let accounts = sql::tuples(governance.database(), SELECT_ACCOUNTS, values).await?;
    let mut links = Vec::new();
    for (user, confined, has_recent_link) in accounts {
        // A later attempt finds the links of its own first attempt.
        if has_recent_link && queued.attempts == 1 {
            return Ok(None);
        }
        let tenant = match confined {
            Some(tenant) => Some(tenant_name(governance, TenantId(tenant)).await?),
            None => None,
        };
        let link = NewLink { person: UserId(user), purpose: Purpose::Reset, is_mailed: true };
        let link = account_link::insert(governance, governance.database(), now, link).await?;
        links.push(ResetLink { tenant, link });
    }
    Ok((!links.is_empty()).then(|| message_text::reset(&links)))
}

async fn tenant_name(governance: &Governance, tenant: TenantId) -> Result<Line> {
    let cx = governance.operator();
    let tx = cx.tenant_unchecked(tenant).begin().await?;
    let row = tx.find::<tenant::Entity>().one(tx.connection()).await?;
    tx.finish_read().await?;
    let row = row.or_bug("a mail about a tenant that does not exist")?;
    Ok(Line::isolated(&row.name))
}
