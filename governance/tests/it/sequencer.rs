//! The transparency log: every recorded digest is logged exactly once, across crashes, and every
//! signed tree extends the previous one.

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
        transparency_log::{self, BatchResult, InMemoryGuard, Sequencer},
    },
};
use receipt::{
    digest::Digest,
    merkle::{self, Tree, leaf_hash},
    transparency_log::{Checkpoint, EntryKind, Note, Vkey, decode_entries, new_tiles},
};

use crate::prelude::*;

fn sequencer(governance: &Governance) -> (Sequencer, Arc<InMemoryGuard>) {
    let guard = Arc::new(InMemoryGuard::default());
    (Sequencer::new(governance, guard.clone()), guard)
}

async fn run_once(sequencer: &Sequencer, governance: &Governance) -> BatchResult {
    sequencer.run_once(governance, governance.clock().now()).await.unwrap()
}

/// Logs all pending entries and returns their number.
async fn drain(sequencer: &Sequencer, governance: &Governance) -> usize {
    let mut logged = 0;
    // The first run may only create a tree.
    for _ in 0..2 {
        while let BatchResult::Logged { entries, .. } = run_once(sequencer, governance).await {
            logged += entries;
        }
    }
    assert_eq!(run_once(sequencer, governance).await, BatchResult::Idle);
    logged
}

/// Queues `count` arbitrary digests.
async fn queue(env: &TestEnv, count: u32) {
    queue_range(env, 1, count).await;
}

/// Queues the digests of the numbers from `first` to `last`.
async fn queue_range(env: &TestEnv, first: u32, last: u32) {
    let insert = format!(
        "insert into log_pending (kind, digest) select 'receipt', \
         sha256(convert_to(n::text, 'UTF8')) from generate_series({first}, {last}) n"
    );
    env.execute_as_superuser(&insert).await;
}

/// The public key of the newest tree, as shown to the operator.
async fn vkey(governance: &Governance) -> Vkey {
    let trees = transparency_log::show(&governance.operator()).await.unwrap();
    trees.last().unwrap().vkey.parse().unwrap()
}

/// Verifies the whole log through its public endpoints and returns its leaves.
async fn verify_log(governance: &Governance) -> Result<Vec<Digest>, String> {
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
            return Err(format!("{tile} does not match the entries"));
        }
    }
    let root = merkle::root(&tree, checkpoint.size).map_err(|error| error.to_string())?;
    if root == checkpoint.root { Ok(leaves) } else { Err("the root does not match".to_owned()) }
}

/// Verifies that each checkpoint covers a prefix of the log and returns the checkpoint sizes.
async fn verify_checkpoints(env: &TestEnv) -> Vec<u64> {
    let leaves = verify_log(&env.governance).await.unwrap();
    let distinct: BTreeSet<_> = leaves.iter().collect();
    assert_eq!(distinct.len(), leaves.len(), "each entry is logged once");
    let tree: Tree = leaves.iter().copied().collect();
    let vkey = vkey(&env.governance).await;
    let mut previous: Option<Checkpoint> = None;
    let mut sizes = Vec::new();
    for text in env.texts("select note from log_checkpoints order by size").await {
        let note = Note::read(&text).unwrap();
        assert_eq!(note.verify(&vkey), Ok(()));
        let checkpoint = Checkpoint::read(note.text).unwrap();
        assert_eq!(merkle::root(&tree, checkpoint.size), Ok(checkpoint.root));
        if let Some(old) = previous.filter(|old| old.size > 0) {
            let proof = merkle::consistency(&tree, old.size, checkpoint.size).unwrap();
            let (size, root) = (checkpoint.size, checkpoint.root);
            let consistency = merkle::verify_consistency(old.size, size, &proof, old.root, root);
            assert_eq!(consistency, Ok(()));
        }
        sizes.push(checkpoint.size);
        previous = Some(checkpoint);
    }
    sizes
}

