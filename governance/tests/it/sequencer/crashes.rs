//! Concurrent and crashing sequencers: each entry is logged exactly once.

use std::sync::Arc;

use governance::{
    base::error::Cause,
    proof::transparency_log::{
        self, BatchResult, InMemoryGuard, RollbackGuard, Sequencer, SignedTreeHead,
    },
};
use tokio::task::JoinSet;

use super::{drain, queue, queue_range, sequencer, verify_checkpoints, verify_log};
use crate::{connection_loss, prelude::*};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_sequencers_log_each_entry_once() {
    let (env, _) = test_tenant_with_policy().await;
    let (first, _) = sequencer(&env.governance);
    let initial = drain(&first, &env.governance).await;
    let mut sequencers = JoinSet::new();
    for seed in 2..5 {
        let governance = env.another_process(seed).await;
        sequencers.spawn(async move {
            let (sequencer, _) = sequencer(&governance);
            let mut now = governance.clock().now();
            let mut logged = 0;
            for _ in 0..60 {
                // The time advances past the expiry of every other lease.
                now = now.plus_millis(6_000);
                match sequencer.run_once(&governance, now).await {
                    Ok(BatchResult::Logged { entries, .. }) => logged += entries,
                    Ok(result) => assert!(
                        matches!(result, BatchResult::Idle | BatchResult::LeaseHeld),
                        "{result:?}"
                    ),
                    Err(error) => panic!("{error}"),
                }
            }
            logged
        });
    }
    for batch in 0..30 {
        queue_range(&env, batch * 10 + 1, batch * 10 + 10).await;
    }
    let concurrent: usize = sequencers.join_all().await.into_iter().sum();
    env.governance.clock().advance(1_000_000_000);
    let remaining = drain(&first, &env.governance).await;
    assert_eq!(concurrent + remaining, 300);
    assert_eq!(verify_log(&env.governance).await.unwrap().len(), initial + 300);
    verify_checkpoints(&env).await;
    let epochs = env.count("select count(distinct epoch) from log_checkpoints").await;
    assert!(epochs > 2, "the lease had only {epochs} epochs");
}

#[tokio::test]
async fn log_continues_after_a_sequencer_is_cancelled_at_any_poll() {
    let (env, _) = test_tenant_with_policy().await;
    let guard = Arc::new(InMemoryGuard::default());
    let mut now = env.governance.clock().now();
    let (mut completed, mut queued) = (0, 0);
    // The number of polls per run depends on the machine. The test cancels after each of the first
    // 300 polls, and then after exponentially later polls.
    let poll_counts = (0..300).chain((9..30).map(|doubling| 1 << doubling));
    for (number, polls) in (1..).zip(poll_counts) {
        queue_range(&env, number, number).await;
        queued = number;
        // Each sequencer has the guard of the previous one, like a restarted process.
        now = now.plus_millis(6_000);
        let crashing = Sequencer::new(&env.governance, guard.clone());
        let result =
            connection_loss::cancel_after_polls(polls, crashing.run_once(&env.governance, now))
                .await;
        match result {
            Some(Ok(BatchResult::Logged { .. } | BatchResult::Idle)) => completed += 1,
            Some(other) => panic!("{polls}: {other:?}"),
            None => {}
        }
        if completed == 3 {
            break;
        }
    }
    assert_eq!(completed, 3, "three runs complete without a cancellation");
    env.governance.clock().advance(10_000_000_000);
    let sequencer = Sequencer::new(&env.governance, guard);
    drain(&sequencer, &env.governance).await;
    let approvals = env.count("select count(*) from policy_approvals").await;
    let leaves = verify_log(&env.governance).await.unwrap();
    assert_eq!(leaves.len(), usize::try_from(queued).unwrap() + approvals);
    verify_checkpoints(&env).await;
}

/// A rollback guard that saves the tree heads and then fails, like a process that crashes.
#[derive(Debug, Default)]
struct CrashAfterSave(InMemoryGuard);

impl RollbackGuard for CrashAfterSave {
    fn load(&self) -> Result<Vec<SignedTreeHead>, Cause> {
        self.0.load()
    }

    fn save(&self, trees: &[SignedTreeHead]) -> Result<(), Cause> {
        self.0.save(trees)?;
        Err("the process crashed".into())
    }
}

#[tokio::test]
async fn batch_saved_before_a_crash_is_committed_by_another_sequencer() {
    let (env, _) = test_tenant_with_policy().await;
    let (first, _) = sequencer(&env.governance);
    drain(&first, &env.governance).await;
    queue(&env, 5).await;
    let guard = Arc::new(CrashAfterSave::default());
    let now = env.governance.clock().now();
    first.release(&env.governance).await.unwrap();
    let crashing = Sequencer::new(&env.governance, guard.clone());
    crashing.run_once(&env.governance, now).await.unwrap_err();
    let saved = guard.load().unwrap();
    assert_eq!(saved[0].size, 6);
    // More entries are queued, and a sequencer without the saved tree head runs first.
    queue_range(&env, 100, 120).await;
    let (other, _) = sequencer(&env.governance);
    let later = now.plus_millis(6_000);
    let logged = other.run_once(&env.governance, later).await.unwrap();
    assert_eq!(logged, BatchResult::Logged { entries: 5, is_full: false });
    let trees = transparency_log::show(&env.governance.operator()).await.unwrap();
    assert_eq!((trees[0].size, &trees[0].root), (6, &saved[0].root.to_string()));
    other.run_once(&env.governance, later).await.unwrap();
    // The restarted process finds the saved tree head and the entries appended after it.
    let guard = InMemoryGuard::default();
    guard.save(&saved).unwrap();
    let restarted = Sequencer::new(&env.governance, Arc::new(guard));
    queue_range(&env, 200, 201).await;
    let logged = restarted.run_once(&env.governance, later.plus_millis(6_000)).await.unwrap();
    assert_eq!(logged, BatchResult::Logged { entries: 2, is_full: false });
    verify_checkpoints(&env).await;
}
