//! Rollback protection: the log halts if the database differs from the signed tree head, or if the
//! key differs from the key of the tree.

use std::sync::Arc;

use governance::proof::{
    signing::{Purpose, current},
    transparency_log::{self, BatchResult, HaltReason, InMemoryGuard, RollbackGuard, Sequencer},
};
use receipt::{
    digest::Digest,
    transparency_log::{Checkpoint, Note, NoteKey, Vkey, VkeyKind},
};

use super::{drain, queue, queue_range, run_once, sequencer, verify_log};
use crate::{fixtures::LOG_ORIGIN, prelude::*};

/// Resets the log to `size` entries, like a restore from a backup.
async fn restore_log(env: &TestEnv, size: u64) {
    let tables = ["log_trees", "log_entries", "log_nodes", "log_checkpoints"];
    for table in tables {
        env.execute_as_superuser(&format!("alter table {table} disable trigger all")).await;
    }
    let note = format!("select note from log_checkpoints where size = {size}");
    let note = env.texts(&note).await.concat();
    let root = Checkpoint::read(Note::read(&note).unwrap().text).unwrap().root;
    env.execute_as_superuser(&format!("delete from log_entries where index >= {size}")).await;
    env.execute_as_superuser(&format!("delete from log_nodes where (index + 1) * 256 > {size}"))
        .await;
    env.execute_as_superuser(&format!("delete from log_checkpoints where size > {size}")).await;
    env.execute_as_superuser(&format!(
        "update log_trees set size = {size}, root = '{root}', planned_ids = null"
    ))
    .await;
    for table in tables {
        env.execute_as_superuser(&format!("alter table {table} enable trigger all")).await;
    }
}

#[tokio::test]
async fn restored_log_is_not_signed_until_its_tree_is_frozen() {
    let (env, tenant) = test_tenant_with_policy().await;
    let (sequencer, guard) = sequencer(&env.governance);
    tenant.record(&request("before", payment(1))).await.unwrap();
    drain(&sequencer, &env.governance).await;
    let before = env.texts("select note from log_checkpoints order by size desc limit 1").await;
    let size = env.count("select size from log_trees").await.try_into().unwrap();
    queue(&env, 300).await;
    drain(&sequencer, &env.governance).await;
    restore_log(&env, size).await;

    // The log halts with and without queued entries.
    let halted = BatchResult::Halted(HaltReason::Rollback);
    assert_eq!(run_once(&sequencer, &env.governance).await, halted);
    assert_eq!(env.governance.log_halt_reason(), Some(HaltReason::Rollback));
    // Decisions are still recorded. A process without a saved tree head does not sign either.
    tenant.record(&request("after", payment(1))).await.unwrap();
    let other = env.another_process(7).await;
    let (other_sequencer, _) = self::sequencer(&other);
    assert_eq!(run_once(&other_sequencer, &other).await, halted);
    assert_eq!(
        env.texts("select note from log_checkpoints order by size desc limit 1").await,
        before
    );
    let operator = env.governance.operator();
    let trees = transparency_log::show(&operator).await.unwrap();
    assert_eq!((&*trees[0].origin, trees[0].state), (LOG_ORIGIN, "halted"));

    let cx = tenant.admin_cx().await;
    assert!(
        transparency_log::freeze(&cx, guard.clone(), None).await.is_err(),
        "an admin of a tenant cannot freeze a tree"
    );
    let error =
        transparency_log::freeze(&operator, guard.clone(), Some(LOG_ORIGIN)).await.unwrap_err();
    assert_eq!(error.code().as_str(), "CONFLICT");
    let created = transparency_log::freeze(&operator, guard.clone(), None).await.unwrap();
    assert_eq!(
        (&*created.origin, created.size, created.state),
        ("govern.example/log/2", 0, "open")
    );
    assert_eq!(drain(&sequencer, &env.governance).await, 1);
    assert_eq!(env.governance.log_halt_reason(), None);
    verify_log(&env.governance).await.unwrap();
    // Logged entries remain anchored under the origin of the frozen tree.
    let receipt = |key: &'static str| {
        let (env, tenant) = (&env, &tenant);
        async move {
            let id = format!("select id::text from decisions where idempotency_key = '{key}'");
            let id = env.texts(&id).await.concat().parse().unwrap();
            governance::deciding::decision::receipt(&tenant.key_cx().await, id).await.unwrap()
        }
    };
    let anchor = receipt("before").await.transparency_anchor.unwrap().to_string();
    assert!(anchor.contains(&format!("{LOG_ORIGIN}\\n")), "{anchor}");
    let anchor = receipt("after").await.transparency_anchor.unwrap().to_string();
    assert!(anchor.contains("govern.example/log/2\\n"), "{anchor}");
    let trees = transparency_log::show(&operator).await.unwrap();
    assert_eq!(trees.iter().map(|tree| tree.state).collect::<Vec<_>>(), ["frozen", "open"]);

    // The log halts again if the database does not contain the saved new tree.
    env.execute_as_superuser("alter table log_trees disable trigger all").await;
    env.execute_as_superuser("update log_trees set origin = 'another' where number = 2").await;
    assert_eq!(run_once(&sequencer, &env.governance).await, halted);
}

