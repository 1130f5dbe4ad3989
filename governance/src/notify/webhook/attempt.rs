//! Records the result of an attempt. Only the last process that claimed the delivery changes its status.

use contract::{
    alert::AlertType,
    id::SubscriptionId,
    json::{Object, Value},
    rule::Severity,
    time::Timestamp,
    webhook::FailureReason,
};
use entity::webhook_delivery as table;
use sea_orm::QuerySelect;

use super::{claim::ClaimedDelivery, subscription};
use crate::{
    Governance,
    base::{
        cx::Cx,
        error::Result,
        observe::AttemptOutcome,
        tenancy::{TenantTx, timestamp_value},
    },
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

#[derive(Debug)]
pub(super) struct AttemptResult {
    /// The number of the attempt, starting at 1.
    pub(super) attempt: u32,
    pub(super) started_at: Timestamp,
    pub(super) duration_ms: u32,
    /// Whether the delivery and its subscription still existed.
    pub(super) is_attempt: bool,
    /// The status code of the response, or the reason why there is none.
    pub(super) result: Result<u16, FailureReason>,
}

impl AttemptResult {
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

    /// Returns the next state of the delivery, and the delay until the next attempt in milliseconds.
    fn outcome(&self, governance: &Governance) -> (DeliveryResult, Option<i64>) {
        use FailureReason::{SecretUnavailable, SubscriptionDeleted};
        match self.failure() {
            None => (DeliveryResult::Delivered, None),
            // A further attempt cannot succeed.
            Some(reason @ (SecretUnavailable | SubscriptionDeleted)) => {
                (DeliveryResult::Dead(reason), None)
            }
            Some(reason) => {
                match governance.delivery_schedule().wait_ms(self.attempt, governance.entropy()) {
                    Some(wait) => (DeliveryResult::Failed(reason), Some(wait)),
                    None => (DeliveryResult::Dead(reason), None),
                }
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
    let cx = governance.operator();
    let tx = cx.tenant_unchecked(claimed.tenant).begin().await?;
    let find = || tx.find_by_id::<table::Entity>(claimed.id);
    let id = || sea_orm::Value::from(claimed.id.0);
    let Some(row) = find().one(tx.connection()).await? else {
        tx.execute(DELETE_OUTBOX_ROW, [id()]).await?;
        tx.commit_without_event().await?;
        return Ok(DeliveryResult::Void);
    };
    let subscription = SubscriptionId(row.subscription_id);
    let has_subscription = subscription::lock(&tx, subscription).await?.is_some();
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
    let (result, wait) = attempt_result.outcome(governance);
    let next = wait.map(|ms| cx.now.plus_millis(ms));
    let update = [
        id(),
        status(result).into(),
        column(attempt_result.attempt.max(entity::column::unsigned(row.attempt_count))),
        next.map(entity::column::to_column).into(),
        timestamp_value(attempt_result.started_at),
        attempt_result.status_code().into(),
        reason().into(),
        (result == DeliveryResult::Delivered).then(|| entity::column::to_column(cx.now)).into(),
    ];
    tx.execute(UPDATE_DELIVERY, update).await?;
    match next {
        Some(next) => tx.execute(RESCHEDULE, [id(), timestamp_value(next)]).await?,
        None => tx.execute(DELETE_OUTBOX_ROW, [id()]).await?,
    };
    if let DeliveryResult::Dead(reason) = result
        && has_subscription
        && !row.is_quiet
    {
        create_dead_alert(&tx, &cx, subscription, claimed, reason).await?;
    }
    tx.commit_without_event().await?;
    Ok(result)
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
    let data = Object::from([
        ("subscription_id", Value::from(subscription.to_string())),
        ("delivery_id", claimed.id.to_string().into()),
        ("failure_reason", reason.as_str().into()),
    ]);
    alert::raise(tx, cx, AlertType::WebhookDead, Severity::High, &message, data).await?;
    Ok(())
}

fn column(count: u32) -> sea_orm::Value {
    i32::try_from(count).unwrap_or(i32::MAX).into()
}
