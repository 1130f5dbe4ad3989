//! The transparency log: nothing that was recorded is lost or logged twice, whoever dies when, and nobody
//! signs a tree that is not the one before with more behind it.

use std::{collections::BTreeSet, sync::Arc};

use contract::{audit::AuditRange, time::Timestamp};
use governance::{
    Governance, audit,
    error::Cause,
    log::{self, InProcess, Memory, Refused, Remembered, Sequencer, Turn},
};
use receipt::{
    digest::Digest,
    log::{Checkpoint, EntryKind, Note, NoteKey, Tile, Vkey, VkeyKind, decode_entries, new_tiles},
    merkle::{self, Tree, leaf_hash},
};
use tokio::task::JoinSet;

use crate::{
    cut,
    world::{House, World, list, payment, request, spending, text, value, with, world},
};

const ORIGIN: &str = "log.example/log/1";

/// A tenant's policy that decides, and a name for the log.
async fn ready() -> (World, House) {
    let world = world().await;
    world.governance.logs_as(ORIGIN);
    let house = world.house("house").await;
    house.in_force(&spending("PAY", 100)).await;
    (world, house)
}

fn sequencer(governance: &Governance) -> (Sequencer, Arc<InProcess>) {
    let memory = Arc::new(InProcess::default());
    (Sequencer::new(governance, memory.clone()), memory)
}

async fn turn(sequencer: &Sequencer, governance: &Governance) -> Turn {
    sequencer.turn(governance, governance.clock().now()).await.unwrap()
}

/// Takes turns until nothing waits; tells how many entries were logged.
async fn drain(sequencer: &Sequencer, governance: &Governance) -> usize {
    let mut logged = 0;
    // The first turn may only begin a tree.
    for _ in 0..2 {
        while let Turn::Logged { entries, .. } = turn(sequencer, governance).await {
            logged += entries;
        }
    }
    assert_eq!(turn(sequencer, governance).await, Turn::Idle);
    logged
}

/// What waits, made up.
async fn due(world: &World, count: u32) {
    due_between(world, 1, count).await;
}

async fn due_between(world: &World, first: u32, last: u32) {
    let insert = format!(
        "insert into log_pending (kind, digest) select 'receipt', \
         encode(sha256(convert_to(n::text, 'UTF8')), 'hex') from generate_series({first}, {last}) n"
    );
    world.force(&insert).await;
}

/// The public key of the log, as its operator tells it.
async fn vkey(governance: &Governance) -> Vkey {
    let trees = log::show(&governance.operator()).await.unwrap();
    trees.last().unwrap().vkey.parse().unwrap()
}