#[tokio::test]
async fn digest_is_queued_in_the_transaction_of_its_record() {
    let (env, tenant) = test_tenant_with_policy().await;
    tenant.record(&request("a", payment(1))).await.unwrap();
    tenant.record(&request("a", payment(1))).await.unwrap();
    let chain = "c3a1b2d4-0e5f-4a6b-8c7d-9e0f1a2b3c4d";
    let chain_request = value(&format!(r#"{{"chain_id":"{chain}"}}"#));
    tenant.record(&with(&request("b", payment(1)), "chain", chain_request)).await.unwrap();
    governance::deciding::chain::seal(&tenant.key_cx().await, chain.parse().unwrap())
        .await
        .unwrap();
    // `xmin` is the ID of the transaction that wrote a row.
    let count_queued = |kind: &str, from: &str, digest: &str| {
        format!(
            "select count(*) from {from} a join log_pending p on p.digest = {digest} \
             and p.kind = '{kind}' and p.xmin = a.xmin"
        )
    };
    let receipts = count_queued("receipt", "decisions", "receipt_digest");
    assert_eq!(env.count(&receipts).await, 2, "a repeated request queues no digest");
    assert_eq!(
        env.count(&count_queued("chain_seal", "chain_seals", "decode(a.digest, 'hex')")).await,
        1
    );
    assert_eq!(
        env.count(&count_queued("policy_approval", "policy_approvals", "decode(a.digest, 'hex')"))
            .await,
        1
    );
    assert_eq!(env.count("select count(*) from log_pending").await, 4);

    let (sequencer, _) = sequencer(&env.governance);
    assert_eq!(drain(&sequencer, &env.governance).await, 4);
    assert_eq!(env.count("select count(*) from log_pending").await, 0);
    assert_eq!(verify_checkpoints(&env).await, [0, 4]);
    tenant.record(&request("a", payment(1))).await.unwrap();
    assert_eq!(drain(&sequencer, &env.governance).await, 0, "a repeated request adds no leaf");
}

#[tokio::test]
async fn audit_checkpoint_is_logged_and_reported_with_its_index() {
    let (env, tenant) = test_tenant_with_policy().await;
    tenant.record(&request("a", payment(1))).await.unwrap();
    env.governance.clock().advance(6 * 60_000);
    let mut worker = audit::CheckpointWorker::default();
    let now = env.governance.clock().now();
    assert_eq!(worker.run_once(&env.governance, now).await.unwrap(), 1);
    let logged_index = async || {
        let report = audit::verify(&tenant.admin_cx().await, AuditRange::default()).await.unwrap();
        report.last_checkpoint.unwrap().log_index
    };
    assert_eq!(logged_index().await, None);
    let (sequencer, _) = sequencer(&env.governance);
    drain(&sequencer, &env.governance).await;
    // The report finds the entry by the digest that the crate `receipt` computes.
    let index = logged_index().await.expect("the checkpoint is logged");
    let data = env.texts(&format!("select data from log_entries where index = {index}")).await;
    assert!(data.concat().contains(EntryKind::AuditCheckpoint.as_str()), "{data:?}");
    assert!(!data.concat().contains(&tenant.tenant.to_string()));
}

#[tokio::test]
async fn log_of_many_batches_is_verifiable_through_public_endpoints() {
    let (env, _) = test_tenant_with_policy().await;
    let (sequencer, _) = sequencer(&env.governance);
    let mut logged = drain(&sequencer, &env.governance).await;
    for (first, last) in [(1, 1), (2, 200), (201, 258), (259, 260), (261, 700), (701, 5_500)] {
        queue_range(&env, first, last).await;
        logged += drain(&sequencer, &env.governance).await;
    }
    assert_eq!(verify_log(&env.governance).await.unwrap().len(), logged);
    assert_eq!(verify_checkpoints(&env).await.len(), 9, "the batch size is limited");
}
