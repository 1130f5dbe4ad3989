//! A store that is not what was signed, and keys that are not those of the tree: nothing is signed.

use std::sync::Arc;

use governance::proof::{
    signing::{Purpose, current},
    transparency_log::{self, BatchResult, HaltReason, InMemoryGuard, RollbackGuard, Sequencer},
};
use receipt::{
    digest::Digest,
    transparency_log::{Checkpoint, Note, NoteKey, Vkey, VkeyKind},
};

use super::{ORIGIN, audited, drain, due, due_between, ready, sequencer, turn};
use crate::fixtures::{TestEnv, payment, request};

/// Puts the log back to how it was at `size` entries, as a restore does.
async fn restored_backup(world: &TestEnv, size: u64) {
    let tables = ["log_trees", "log_entries", "log_nodes", "log_checkpoints"];
    for table in tables {
        world.execute_as_superuser(&format!("alter table {table} disable trigger all")).await;
    }
    let note = format!("select note from log_checkpoints where size = {size}");
    let note = world.texts(&note).await.concat();
    let root = Checkpoint::read(Note::read(&note).unwrap().text).unwrap().root;
    world.execute_as_superuser(&format!("delete from log_entries where index >= {size}")).await;
    world
        .execute_as_superuser(&format!("delete from log_nodes where (index + 1) * 256 > {size}"))
        .await;
    world.execute_as_superuser(&format!("delete from log_checkpoints where size > {size}")).await;
    world
        .execute_as_superuser(&format!(
            "update log_trees set size = {size}, root = '{root}', planned_ids = null"
        ))
        .await;
    for table in tables {
        world.execute_as_superuser(&format!("alter table {table} enable trigger all")).await;
    }
}

#[tokio::test]
async fn a_store_that_was_put_back_is_not_signed_until_its_tree_is_frozen() {
    let (world, house) = ready().await;
    let (sequencer, memory) = sequencer(&world.governance);
    house.record(&request("kept", payment(1))).await.unwrap();
    drain(&sequencer, &world.governance).await;
    let kept = world.texts("select note from log_checkpoints order by size desc limit 1").await;
    let size = world.count("select size from log_trees").await.try_into().unwrap();
    due(&world, 300).await;
    drain(&sequencer, &world.governance).await;
    restored_backup(&world, size).await;

    // Whether or not something waits.
    let refused = BatchResult::Halted(HaltReason::Rollback);
    assert_eq!(turn(&sequencer, &world.governance).await, refused);
    assert_eq!(world.governance.log_halt_reason(), Some(HaltReason::Rollback));
    // Records go on, and nobody else signs either, who remembers nothing.
    house.record(&request("meanwhile", payment(1))).await.unwrap();
    let other = world.another_process(7).await;
    let (elsewhere, _) = self::sequencer(&other);
    assert_eq!(turn(&elsewhere, &other).await, refused);
    assert_eq!(
        world.texts("select note from log_checkpoints order by size desc limit 1").await,
        kept
    );
    let operator = world.governance.operator();
    let trees = transparency_log::show(&operator).await.unwrap();
    assert_eq!((&*trees[0].origin, trees[0].state), (ORIGIN, "doubted"));

    let cx = house.by_admin().await;
    assert!(
        transparency_log::freeze(&cx, memory.clone(), None).await.is_err(),
        "an admin of a tenant may not"
    );
    let used = transparency_log::freeze(&operator, memory.clone(), Some(ORIGIN)).await.unwrap_err();
    assert_eq!(used.code().as_str(), "CONFLICT");
    let begun = transparency_log::freeze(&operator, memory.clone(), None).await.unwrap();
    assert_eq!((&*begun.origin, begun.size, begun.state), ("log.example/log/2", 0, "open"));
    assert_eq!(drain(&sequencer, &world.governance).await, 1);
    assert_eq!(world.governance.log_halt_reason(), None);
    audited(&world.governance).await.unwrap();
    // What was logged keeps its place under the old name.
    let receipt = |key: &'static str| {
        let (world, house) = (&world, &house);
        async move {
            let id = format!("select id::text from decisions where idempotency_key = '{key}'");
            let id = world.texts(&id).await.concat().parse().unwrap();
            governance::deciding::decision::receipt(&house.by_key().await, id).await.unwrap()
        }
    };
    let anchor = receipt("kept").await.transparency_anchor.unwrap().to_string();
    assert!(anchor.contains(&format!("{ORIGIN}\\n")), "{anchor}");
    let anchor = receipt("meanwhile").await.transparency_anchor.unwrap().to_string();
    assert!(anchor.contains("log.example/log/2\\n"), "{anchor}");
    let trees = transparency_log::show(&operator).await.unwrap();
    assert_eq!(trees.iter().map(|tree| tree.state).collect::<Vec<_>>(), ["frozen", "open"]);

    // The same store, put back to before the new tree: that one is remembered.
    world.execute_as_superuser("alter table log_trees disable trigger all").await;
    world.execute_as_superuser("update log_trees set origin = 'another' where number = 2").await;
    assert_eq!(turn(&sequencer, &world.governance).await, refused);
}

