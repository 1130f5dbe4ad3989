//! The sequencer: one at a time makes entries of what waits, and signs the tree that they lead to.
//!
//! A batch is planned in the store first, which commits; then it is remembered outside; then one
//! statement, and so one transaction, writes entries, nodes and the signed checkpoint, provided that the
//! lease is still held and the tree is as it was. Wherever a sequencer dies, whoever comes next makes the
//! same batch, so nothing is remembered that the store could not still come to: a store that cannot has
//! been put back.

use std::{collections::BTreeSet, sync::Arc};

use contract::time::Timestamp;
use receipt::{
    digest::Digest,
    log::{Checkpoint, EntryKind, Needed, entry},
    merkle::{self, Growth, leaf_hash},
};
use sea_orm::{ConnectionTrait, QueryResult};
use uuid::Uuid;

use super::{
    Refused,
    key::{self, TreeKey},
    memory::{Memory, Remembered},
    nodes::{Nodes, column},
    tree::{self, Claim, Term, Tree},
};
use crate::{
    Governance,
    error::{Error, Result},
    observe::Observed,
    tenancy::{instant, statement},
};

/// How many entries a batch has at most.
pub(super) const BATCH_MAX: i64 = 4_096;

/// For how long a lease is held without being used, in milliseconds.
const LEASE_MS: i64 = 5_000;

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// There is no key to sign with.
    Unsigned,
    /// Nothing waits.
    Idle,
    /// Another sequencer has the lease.
    Elsewhere,
    /// Entries were logged.
    Logged {
        /// How many.
        entries: usize,
        /// Whether the batch was as large as a batch may be.
        is_full: bool,
    },
    /// Nothing may be signed.
    Refused(Refused),
}

/// One sequencer. Several may run, in several processes; they take turns.
#[derive(Debug)]
pub struct Sequencer {
    holder: Uuid,
    memory: Arc<dyn Memory>,
}

impl Sequencer {
    /// A sequencer that remembers in `memory`.
    pub fn new(governance: &Governance, memory: Arc<dyn Memory>) -> Self {
        Self { holder: governance.chance().id(), memory }
    }

    /// Logs what waits, as one batch.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the store is away; a bug when the memory is. What waits goes on
    /// waiting.
    pub async fn turn(&self, governance: &Governance, now: Timestamp) -> Result<Turn> {
        let turn = self.take(governance, now).await?;
        governance.log().stands(&turn);
        Ok(turn)
    }

    /// Gives the lease back, so that nobody waits for it to run out.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the store is away.
    pub async fn release(&self, governance: &Governance) -> Result<()> {
        tree::release(governance.database(), self.holder).await
    }

    async fn take(&self, governance: &Governance, now: Timestamp) -> Result<Turn> {
        if !governance.has_log() {
            return Ok(Turn::Unsigned);
        }
        let db = governance.database();
        let remembered = self.recall().await?;
        let Some(tree) = Tree::open(db).await? else {
            return begin(governance, &remembered, now).await;
        };
        if tree.is_doubted {
            return Ok(Turn::Refused(Refused::Rollback));
        }
        if !may_be(db, &tree, &remembered).await? {
            return refuse(db, &tree, tree.size, None).await;
        }
        let Some(key) = key::of(governance, &tree).await? else {
            return Ok(Turn::Refused(Refused::KeyChanged));
        };
        if !tree.is_planned && !tree.is_due {
            return Ok(Turn::Idle);
        }
        let term = Term { holder: self.holder, now, until: now.plus_millis(LEASE_MS) };
        let Some(claim) = tree::claim(db, tree.number, term, BATCH_MAX).await? else {
            return Ok(Turn::Elsewhere);
        };
        let last = remembered.iter().find(|known| known.origin == tree.origin);
        let batch = Batch::load(db, &claim).await?;
        let Some(grown) = grow(db, tree.number, &claim, last, &batch).await? else {
            return refuse(db, &tree, claim.size, Some(claim.epoch)).await;
        };
        if !batch.entries.is_empty() {
            self.remember(remembered, &tree.origin, &grown).await?;
        }
        let step = Step { governance, tree: &tree, claim: &claim, term, key: &key };
        step.write(&batch, &grown).await
    }

    /// What was remembered of all trees.
    async fn recall(&self) -> Result<Vec<Remembered>> {
        let memory = Arc::clone(&self.memory);
        aside(move || memory.recall()).await
    }

    /// Remembers the tree that is about to be signed, beside the others.
    async fn remember(
        &self,
        mut trees: Vec<Remembered>,
        origin: &str,
        grown: &Grown,
    ) -> Result<()> {
        trees.retain(|tree| tree.origin != origin);
        let (size, root) = (grown.size(), grown.root);
        trees.push(Remembered { origin: origin.to_owned(), size, root, is_closed: false });
        let memory = Arc::clone(&self.memory);
        aside(move || memory.remember(&trees)).await
    }
}

/// Work that waits for a disk.
pub(super) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, crate::error::Cause> + Send + 'static,
) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Error::Bug(error.into()))?.map_err(Error::Bug)
}

