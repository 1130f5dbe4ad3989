//! C2SP signed notes: a text, an empty line, and a line for each signature.

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::vkey::{Vkey, VkeyKind, VkeyRefused, is_name};
use crate::key::{SignatureInvalid, SigningKey};

/// How long a note may be.
const BYTES_MAX: usize = 1_000_000;
/// How many signatures a note may have.
const SIGNATURES_MAX: usize = 100;

/// A text with its signatures, none of them checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note<'a> {
    /// What is signed, with the line feed at its end.
    pub text: &'a str,
    /// The signatures.
    pub lines: Vec<Line<'a>>,
}

/// One signature of a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Whose it says it is.
    pub name: &'a str,
    /// Which key it says it is.
    pub id: [u8; 4],
    /// What that key made.
    pub signature: Vec<u8>,
}

/// A text that is no signed note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a signed note")]
pub struct NoteMalformed;

/// A note that a key did not sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoteInvalid {
    /// No line is by this key.
    #[error("no signature by this key")]
    Absent,
    /// A line says that it is by this key, and is not.
    #[error("the signature by this key is not valid")]
    Wrong,
}

impl<'a> Note<'a> {
    /// Takes a note apart.
    ///
    /// # Errors
    /// It is none: control characters, no empty line before the signatures, a line of another form,
    /// or beyond the limits.
    pub fn read(note: &'a str) -> Result<Self, NoteMalformed> {
        if note.len() > BYTES_MAX || note.bytes().any(|byte| byte < 0x20 && byte != b'\n') {
            return Err(NoteMalformed);
        }
        let (before, lines) = note.rsplit_once("\n\n").ok_or(NoteMalformed)?;
        let text = note.get(..before.len().saturating_add(1)).ok_or(NoteMalformed)?;
        let lines = lines.strip_suffix('\n').ok_or(NoteMalformed)?;
        let lines = lines.split('\n').take(SIGNATURES_MAX.saturating_add(1)).map(Line::read);
        let lines = lines.collect::<Result<Vec<_>, _>>()?;
        if lines.len() > SIGNATURES_MAX { Err(NoteMalformed) } else { Ok(Self { text, lines }) }
    }

    /// Checks that `key` signed this note. Each line that says so must be good.
    ///
    /// # Errors
    /// None says so, or one is wrong.
    pub fn verify(&self, key: &Vkey) -> Result<(), NoteInvalid> {
        let signed = self.by(key, VkeyKind::Note)?;
        for line in signed {
            let good = key.key().verify_bytes(self.text.as_bytes(), &line.signature);
            good.map_err(|SignatureInvalid| NoteInvalid::Wrong)?;
        }
        Ok(())
    }

    /// Checks that the witness `key` cosigned this note, and returns the time it gives: the earliest
    /// of its lines, in Unix seconds. Each line that says it is by this key must be good.
    ///
    /// # Errors
    /// None says so, or one is wrong.
    pub fn verify_cosignature(&self, key: &Vkey) -> Result<u64, NoteInvalid> {
        let signed = self.by(key, VkeyKind::Cosignature)?;
        let times = signed.into_iter().map(|line| {
            let (seconds, signature) =
                line.signature.split_first_chunk::<8>().ok_or(NoteInvalid::Wrong)?;
            let seconds = u64::from_be_bytes(*seconds);
            let message = cosigned(seconds, self.text);
            let good = key.key().verify_bytes(message.as_bytes(), signature);
            good.map(|()| seconds).map_err(|SignatureInvalid| NoteInvalid::Wrong)
        });
        let times = times.collect::<Result<Vec<_>, _>>()?;
        times.into_iter().min().ok_or(NoteInvalid::Absent)
    }

    fn by(&self, key: &Vkey, kind: VkeyKind) -> Result<Vec<&Line<'a>>, NoteInvalid> {
        let by = |line: &&Line<'_>| line.name == key.name() && line.id == key.id();
        let lines: Vec<_> = self.lines.iter().filter(by).collect();
        if lines.is_empty() || key.kind() != kind { Err(NoteInvalid::Absent) } else { Ok(lines) }
    }
}

impl<'a> Line<'a> {
    fn read(line: &'a str) -> Result<Self, NoteMalformed> {
        let (name, blob) = line
            .strip_prefix("— ")
            .and_then(|rest| rest.split_once(' '))
            .filter(|(name, _)| is_name(name))
            .ok_or(NoteMalformed)?;
        let blob = STANDARD.decode(blob).map_err(|_| NoteMalformed)?;
        let (id, signature) = blob.split_first_chunk::<4>().ok_or(NoteMalformed)?;
        if signature.is_empty() {
            return Err(NoteMalformed);
        }
        Ok(Self { name, id: *id, signature: signature.to_vec() })
    }
}

/// What a witness signs.
fn cosigned(seconds: u64, text: &str) -> String {
    format!("cosignature/v1\ntime {seconds}\n{text}")
}

/// A key that signs notes under a name.
#[derive(Debug)]
pub struct NoteKey {
    vkey: Vkey,
    key: SigningKey,
}

impl NoteKey {
    /// `key` as a signer under `name`; of a log, its origin.
    ///
    /// # Errors
    /// `name` cannot name a key.
    pub fn new(name: &str, kind: VkeyKind, key: SigningKey) -> Result<Self, VkeyRefused> {
        Ok(Self { vkey: Vkey::new(name, kind, key.public().clone())?, key })
    }

    /// What checks its signatures.
    pub const fn vkey(&self) -> &Vkey {
        &self.vkey
    }

    /// The note of `text`, which ends in a line feed, with a signature by this key.
    ///
    /// # Errors
    /// The signature does not verify: the machine has made a mistake.
    pub fn sign(&self, text: &str) -> Result<String, SignatureInvalid> {
        let signature = self.key.sign_bytes(text.as_bytes())?;
        Ok(signed_note(text, &self.vkey, &signature))
    }

    /// The line with which a witness adds to `note` that it has seen it at `seconds` (Unix time).
    ///
    /// # Errors
    /// The signature does not verify: the machine has made a mistake.
    pub fn cosign(&self, note: &Note<'_>, seconds: u64) -> Result<String, SignatureInvalid> {
        let signature = self.key.sign_bytes(cosigned(seconds, note.text).as_bytes())?;
        Ok(line(&self.vkey, &[&seconds.to_be_bytes(), signature.as_slice()].concat()))
    }
}

/// Returns the note of `text`, which ends in a line feed, with a signature over it that the key behind
/// `vkey` has made. The caller has verified the signature.
pub fn signed_note(text: &str, vkey: &Vkey, signature: &[u8; 64]) -> String {
    format!("{text}\n{}", line(vkey, signature))
}

fn line(vkey: &Vkey, signature: &[u8]) -> String {
    let blob = STANDARD.encode([&vkey.id(), signature].concat());
    format!("— {} {blob}\n", vkey.name())
}
