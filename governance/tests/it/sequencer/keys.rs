//! A tree has a key of its own, whatever key signs receipts.

use governance::{
    Governance,
    proof::{
        signing::{KeyProvider, Purpose, current},
        transparency_log::{self, BatchResult, HaltReason},
    },
};
use receipt::{key::SigningKey, transparency_log::Vkey};

use super::{audited, drain, due_between, every_checkpoint, ready, sequencer, turn, vkey};
use crate::fixtures::TestEnv;

/// The receipt key that comes next.
const NEXT: [u8; 32] = [70; 32];

/// The kid of the current log key of a world.
async fn log_kid(world: &TestEnv) -> String {
    let key = current(&world.keys, Purpose::Log).await.unwrap().unwrap();
    key.material.kid().to_owned()
}

/// The kids of the keys of all trees, oldest first.
async fn tree_kids(world: &TestEnv) -> Vec<String> {
    let trees = transparency_log::show(&world.governance.operator()).await.unwrap();
    let kid = |vkey: &str| vkey.parse::<Vkey>().unwrap().key().kid().to_owned();
    trees.iter().map(|tree| kid(&tree.vkey)).collect()
}

/// Whether the next turn of a process that has something to log is refused for want of the tree's key.
async fn is_refused(world: &TestEnv, process: &Governance) -> bool {
    let number =
        1_000 + u32::try_from(world.count("select count(*) from log_pending").await).unwrap();
    due_between(world, number, number).await;
    turn(&sequencer(process).0, process).await == BatchResult::Halted(HaltReason::KeyChanged)
}

#[tokio::test]
async fn a_tree_goes_on_with_its_key_when_the_receipt_key_is_replaced() {
    let (world, _) = ready().await;
    let (first, _) = sequencer(&world.governance);
    drain(&first, &world.governance).await;
    first.release(&world.governance).await.unwrap();
    let key = vkey(&world.governance).await;
    let next = world.process_with_key(2, NEXT).await;
    for (number, process) in [(1, &next), (2, &world.governance)] {
        due_between(&world, number, number).await;
        let (sequencer, _) = sequencer(process);
        assert_eq!(drain(&sequencer, process).await, 1);
        assert_eq!(process.log_halt_reason(), None);
        sequencer.release(process).await.unwrap();
    }
    assert_eq!(vkey(&next).await, key);
    // Each checkpoint is signed by the one key.
    assert_eq!(every_checkpoint(&world).await.last(), Some(&3));
}

#[tokio::test]
async fn each_tree_has_a_key_of_its_own_that_running_processes_find() {
    let (world, _) = ready().await;
    let (first, memory) = sequencer(&world.governance);
    drain(&first, &world.governance).await;
    first.release(&world.governance).await.unwrap();
    let other = world.another_process(2).await;
    for _ in 0..2 {
        transparency_log::freeze(&other.operator(), memory.clone(), None).await.unwrap();
    }
    let kids = tree_kids(&world).await;
    assert_eq!(kids.len(), 3);
    assert!(kids[0] != kids[1] && kids[1] != kids[2] && kids[0] != kids[2], "{kids:?}");
    assert_eq!(log_kid(&world).await, kids[2]);
    // The first process started before the tree began, and has not been restarted.
    due_between(&world, 4, 4).await;
    assert_eq!(drain(&sequencer(&world.governance).0, &world.governance).await, 1);
    audited(&world.governance).await.unwrap();
}

#[tokio::test]
async fn a_log_key_that_was_rotated_is_for_the_next_tree() {
    let (world, _) = ready().await;
    let (first, memory) = sequencer(&world.governance);
    drain(&first, &world.governance).await;
    first.release(&world.governance).await.unwrap();
    world.keys.renew(Purpose::Log).await.unwrap();
    let renewed = log_kid(&world).await;
    // A process that starts now goes on with the key of the open tree.
    let next = world.another_process(2).await;
    assert!(!is_refused(&world, &next).await);
    assert_eq!(tree_kids(&world).await.len(), 1);
    transparency_log::freeze(&next.operator(), memory, None).await.unwrap();
    assert_eq!(tree_kids(&world).await[1], renewed, "no further key is made");
}

#[tokio::test]
async fn a_process_without_the_key_of_the_tree_signs_nothing() {
    let (world, _) = ready().await;
    let (first, memory) = sequencer(&world.governance);
    drain(&first, &world.governance).await;
    first.release(&world.governance).await.unwrap();
    let lacking = world.process_with(2, Purpose::Log, SigningKey::from_seed([4; 32])).await;
    assert!(is_refused(&world, &lacking).await);
    assert_eq!(lacking.log_halt_reason(), Some(HaltReason::KeyChanged));
    assert!(!is_refused(&world, &world.governance).await);
    sequencer(&world.governance).0.release(&world.governance).await.unwrap();

    // A row that names the key of another tree makes the log stop.
    transparency_log::freeze(&world.governance.operator(), memory, None).await.unwrap();
    world.execute_as_superuser("alter table log_trees disable trigger all").await;
    let swap = "update log_trees set vkey = (select vkey from log_trees where number = 1) \
                where number = 2";
    world.execute_as_superuser(swap).await;
    assert!(is_refused(&world, &world.governance).await);
}
