//! Background tasks that run periodically while the process serves.

use std::{convert::Infallible, time::Duration};

use governance::{
    Governance,
    access::mail::MailWorker,
    deciding::decision::stream,
    insight::rollup::RollupWorker,
    proof::{
        audit::CheckpointWorker,
        rekor::{self, Rekor},
        transparency_log::{BatchResult, HaltReason, Sequencer},
    },
};
use tokio::time::{Interval, MissedTickBehavior};

use crate::webhook::DeliveryLoop;

/// The time between two rounds of periodic tasks.
const ROUND_INTERVAL: Duration = Duration::from_secs(15);

/// The time between two batches of the sequencer.
const LOG_INTERVAL: Duration = Duration::from_millis(100);

/// The time between two attempts while the sequencer cannot append entries.
const LOG_RETRY_INTERVAL: Duration = Duration::from_secs(5);

/// The time between two polls for new events of streams.
const STREAM_POLL_INTERVAL: Duration = Duration::from_millis(200);

/// The time between two polls for due mail.
const MAIL_INTERVAL: Duration = Duration::from_secs(1);

/// The time between two rollups.
const ROLLUP_INTERVAL: Duration = Duration::from_secs(5);

/// Runs all background tasks, as long as the future is polled.
pub async fn run(
    governance: &Governance,
    sequencer: &Sequencer,
    rekor: Option<&Rekor>,
    deliveries: &mut DeliveryLoop,
) -> Infallible {
    tokio::join!(
        run_periodic(governance),
        run_rollups(governance),
        run_sequencer(governance, sequencer),
        submit_to_rekor(governance, rekor),
        deliveries.run(governance),
        poll_streams(governance),
        send_mail(governance)
    )
    .0
}

/// Returns an interval that does not catch up on missed ticks.
fn interval(period: Duration) -> Interval {
    let mut interval = tokio::time::interval(period);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    interval
}

/// Submits checkpoints of the transparency log to Rekor, if it is configured.
async fn submit_to_rekor(governance: &Governance, rekor: Option<&Rekor>) {
    let Some(rekor) = rekor else { return };
    let mut interval = interval(ROUND_INTERVAL);
    loop {
        interval.tick().await;
        match rekor.run_once(governance, governance.clock().now()).await {
            Ok(rekor::SubmissionResult::Idle) => {}
            Ok(rekor::SubmissionResult::Recorded(size)) => {
                tracing::info!(size, "a checkpoint was submitted to Rekor");
            }
            Ok(rekor::SubmissionResult::Failed(reason)) => {
                tracing::warn!(%reason, "a checkpoint was not submitted to Rekor yet");
            }
            Err(error) => tracing::warn!(%error, "submitting a checkpoint to Rekor failed"),
        }
    }
}

/// Appends pending entries to the transparency log. A full batch is followed by the next one without a pause.
async fn run_sequencer(governance: &Governance, sequencer: &Sequencer) -> Infallible {
    let mut reported = None;
    loop {
        let result = sequencer.run_once(governance, governance.clock().now()).await;
        let pause = match &result {
            Ok(BatchResult::Logged { is_full: true, .. }) => continue,
            Ok(BatchResult::Idle | BatchResult::LeaseHeld | BatchResult::Logged { .. }) => {
                LOG_INTERVAL
            }
            Ok(BatchResult::NoKey | BatchResult::Halted(_)) => LOG_RETRY_INTERVAL,
            Err(error) => {
                tracing::warn!(%error, "pending entries were not appended to the transparency log");
                LOG_RETRY_INTERVAL
            }
        };
        if let Ok(result) = result {
            reported = log_halt_once(reported, result);
        }
        tokio::time::sleep(pause).await;
    }
}

/// Logs why the log is halted, once per reason, and returns the reason.
fn log_halt_once(reported: Option<HaltReason>, result: BatchResult) -> Option<HaltReason> {
    let BatchResult::Halted(reason) = result else { return None };
    if reported != Some(reason) {
        let code = reason.as_str();
        tracing::error!(
            code,
            "the transparency log is halted; see `govern log show` and docs/LOG.md"
        );
    }
    Some(reason)
}

/// Ensures that the log has a tree before the registry lists it. If that fails, the background task tries
/// again.
pub async fn ensure_log(governance: &Governance, sequencer: &Sequencer) {
    if let Err(error) = sequencer.run_once(governance, governance.clock().now()).await {
        tracing::warn!(%error, "the transparency log was not created");
    }
}

/// Appends the entries of the last requests, and releases the lease of the tree.
pub async fn flush_log(governance: &Governance, sequencer: &Sequencer) {
    let flush = async {
        sequencer.run_once(governance, governance.clock().now()).await?;
        sequencer.release(governance).await
    };
    if let Err(error) = flush.await {
        tracing::warn!(%error, "the last entries were not appended; the next process appends them");
    }
}

/// Runs the periodic tasks. A failed task is repeated in the next round.
async fn run_periodic(governance: &Governance) -> Infallible {
    let mut checkpoints = CheckpointWorker::default();
    let mut rounds = interval(ROUND_INTERVAL);
    loop {
        rounds.tick().await;
        if let Err(error) = checkpoints.run_once(governance, governance.clock().now()).await {
            tracing::warn!(%error, "audit checkpoints were not created");
        }
        flush_key_usage(governance).await;
    }
}

/// Sends due mail, if mail is configured.
async fn send_mail(governance: &Governance) {
    if governance.mail().is_none() {
        return;
    }
    let mut worker = MailWorker::default();
    let mut interval = interval(MAIL_INTERVAL);
    loop {
        let sent = tokio::select! {
            _ = interval.tick() => Ok(()),
            sent = worker.next_sent() => sent,
        };
        let started = worker.start_due(governance, governance.clock().now()).await;
        if let Err(error) = sent.and(started) {
            tracing::warn!(%error, "due mail was not sent");
        }
    }
}

/// Updates the rollups of decisions. Tenants that are far behind are caught up without a pause.
async fn run_rollups(governance: &Governance) -> Infallible {
    let mut rollups = RollupWorker::default();
    let mut interval = interval(ROLLUP_INTERVAL);
    loop {
        interval.tick().await;
        while is_behind(rollups.run_once(governance).await) {}
    }
}

/// Notifies streams of new events.
pub async fn poll_streams(governance: &Governance) -> Infallible {
    let mut interval = interval(STREAM_POLL_INTERVAL);
    let mut is_failing = false;
    loop {
        interval.tick().await;
        let result = stream::poll_heads(governance).await;
        if let Err(error) = &result
            && !is_failing
        {
            tracing::warn!(%error, "streams receive no new events");
        }
        is_failing = result.is_err();
    }
}

/// Returns whether decisions are left to be counted immediately. After an error, the next round continues.
fn is_behind(result: governance::Result<usize>) -> bool {
    match result {
        Ok(behind) => behind > 0,
        Err(error) => {
            tracing::warn!(%error, "the rollups were not updated");
            false
        }
    }
}

/// Stores the time of the last use of each key.
pub async fn flush_key_usage(governance: &Governance) {
    if let Err(error) = governance.flush_key_usage(governance.clock().now()).await {
        tracing::warn!(%error, "the last use of keys was not stored");
    }
}
