//! The transparency log: nothing that was recorded is lost or logged twice, whoever dies when, and nobody
//! signs a tree that is not the one before with more behind it.

mod anchors;
mod crashes;
mod keys;
mod restored_backup;

use std::{collections::BTreeSet, sync::Arc};

use contract::audit::AuditRange;
use governance::{
    Governance,
    proof::{
        audit,
        transparency_log::{self, BatchResult, HaltReason, InMemoryGuard, Sequencer},
    },
};
use receipt::{
    digest::Digest,
    merkle::{self, Tree, leaf_hash},
    transparency_log::{Checkpoint, EntryKind, Note, Tile, Vkey, decode_entries, new_tiles},
};

use crate::fixtures::{TestEnv, TestTenant, payment, request, spending, value, with, world};

const ORIGIN: &str = "log.example/log/1";

/// A tenant's policy that decides, and a name for the log.
async fn ready() -> (TestEnv, TestTenant) {
    let world = world().await;
    world.governance.set_log_origin(ORIGIN);
    let house = world.tenant("house").await;
    house.active_policy(&spending("PAY", 100)).await;
    (world, house)
}

fn sequencer(governance: &Governance) -> (Sequencer, Arc<InMemoryGuard>) {
    let memory = Arc::new(InMemoryGuard::default());
    (Sequencer::new(governance, memory.clone()), memory)
}

async fn turn(sequencer: &Sequencer, governance: &Governance) -> BatchResult {
    sequencer.run_once(governance, governance.clock().now()).await.unwrap()
}

/// Takes turns until nothing waits; tells how many entries were logged.
async fn drain(sequencer: &Sequencer, governance: &Governance) -> usize {
    let mut logged = 0;
    // The first turn may only begin a tree.
    for _ in 0..2 {
        while let BatchResult::Logged { entries, .. } = turn(sequencer, governance).await {
            logged += entries;
        }
    }
    assert_eq!(turn(sequencer, governance).await, BatchResult::Idle);
    logged
}

/// What waits, made up.
async fn due(world: &TestEnv, count: u32) {
    due_between(world, 1, count).await;
}

async fn due_between(world: &TestEnv, first: u32, last: u32) {
    let insert = format!(
        "insert into log_pending (kind, digest) select 'receipt', \
         encode(sha256(convert_to(n::text, 'UTF8')), 'hex') from generate_series({first}, {last}) n"
    );
    world.execute_as_superuser(&insert).await;
}

/// The public key of the log, as its operator tells it.
async fn vkey(governance: &Governance) -> Vkey {
    let trees = transparency_log::show(&governance.operator()).await.unwrap();
    trees.last().unwrap().vkey.parse().unwrap()
}

/// Reads the whole log as anyone can and checks all of it; tells its leaves.
///
/// This is a client of the public reads: it uses nothing of the service but them.
async fn audited(governance: &Governance) -> Result<Vec<Digest>, String> {
    let vkey = vkey(governance).await;
    let note = transparency_log::checkpoint(governance).await.unwrap();
    let note = Note::read(&note).map_err(|error| error.to_string())?;
    note.verify(&vkey).map_err(|error| error.to_string())?;
    let checkpoint = Checkpoint::read(note.text).map_err(|error| error.to_string())?;
    let (mut tree, mut leaves) = (Tree::default(), Vec::new());
    for tile in new_tiles(0, checkpoint.size) {
        let bytes =
            transparency_log::tile(governance, tile).await.map_err(|error| error.to_string())?;
        if tile.level.is_none() {
            for entry in decode_entries(&bytes).map_err(|error| error.to_string())? {
                tree.push(leaf_hash(entry));
                leaves.push(leaf_hash(entry));
            }
        } else if tile.hashes(&tree) != Some(bytes) {
            return Err(format!("{tile} is not of these entries"));
        }
    }
    let root = merkle::root(&tree, checkpoint.size).map_err(|error| error.to_string())?;
    if root == checkpoint.root { Ok(leaves) } else { Err("the root is another one".to_owned()) }
}

/// Checks that each checkpoint ever signed is of the beginning of the log; tells their sizes.
async fn every_checkpoint(world: &TestEnv) -> Vec<u64> {
    let leaves = audited(&world.governance).await.unwrap();
    let distinct: BTreeSet<_> = leaves.iter().collect();
    assert_eq!(distinct.len(), leaves.len(), "nothing is logged twice");
    let tree: Tree = leaves.iter().copied().collect();
    let vkey = vkey(&world.governance).await;
    let mut before: Option<Checkpoint> = None;
    let mut sizes = Vec::new();
    for text in world.texts("select note from log_checkpoints order by size").await {
        let note = Note::read(&text).unwrap();
        assert_eq!(note.verify(&vkey), Ok(()));
        let now = Checkpoint::read(note.text).unwrap();
        assert_eq!(merkle::root(&tree, now.size), Ok(now.root));
        if let Some(old) = before.filter(|old| old.size > 0) {
            let proof = merkle::consistency(&tree, old.size, now.size).unwrap();
            let grown = merkle::verify_consistency(old.size, now.size, &proof, old.root, now.root);
            assert_eq!(grown, Ok(()));
        }
        sizes.push(now.size);
        before = Some(now);
    }
    sizes
}

