//! Data of the page of the transparency log.

use governance::proof::{
    rekor::{self, RekorRecord},
    transparency_log::{self, LogEntry, TreeInfo},
};

use super::view::{EntryRow, LogPage, RekorRow, Tree, entered_digest};
use crate::{
    problem::Problem,
    request::{governance, into_problem},
};

/// Returns the state of the log and, unless `digest` is empty, the entries of that digest.
pub(crate) async fn page(digest: String) -> Result<LogPage, Problem> {
    let governance = governance();
    let state = into_problem(transparency_log::state(&governance).await)?;
    let rekor = into_problem(rekor::latest_record(&governance).await)?;
    let found = match entered_digest(&digest) {
        None => None,
        Some(Err(error)) => Some(Err(error.to_owned())),
        Some(Ok(digest)) => {
            let entries = into_problem(transparency_log::entries(&governance, &digest).await)?;
            Some(Ok(entries.into_iter().map(entry_row).collect()))
        }
    };
    let mut trees: Vec<Tree> = state.trees.into_iter().map(tree).collect();
    let current = trees.pop();
    trees.reverse();
    Ok(LogPage {
        is_enabled: state.is_enabled,
        halt_reason: state.halt_reason.map(|reason| reason.as_str().to_owned()),
        current,
        earlier: trees,
        rekor: rekor.map(|RekorRecord { size, recorded_at, log_index }| RekorRow {
            size,
            recorded_at,
            log_index,
        }),
        digest,
        found,
    })
}

fn tree(tree: TreeInfo) -> Tree {
    Tree {
        origin: tree.origin,
        vkey: tree.vkey,
        size: tree.size,
        root: tree.root,
        began_at: tree.began_at,
        frozen_at: tree.frozen_at,
        checkpoint: tree.checkpoint,
        signed_at: tree.signed_at,
        cosigners: tree.cosigners,
    }
}

fn entry_row(entry: LogEntry) -> EntryRow {
    let inclusion = &entry.anchor.inclusion_proof;
    EntryRow {
        kind: entry.kind.as_str().to_owned(),
        index: entry.anchor.log_index,
        leaf_hash: entry.anchor.entry().1.to_owned(),
        tree_size: inclusion.tree_size,
        root: inclusion.root_hash.to_string(),
        anchored_at: entry.anchor.anchored_at,
        origin: entry.origin,
        proof: entry.proof,
        final_proof: entry.final_proof,
    }
}