#[tokio::test]
async fn a_tree_of_the_same_size_that_differs_is_not_signed() {
    let (world, _) = ready().await;
    let (sequencer, memory) = sequencer(&world.governance);
    drain(&sequencer, &world.governance).await;
    due(&world, 3).await;
    drain(&sequencer, &world.governance).await;
    let mut other = memory.load().unwrap();
    other[0].root = Digest::compute(b"another tree");
    for size in [other[0].size, 2] {
        other[0].size = size;
        let memory = InMemoryGuard::default();
        memory.save(&other).unwrap();
        let differing = Sequencer::new(&world.governance, Arc::new(memory));
        due_between(&world, 50, 50).await;
        let later = world.governance.clock().now().plus_millis(6_000);
        let turn = differing.run_once(&world.governance, later).await.unwrap();
        assert_eq!(turn, BatchResult::Halted(HaltReason::Rollback), "{size}");
        world.execute_as_superuser("alter table log_trees disable trigger all").await;
        world
            .execute_as_superuser("update log_trees set is_halted = false, planned_ids = null")
            .await;
    }
    // A store that never had the tree is none to begin it in.
    world.execute_as_superuser("alter table log_checkpoints disable trigger all").await;
    for table in ["log_entries", "log_nodes"] {
        world.execute_as_superuser(&format!("alter table {table} disable trigger all")).await;
    }
    let all = "delete from log_trees; delete from log_entries; delete from log_checkpoints";
    world.execute_as_superuser(all).await;
    assert_eq!(
        turn(&sequencer, &world.governance).await,
        BatchResult::Halted(HaltReason::Rollback)
    );
    assert_eq!(world.count("select count(*) from log_trees").await, 0);
    let begun = transparency_log::freeze(&world.governance.operator(), memory, None).await.unwrap();
    assert_eq!(begun.origin, "log.example/log/2");
    drain(&sequencer, &world.governance).await;
}

#[tokio::test]
async fn without_a_key_nothing_is_signed_and_with_another_one_neither() {
    let (world, house) = ready().await;
    let unsigned = world.unsigned_process(9).await;
    let (idle, memory) = sequencer(&unsigned);
    assert_eq!(turn(&idle, &unsigned).await, BatchResult::NoKey);
    assert!(transparency_log::freeze(&unsigned.operator(), memory, None).await.is_err());
    let (sequencer, _) = sequencer(&world.governance);
    drain(&sequencer, &world.governance).await;
    let trees = transparency_log::show(&world.governance.operator()).await.unwrap();
    let own = current(&world.keys, Purpose::Log).await.unwrap().unwrap();
    let vkey: Vkey = trees[0].vkey.parse().unwrap();
    assert_eq!((vkey.name(), vkey.key().kid()), (ORIGIN, own.material.kid()));
    world.execute_as_superuser("alter table log_trees disable trigger all").await;
    let other = receipt::key::SigningKey::from_seed([8; 32]);
    let other = NoteKey::new(ORIGIN, VkeyKind::Note, other).unwrap();
    world.execute_as_superuser(&format!("update log_trees set vkey = '{}'", other.vkey())).await;
    house.record(&request("a", payment(1))).await.unwrap();
    assert_eq!(
        turn(&sequencer, &world.governance).await,
        BatchResult::Halted(HaltReason::KeyChanged)
    );
}
