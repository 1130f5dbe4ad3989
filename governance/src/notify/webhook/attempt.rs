//! Records the result of an attempt. Only the last process that claimed the delivery changes its status.

use contract::{alert::AlertType, webhook::FailureReason};
use entity::{webhook_delivery as table, webhook_subscription as subscriptions};

use super::{claim::ClaimedDelivery, schedule::retry_after, subscription};
use crate::{
    base::{observe::AttemptOutcome, prelude::*},
    notify::alert,
};

/// The state of a delivery after an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryResult {
    /// The receiver accepted the delivery.
    Delivered,
    /// The attempt failed; another one is scheduled.
    Failed(FailureReason),
    /// The last attempt failed.
    Dead(FailureReason),
    /// Another process has claimed the delivery, or it was deleted. The attempt does not count.
    Void,
}

impl DeliveryResult {
    /// Returns the outcome for the metrics; `None` if the attempt does not count.
    pub(super) fn outcome(self) -> Option<AttemptOutcome> {
        match self {
            Self::Delivered => Some(AttemptOutcome::Delivered),
            Self::Failed(_) => Some(AttemptOutcome::Failed),
            Self::Dead(_) => Some(AttemptOutcome::Dead),
            Self::Void => None,
        }
    }
}

/// The head of a receiver's response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReceiverResponse {
    /// The status code.
    pub status: u16,
    /// The value of `Retry-After`, if there is one.
    pub retry_after: Option<String>,
}

impl ReceiverResponse {
    /// Returns whether the receiver is gone for good.
    fn is_gone(&self) -> bool {
        self.status == 410
    }

    /// Returns the earliest time of the next attempt, if the receiver names one.
    fn next_attempt(&self, now: Timestamp) -> Option<Timestamp> {
        let text = self.retry_after.as_deref().filter(|_| matches!(self.status, 429 | 503))?;
        retry_after(text, now)
    }
}

#[derive(Debug)]
pub(super) struct AttemptResult {
    /// The number of the attempt, starting at 1.
    pub(super) attempt: u32,
    pub(super) started_at: Timestamp,
    pub(super) duration_ms: u32,
    /// Whether the delivery and its subscription still existed.
    pub(super) is_attempt: bool,
    /// The response, or the reason why there is none.
    pub(super) result: Result<ReceiverResponse, FailureReason>,
}

impl AttemptResult {
    fn failure(&self) -> Option<FailureReason> {
        match &self.result {
            Ok(response) if (200..300).contains(&response.status) => None,
            Ok(_) => Some(FailureReason::HttpStatus),
            Err(reason) => Some(*reason),
        }
    }

    fn response(&self) -> Option<&ReceiverResponse> {
        self.result.as_ref().ok()
    }

    fn status_code(&self) -> Option<i32> {
        self.response().map(|response| response.status.into())
    }

    fn is_gone(&self) -> bool {
        self.response().is_some_and(ReceiverResponse::is_gone)
    }

    /// Returns the next state of the delivery, and the time of the next attempt. It is never before the time that
    /// the receiver asks for.
    fn outcome(
        &self,
        governance: &Governance,
        now: Timestamp,
    ) -> (DeliveryResult, Option<Timestamp>) {
        use FailureReason::{SecretUnavailable, SubscriptionDeleted};
        match self.failure() {
            None => (DeliveryResult::Delivered, None),
            // A further attempt cannot succeed.
            Some(reason @ (SecretUnavailable | SubscriptionDeleted)) => {
                (DeliveryResult::Dead(reason), None)
            }
            Some(reason) => {
                let wait =
                    governance.delivery_schedule().wait_ms(self.attempt, governance.entropy());
                let Some(wait) = wait.filter(|_| !self.is_gone()) else {
                    return (DeliveryResult::Dead(reason), None);
                };
                let next = now.plus_millis(wait);
                let asked = self.response().and_then(|response| response.next_attempt(now));
                (DeliveryResult::Failed(reason), Some(asked.map_or(next, |at| at.max(next))))
            }
        }
    }
}

