//! Anchors: where something stands in the log, with the proof of it.
//!
//! An entry is anchored under the first checkpoint that reaches it. Neither ever changes, and so the
//! proof, which is made anew from the stored nodes, never does.

use std::collections::BTreeSet;

use contract::json::{Limits, Value};
use receipt::{
    digest::Digest,
    log::{Anchor, Checkpoint, EntryKind, InclusionProof, Needed, Note, entry},
    merkle::{self, leaf_hash},
};
use sea_orm::{ConnectionTrait, prelude::DateTimeUtc};

use super::nodes::{Nodes, number};
use crate::{
    Governance,
    error::{Error, Result},
    tenancy::statement,
};

/// The hash of the entry about something, which is stored by its digest; none of what is no digest.
fn leaf(kind: EntryKind, digest: &str) -> Option<Digest> {
    let digest = digest.parse().ok()?;
    Some(leaf_hash(entry(kind, digest).text.as_bytes()))
}

const ANCHORED: &str = "SELECT e.tree, e.index, c.note, c.signed_at FROM log_entries e \
     CROSS JOIN LATERAL (SELECT note, signed_at FROM log_checkpoints c \
         WHERE c.tree = e.tree AND c.size > e.index ORDER BY c.size LIMIT 1) c \
     WHERE e.leaf_hash = decode($1, 'hex')";

/// The anchor of something, by its digest; none while it waits.
pub(crate) async fn anchor(
    db: &impl ConnectionTrait,
    kind: EntryKind,
    digest: &str,
) -> Result<Option<Value>> {
    let Some(leaf) = leaf(kind, digest) else { return Ok(None) };
    let row = db.query_one_raw(statement(ANCHORED, [leaf.to_string().into()])).await?;
    let Some(row) = row else { return Ok(None) };
    let (tree, log_index): (i16, i64) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
    let (note, signed_at): (String, DateTimeUtc) =
        (row.try_get_by_index(2)?, row.try_get_by_index(3)?);
    let log_index = number(log_index);
    let checkpoint = read(&note).ok_or_else(|| Error::bug("a stored checkpoint is none"))?;
    let size = checkpoint.size;
    let needed = Needed::by(size, |nodes| merkle::inclusion(nodes, log_index, size));
    let nodes = Nodes::read(db, tree, size, needed).await?;
    let Ok(hashes) = merkle::inclusion(&nodes, log_index, size) else {
        tracing::error!(tree, log_index, "nodes of the log are missing");
        return Ok(None);
    };
    let anchor = Anchor {
        entry_uuid: format!("{}{leaf}", checkpoint.tree_id()),
        log_index,
        inclusion_proof: InclusionProof {
            hashes,
            log_index,
            root_hash: checkpoint.root,
            tree_size: size,
            checkpoint: Some(note),
        },
        anchored_at: entity::column::instant(signed_at),
    };
    let value = Value::parse(anchor.canonical().text.as_bytes(), &Limits::BUNDLE_MEMBER);
    value.map(Some).map_err(|fault| Error::bug(format!("an anchor: {fault:?}")))
}

fn read(note: &str) -> Option<Checkpoint> {
    Checkpoint::read(Note::read(note).ok()?.text).ok()
}

const PRESENT: &str = "SELECT encode(leaf_hash, 'hex') FROM log_entries \
     WHERE leaf_hash IN (SELECT decode(h, 'hex') FROM unnest($1::text[]) h)";

/// Which of these receipts, by their digests, are in the log, in their order.
pub(crate) async fn anchored<'d>(
    governance: &Governance,
    digests: impl IntoIterator<Item = Option<&'d str>>,
) -> Result<Vec<bool>> {
    let digests = digests.into_iter();
    let leaves =
        digests.map(|digest| leaf(EntryKind::Receipt, digest?).map(|leaf| leaf.to_string()));
    let leaves: Vec<Option<String>> = leaves.collect();
    let asked: Vec<String> = leaves.iter().flatten().cloned().collect();
    let rows = governance.database().query_all_raw(statement(PRESENT, [asked.into()])).await?;
    let present = rows
        .iter()
        .map(|row| Ok(row.try_get_by_index::<String>(0)?))
        .collect::<Result<BTreeSet<_>>>()?;
    Ok(leaves.iter().map(|leaf| leaf.as_ref().is_some_and(|leaf| present.contains(leaf))).collect())
}

const INDEX: &str = "SELECT index FROM log_entries WHERE leaf_hash = decode($1, 'hex')";

/// The number of an entry; none while it waits.
pub(crate) async fn index(
    governance: &Governance,
    kind: EntryKind,
    digest: Digest,
) -> Result<Option<i64>> {
    let leaf = leaf_hash(entry(kind, digest).text.as_bytes()).to_string();
    let row = governance.database().query_one_raw(statement(INDEX, [leaf.into()])).await?;
    row.map(|row| Ok(row.try_get_by_index(0)?)).transpose()
}
