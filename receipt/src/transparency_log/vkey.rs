//! Verifier keys of notes in the C2SP form `name+keyid+base64(type || key)`.

use std::{fmt, str::FromStr};

use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::{digest::Digest, key::PublicKey};

/// The kind of signature that a verifier key checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VkeyKind {
    /// The text of a note (`0x01`).
    Note,
    /// A cosignature of version 1 (`0x04`).
    Cosignature,
}

impl VkeyKind {
    const fn byte(self) -> u8 {
        match self {
            Self::Note => 0x01,
            Self::Cosignature => 0x04,
        }
    }
}

/// A public key that verifies note signatures under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vkey {
    name: String,
    kind: VkeyKind,
    key: PublicKey,
    id: [u8; 4],
}

/// The error for a text that is not a verifier key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a verifier key of the form `name+keyid+key`")]
pub struct ParseVkeyError;

impl Vkey {
    /// Creates the verifier key of `key` under `name`.
    ///
    /// # Errors
    /// Returns an error if `name` is empty or contains white space or `+`.
    pub fn new(name: &str, kind: VkeyKind, key: PublicKey) -> Result<Self, ParseVkeyError> {
        if !is_name(name) {
            return Err(ParseVkeyError);
        }
        let digest =
            Digest::compute_parts(&[name.as_bytes(), b"\n", &[kind.byte()], key.as_bytes()]);
        let [a, b, c, d, ..] = *digest.as_bytes();
        Ok(Self { name: name.to_owned(), kind, key, id: [a, b, c, d] })
    }

    /// Returns the name; for a log, this is its origin.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the kind of signature that it checks.
    pub const fn kind(&self) -> VkeyKind {
        self.kind
    }

    /// Returns the key id: the first 4 bytes of the digest of name, type and key.
    pub const fn id(&self) -> [u8; 4] {
        self.id
    }

    /// Returns the public key.
    pub const fn key(&self) -> &PublicKey {
        &self.key
    }
}

/// Returns whether `name` is a valid key name: not empty, without white space and `+`.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c == '+')
}

impl FromStr for Vkey {
    type Err = ParseVkeyError;

    fn from_str(text: &str) -> Result<Self, ParseVkeyError> {
        let (name, rest) = text.split_once('+').ok_or(ParseVkeyError)?;
        let (id, key) = rest.split_once('+').ok_or(ParseVkeyError)?;
        let bytes = STANDARD.decode(key).map_err(|_| ParseVkeyError)?;
        let (kind, key) = bytes.split_first().ok_or(ParseVkeyError)?;
        let kind = [VkeyKind::Note, VkeyKind::Cosignature]
            .into_iter()
            .find(|candidate| candidate.byte() == *kind)
            .ok_or(ParseVkeyError)?;
        let key = key.try_into().map_err(|_| ParseVkeyError)?;
        let vkey = Self::new(name, kind, PublicKey::from_bytes(key).map_err(|_| ParseVkeyError)?)?;
        if hex::encode(vkey.id) == id { Ok(vkey) } else { Err(ParseVkeyError) }
    }
}

impl fmt::Display for Vkey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = [&[self.kind.byte()], self.key.as_bytes().as_slice()].concat();
        write!(f, "{}+{}+{}", self.name, hex::encode(self.id), STANDARD.encode(bytes))
    }
}