// SQL: the statements up to `DELETE_OUTBOX_ROW` run for every delivery.

const LOCK_CLAIM: &str =
    "SELECT 1 FROM outbox WHERE tenant_id = $1 AND id = $2 AND claim = $3 FOR UPDATE";

// The delivery was redriven after the claim and has not been claimed since.
const REDRIVEN_DURING_ATTEMPT: &str = "UPDATE outbox SET due_at = $4 \
     WHERE tenant_id = $1 AND id = $2 AND claim > $3 AND claimed_until IS NULL RETURNING 1";

const INSERT_ATTEMPT: &str = "INSERT INTO webhook_attempts (tenant_id, delivery_id, number, attempt, at, \
     duration_ms, status_code, failure_reason) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";

const INCREMENT_ATTEMPTS: &str = "UPDATE webhook_deliveries SET attempts_total = attempts_total + 1 \
                                  WHERE tenant_id = $1 AND id = $2";

const UPDATE_DELIVERY: &str = "UPDATE webhook_deliveries SET status = $3, attempt_count = $4, next_attempt_at = $5, \
     last_attempt_at = $6, last_status_code = $7, failure_reason = $8, delivered_at = $9 \
     WHERE tenant_id = $1 AND id = $2";

const RESCHEDULE: &str =
    "UPDATE outbox SET due_at = $3, claimed_until = NULL WHERE tenant_id = $1 AND id = $2";

const DELETE_OUTBOX_ROW: &str = "DELETE FROM outbox WHERE tenant_id = $1 AND id = $2";

/// Records the attempt, and updates the delivery if the claim is still valid.
pub(super) async fn record_attempt(
    governance: &Governance,
    claimed: &ClaimedDelivery,
    attempt_result: &AttemptResult,
) -> Result<DeliveryResult> {
    let cx = governance.background_task();
    let tx = cx.tenant_unchecked(claimed.tenant).begin().await?;
    let find = || tx.find_by_id::<table::Entity>(claimed.id);
    let id = || sea_orm::Value::from(claimed.id.0);
    let Some(row) = find().one(tx.connection()).await? else {
        tx.execute(DELETE_OUTBOX_ROW, [id()]).await?;
        tx.commit_without_event().await?;
        return Ok(DeliveryResult::Void);
    };
    let id_of_subscription = SubscriptionId(row.subscription_id);
    let subscription = subscription::lock(&tx, id_of_subscription).await?;
    let Some(row) = find().lock_exclusive().one(tx.connection()).await? else {
        return Ok(DeliveryResult::Void);
    };
    let failure = attempt_result.failure();
    let reason = || failure.map(FailureReason::as_str);
    if attempt_result.is_attempt {
        let attempt = [
            id(),
            row.attempts_total.saturating_add(1).into(),
            column(attempt_result.attempt),
            timestamp_value(attempt_result.started_at),
            column(attempt_result.duration_ms),
            attempt_result.status_code().into(),
            reason().into(),
        ];
        tx.execute(INSERT_ATTEMPT, attempt).await?;
        tx.execute(INCREMENT_ATTEMPTS, [id()]).await?;
    }
    let claim = || [id(), claimed.number.into()];
    if tx.one(LOCK_CLAIM, claim()).await?.is_none() {
        let [delivery, number] = claim();
        let redriven =
            tx.one(REDRIVEN_DURING_ATTEMPT, [delivery, number, timestamp_value(cx.now)]).await?;
        // A delivery that the receiver has accepted is not sent again.
        if redriven.is_none() || failure.is_some() {
            tx.commit_without_event().await?;
            return Ok(DeliveryResult::Void);
        }
    }
    let (result, next) = attempt_result.outcome(governance, cx.now);
    let update = [
        id(),
        status(result).into(),
        column(attempt_result.attempt.max(unsigned(row.attempt_count))),
        next.map(to_column).into(),
        timestamp_value(attempt_result.started_at),
        attempt_result.status_code().into(),
        reason().into(),
        (result == DeliveryResult::Delivered).then(|| to_column(cx.now)).into(),
    ];
    tx.execute(UPDATE_DELIVERY, update).await?;
    match next {
        Some(next) => tx.execute(RESCHEDULE, [id(), timestamp_value(next)]).await?,
        None => tx.execute(DELETE_OUTBOX_ROW, [id()]).await?,
    };
    if let Some(subscription) = subscription.as_ref().filter(|_| attempt_result.is_gone()) {
        deactivate(tx, &cx, subscription, claimed.id).await?;
        return Ok(result);
    }
    if let DeliveryResult::Dead(reason) = result
        && subscription.is_some()
        && !row.is_quiet
    {
        create_dead_alert(&tx, &cx, id_of_subscription, claimed, reason).await?;
    }
    tx.commit_without_event().await?;
    Ok(result)
}

