//! C2SP signed notes: a text, an empty line, and one line per signature.

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::vkey::{ParseVkeyError, Vkey, VkeyKind, is_name};
use crate::key::{InvalidSignature, SigningKey};

const BYTES_MAX: usize = 1_000_000;
const SIGNATURES_MAX: usize = 100;

/// A text with its signatures, not yet verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note<'a> {
    /// The signed text, including the final line feed.
    pub text: &'a str,
    /// The signatures, in the order of the note.
    pub lines: Vec<NoteSignature<'a>>,
}

/// One signature of a note, not yet verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteSignature<'a> {
    /// The name of the signer, as claimed by the note.
    pub name: &'a str,
    /// The key ID of the signer, as claimed by the note.
    pub id: [u8; 4],
    /// The raw signature; in a cosignature, preceded by its timestamp.
    pub signature: Vec<u8>,
}

/// A text that is not a signed note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a signed note")]
pub struct ParseNoteError;

/// The reason why a note is not accepted as signed by a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoteVerificationError {
    /// The note has no signature by this key.
    #[error("no signature by this key")]
    Absent,
    /// A signature that names this key is invalid.
    #[error("the signature by this key is not valid")]
    Wrong,
}

impl<'a> Note<'a> {
    /// Parses a note without verifying it.
    ///
    /// # Errors
    /// Returns an error for control characters, a missing empty line before the signatures, a
    /// malformed signature line, or a note beyond the limits.
    pub fn read(note: &'a str) -> Result<Self, ParseNoteError> {
        if note.len() > BYTES_MAX || note.bytes().any(|byte| byte < 0x20 && byte != b'\n') {
            return Err(ParseNoteError);
        }
        let (text_without_newline, lines) = note.rsplit_once("\n\n").ok_or(ParseNoteError)?;
        let text =
            note.get(..text_without_newline.len().saturating_add(1)).ok_or(ParseNoteError)?;
        let lines = lines.strip_suffix('\n').ok_or(ParseNoteError)?;
        let lines =
            lines.split('\n').take(SIGNATURES_MAX.saturating_add(1)).map(NoteSignature::read);
        let lines = lines.collect::<Result<Vec<_>, _>>()?;
        if lines.len() > SIGNATURES_MAX { Err(ParseNoteError) } else { Ok(Self { text, lines }) }
    }

    /// Checks that `key` signed this note. All signatures that name the key must be valid.
    ///
    /// # Errors
    /// Returns an error if no signature names the key or one is invalid.
    pub fn verify(&self, key: &Vkey) -> Result<(), NoteVerificationError> {
        let signatures = self.signatures_by(key, VkeyKind::Note)?;
        for signature in signatures {
            let result = key.key().verify_bytes(self.text.as_bytes(), &signature.signature);
            result.map_err(|InvalidSignature| NoteVerificationError::Wrong)?;
        }
        Ok(())
    }

    /// Checks that the witness `key` cosigned this note, and returns the earliest timestamp of its
    /// signatures in Unix seconds. All signatures that name the key must be valid.
    ///
    /// # Errors
    /// Returns an error if no signature names the key or one is invalid.
    pub fn verify_cosignature(&self, key: &Vkey) -> Result<u64, NoteVerificationError> {
        let cosignatures = self.signatures_by(key, VkeyKind::Cosignature)?;
        let times = cosignatures.into_iter().map(|line| {
            let (seconds, signature) =
                line.signature.split_first_chunk::<8>().ok_or(NoteVerificationError::Wrong)?;
            let seconds = u64::from_be_bytes(*seconds);
            let message = cosigned_text(seconds, self.text);
            let result = key.key().verify_bytes(message.as_bytes(), signature);
            result.map(|()| seconds).map_err(|InvalidSignature| NoteVerificationError::Wrong)
        });
        let times = times.collect::<Result<Vec<_>, _>>()?;
        times.into_iter().min().ok_or(NoteVerificationError::Absent)
    }

    fn signatures_by(
        &self,
        key: &Vkey,
        kind: VkeyKind,
    ) -> Result<Vec<&NoteSignature<'a>>, NoteVerificationError> {
        let is_by_key = |signature: &&NoteSignature<'_>| {
            signature.name == key.name() && signature.id == key.id()
        };
        let signatures: Vec<_> = self.lines.iter().filter(is_by_key).collect();
        if signatures.is_empty() || key.kind() != kind {
            Err(NoteVerificationError::Absent)
        } else {
            Ok(signatures)
        }
    }
}

impl<'a> NoteSignature<'a> {
    fn read(line: &'a str) -> Result<Self, ParseNoteError> {
        let (name, blob) = line
            .strip_prefix("— ")
            .and_then(|rest| rest.split_once(' '))
            .filter(|(name, _)| is_name(name))
            .ok_or(ParseNoteError)?;
        let blob = STANDARD.decode(blob).map_err(|_| ParseNoteError)?;
        let (id, signature) = blob.split_first_chunk::<4>().ok_or(ParseNoteError)?;
        if signature.is_empty() {
            return Err(ParseNoteError);
        }
        Ok(Self { name, id: *id, signature: signature.to_vec() })
    }
}

/// Returns the text that a witness signs.
fn cosigned_text(seconds: u64, text: &str) -> String {
    format!("cosignature/v1\ntime {seconds}\n{text}")
}

/// A key that signs notes under a name.
#[derive(Debug)]
pub struct NoteKey {
    vkey: Vkey,
    key: SigningKey,
}

impl NoteKey {
    /// Creates a signer for `key` under `name`; for a log, `name` is its origin.
    ///
    /// # Errors
    /// Returns an error if `name` is not a valid key name.
    pub fn new(name: &str, kind: VkeyKind, key: SigningKey) -> Result<Self, ParseVkeyError> {
        Ok(Self { vkey: Vkey::new(name, kind, key.public().clone())?, key })
    }

    /// Returns the verifier key for its signatures.
    pub const fn vkey(&self) -> &Vkey {
        &self.vkey
    }

    /// Returns the note of `text` with a signature by this key. `text` must end in a line feed.
    ///
    /// # Errors
    /// Returns an error if the signature fails verification directly after signing, which indicates
    /// a hardware fault.
    pub fn sign(&self, text: &str) -> Result<String, InvalidSignature> {
        let signature = self.key.sign_bytes(text.as_bytes())?;
        Ok(signed_note(text, &self.vkey, &signature))
    }

    /// Returns the signature line of a witness that received `note` at `seconds` (Unix time).
    ///
    /// # Errors
    /// Returns an error if the signature fails verification directly after signing, which indicates
    /// a hardware fault.
    pub fn cosign(&self, note: &Note<'_>, seconds: u64) -> Result<String, InvalidSignature> {
        let signature = self.key.sign_bytes(cosigned_text(seconds, note.text).as_bytes())?;
        Ok(signature_line(&self.vkey, &[&seconds.to_be_bytes(), signature.as_slice()].concat()))
    }
}

/// Returns the note of `text` with `signature` by the key of `vkey`. `text` must end in a line feed.
/// The caller has verified the signature.
pub fn signed_note(text: &str, vkey: &Vkey, signature: &[u8; 64]) -> String {
    format!("{text}\n{}", signature_line(vkey, signature))
}

fn signature_line(vkey: &Vkey, signature: &[u8]) -> String {
    let blob = STANDARD.encode([&vkey.id(), signature].concat());
    format!("— {} {blob}\n", vkey.name())
}