/// Reads the whole log as anyone can and checks all of it; tells its leaves.
///
/// This is a client of the public reads: it uses nothing of the service but them.
async fn audited(governance: &Governance) -> Result<Vec<Digest>, String> {
    let vkey = vkey(governance).await;
    let note = log::checkpoint(governance).await.unwrap();
    let note = Note::read(&note).map_err(|error| error.to_string())?;
    note.verify(&vkey).map_err(|error| error.to_string())?;
    let checkpoint = Checkpoint::read(note.text).map_err(|error| error.to_string())?;
    let (mut tree, mut leaves) = (Tree::default(), Vec::new());
    for tile in new_tiles(0, checkpoint.size) {
        let bytes = log::tile(governance, tile).await.map_err(|error| error.to_string())?;
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
async fn every_checkpoint(world: &World) -> Vec<u64> {
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
    governance::chain::seal(&house.by_key().await, chain.parse().unwrap()).await.unwrap();
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
    let mut worker = audit::Checkpoints::default();
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
        assert_eq!(log::tile(&world.governance, tile).await.is_ok(), found, "{tile}");
    }
}

#[tokio::test]
async fn whoever_changes_an_entry_or_a_node_is_found_out() {
    let (world, _) = ready().await;
    let (sequencer, _) = sequencer(&world.governance);
    due(&world, 600).await;
    drain(&sequencer, &world.governance).await;
    audited(&world.governance).await.unwrap();
    world.force("alter table log_entries disable trigger all").await;
    world.force("alter table log_nodes disable trigger all").await;
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
            .force("alter table log_entries drop constraint if exists log_entries_index_check")
            .await;
        world.force(change).await;
        assert!(audited(&world.governance).await.is_err(), "{change}");
        if !back.is_empty() {
            world.force(back).await;
            audited(&world.governance).await.unwrap();
        }
    }
    // A tree whose nodes do not lead to what was signed is not signed any further.
    due_between(&world, 9_000, 9_001).await;
    assert_eq!(turn(&sequencer, &world.governance).await, Turn::Refused(Refused::Rollback));
}

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
                match sequencer.turn(&governance, now).await {
                    Ok(Turn::Logged { entries, .. }) => logged += entries,
                    Ok(turn) => assert!(matches!(turn, Turn::Idle | Turn::Elsewhere), "{turn:?}"),
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
    let memory = Arc::new(InProcess::default());
    let mut now = world.governance.clock().now();
    let (mut whole, mut last) = (0, 0);
    for polls in 0..400 {
        let number = u32::try_from(polls).unwrap() + 1;
        due_between(&world, number, number).await;
        last = number;
        // Each has the memory of the one before, as a process that was started again.
        now = now.plus_millis(6_000);
        let dying = Sequencer::new(&world.governance, memory.clone());
        let turn = cut::after(polls, dying.turn(&world.governance, now)).await;
        match turn {
            Some(Ok(Turn::Logged { .. } | Turn::Idle)) => whole += 1,
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
struct DiesAfter(InProcess);

impl Memory for DiesAfter {
    fn recall(&self) -> Result<Vec<Remembered>, Cause> {
        self.0.recall()
    }

    fn remember(&self, trees: &[Remembered]) -> Result<(), Cause> {
        self.0.remember(trees)?;
        Err("the power is gone".into())
    }
}

#[tokio::test]
async fn who_dies_between_remembering_and_writing_left_a_batch_that_anybody_can_write() {
    let (world, _) = ready().await;
    let (first, _) = sequencer(&world.governance);
    drain(&first, &world.governance).await;
    due(&world, 5).await;
    let memory = Arc::new(DiesAfter::default());
    let now = world.governance.clock().now();
    first.release(&world.governance).await.unwrap();
    let dying = Sequencer::new(&world.governance, memory.clone());
    dying.turn(&world.governance, now).await.unwrap_err();
    let remembered = memory.recall().unwrap();
    assert_eq!(remembered[0].size, 6);
    // More has come meanwhile, and somebody who remembers nothing of it is faster.
    due_between(&world, 100, 120).await;
    let (other, _) = sequencer(&world.governance);
    let later = now.plus_millis(6_000);
    let logged = other.turn(&world.governance, later).await.unwrap();
    assert_eq!(logged, Turn::Logged { entries: 5, is_full: false });
    let trees = log::show(&world.governance.operator()).await.unwrap();
    assert_eq!((trees[0].size, &trees[0].root), (6, &remembered[0].root.to_string()));
    other.turn(&world.governance, later).await.unwrap();
    // The one who died finds the tree that it remembers, with more behind it.
    let again = InProcess::default();
    again.remember(&remembered).unwrap();
    let again = Sequencer::new(&world.governance, Arc::new(again));
    due_between(&world, 200, 201).await;
    let logged = again.turn(&world.governance, later.plus_millis(6_000)).await.unwrap();
    assert_eq!(logged, Turn::Logged { entries: 2, is_full: false });
    every_checkpoint(&world).await;
}

/// Puts the log back to how it was at `size` entries, as a restore does.
async fn put_back(world: &World, size: u64) {
    let tables = ["log_trees", "log_entries", "log_nodes", "log_checkpoints"];
    for table in tables {
        world.force(&format!("alter table {table} disable trigger all")).await;
    }
    let note = format!("select note from log_checkpoints where size = {size}");
    let note = world.texts(&note).await.concat();
    let root = Checkpoint::read(Note::read(&note).unwrap().text).unwrap().root;
    world.force(&format!("delete from log_entries where index >= {size}")).await;
    world.force(&format!("delete from log_nodes where (index + 1) * 256 > {size}")).await;
    world.force(&format!("delete from log_checkpoints where size > {size}")).await;
    world
        .force(&format!("update log_trees set size = {size}, root = '{root}', planned = null"))
        .await;
    for table in tables {
        world.force(&format!("alter table {table} enable trigger all")).await;
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
    put_back(&world, size).await;

    // Whether or not something waits.
    let refused = Turn::Refused(Refused::Rollback);
    assert_eq!(turn(&sequencer, &world.governance).await, refused);
    assert_eq!(world.governance.log_refused(), Some(Refused::Rollback));
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
    let trees = log::show(&operator).await.unwrap();
    assert_eq!((&*trees[0].origin, trees[0].state), (ORIGIN, "doubted"));

    let cx = house.by_admin().await;
    assert!(log::freeze(&cx, memory.clone(), None).await.is_err(), "an admin of a tenant may not");
    let used = log::freeze(&operator, memory.clone(), Some(ORIGIN)).await.unwrap_err();
    assert_eq!(used.code().as_str(), "CONFLICT");
    let begun = log::freeze(&operator, memory.clone(), None).await.unwrap();
    assert_eq!((&*begun.origin, begun.size, begun.state), ("log.example/log/2", 0, "open"));
    assert_eq!(drain(&sequencer, &world.governance).await, 1);
    assert_eq!(world.governance.log_refused(), None);
    audited(&world.governance).await.unwrap();
    // What was logged keeps its place under the old name.
    let receipt = |key: &'static str| {
        let (world, house) = (&world, &house);
        async move {
            let id = format!("select id::text from decisions where idempotency_key = '{key}'");
            let id = world.texts(&id).await.concat().parse().unwrap();
            governance::decision::receipt(&house.by_key().await, id).await.unwrap()
        }
    };
    let anchor = receipt("kept").await.transparency_anchor.unwrap().to_string();
    assert!(anchor.contains(&format!("{ORIGIN}\\n")), "{anchor}");
    let anchor = receipt("meanwhile").await.transparency_anchor.unwrap().to_string();
    assert!(anchor.contains("log.example/log/2\\n"), "{anchor}");
    let trees = log::show(&operator).await.unwrap();
    assert_eq!(trees.iter().map(|tree| tree.state).collect::<Vec<_>>(), ["frozen", "open"]);

    // The same store, put back to before the new tree: that one is remembered.
    world.force("alter table log_trees disable trigger all").await;
    world.force("update log_trees set origin = 'another' where number = 2").await;
    assert_eq!(turn(&sequencer, &world.governance).await, refused);
}

#[tokio::test]
async fn a_tree_of_the_same_size_that_differs_is_not_signed() {
    let (world, _) = ready().await;
    let (sequencer, memory) = sequencer(&world.governance);
    drain(&sequencer, &world.governance).await;
    due(&world, 3).await;
    drain(&sequencer, &world.governance).await;
    let mut other = memory.recall().unwrap();
    other[0].root = Digest::of(b"another tree");
    for size in [other[0].size, 2] {
        other[0].size = size;
        let memory = InProcess::default();
        memory.remember(&other).unwrap();
        let differing = Sequencer::new(&world.governance, Arc::new(memory));
        due_between(&world, 50, 50).await;
        let later = world.governance.clock().now().plus_millis(6_000);
        let turn = differing.turn(&world.governance, later).await.unwrap();
        assert_eq!(turn, Turn::Refused(Refused::Rollback), "{size}");
        world.force("alter table log_trees disable trigger all").await;
        world.force("update log_trees set is_doubted = false, planned = null").await;
    }
    // A store that never had the tree is none to begin it in.
    world.force("alter table log_checkpoints disable trigger all").await;
    for table in ["log_entries", "log_nodes"] {
        world.force(&format!("alter table {table} disable trigger all")).await;
    }
    let all = "delete from log_trees; delete from log_entries; delete from log_checkpoints";
    world.force(all).await;
    assert_eq!(turn(&sequencer, &world.governance).await, Turn::Refused(Refused::Rollback));
    assert_eq!(world.count("select count(*) from log_trees").await, 0);
    let begun = log::freeze(&world.governance.operator(), memory, None).await.unwrap();
    assert_eq!(begun.origin, "log.example/log/2");
    drain(&sequencer, &world.governance).await;
}

#[tokio::test]
async fn without_a_key_nothing_is_signed_and_with_another_one_neither() {
    let (world, house) = ready().await;
    let unsigned = world.unsigned_process(9).await;
    let (idle, memory) = sequencer(&unsigned);
    assert_eq!(turn(&idle, &unsigned).await, Turn::Unsigned);
    assert!(log::freeze(&unsigned.operator(), memory, None).await.is_err());
    let (sequencer, _) = sequencer(&world.governance);
    drain(&sequencer, &world.governance).await;
    let trees = log::show(&world.governance.operator()).await.unwrap();
    let own = receipt::key::SigningKey::from_seed([7; 32]).for_log();
    let own = NoteKey::new(ORIGIN, VkeyKind::Note, own).unwrap();
    assert_eq!(trees[0].vkey, own.vkey().to_string());
    world.force("alter table log_trees disable trigger all").await;
    let other = receipt::key::SigningKey::from_seed([8; 32]);
    let other = NoteKey::new(ORIGIN, VkeyKind::Note, other).unwrap();
    world.force(&format!("update log_trees set vkey = '{}'", other.vkey())).await;
    house.record(&request("a", payment(1))).await.unwrap();
    assert_eq!(turn(&sequencer, &world.governance).await, Turn::Refused(Refused::KeyChanged));
}

#[tokio::test]
async fn an_anchor_does_not_change_however_the_log_grows() {
    let (world, house) = ready().await;
    let (sequencer, _) = sequencer(&world.governance);
    let mut ids = Vec::new();
    for batch in 0..4_u32 {
        for place in 0..3 {
            let key = format!("{batch}/{place}");
            ids.push(house.record(&request(&key, payment(place))).await.unwrap().id);
        }
        due_between(&world, batch * 400 + 1, batch * 400 + 400).await;
        drain(&sequencer, &world.governance).await;
        world.governance.clock().advance(1_000);
    }
    let anchors = async || {
        let mut anchors = Vec::new();
        for id in &ids {
            let cx = house.by_key().await;
            let receipt = governance::decision::receipt(&cx, *id).await.unwrap();
            let anchor = receipt.transparency_anchor.clone().unwrap();
            assert_eq!(receipt.result.transparency_anchor.as_ref(), Some(&anchor));
            let read = governance::decision::read(&cx, *id).await.unwrap();
            assert_eq!(read.result.transparency_anchor.as_ref(), Some(&anchor));
            anchors.push(anchor);
        }
        anchors
    };
    let before = anchors().await;
    due_between(&world, 10_000, 10_700).await;
    drain(&sequencer, &world.governance).await;
    assert_eq!(anchors().await, before);
    let vkey = vkey(&world.governance).await;
    let digests = world.texts("select receipt_digest from decisions order by sequence").await;
    for (anchor, digest) in before.iter().zip(digests) {
        let anchor = receipt::log::Anchor::read(anchor).unwrap();
        let proof = &anchor.inclusion_proof;
        let note = proof.checkpoint.as_deref().unwrap();
        let note = Note::read(note).unwrap();
        assert_eq!(note.verify(&vkey), Ok(()));
        let checkpoint = Checkpoint::read(note.text).unwrap();
        let data = receipt::log::entry(EntryKind::Receipt, digest.parse().unwrap()).text;
        let leaf = leaf_hash(data.as_bytes());
        assert_eq!(anchor.entry_uuid, format!("{}{leaf}", checkpoint.tree_id()));
        let (index, size) = (anchor.log_index, checkpoint.size);
        let shown = merkle::verify_inclusion(leaf, index, size, &proof.hashes, checkpoint.root);
        assert_eq!(shown, Ok(()));
        assert_eq!((proof.tree_size, proof.root_hash), (checkpoint.size, checkpoint.root));
        let now: Timestamp = crate::world::NOW.parse().unwrap();
        assert!(anchor.anchored_at >= now);
    }
}

#[tokio::test]
async fn the_worked_example_comes_out_of_the_real_tree() {
    let oracle = value(include_str!("../../../receipt/vectors/service_profile_oracle.json"));
    let expected = oracle.get("public_receipt").unwrap().get("transparency_anchor").unwrap();
    let world = world().await;
    world.governance.logs_as("govern.example/log/1");
    let house = world.house("house").await;
    house.in_force(&spending("PAY", 100)).await;
    let id = house.record(&request("a", payment(1))).await.unwrap().id;
    world.force("delete from log_pending").await;
    let mut of_receipt = String::new();
    for entry in list(oracle.get("log").unwrap(), "entries") {
        let entry = value(entry.as_str().unwrap());
        let (kind, digest) = (text(&entry, "kind"), text(&entry, "digest"));
        let insert =
            format!("insert into log_pending (kind, digest) values ('{kind}', '{digest}')");
        world.force(&insert).await;
        if kind == "receipt" {
            digest.clone_into(&mut of_receipt);
        }
    }
    world.force("alter table decisions disable trigger user").await;
    world.force(&format!("update decisions set receipt_digest = '{of_receipt}'")).await;
    let (sequencer, _) = sequencer(&world.governance);
    assert_eq!(drain(&sequencer, &world.governance).await, 5);
    let receipt = governance::decision::receipt(&house.by_key().await, id).await.unwrap();
    let made = receipt.transparency_anchor.unwrap();
    // The key of the log and the moment are this world's; everything else is the example's.
    let [made, expected] = [&made, expected].map(|anchor| {
        let mut anchor = receipt::log::Anchor::read(anchor).unwrap();
        anchor.anchored_at = crate::world::NOW.parse().unwrap();
        let note = anchor.inclusion_proof.checkpoint.take().unwrap();
        (anchor, Note::read(&note).unwrap().text.to_owned())
    });
    assert_eq!(made, expected);
}