/// Makes a subscription inactive whose receiver is gone, ends its deliveries, creates an alert, and commits.
async fn deactivate(
    tx: TenantTx,
    cx: &Cx,
    row: &subscriptions::Model,
    delivery: DeliveryId,
) -> Result<()> {
    if !row.is_active {
        return tx.commit_without_event().await;
    }
    let id = SubscriptionId(row.id);
    subscription::discard_pending(&tx, id, FailureReason::HttpStatus).await?;
    let update = tx.update::<subscriptions::Entity>().filter(subscriptions::Column::Id.eq(row.id));
    let inactive = subscriptions::ActiveModel { is_active: Set(false), ..Default::default() };
    update.set(inactive).exec(tx.connection()).await?;
    let message = format!(
        "Webhook {id} is inactive, because its receiver answered delivery {delivery} with 410 (gone)."
    );
    raise_dead(&tx, cx, &message, id, delivery, FailureReason::HttpStatus).await?;
    tx.commit(cx, Event::new("webhook.deactivate", "webhook_subscription", id)).await
}

const fn status(result: DeliveryResult) -> &'static str {
    match result {
        DeliveryResult::Delivered => "delivered",
        DeliveryResult::Failed(_) => "failed",
        DeliveryResult::Dead(_) | DeliveryResult::Void => "dead",
    }
}

// SQL: the subscription ID is stored as JSON.
const HAS_DEAD_ALERT: &str = "SELECT 1 FROM alerts WHERE tenant_id = $1 AND alert_type = 'webhook_dead' \
     AND acknowledged_at IS NULL AND data::json ->> 'subscription_id' = $2";

/// Creates an alert about a dead delivery, unless an open alert about the same subscription exists. The
/// caller has locked the subscription, so concurrent calls create only one alert.
async fn create_dead_alert(
    tx: &TenantTx,
    cx: &Cx,
    subscription: SubscriptionId,
    claimed: &ClaimedDelivery,
    reason: FailureReason,
) -> Result<()> {
    if tx.one(HAS_DEAD_ALERT, [subscription.to_string().into()]).await?.is_some() {
        return Ok(());
    }
    let message =
        format!("Webhook {subscription} did not accept delivery {}: {reason}.", claimed.id);
    raise_dead(tx, cx, &message, subscription, claimed.id, reason).await
}

async fn raise_dead(
    tx: &TenantTx,
    cx: &Cx,
    message: &str,
    subscription: SubscriptionId,
    delivery: DeliveryId,
    reason: FailureReason,
) -> Result<()> {
    let data = Object::from([
        ("subscription_id", Value::from(subscription.to_string())),
        ("delivery_id", delivery.to_string().into()),
        ("failure_reason", reason.as_str().into()),
    ]);
    alert::raise(tx, cx, AlertType::WebhookDead, Severity::High, message, data).await?;
    Ok(())
}

fn column(count: u32) -> sea_orm::Value {
    i32::try_from(count).unwrap_or(i32::MAX).into()
}
