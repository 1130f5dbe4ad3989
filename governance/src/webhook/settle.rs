//! What came of an attempt, written down: by whoever claimed it last, and by nobody else.

use contract::{
    alert::AlertType,
    id::SubscriptionId,
    json::{Object, Value},
    rule::Severity,
    time::Timestamp,
    webhook::FailureReason,
};
use entity::webhook_delivery as table;
use sea_orm::{ColumnTrait, QueryFilter, QuerySelect};

use super::{
    mailer::{Claimed, Sent},
    subscription,
};
use crate::{
    Governance, alert,
    cx::Cx,
    error::Result,
    tenancy::{TenantTx, instant},
};

/// One attempt that is over.
#[derive(Debug)]
pub(super) struct Settlement {
    /// From 1.
    pub(super) attempt: u32,
    pub(super) began: Timestamp,
    /// In milliseconds.
    pub(super) took: u32,
    /// Whether there was anything to send, and anybody to send it to.
    pub(super) is_attempt: bool,
    /// The status that was answered.
    pub(super) result: Result<u16, FailureReason>,
}

impl Settlement {
    /// Why it failed, if it did.
    fn failure(&self) -> Option<FailureReason> {
        match self.result {
            Ok(200..300) => None,
            Ok(_) => Some(FailureReason::HttpStatus),
            Err(reason) => Some(reason),
        }
    }

    fn status_code(&self) -> Option<i32> {
        self.result.ok().map(i32::from)
    }

    /// What becomes of the delivery, and how long until the next attempt, in milliseconds.
    fn outcome(&self, governance: &Governance) -> (Sent, Option<i64>) {
        use FailureReason::{SecretUnavailable, SubscriptionDeleted};
        match self.failure() {
            None => (Sent::Delivered, None),
            // No further attempt mends these.
            Some(reason @ (SecretUnavailable | SubscriptionDeleted)) => (Sent::Dead(reason), None),
            Some(reason) => {
                match governance.schedule().wait_ms(self.attempt, governance.chance()) {
                    Some(wait) => (Sent::Failed(reason), Some(wait)),
                    None => (Sent::Dead(reason), None),
                }
            }
        }
    }
}

// SQL: those down to `DONE` run for every delivery.

const CLAIM_HELD: &str =
    "SELECT 1 FROM outbox WHERE tenant_id = $1 AND id = $2 AND claim = $3 FOR UPDATE";

// It was asked for anew since the claim, and nobody has claimed it since.
const ASKED_ANEW: &str = "UPDATE outbox SET due_at = $4 \
     WHERE tenant_id = $1 AND id = $2 AND claim > $3 AND held_till IS NULL RETURNING 1";

const NOTE_ATTEMPT: &str = "INSERT INTO webhook_attempts (tenant_id, delivery_id, number, attempt, at, \
     duration_ms, status_code, failure_reason) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";

const COUNT_ATTEMPT: &str = "UPDATE webhook_deliveries SET attempts_ever = attempts_ever + 1 \
                             WHERE tenant_id = $1 AND id = $2";

const MOVE_ON: &str = "UPDATE webhook_deliveries SET status = $3, attempt_count = $4, next_attempt_at = $5, \
     last_attempt_at = $6, last_status_code = $7, failure_reason = $8, delivered_at = $9 \
     WHERE tenant_id = $1 AND id = $2";

const DUE_AGAIN: &str =
    "UPDATE outbox SET due_at = $3, held_till = NULL WHERE tenant_id = $1 AND id = $2";

const DONE: &str = "DELETE FROM outbox WHERE tenant_id = $1 AND id = $2";

