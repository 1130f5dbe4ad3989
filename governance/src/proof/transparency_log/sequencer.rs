//! Sequencer: appends queued digests to the log and signs the new tree. Only one runs at a time.
//!
//! The steps of a batch are:
//!
//! 1. Plan the batch in the database and commit.
//! 2. Save the new tree head in the rollback guard.
//! 3. Write entries, nodes and the signed checkpoint in one statement, and therefore one transaction, if
//!    the lease is still held and the tree is unchanged.
//!
//! If a sequencer crashes at any step, the next one produces the same batch. The database can therefore
//! always reach the saved tree head. If it cannot, it was restored from a backup.

use std::cmp::Ordering;

use receipt::{
    merkle::{self, IncrementalTree, leaf_hash},
    transparency_log::{Checkpoint, EntryKind, RequiredTiles, entry},
};

use super::{
    HaltReason, RollbackGuard, SignedTreeHead,
    tree::{self, LeaseRequest, Tree, TreeLease},
    tree_key::{self, TreeKey},
};
use crate::{
    base::prelude::*,
    proof::transparency_log::{Nodes, column},
};

/// The maximum number of entries per batch.
const BATCH_MAX: i64 = 4_096;

/// The duration of an unused lease in milliseconds.
const LEASE_MS: i64 = 5_000;

/// The result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchResult {
    /// No signing key is configured.
    NoKey,
    /// The queue is empty.
    Idle,
    /// Another sequencer holds the lease.
    LeaseHeld,
    /// Entries were logged.
    Logged {
        /// The number of entries.
        entries: usize,
        /// Whether the batch had the maximum size.
        is_full: bool,
    },
    /// The log is halted and nothing is signed.
    Halted(HaltReason),
}

/// The sequencer of a process. Only the holder of the lease appends entries.
#[derive(Debug)]
pub struct Sequencer {
    holder: Uuid,
    guard: Arc<dyn RollbackGuard>,
}

impl Sequencer {
    /// Creates a sequencer that saves signed tree heads in `guard`.
    pub fn new(governance: &Governance, guard: Arc<dyn RollbackGuard>) -> Self {
        Self { holder: governance.entropy().id(), guard }
    }

    /// Logs one batch of the queue.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` if the database is unavailable; an internal error if the rollback guard is
    /// unavailable. The queue is unchanged then.
    pub async fn run_once(&self, governance: &Governance, now: Timestamp) -> Result<BatchResult> {
        let result = self.run_batch(governance, now).await?;
        governance.proof().log.record_result(&result);
        Ok(result)
    }

    /// Releases the lease, so that other sequencers need not wait for its expiry.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` if the database is unavailable.
    pub async fn release(&self, governance: &Governance) -> Result<()> {
        tree::release_lease(governance.database(), self.holder).await
    }

    async fn run_batch(&self, governance: &Governance, now: Timestamp) -> Result<BatchResult> {
        if !governance.has_log() {
            return Ok(BatchResult::NoKey);
        }
        let db = governance.database();
        let heads = self.load_heads().await?;
        let Some(tree) = Tree::open(db).await? else {
            return create_first_tree(governance, &heads, now).await;
        };
        if tree.is_halted {
            return Ok(BatchResult::Halted(HaltReason::Rollback));
        }
        if !matches_guard(db, &tree, &heads).await? {
            return halt(db, &tree, tree.size, None).await;
        }
        let Some(key) = tree_key::load(governance, &tree.origin, &tree.vkey).await? else {
            return Ok(BatchResult::Halted(HaltReason::KeyChanged));
        };
        if !tree.is_planned && !tree.is_due {
            return Ok(BatchResult::Idle);
        }
        let request = LeaseRequest { holder: self.holder, now, until: now.plus_millis(LEASE_MS) };
        let Some(lease) = tree::acquire_lease(db, tree.number, request, BATCH_MAX).await? else {
            return Ok(BatchResult::LeaseHeld);
        };
        let last = heads.iter().find(|head| head.origin == tree.origin);
        let batch = Batch::load(db, &lease).await?;
        let Some(new_tree) = extend(db, tree.number, &lease, last, &batch).await? else {
            return halt(db, &tree, lease.size, Some(lease.epoch)).await;
        };
        if !batch.entries.is_empty() {
            self.save_head(heads, &tree.origin, &new_tree).await?;
        }
        let commit = BatchCommit { governance, tree: &tree, lease: &lease, request, key: &key };
        commit.write(&batch, &new_tree).await
    }

    async fn load_heads(&self) -> Result<Vec<SignedTreeHead>> {
        let guard = Arc::clone(&self.guard);
        run_blocking(move || guard.load()).await
    }