#[tokio::test]
async fn tree_that_differs_from_the_saved_head_is_not_signed() {
    let (env, _) = test_tenant_with_policy().await;
    let (sequencer, guard) = sequencer(&env.governance);
    drain(&sequencer, &env.governance).await;
    queue(&env, 3).await;
    drain(&sequencer, &env.governance).await;
    let mut heads = guard.load().unwrap();
    heads[0].root = Digest::compute(b"another tree");
    for size in [heads[0].size, 2] {
        heads[0].size = size;
        let guard = InMemoryGuard::default();
        guard.save(&heads).unwrap();
        let differing = Sequencer::new(&env.governance, Arc::new(guard));
        queue_range(&env, 50, 50).await;
        let later = env.governance.clock().now().plus_millis(6_000);
        let result = differing.run_once(&env.governance, later).await.unwrap();
        assert_eq!(result, BatchResult::Halted(HaltReason::Rollback), "{size}");
        env.execute_as_superuser("alter table log_trees disable trigger all").await;
        env.execute_as_superuser("update log_trees set is_halted = false, planned_ids = null")
            .await;
    }
    // The log also halts if the database contains no tree at all.
    env.execute_as_superuser("alter table log_checkpoints disable trigger all").await;
    for table in ["log_entries", "log_nodes"] {
        env.execute_as_superuser(&format!("alter table {table} disable trigger all")).await;
    }
    let delete_all = "delete from log_trees; delete from log_entries; delete from log_checkpoints";
    env.execute_as_superuser(delete_all).await;
    assert_eq!(
        run_once(&sequencer, &env.governance).await,
        BatchResult::Halted(HaltReason::Rollback)
    );
    assert_eq!(env.count("select count(*) from log_trees").await, 0);
    let created = transparency_log::freeze(&env.governance.operator(), guard, None).await.unwrap();
    assert_eq!(created.origin, "govern.example/log/2");
    drain(&sequencer, &env.governance).await;
}

#[tokio::test]
async fn process_without_or_with_another_log_key_signs_nothing() {
    let (env, tenant) = test_tenant_with_policy().await;
    let unsigned = env.unsigned_process(9).await;
    let (unsigned_sequencer, guard) = sequencer(&unsigned);
    assert_eq!(run_once(&unsigned_sequencer, &unsigned).await, BatchResult::NoKey);
    assert!(transparency_log::freeze(&unsigned.operator(), guard, None).await.is_err());
    let (sequencer, _) = sequencer(&env.governance);
    drain(&sequencer, &env.governance).await;
    let trees = transparency_log::show(&env.governance.operator()).await.unwrap();
    let log_key = current(&env.keys, Purpose::Log).await.unwrap().unwrap();
    let vkey: Vkey = trees[0].vkey.parse().unwrap();
    assert_eq!((vkey.name(), vkey.key().kid()), (LOG_ORIGIN, log_key.material.kid()));
    env.execute_as_superuser("alter table log_trees disable trigger all").await;
    let other_key = receipt::key::SigningKey::from_seed([8; 32]);
    let other_key = NoteKey::new(LOG_ORIGIN, VkeyKind::Note, other_key).unwrap();
    env.execute_as_superuser(&format!("update log_trees set vkey = '{}'", other_key.vkey())).await;
    tenant.record(&request("a", payment(1))).await.unwrap();
    assert_eq!(
        run_once(&sequencer, &env.governance).await,
        BatchResult::Halted(HaltReason::KeyChanged)
    );
}
