//! Anchors: positions in the log with their inclusion proofs.
//!
//! An entry is anchored under the first checkpoint that includes it. Neither changes, so the proof computed
//! from the stored nodes does not change either.

use entity::{
    log_entry::{self as entries, Column},
    log_tree,
};
use receipt::{
    merkle::{self, leaf_hash},
    transparency_log::{
        Anchor, Checkpoint, EntryKind, InclusionProof, Note, ProofText, RequiredTiles, entry,
    },
};
use sea_orm::PaginatorTrait;

use super::{Nodes, number};
use crate::base::prelude::*;

/// Returns the leaf hash of the entry for a digest.
fn leaf(kind: EntryKind, digest: Digest) -> Digest {
    leaf_hash(entry(kind, digest).text.as_bytes())
}

// SQL: a lateral join finds the first checkpoint that includes the entry.
const SELECT_ANCHOR: &str = "SELECT e.tree, e.index, c.note, c.signed_at FROM log_entries e \
     CROSS JOIN LATERAL (SELECT note, signed_at FROM log_checkpoints c \
         WHERE c.tree = e.tree AND c.size > e.index ORDER BY c.size LIMIT 1) c \
     WHERE e.leaf_hash = $1";

/// Returns the anchor of a digest; `None` while it is pending, and if the stored digest is malformed.
pub(crate) async fn anchor(
    db: &impl ConnectionTrait,
    kind: EntryKind,
    digest: Option<Digest>,
) -> Result<Option<Value>> {
    let Some(digest) = digest else { return Ok(None) };
    let anchor = find(db, kind, digest).await?;
    anchor.map(|anchor| parse_stored("an anchor", &anchor.canonical().text)).transpose()
}

/// Returns the anchor of a digest; `None` while it is pending.
pub(super) async fn find(
    db: &impl ConnectionTrait,
    kind: EntryKind,
    digest: Digest,
) -> Result<Option<Anchor>> {
    let leaf = leaf(kind, digest);
    let row = sql::optional(db, SELECT_ANCHOR, [leaf.as_bytes()[..].into()]).await?;
    let Some((tree, log_index, note, signed_at)) = row else { return Ok(None) };
    let (log_index, note): (_, String) = (number(log_index), note);
    let checkpoint = parse_checkpoint(&note)?;
    let size = checkpoint.size;
    let Some(hashes) = inclusion(db, tree, log_index, size).await? else { return Ok(None) };
    Ok(Some(Anchor {
        entry_uuid: format!("{}{leaf}", checkpoint.tree_id()),
        log_index,
        inclusion_proof: InclusionProof {
            hashes,
            log_index,
            root_hash: checkpoint.root,
            tree_size: size,
            checkpoint: Some(note),
        },
        anchored_at: from_column(signed_at),
    }))
}

/// Returns the proof that an entry is in the tree of `size` entries; `None` if nodes are missing in the
/// database.
async fn inclusion(
    db: &impl ConnectionTrait,
    tree: i16,
    index: u64,
    size: u64,
) -> Result<Option<Vec<Digest>>> {
    let tiles = RequiredTiles::record(size, |nodes| merkle::inclusion(nodes, index, size));
    let nodes = Nodes::read(db, tree, size, tiles).await?;
    let hashes = merkle::inclusion(&nodes, index, size).ok();
    if hashes.is_none() {
        tracing::error!(tree, index, "nodes of the log are missing");
    }
    Ok(hashes)
}

// SQL: a lateral join finds the last checkpoint of the tree.
const SELECT_FINAL: &str = "SELECT e.tree, e.index, c.note FROM log_entries e \
     JOIN log_trees t ON t.number = e.tree AND t.frozen_at IS NOT NULL \
     CROSS JOIN LATERAL (SELECT note FROM log_checkpoints c \
         WHERE c.tree = e.tree ORDER BY c.size DESC LIMIT 1) c \
     WHERE e.leaf_hash = $1";

