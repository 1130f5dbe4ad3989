//! Verifier keys of notes, in the C2SP form `name+keyid+base64(type || key)`.

use std::{fmt, str::FromStr};

use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::{digest::Digest, key::PublicKey};

/// What a key signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VkeyKind {
    /// The text of a note (`0x01`).
    Note,
    /// A cosignature, version 1 (`0x04`).
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

/// A key that checks the signatures of notes under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vkey {
    name: String,
    kind: VkeyKind,
    key: PublicKey,
    id: [u8; 4],
}

/// A text that is no verifier key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a verifier key of the form `name+keyid+key`")]
pub struct VkeyRefused;

impl Vkey {
    /// The verifier key of `key` under `name`.
    ///
    /// # Errors
    /// `name` is empty, or has white space or `+`.
    pub fn new(name: &str, kind: VkeyKind, key: PublicKey) -> Result<Self, VkeyRefused> {
        if !is_name(name) {
            return Err(VkeyRefused);
        }
        let digest = Digest::of_parts(&[name.as_bytes(), b"\n", &[kind.byte()], key.as_bytes()]);
        let [a, b, c, d, ..] = *digest.as_bytes();
        Ok(Self { name: name.to_owned(), kind, key, id: [a, b, c, d] })
    }

    /// The name; of a log, its origin.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it signs.
    pub const fn kind(&self) -> VkeyKind {
        self.kind
    }

    /// The first 4 bytes of the digest of name, type and key.
    pub const fn id(&self) -> [u8; 4] {
        self.id
    }

    /// The key.
    pub const fn key(&self) -> &PublicKey {
        &self.key
    }
}

/// Whether `name` may name a key: not empty, without white space and `+`.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c == '+')
}

impl FromStr for Vkey {
    type Err = VkeyRefused;

    fn from_str(text: &str) -> Result<Self, VkeyRefused> {
        let (name, rest) = text.split_once('+').ok_or(VkeyRefused)?;
        let (id, key) = rest.split_once('+').ok_or(VkeyRefused)?;
        let bytes = STANDARD.decode(key).map_err(|_| VkeyRefused)?;
        let (kind, key) = bytes.split_first().ok_or(VkeyRefused)?;
        let kind = [VkeyKind::Note, VkeyKind::Cosignature]
            .into_iter()
            .find(|known| known.byte() == *kind)
            .ok_or(VkeyRefused)?;
        let key = key.try_into().map_err(|_| VkeyRefused)?;
        let vkey = Self::new(name, kind, PublicKey::from_bytes(key).map_err(|_| VkeyRefused)?)?;
        if hex::encode(vkey.id) == id { Ok(vkey) } else { Err(VkeyRefused) }
    }
}

impl fmt::Display for Vkey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = [&[self.kind.byte()], self.key.as_bytes().as_slice()].concat();
        write!(f, "{}+{}+{}", self.name, hex::encode(self.id), STANDARD.encode(bytes))
    }
}