/// Writes the attempt down, and moves its delivery on when the claim still holds.
pub(super) async fn settle(
    governance: &Governance,
    claimed: &Claimed,
    settlement: &Settlement,
) -> Result<Sent> {
    let cx = governance.operator();
    let tx = cx.tenant_unchecked(claimed.tenant).begin().await?;
    let find = || tx.find::<table::Entity>().filter(table::Column::Id.eq(claimed.id.0));
    let id = || sea_orm::Value::from(claimed.id.0);
    let Some(row) = find().one(tx.connection()).await? else {
        tx.execute(DONE, [id()]).await?;
        tx.settle().await?;
        return Ok(Sent::Void);
    };
    let subscription = SubscriptionId(row.subscription_id);
    let is_there = subscription::hold(&tx, subscription).await?.is_some();
    let Some(row) = find().lock_exclusive().one(tx.connection()).await? else {
        return Ok(Sent::Void);
    };
    let failure = settlement.failure();
    let word = || failure.map(FailureReason::as_str);
    if settlement.is_attempt {
        let attempt = [
            id(),
            row.attempts_ever.saturating_add(1).into(),
            column(settlement.attempt),
            instant(settlement.began),
            column(settlement.took),
            settlement.status_code().into(),
            word().into(),
        ];
        tx.execute(NOTE_ATTEMPT, attempt).await?;
        tx.execute(COUNT_ATTEMPT, [id()]).await?;
    }
    let claim = || [id(), claimed.number.into()];
    if tx.one(CLAIM_HELD, claim()).await?.is_none() {
        let [delivery, number] = claim();
        let anew = tx.one(ASKED_ANEW, [delivery, number, instant(cx.now)]).await?;
        // What the receiver has taken is not sent to it once more.
        if anew.is_none() || failure.is_some() {
            tx.settle().await?;
            return Ok(Sent::Void);
        }
    }
    let (sent, wait) = settlement.outcome(governance);
    let next = wait.map(|ms| cx.now.plus_millis(ms));
    let moved = [
        id(),
        status(sent).into(),
        column(settlement.attempt.max(entity::column::number(row.attempt_count))),
        next.map(entity::column::at).into(),
        instant(settlement.began),
        settlement.status_code().into(),
        word().into(),
        (sent == Sent::Delivered).then(|| entity::column::at(cx.now)).into(),
    ];
    tx.execute(MOVE_ON, moved).await?;
    match next {
        Some(next) => tx.execute(DUE_AGAIN, [id(), instant(next)]).await?,
        None => tx.execute(DONE, [id()]).await?,
    };
    if let Sent::Dead(reason) = sent
        && is_there
        && !row.is_quiet
    {
        tell(&tx, &cx, subscription, claimed, reason).await?;
    }
    tx.settle().await?;
    Ok(sent)
}

const fn status(sent: Sent) -> &'static str {
    match sent {
        Sent::Delivered => "delivered",
        Sent::Failed(_) => "failed",
        Sent::Dead(_) | Sent::Void => "dead",
    }
}

// SQL: the subscription stands in JSON.
const IS_TOLD: &str = "SELECT 1 FROM alerts WHERE tenant_id = $1 AND alert_type = 'webhook_dead' \
     AND acknowledged_at IS NULL AND data::json ->> 'subscription_id' = $2";

/// Raises an alert that deliveries are given up, unless an open one says so of the same subscription.
/// Whoever comes here holds the subscription, so that two do not raise two.
async fn tell(
    tx: &TenantTx,
    cx: &Cx,
    subscription: SubscriptionId,
    claimed: &Claimed,
    reason: FailureReason,
) -> Result<()> {
    if tx.one(IS_TOLD, [subscription.to_string().into()]).await?.is_some() {
        return Ok(());
    }
    let message = format!("Webhook {subscription} did not take delivery {}: {reason}.", claimed.id);
    let data = Object::from([
        ("subscription_id", Value::from(subscription.to_string())),
        ("delivery_id", claimed.id.to_string().into()),
        ("failure_reason", reason.as_str().into()),
    ]);
    alert::raise(tx, cx, AlertType::WebhookDead, Severity::High, &message, data).await?;
    Ok(())
}

/// A count as its column holds it.
fn column(count: u32) -> sea_orm::Value {
    i32::try_from(count).unwrap_or(i32::MAX).into()
}