    /// Saves the head of the tree that is about to be signed, together with the others.
    async fn save_head(
        &self,
        mut trees: Vec<SignedTreeHead>,
        origin: &str,
        new_tree: &ExtendedTree,
    ) -> Result<()> {
        trees.retain(|tree| tree.origin != origin);
        let (size, root) = (new_tree.size(), new_tree.root);
        trees.push(SignedTreeHead { origin: origin.to_owned(), size, root, is_closed: false });
        let guard = Arc::clone(&self.guard);
        run_blocking(move || guard.save(&trees)).await
    }
}

/// Runs blocking work, such as disk access.
pub(super) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, crate::base::error::Cause> + Send + 'static,
) -> Result<T> {
    let result = tokio::task::spawn_blocking(work).await;
    result.map_err(Error::internal)?.map_err(Error::Bug)
}

/// Creates the first tree, unless the guard contains an open tree that the database does not have.
async fn create_first_tree(
    governance: &Governance,
    heads: &[SignedTreeHead],
    now: Timestamp,
) -> Result<BatchResult> {
    let db = governance.database();
    let mut used = tree::origins(db).await?;
    if heads.iter().any(|tree| !tree.is_closed && !used.contains(&tree.origin)) {
        return Ok(BatchResult::Halted(HaltReason::Rollback));
    }
    let is_missing_trees = heads.iter().any(|tree| !used.contains(&tree.origin));
    used.extend(heads.iter().map(|tree| tree.origin.clone()));
    let origin = tree::free_origin(governance.log_origin(), &used);
    let vkeys = tree::vkeys(db).await?;
    let key = tree_key::for_new_tree(governance, &origin, &vkeys, is_missing_trees).await?;
    tree::create(db, &origin, &key, now).await?;
    Ok(BatchResult::Idle)
}

/// Halts a tree that contradicts the guard, unless another sequencer has extended it in the meantime.
async fn halt(
    db: &impl ConnectionTrait,
    tree: &Tree,
    size: u64,
    epoch: Option<i64>,
) -> Result<BatchResult> {
    let has_stopped = tree::halt(db, tree.number, size, epoch).await?;
    Ok(if has_stopped { BatchResult::Halted(HaltReason::Rollback) } else { BatchResult::LeaseHeld })
}

/// Returns whether the row of the open tree is consistent with the saved tree heads.
pub(super) async fn matches_guard(
    db: &impl ConnectionTrait,
    tree: &Tree,
    heads: &[SignedTreeHead],
) -> Result<bool> {
    let (own, others): (Vec<_>, Vec<_>) =
        heads.iter().filter(|tree| !tree.is_closed).partition(|head| head.origin == tree.origin);
    if !others.is_empty() {
        let stored = tree::origins(db).await?;
        if others.iter().any(|head| !stored.contains(&head.origin)) {
            return Ok(false);
        }
    }
    // A closed tree is not extended.
    let closed = heads.iter().any(|head| head.is_closed && head.origin == tree.origin);
    let fits = |head: &&SignedTreeHead| match head.size.cmp(&tree.size) {
        Ordering::Less => true,
        Ordering::Equal => head.root == tree.root,
        // The head was saved before the write, so the planned batch must produce it.
        Ordering::Greater => tree.is_planned,
    };
    Ok(!closed && own.iter().all(fits))
}

/// The planned rows that have not been logged before.
#[derive(Debug)]
struct Batch {
    entries: Vec<(String, Digest)>,
    is_full: bool,
}

// SQL: a batch is read by arrays of thousands of values. Missing rows have been logged.
const SELECT_PLANNED: &str = "SELECT kind, digest FROM log_pending WHERE id = ANY($1) ORDER BY id";

const SELECT_LOGGED: &str = "SELECT encode(leaf_hash, 'hex') FROM log_entries \
     WHERE leaf_hash = ANY (ARRAY(SELECT decode(h, 'hex') FROM unnest($1::text[]) h))";

impl Batch {
    async fn load(db: &impl ConnectionTrait, lease: &TreeLease) -> Result<Self> {
        let rows = sql::tuples(db, SELECT_PLANNED, [lease.planned.clone().into()]).await?;
        let mut entries = rows.into_iter().map(leaf).collect::<Result<Vec<_>>>()?;
        let hashes: Vec<String> = entries.iter().map(|(_, hash)| hash.to_string()).collect();
        let logged = sql::tuples(db, SELECT_LOGGED, [hashes.into()]).await?;
        let mut logged: BTreeSet<String> = logged.into_iter().collect();
        entries.retain(|(_, hash)| logged.insert(hash.to_string()));
        let is_full = i64::try_from(lease.planned.len()).is_ok_and(|rows| rows >= BATCH_MAX);
        Ok(Self { entries, is_full })
    }
}

/// Returns the leaf of a row and its hash.
fn leaf((kind, digest): (String, Vec<u8>)) -> Result<(String, Digest)> {
    let kind = EntryKind::ALL.into_iter().find(|candidate| candidate.as_str() == kind);
    let kind = kind.or_bug("a queued entry has an unknown kind")?;
    let data = entry(kind, stored_digest::read(&digest)?).text;
    let hash = leaf_hash(data.as_bytes());
    Ok((data, hash))
}

