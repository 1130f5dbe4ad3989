//! A log of a few entries, with its checkpoint and a witness.

use receipt::{
    Digest,
    log::{Anchor, Checkpoint, EntryKind, InclusionProof, Note, NoteKey, VkeyKind, entry, tree_id},
    merkle::{self, Tree, leaf_hash},
};

use super::{instant, key};

pub(crate) const ORIGIN: &str = "log.example/1";
pub(crate) const WITNESS: &str = "witness.example";

/// How the log is made.
pub(crate) struct Log {
    pub(crate) origin: &'static str,
    pub(crate) signer: &'static str,
    /// The witness's seconds; absent: it has not seen the checkpoint.
    pub(crate) cosigned: Option<u64>,
    /// Whether anything is anchored yet.
    pub(crate) is_running: bool,
}

impl Default for Log {
    fn default() -> Self {
        // 2026-05-02
        Self { origin: ORIGIN, signer: "log", cosigned: Some(1_777_680_000), is_running: true }
    }
}

pub(crate) fn log_key(origin: &str, signer: &str) -> NoteKey {
    NoteKey::new(origin, VkeyKind::Note, key(signer)).unwrap()
}

pub(crate) fn witness() -> NoteKey {
    NoteKey::new(WITNESS, VkeyKind::Cosignature, key("witness")).unwrap()
}

impl Log {
    /// The key of the log that the registry lists.
    pub(crate) fn vkey() -> receipt::log::Vkey {
        log_key(ORIGIN, "log").vkey().clone()
    }

    /// The anchors of `entries`, which the log has in this order.
    pub(super) fn anchors(&self, entries: &[(EntryKind, Digest)]) -> Vec<Anchor> {
        if !self.is_running {
            return Vec::new();
        }
        let leaves: Vec<Digest> = entries
            .iter()
            .map(|(kind, digest)| leaf_hash(entry(*kind, *digest).text.as_bytes()))
            .collect();
        let tree: Tree = leaves.iter().copied().collect();
        let (size, origin) = (tree.size(), self.origin.to_owned());
        let root = merkle::root(&tree, size).unwrap();
        let text = Checkpoint { origin, size, root }.to_string();
        let mut note = log_key(self.origin, self.signer).sign(&text).unwrap();
        if let Some(seconds) = self.cosigned {
            let line = witness().cosign(&Note::read(&note).unwrap(), seconds).unwrap();
            note.push_str(&line);
        }
        let anchor = |(index, leaf): (u64, &Digest)| Anchor {
            entry_uuid: format!("{}{leaf}", tree_id(self.origin)),
            log_index: index,
            inclusion_proof: InclusionProof {
                hashes: merkle::inclusion(&tree, index, size).unwrap(),
                log_index: index,
                root_hash: root,
                tree_size: size,
                checkpoint: Some(note.clone()),
            },
            anchored_at: instant("2026-05-02T00:00:00.000Z"),
        };
        (0..).zip(&leaves).map(anchor).collect()
    }
}
