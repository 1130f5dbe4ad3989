//! Work that nobody asks for: done in rounds, for as long as the process serves.

use std::{convert::Infallible, time::Duration};

use governance::{
    Governance,
    audit::Checkpoints,
    decision::stream,
    log::{Refused, Sequencer, Turn},
    mail,
    rekor::{self, Rekor},
    rollup::Rollups,
};
use tokio::time::MissedTickBehavior;

use crate::webhook::Deliveries;

/// How long lies between two rounds.
const EVERY: Duration = Duration::from_secs(15);

/// How long lies between two looks for what is to be logged.
const LOG_EVERY: Duration = Duration::from_millis(100);

/// How long lies between two looks while nothing can be logged.
const LOG_AGAIN: Duration = Duration::from_secs(5);

/// How long lies between two looks for what streams are to tell.
const LISTEN_EVERY: Duration = Duration::from_millis(200);

/// How long lies between two looks for mail that is due.
const MAIL_EVERY: Duration = Duration::from_secs(1);

/// How long lies between two looks for decisions to count.
const COUNT_EVERY: Duration = Duration::from_secs(5);

/// Works for as long as it is awaited.
pub async fn run(
    governance: &Governance,
    sequencer: &Sequencer,
    rekor: Option<&Rekor>,
    deliveries: &mut Deliveries,
) -> Infallible {
    let elsewhere = put_on_record(governance, rekor);
    let (log, sent) = (log(governance, sequencer), deliveries.run(governance));
    let heard = listen(governance);
    let mailed = send_mail(governance);
    tokio::join!(work(governance), count(governance), log, elsewhere, sent, heard, mailed).0
}

/// Puts checkpoints of the log on record at Rekor, where one is configured.
async fn put_on_record(governance: &Governance, rekor: Option<&Rekor>) {
    let Some(rekor) = rekor else { return };
    let mut looks = tokio::time::interval(EVERY);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        looks.tick().await;
        match rekor.turn(governance, governance.clock().now()).await {
            Ok(rekor::Turn::Idle) => {}
            Ok(rekor::Turn::Recorded(size)) => tracing::info!(size, "a checkpoint is on record"),
            Ok(rekor::Turn::Failed(why)) => {
                tracing::warn!(%why, "a checkpoint is not on record yet");
            }
            Err(error) => tracing::warn!(%error, "no checkpoint was put on record"),
        }
    }
}

/// Logs what was recorded. Where more waits than a batch may hold, without a pause.
async fn log(governance: &Governance, sequencer: &Sequencer) -> Infallible {
    let mut said = None;
    loop {
        let turn = sequencer.turn(governance, governance.clock().now()).await;
        let pause = match &turn {
            Ok(Turn::Logged { is_full: true, .. }) => continue,
            Ok(Turn::Idle | Turn::Elsewhere | Turn::Logged { .. }) => LOG_EVERY,
            Ok(Turn::Unsigned | Turn::Refused(_)) => LOG_AGAIN,
            Err(error) => {
                tracing::warn!(%error, "what was recorded was not logged");
                LOG_AGAIN
            }
        };
        if let Ok(turn) = turn {
            said = say(said, turn);
        }
        tokio::time::sleep(pause).await;
    }
}

/// Says once why nothing may be logged.
fn say(said: Option<Refused>, turn: Turn) -> Option<Refused> {
    let Turn::Refused(refused) = turn else { return None };
    if said != Some(refused) {
        let code = refused.as_str();
        tracing::error!(code, "the log takes no entries; see `govern log show` and docs/LOG.md");
    }
    Some(refused)
}

/// Makes sure that the log has a tree, before the registry lists it. What cannot be done now the worker
/// does later.
pub async fn begin_log(governance: &Governance, sequencer: &Sequencer) {
    if let Err(error) = sequencer.turn(governance, governance.clock().now()).await {
        tracing::warn!(%error, "the log has not begun");
    }
}

/// Logs what the last requests recorded, and gives the lease to whoever goes on.
pub async fn log_the_last(governance: &Governance, sequencer: &Sequencer) {
    let logged = async {
        sequencer.turn(governance, governance.clock().now()).await?;
        sequencer.release(governance).await
    };
    if let Err(error) = logged.await {
        tracing::warn!(%error, "the last records wait for the next process to log them");
    }
}

async fn work(governance: &Governance) -> Infallible {
    let mut checkpoints = Checkpoints::default();
    let mut rounds = tokio::time::interval(EVERY);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        rounds.tick().await;
        round(governance, &mut checkpoints).await;
    }
}

/// Sends the mail that is due, where mail is configured.
async fn send_mail(governance: &Governance) {
    if governance.mail().is_none() {
        return;
    }
    let mut looks = tokio::time::interval(MAIL_EVERY);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        looks.tick().await;
        loop {
            match mail::send_due(governance, governance.clock().now()).await {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(%error, "mail waits to be sent");
                    break;
                }
            }
        }
    }
}

/// Counts decisions for the charts. Tenants that are far behind are caught up without a pause.
async fn count(governance: &Governance) -> Infallible {
    let mut rollups = Rollups::default();
    let mut looks = tokio::time::interval(COUNT_EVERY);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        looks.tick().await;
        while is_behind(rollups.fold(governance).await) {}
    }
}

/// Wakes streams when there is something to tell.
pub async fn listen(governance: &Governance) -> Infallible {
    let mut looks = tokio::time::interval(LISTEN_EVERY);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut is_away = false;
    loop {
        looks.tick().await;
        let looked = stream::look(governance).await;
        if let Err(error) = &looked
            && !is_away
        {
            tracing::warn!(%error, "streams are told nothing for now");
        }
        is_away = looked.is_err();
    }
}

/// Whether decisions are left to be counted at once. What cannot be counted now waits.
fn is_behind(folded: governance::Result<usize>) -> bool {
    match folded {
        Ok(behind) => behind > 0,
        Err(error) => {
            tracing::warn!(%error, "decisions were not counted");
            false
        }
    }
}

/// One round. What cannot be done now is done in the next.
async fn round(governance: &Governance, checkpoints: &mut Checkpoints) {
    let now = governance.clock().now();
    if let Err(error) = checkpoints.make(governance, now).await {
        tracing::warn!(%error, "checkpoints of the audit log were not made");
    }
    note_key_uses(governance).await;
}

/// Writes down when keys were last used.
pub async fn note_key_uses(governance: &Governance) {
    if let Err(error) = governance.write_key_uses(governance.clock().now()).await {
        tracing::warn!(%error, "the last uses of keys were not written");
    }
}