/// Returns the text of the proof that an entry of a frozen tree is under its final checkpoint; `None` while
/// the entry is pending or its tree is open.
pub(crate) async fn final_proof(
    db: &impl ConnectionTrait,
    kind: EntryKind,
    digest: Digest,
) -> Result<Option<String>> {
    let leaf = leaf(kind, digest);
    let row = sql::optional(db, SELECT_FINAL, [leaf.as_bytes()[..].into()]).await?;
    let Some((tree, index, note)) = row else { return Ok(None) };
    let (index, note): (_, String) = (number(index), note);
    let checkpoint = parse_checkpoint(&note)?;
    let hashes = inclusion(db, tree, index, checkpoint.size).await?;
    Ok(hashes.map(|hashes| ProofText { index, hashes, checkpoint: &note }.to_string()))
}

pub(super) fn parse_checkpoint(note: &str) -> Result<Checkpoint> {
    let checkpoint = Note::read(note).ok().and_then(|note| Checkpoint::read(note.text).ok());
    checkpoint.or_bug("a stored checkpoint is malformed")
}

// SQL: the entries are selected by an array of hashes.
const SELECT_PRESENT: &str = "SELECT encode(leaf_hash, 'hex') FROM log_entries \
     WHERE leaf_hash IN (SELECT decode(h, 'hex') FROM unnest($1::text[]) h)";

/// Returns those of these leaf hashes that are in the log.
async fn present(db: &impl ConnectionTrait, hashes: Vec<String>) -> Result<BTreeSet<String>> {
    Ok(sql::tuples(db, SELECT_PRESENT, [hashes.into()]).await?.into_iter().collect())
}

/// Returns for each receipt digest whether it is in the log, in order. A malformed digest is `None`.
pub(crate) async fn anchored(
    governance: &Governance,
    digests: impl IntoIterator<Item = Option<Digest>>,
) -> Result<Vec<bool>> {
    let digests = digests.into_iter();
    let leaves = digests.map(|digest| Some(leaf(EntryKind::Receipt, digest?).to_string()));
    let leaves: Vec<Option<String>> = leaves.collect();
    let hashes = leaves.iter().flatten().cloned().collect();
    let present = present(governance.database(), hashes).await?;
    Ok(leaves.iter().map(|leaf| leaf.as_ref().is_some_and(|leaf| present.contains(leaf))).collect())
}

/// Returns the kinds under which the log has an entry for `digest`.
pub(super) async fn kinds(db: &impl ConnectionTrait, digest: Digest) -> Result<Vec<EntryKind>> {
    let leaves = EntryKind::ALL.map(|kind| (kind, leaf(kind, digest).to_string()));
    let present = present(db, leaves.iter().map(|(_, leaf)| leaf.clone()).collect()).await?;
    let leaves = leaves.into_iter().filter(|(_, leaf)| present.contains(leaf));
    Ok(leaves.map(|(kind, _)| kind).collect())
}

/// Returns whether all of these digests are in the log.
pub(crate) async fn are_anchored(
    db: &impl ConnectionTrait,
    digests: impl IntoIterator<Item = (EntryKind, Option<Digest>)>,
) -> Result<bool> {
    let leaves = digests.into_iter().map(|(kind, digest)| Some(leaf(kind, digest?)));
    let Some(leaves) = leaves.collect::<Option<BTreeSet<_>>>() else { return Ok(false) };
    let present = present(db, leaves.iter().map(ToString::to_string).collect()).await?;
    Ok(present.len() == leaves.len())
}

/// Returns the number of frozen trees.
pub(crate) async fn frozen_trees(db: &impl ConnectionTrait) -> Result<i64> {
    let frozen = untenanted::<log_tree::Entity>().filter(log_tree::Column::FrozenAt.is_not_null());
    Ok(i64::try_from(frozen.count(db).await?)?)
}

/// Returns the index of an entry; `None` while it is pending.
pub(crate) async fn index(
    governance: &Governance,
    kind: EntryKind,
    digest: Digest,
) -> Result<Option<i64>> {
    let leaf = leaf(kind, digest);
    let index =
        untenanted::<entries::Entity>().filter(Column::LeafHash.eq(leaf.as_bytes().to_vec()));
    let index = index.select_only().column(Column::Index).into_tuple();
    Ok(index.one(governance.database()).await?)
}