/// Begins the first tree. Where trees are remembered that the store has never heard of, it does not.
async fn begin(governance: &Governance, known: &[Remembered], now: Timestamp) -> Result<Turn> {
    let db = governance.database();
    let mut used = tree::origins(db).await?;
    if known.iter().any(|tree| !tree.is_closed && !used.contains(&tree.origin)) {
        return Ok(Turn::Refused(Refused::Rollback));
    }
    let is_missing_trees = known.iter().any(|tree| !used.contains(&tree.origin));
    used.extend(known.iter().map(|tree| tree.origin.clone()));
    let origin = tree::free_origin(governance.log().origin(), &used);
    let vkeys = tree::vkeys(db).await?;
    let key = key::for_new_tree(governance, &origin, &vkeys, is_missing_trees).await?;
    tree::begin(db, &origin, &key, now).await?;
    Ok(Turn::Idle)
}

/// Stops a tree that is not what was remembered, unless somebody has gone on with it meanwhile.
async fn refuse(
    db: &impl ConnectionTrait,
    tree: &Tree,
    size: u64,
    epoch: Option<i64>,
) -> Result<Turn> {
    let has_stopped = tree::doubt(db, tree.number, size, epoch).await?;
    Ok(if has_stopped { Turn::Refused(Refused::Rollback) } else { Turn::Elsewhere })
}

/// Whether the open tree may be what was remembered, as far as its row tells.
async fn may_be(db: &impl ConnectionTrait, tree: &Tree, known: &[Remembered]) -> Result<bool> {
    let (own, others): (Vec<_>, Vec<_>) =
        known.iter().filter(|tree| !tree.is_closed).partition(|known| known.origin == tree.origin);
    if !others.is_empty() {
        let stored = tree::origins(db).await?;
        if others.iter().any(|known| !stored.contains(&known.origin)) {
            return Ok(false);
        }
    }
    // A tree that was closed is not gone on with.
    let closed = known.iter().any(|known| known.is_closed && known.origin == tree.origin);
    let fits = |known: &&Remembered| match known.size.cmp(&tree.size) {
        std::cmp::Ordering::Less => true,
        std::cmp::Ordering::Equal => known.root == tree.root,
        // Remembered before it was written: the batch under way must lead there.
        std::cmp::Ordering::Greater => tree.is_planned,
    };
    Ok(!closed && own.iter().all(fits))
}

/// What a plan comes to: those of its rows that have not been logged before.
#[derive(Debug)]
struct Batch {
    entries: Vec<(String, Digest)>,
    is_full: bool,
}

// SQL: a batch is read by arrays of thousands of values.
//
// Rows that are gone have been logged.
const PLANNED: &str = "SELECT kind, digest FROM log_pending WHERE id = ANY($1) ORDER BY id";

const KNOWN: &str = "SELECT encode(leaf_hash, 'hex') FROM log_entries \
     WHERE leaf_hash IN (SELECT decode(h, 'hex') FROM unnest($1::text[]) h)";

impl Batch {
    async fn load(db: &impl ConnectionTrait, claim: &Claim) -> Result<Self> {
        let rows = db.query_all_raw(statement(PLANNED, [claim.planned.clone().into()])).await?;
        let mut entries = rows.iter().map(leaf).collect::<Result<Vec<_>>>()?;
        let hashes: Vec<String> = entries.iter().map(|(_, hash)| hash.to_string()).collect();
        let known = db.query_all_raw(statement(KNOWN, [hashes.into()])).await?;
        let mut known = known
            .iter()
            .map(|row| Ok(row.try_get_by_index::<String>(0)?))
            .collect::<Result<BTreeSet<_>>>()?;
        entries.retain(|(_, hash)| known.insert(hash.to_string()));
        let is_full = i64::try_from(claim.planned.len()).is_ok_and(|rows| rows >= BATCH_MAX);
        Ok(Self { entries, is_full })
    }
}

/// The leaf of a row, and its hash.
fn leaf(row: &QueryResult) -> Result<(String, Digest)> {
    let (kind, digest): (String, String) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
    let kind = EntryKind::ALL.into_iter().find(|known| known.as_str() == kind);
    let kind = kind.ok_or_else(|| Error::bug("an entry of an unknown kind waits"))?;
    let digest = digest.parse().map_err(|_| Error::bug("what waits is no digest"))?;
    let data = entry(kind, digest).text;
    let hash = leaf_hash(data.as_bytes());
    Ok((data, hash))
}

/// A tree with its batch, shown to be the one before with more behind it.
#[derive(Debug)]
struct Grown {
    tree: Growth,
    root: Digest,
}

impl Grown {
    fn size(&self) -> u64 {
        self.tree.size()
    }
}

