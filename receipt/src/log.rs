//! The transparency log: entries, signed checkpoints, tiles and anchors (receipts, section 10).

mod anchor;
mod checkpoint;
mod entry;
mod note;
mod proof_text;
mod tile;
mod vkey;

pub use self::{
    anchor::{Anchor, EMBEDDED, InclusionProof},
    checkpoint::{Checkpoint, NotACheckpoint, tree_id},
    entry::{BundleMalformed, EntryKind, decode_entries, encode_entries, entry},
    note::{Line, Note, NoteInvalid, NoteKey, NoteMalformed, signed_note},
    proof_text::{ProofText, ProofTextMalformed},
    tile::{Needed, NotATile, Tile, TileNodes, new_tiles},
    vkey::{Vkey, VkeyKind, VkeyRefused},
};
