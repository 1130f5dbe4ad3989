//! Several sequencers at once, and sequencers that die: nothing is lost, and nothing logged twice.

use std::sync::Arc;

use governance::{
    base::error::Cause,
    proof::transparency_log::{
        self, BatchResult, InMemoryGuard, RollbackGuard, Sequencer, SignedTreeHead,
    },
};
use tokio::task::JoinSet;

use super::{audited, drain, due, due_between, every_checkpoint, ready, sequencer};
use crate::connection_loss;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_sequencers_in_a_race_lose_nothing_and_log_nothing_twice() {
    let (world, _) = ready().await;
    let (first, _) = sequencer(&world.governance);
    let waiting = drain(&first, &world.governance).await;
    let mut racing = JoinSet::new();
    for seed in 2..5 {
        let governance = world.another_process(seed).await;
        racing.spawn(async move {
            let (sequencer, _) = sequencer(&governance);
            let mut now = governance.clock().now();
            let mut logged = 0;
            for _ in 0..60 {
                // Everybody thinks that the lease of everybody else has run out.
                now = now.plus_millis(6_000);
                match sequencer.run_once(&governance, now).await {
                    Ok(BatchResult::Logged { entries, .. }) => logged += entries,
                    Ok(turn) => assert!(
                        matches!(turn, BatchResult::Idle | BatchResult::LeaseHeld),
                        "{turn:?}"
                    ),
                    Err(error) => panic!("{error}"),
                }
            }
            logged
        });
    }
    for batch in 0..30 {
        due_between(&world, batch * 10 + 1, batch * 10 + 10).await;
    }
    let raced: usize = racing.join_all().await.into_iter().sum();
    world.governance.clock().advance(1_000_000_000);
    let rest = drain(&first, &world.governance).await;
    assert_eq!(raced + rest, 300);
    assert_eq!(audited(&world.governance).await.unwrap().len(), waiting + 300);
    every_checkpoint(&world).await;
    let epochs = world.count("select count(distinct epoch) from log_checkpoints").await;
    assert!(epochs > 2, "the lease went round: {epochs}");
}

#[tokio::test]
async fn a_sequencer_that_is_cut_anywhere_is_gone_on_with() {
    let (world, _) = ready().await;
    let memory = Arc::new(InMemoryGuard::default());
    let mut now = world.governance.clock().now();
    let (mut whole, mut last) = (0, 0);
    // How often a turn is polled is the machine's affair: after each of the first places, ever later ones.
    let places = (0..300).chain((9..30).map(|doubling| 1 << doubling));
    for (number, polls) in (1..).zip(places) {
        due_between(&world, number, number).await;
        last = number;
        // Each has the memory of the one before, as a process that was started again.
        now = now.plus_millis(6_000);
        let dying = Sequencer::new(&world.governance, memory.clone());
        let turn = connection_loss::after(polls, dying.run_once(&world.governance, now)).await;
        match turn {
            Some(Ok(BatchResult::Logged { .. } | BatchResult::Idle)) => whole += 1,
            Some(other) => panic!("{polls}: {other:?}"),
            None => {}
        }
        if whole == 3 {
            break;
        }
    }
    assert_eq!(whole, 3, "at last one lives to the end");
    world.governance.clock().advance(10_000_000_000);
    let sequencer = Sequencer::new(&world.governance, memory);
    drain(&sequencer, &world.governance).await;
    let before = world.count("select count(*) from policy_approvals").await;
    let leaves = audited(&world.governance).await.unwrap();
    assert_eq!(leaves.len(), usize::try_from(last).unwrap() + before);
    every_checkpoint(&world).await;
}

/// A memory that remembers, and then the process dies.
#[derive(Debug, Default)]
struct CrashAfterSave(InMemoryGuard);

impl RollbackGuard for CrashAfterSave {
    fn load(&self) -> Result<Vec<SignedTreeHead>, Cause> {
        self.0.load()
    }

    fn save(&self, trees: &[SignedTreeHead]) -> Result<(), Cause> {
        self.0.save(trees)?;
        Err("the power is gone".into())
    }
}

#[tokio::test]
async fn who_dies_between_remembering_and_writing_left_a_batch_that_anybody_can_write() {
    let (world, _) = ready().await;
    let (first, _) = sequencer(&world.governance);
    drain(&first, &world.governance).await;
    due(&world, 5).await;
    let memory = Arc::new(CrashAfterSave::default());
    let now = world.governance.clock().now();
    first.release(&world.governance).await.unwrap();
    let dying = Sequencer::new(&world.governance, memory.clone());
    dying.run_once(&world.governance, now).await.unwrap_err();
    let remembered = memory.load().unwrap();
    assert_eq!(remembered[0].size, 6);
    // More has come meanwhile, and somebody who remembers nothing of it is faster.
    due_between(&world, 100, 120).await;
    let (other, _) = sequencer(&world.governance);
    let later = now.plus_millis(6_000);
    let logged = other.run_once(&world.governance, later).await.unwrap();
    assert_eq!(logged, BatchResult::Logged { entries: 5, is_full: false });
    let trees = transparency_log::show(&world.governance.operator()).await.unwrap();
    assert_eq!((trees[0].size, &trees[0].root), (6, &remembered[0].root.to_string()));
    other.run_once(&world.governance, later).await.unwrap();
    // The one who died finds the tree that it remembers, with more behind it.
    let again = InMemoryGuard::default();
    again.save(&remembered).unwrap();
    let again = Sequencer::new(&world.governance, Arc::new(again));
    due_between(&world, 200, 201).await;
    let logged = again.run_once(&world.governance, later.plus_millis(6_000)).await.unwrap();
    assert_eq!(logged, BatchResult::Logged { entries: 2, is_full: false });
    every_checkpoint(&world).await;
}
