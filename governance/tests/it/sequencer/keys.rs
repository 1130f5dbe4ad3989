//! Log keys: each tree has its own key, independent of the receipt key.

use governance::{
    Governance,
    proof::{
        signing::{KeyProvider, Purpose, current},
        transparency_log::{self, BatchResult, HaltReason},
    },
};
use receipt::{key::SigningKey, transparency_log::Vkey};

use super::{drain, queue_range, run_once, sequencer, verify_checkpoints, verify_log, vkey};
use crate::prelude::*;

/// The seed of the next receipt key.
const NEXT_SEED: [u8; 32] = [70; 32];

async fn log_kid(env: &TestEnv) -> String {
    let key = current(&env.keys, Purpose::Log).await.unwrap().unwrap();
    key.material.kid().to_owned()
}

/// The key IDs of all trees, oldest first.
async fn tree_kids(env: &TestEnv) -> Vec<String> {
    let trees = transparency_log::show(&env.governance.operator()).await.unwrap();
    let kid = |vkey: &str| vkey.parse::<Vkey>().unwrap().key().kid().to_owned();
    trees.iter().map(|tree| kid(&tree.vkey)).collect()
}

/// Queues an entry and returns whether `process` halts because it has no key for the tree.
async fn halts_without_key(env: &TestEnv, process: &Governance) -> bool {
    let number =
        1_000 + u32::try_from(env.count("select count(*) from log_pending").await).unwrap();
    queue_range(env, number, number).await;
    run_once(&sequencer(process).0, process).await == BatchResult::Halted(HaltReason::KeyChanged)
}

#[tokio::test]
async fn tree_retains_its_key_when_the_receipt_key_is_replaced() {
    let (env, _) = test_tenant_with_policy().await;
    let (first, _) = sequencer(&env.governance);
    drain(&first, &env.governance).await;
    first.release(&env.governance).await.unwrap();
    let key = vkey(&env.governance).await;
    let next = env.process_with_key(2, NEXT_SEED).await;
    for (number, process) in [(1, &next), (2, &env.governance)] {
        queue_range(&env, number, number).await;
        let (sequencer, _) = sequencer(process);
        assert_eq!(drain(&sequencer, process).await, 1);
        assert_eq!(process.log_halt_reason(), None);
        sequencer.release(process).await.unwrap();
    }
    assert_eq!(vkey(&next).await, key);
    // All checkpoints are signed by the same key.
    assert_eq!(verify_checkpoints(&env).await.last(), Some(&3));
}

#[tokio::test]
async fn each_tree_has_its_own_key_and_running_processes_load_it() {
    let (env, _) = test_tenant_with_policy().await;
    let (first, guard) = sequencer(&env.governance);
    drain(&first, &env.governance).await;
    first.release(&env.governance).await.unwrap();
    let other = env.another_process(2).await;
    for _ in 0..2 {
        transparency_log::freeze(&other.operator(), guard.clone(), None).await.unwrap();
    }
    let kids = tree_kids(&env).await;
    assert_eq!(kids.len(), 3);
    assert!(kids[0] != kids[1] && kids[1] != kids[2] && kids[0] != kids[2], "{kids:?}");
    assert_eq!(log_kid(&env).await, kids[2]);
    // The first process started before the tree was created, and was not restarted.
    queue_range(&env, 4, 4).await;
    assert_eq!(drain(&sequencer(&env.governance).0, &env.governance).await, 1);
    verify_log(&env.governance).await.unwrap();
}

#[tokio::test]
async fn rotated_log_key_is_used_for_the_next_tree() {
    let (env, _) = test_tenant_with_policy().await;
    let (first, guard) = sequencer(&env.governance);
    drain(&first, &env.governance).await;
    first.release(&env.governance).await.unwrap();
    env.keys.renew(Purpose::Log).await.unwrap();
    let renewed = log_kid(&env).await;
    // A process that starts now uses the key of the open tree.
    let next = env.another_process(2).await;
    assert!(!halts_without_key(&env, &next).await);
    assert_eq!(tree_kids(&env).await.len(), 1);
    transparency_log::freeze(&next.operator(), guard, None).await.unwrap();
    assert_eq!(tree_kids(&env).await[1], renewed, "no further key is created");
}

#[tokio::test]
async fn process_without_the_key_of_the_tree_halts() {
    let (env, _) = test_tenant_with_policy().await;
    let (first, guard) = sequencer(&env.governance);
    drain(&first, &env.governance).await;
    first.release(&env.governance).await.unwrap();
    let without_key = env.process_with(2, Purpose::Log, SigningKey::from_seed([4; 32])).await;
    assert!(halts_without_key(&env, &without_key).await);
    assert_eq!(without_key.log_halt_reason(), Some(HaltReason::KeyChanged));
    assert!(!halts_without_key(&env, &env.governance).await);
    sequencer(&env.governance).0.release(&env.governance).await.unwrap();

    // The log halts if the row of the open tree contains the key of another tree.
    transparency_log::freeze(&env.governance.operator(), guard, None).await.unwrap();
    env.execute_as_superuser("alter table log_trees disable trigger all").await;
    let swap = "update log_trees set vkey = (select vkey from log_trees where number = 1) \
                where number = 2";
    env.execute_as_superuser(swap).await;
    assert!(halts_without_key(&env, &env.governance).await);
}