/// The tree after a batch, verified to extend the previous tree.
#[derive(Debug)]
struct ExtendedTree {
    tree: IncrementalTree,
    root: Digest,
}

impl ExtendedTree {
    fn size(&self) -> u64 {
        self.tree.size()
    }
}

/// Appends a batch to the stored tree. Returns `None` if the stored nodes do not produce the last signed
/// root or contradict the saved tree head.
async fn extend(
    db: &impl ConnectionTrait,
    tree: i16,
    lease: &TreeLease,
    last: Option<&SignedTreeHead>,
    batch: &Batch,
) -> Result<Option<ExtendedTree>> {
    let TreeLease { size, root, .. } = *lease;
    let mut tiles = RequiredTiles::record(size, |nodes| merkle::root(nodes, size));
    let previous = last.filter(|last| last.size > 0 && last.size < size);
    if let Some(last) = previous {
        tiles.extend(RequiredTiles::record(size, |nodes| {
            merkle::consistency(nodes, last.size, size)
        }));
    }
    let nodes = Nodes::read(db, tree, size, tiles).await?;
    if let Some(last) = previous {
        let proof = merkle::consistency(&nodes, last.size, size).unwrap_or_default();
        if merkle::verify_consistency(last.size, size, &proof, last.root, root).is_err() {
            return Ok(None);
        }
    }
    let Ok(mut new_tree) = IncrementalTree::new(&nodes, size) else { return Ok(None) };
    if merkle::root(&new_tree, size) != Ok(root) {
        return Ok(None);
    }
    for (_, hash) in &batch.entries {
        new_tree.push(*hash);
    }
    let new_root = merkle::root(&new_tree, new_tree.size()).map_err(Error::internal)?;
    let new_tree = ExtendedTree { tree: new_tree, root: new_root };
    Ok(new_tree.follows(lease, last).then_some(new_tree))
}

impl ExtendedTree {
    /// Returns whether this tree extends the tree of the lease and matches the saved tree head.
    fn follows(&self, lease: &TreeLease, last: Option<&SignedTreeHead>) -> bool {
        let matches_head = last.is_none_or(|last| {
            last.size <= lease.size || (last.size, last.root) == (self.size(), self.root)
        });
        if lease.size == 0 {
            return matches_head;
        }
        let proof = merkle::consistency(&self.tree, lease.size, self.size()).unwrap_or_default();
        let (old, new) = (lease.size, self.size());
        matches_head && merkle::verify_consistency(old, new, &proof, lease.root, self.root).is_ok()
    }
}

/// The input of the final step of a run.
struct BatchCommit<'a> {
    governance: &'a Governance,
    tree: &'a Tree,
    lease: &'a TreeLease,
    request: LeaseRequest,
    key: &'a TreeKey,
}

const WRITE_BATCH: &str = include_str!("sequencer.sql");

impl BatchCommit<'_> {
    /// Signs the tree and writes it if the lease is still held.
    async fn write(&self, batch: &Batch, new_tree: &ExtendedTree) -> Result<BatchResult> {
        let checkpoint = Checkpoint {
            origin: self.tree.origin.clone(),
            size: new_tree.size(),
            root: new_tree.root,
        };
        let note = self.key.sign(&checkpoint.to_string()).await?;
        let (data, hashes): (Vec<_>, Vec<_>) =
            batch.entries.iter().map(|(data, hash)| (data.clone(), hash.to_string())).unzip();
        let mut nodes: (Vec<i32>, Vec<i64>, Vec<String>) = Default::default();
        for level in 1..8 {
            for (index, hash) in new_tree.tree.completed(8 * level) {
                nodes.0.push(i32::try_from(level)?);
                nodes.1.push(column(index)?);
                nodes.2.push(hash.to_string());
            }
        }
        let values = [
            self.tree.number.into(),
            self.lease.epoch.into(),
            column(new_tree.size())?.into(),
            column(self.lease.size)?.into(),
            new_tree.root.to_string().into(),
            timestamp_value(self.request.until),
            data.into(),
            hashes.into(),
            nodes.0.into(),
            nodes.1.into(),
            nodes.2.into(),
            note.into(),
            timestamp_value(self.request.now),
            self.lease.planned.clone().into(),
        ];
        let row = self.governance.database().query_one_raw(statement(WRITE_BATCH, values)).await?;
        if row.is_none() {
            return Ok(BatchResult::LeaseHeld);
        }
        let entries = batch.entries.len();
        self.governance.emit(Observed::Logged { entries, size: new_tree.size() });
        Ok(BatchResult::Logged { entries, is_full: batch.is_full })
    }
}
