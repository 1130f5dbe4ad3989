//! Work that nobody asks for: done in rounds, for as long as the process serves.

use std::{convert::Infallible, time::Duration};

use governance::{Governance, audit::Checkpoints, rollup::Rollups};
use tokio::time::MissedTickBehavior;

/// How long lies between two rounds.
const EVERY: Duration = Duration::from_secs(15);

/// How long lies between two looks for decisions to count.
const COUNT_EVERY: Duration = Duration::from_secs(5);

/// Works for as long as it is awaited.
pub async fn run(governance: &Governance) -> Infallible {
    tokio::join!(work(governance), count(governance)).0
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
