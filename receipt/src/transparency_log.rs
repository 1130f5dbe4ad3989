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
    checkpoint::{Checkpoint, ParseCheckpointError, tree_id},
    entry::{EntryKind, ParseEntryBundleError, decode_entries, encode_entries, entry},
    note::{Note, NoteKey, NoteSignature, NoteVerificationError, ParseNoteError, signed_note},
    proof_text::{ParseProofTextError, ProofText},
    tile::{ParseTileError, RequiredTiles, Tile, TileNodes, new_tiles},
    vkey::{ParseVkeyError, Vkey, VkeyKind},
};