#[tokio::test]
async fn what_is_recorded_is_due_in_its_own_transaction() {
    let (world, house) = ready().await;
    house.record(&request("a", payment(1))).await.unwrap();
    house.record(&request("a", payment(1))).await.unwrap();
    let chain = "c3a1b2d4-0e5f-4a6b-8c7d-9e0f1a2b3c4d";
    let place = value(&format!(r#"{{"chain_id":"{chain}"}}"#));
    house.record(&with(&request("b", payment(1)), "chain", place)).await.unwrap();
    governance::deciding::chain::seal(&house.by_key().await, chain.parse().unwrap()).await.unwrap();
    // `xmin` is the transaction that wrote a row.
    let beside = |kind: &str, from: &str, digest: &str| {
        format!(
            "select count(*) from {from} a join log_pending p on p.digest = a.{digest} \
             and p.kind = '{kind}' and p.xmin = a.xmin"
        )
    };
    let receipts = beside("receipt", "decisions", "receipt_digest");
    assert_eq!(world.count(&receipts).await, 2, "a repeat writes none");
    assert_eq!(world.count(&beside("chain_seal", "chain_seals", "digest")).await, 1);
    assert_eq!(world.count(&beside("policy_approval", "policy_approvals", "digest")).await, 1);
    assert_eq!(world.count("select count(*) from log_pending").await, 4);

    let (sequencer, _) = sequencer(&world.governance);
    assert_eq!(drain(&sequencer, &world.governance).await, 4);
    assert_eq!(world.count("select count(*) from log_pending").await, 0);
    assert_eq!(every_checkpoint(&world).await, [0, 4]);
    house.record(&request("a", payment(1))).await.unwrap();
    assert_eq!(drain(&sequencer, &world.governance).await, 0, "the same again is no second leaf");
}

#[tokio::test]
async fn checkpoints_of_the_audit_log_get_their_place() {
    let (world, house) = ready().await;
    house.record(&request("a", payment(1))).await.unwrap();
    world.governance.clock().advance(6 * 60_000);
    let mut worker = audit::CheckpointWorker::default();
    let now = world.governance.clock().now();
    assert_eq!(worker.make(&world.governance, now).await.unwrap(), 1);
    let verified = async || {
        let report = audit::verify(&house.by_admin().await, AuditRange::default()).await.unwrap();
        report.last_checkpoint.unwrap().log_index
    };
    assert_eq!(verified().await, None);
    let (sequencer, _) = sequencer(&world.governance);
    drain(&sequencer, &world.governance).await;
    // Found by the digest that the crate `receipt` makes: the one that the store made is the same.
    let index = verified().await.expect("it is logged");
    let data = world.texts(&format!("select data from log_entries where index = {index}")).await;
    assert!(data.concat().contains(EntryKind::AuditCheckpoint.as_str()), "{data:?}");
    assert!(!data.concat().contains(&house.tenant.to_string()));
}

#[tokio::test]
async fn a_log_of_many_batches_is_checked_from_its_public_reads_alone() {
    let (world, _) = ready().await;
    let (sequencer, _) = sequencer(&world.governance);
    let mut logged = drain(&sequencer, &world.governance).await;
    for (first, last) in [(1, 1), (2, 200), (201, 258), (259, 260), (261, 700), (701, 5_500)] {
        due_between(&world, first, last).await;
        logged += drain(&sequencer, &world.governance).await;
    }
    assert_eq!(audited(&world.governance).await.unwrap().len(), logged);
    assert_eq!(every_checkpoint(&world).await.len(), 9, "a batch has a bound");
    for (tile, found) in [
        (Tile { level: Some(0), index: 0, width: 256 }, true),
        (Tile { level: Some(0), index: 0, width: 17 }, true),
        (Tile { level: Some(1), index: 0, width: 21 }, true),
        (Tile { level: Some(1), index: 0, width: 22 }, false),
        (Tile { level: Some(2), index: 0, width: 1 }, false),
        (Tile { level: None, index: 21, width: 256 }, false),
        (Tile { level: None, index: u64::MAX, width: 256 }, false),
        (Tile { level: Some(7), index: u64::MAX / 256, width: 256 }, false),
    ] {
        assert_eq!(transparency_log::tile(&world.governance, tile).await.is_ok(), found, "{tile}");
    }
}

#[tokio::test]
async fn whoever_changes_an_entry_or_a_node_is_found_out() {
    let (world, _) = ready().await;
    let (sequencer, _) = sequencer(&world.governance);
    due(&world, 600).await;
    drain(&sequencer, &world.governance).await;
    audited(&world.governance).await.unwrap();
    world.execute_as_superuser("alter table log_entries disable trigger all").await;
    world.execute_as_superuser("alter table log_nodes disable trigger all").await;
    for (change, back) in [
        (
            "update log_entries set data = replace(data, 'receipt', 'chain_seal') where index = 7",
            "update log_entries set data = replace(data, 'chain_seal', 'receipt') where index = 7",
        ),
        (
            "update log_entries set index = -index where index in (300)",
            "update log_entries set index = -index where index < 0",
        ),
        (
            "update log_entries set leaf_hash = leaf_hash || 'x' where index = 9",
            "update log_entries set leaf_hash = substr(leaf_hash, 1, 32) where index = 9",
        ),
        ("update log_nodes set hash = sha256(hash) where index = 1", ""),
    ] {
        world
            .execute_as_superuser(
                "alter table log_entries drop constraint if exists log_entries_index_check",
            )
            .await;
        world.execute_as_superuser(change).await;
        assert!(audited(&world.governance).await.is_err(), "{change}");
        if !back.is_empty() {
            world.execute_as_superuser(back).await;
            audited(&world.governance).await.unwrap();
        }
    }
    // A tree whose nodes do not lead to what was signed is not signed any further.
    due_between(&world, 9_000, 9_001).await;
    assert_eq!(
        turn(&sequencer, &world.governance).await,
        BatchResult::Halted(HaltReason::Rollback)
    );
}