/// Adds a batch to the stored tree. Nothing, when the stored nodes do not lead to the root that was
/// signed last, or not to what was remembered.
async fn grow(
    db: &impl ConnectionTrait,
    tree: i16,
    claim: &Claim,
    last: Option<&Remembered>,
    batch: &Batch,
) -> Result<Option<Grown>> {
    let Claim { size, root, .. } = *claim;
    let mut needed = Needed::by(size, |nodes| merkle::root(nodes, size));
    let before = last.filter(|last| last.size > 0 && last.size < size);
    if let Some(last) = before {
        needed.extend(Needed::by(size, |nodes| merkle::consistency(nodes, last.size, size)));
    }
    let nodes = Nodes::read(db, tree, size, needed).await?;
    if let Some(last) = before {
        let proof = merkle::consistency(&nodes, last.size, size).unwrap_or_default();
        if merkle::verify_consistency(last.size, size, &proof, last.root, root).is_err() {
            return Ok(None);
        }
    }
    let Ok(mut growth) = Growth::of(&nodes, size) else { return Ok(None) };
    if merkle::root(&growth, size) != Ok(root) {
        return Ok(None);
    }
    for (_, hash) in &batch.entries {
        growth.push(*hash);
    }
    let grown = merkle::root(&growth, growth.size()).map_err(|error| Error::Bug(error.into()))?;
    let grown = Grown { tree: growth, root: grown };
    Ok(grown.follows(claim, last).then_some(grown))
}

impl Grown {
    /// Whether it is the tree of the claim with more behind it, and reaches what was remembered.
    fn follows(&self, claim: &Claim, last: Option<&Remembered>) -> bool {
        let reaches = last.is_none_or(|last| {
            last.size <= claim.size || (last.size, last.root) == (self.size(), self.root)
        });
        if claim.size == 0 {
            return reaches;
        }
        let proof = merkle::consistency(&self.tree, claim.size, self.size()).unwrap_or_default();
        let (old, new) = (claim.size, self.size());
        reaches && merkle::verify_consistency(old, new, &proof, claim.root, self.root).is_ok()
    }
}

/// The last step of a turn.
struct Step<'a> {
    governance: &'a Governance,
    tree: &'a Tree,
    claim: &'a Claim,
    term: Term,
    key: &'a TreeKey,
}

/// All or nothing: what follows depends on `moved`, which is empty when the lease was lost, or when the
/// tree is not as it was.
// SQL: one statement writes the whole batch, provided that the lease is still held.
const WRITE: &str = "WITH moved AS (UPDATE log_trees SET size = $3, root = $5, planned = NULL, \
         held_until = $6 WHERE number = $1 AND epoch = $2 AND size = $4 \
         AND frozen_at IS NULL AND NOT is_doubted RETURNING number), \
     entries AS (INSERT INTO log_entries (tree, index, data, leaf_hash) \
         SELECT m.number, $4 + e.place - 1, e.data, decode(e.hash, 'hex') \
         FROM moved m, unnest($7::text[], $8::text[]) WITH ORDINALITY AS e (data, hash, place)), \
     nodes AS (INSERT INTO log_nodes (tree, level, index, hash) \
         SELECT m.number, n.level, n.index, decode(n.hash, 'hex') \
         FROM moved m, unnest($9::int[], $10::bigint[], $11::text[]) AS n (level, index, hash)), \
     signed AS (INSERT INTO log_checkpoints (tree, size, epoch, note, signed_at) \
         SELECT number, $3, $2, $12, $13 FROM moved WHERE $3 > $4), \
     logged AS (DELETE FROM log_pending p USING moved WHERE p.id = ANY($14::bigint[])) \
     SELECT number FROM moved";

impl Step<'_> {
    /// Signs the tree and writes it, if it still is this sequencer's to write.
    async fn write(&self, batch: &Batch, grown: &Grown) -> Result<Turn> {
        let checkpoint =
            Checkpoint { origin: self.tree.origin.clone(), size: grown.size(), root: grown.root };
        let note = self.key.sign(&checkpoint.to_string()).await?;
        let (data, hashes): (Vec<_>, Vec<_>) =
            batch.entries.iter().map(|(data, hash)| (data.clone(), hash.to_string())).unzip();
        let mut nodes: (Vec<i32>, Vec<i64>, Vec<String>) = Default::default();
        for level in 1..8 {
            for (index, hash) in grown.tree.completed(8 * level) {
                nodes.0.push(i32::try_from(level).map_err(|error| Error::Bug(error.into()))?);
                nodes.1.push(column(index)?);
                nodes.2.push(hash.to_string());
            }
        }
        let values = [
            self.tree.number.into(),
            self.claim.epoch.into(),
            column(grown.size())?.into(),
            column(self.claim.size)?.into(),
            grown.root.to_string().into(),
            instant(self.term.until),
            data.into(),
            hashes.into(),
            nodes.0.into(),
            nodes.1.into(),
            nodes.2.into(),
            note.into(),
            instant(self.term.now),
            self.claim.planned.clone().into(),
        ];
        let written = self.governance.database().query_one_raw(statement(WRITE, values)).await?;
        if written.is_none() {
            return Ok(Turn::Elsewhere);
        }
        let entries = batch.entries.len();
        self.governance.tell(Observed::Logged { entries, size: grown.size() });
        Ok(Turn::Logged { entries, is_full: batch.is_full })
    }
}
