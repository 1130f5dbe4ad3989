//! The public key of a Rekor instance, which verifies its checkpoints.

use p256::{
    ecdsa::{Signature, VerifyingKey, signature::Verifier},
    pkcs8::{DecodePublicKey, Document, ObjectIdentifier, SubjectPublicKeyInfoRef},
};
use receipt::{
    digest::Digest,
    key::PublicKey,
    transparency_log::{Note, Vkey, VkeyKind},
};

/// The algorithm identifier of an Ed25519 key (RFC 8410, section 3).
const ED25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.112");

/// The public key of a log: P-256 for Rekor 1, or Ed25519 for Rekor 2.
#[derive(Clone, Debug)]
pub struct LogKey(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Ed25519(Box<PublicKey>),
    /// The key, and the first 4 bytes of the digest of its DER form, which identify it in notes.
    P256(Box<VerifyingKey>, [u8; 4]),
}

/// The error for a text that is not a public key of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a public key of Ed25519 or P-256 as PEM")]
pub struct ParseLogKeyError;

impl LogKey {
    /// Parses a key in PEM form (`-----BEGIN PUBLIC KEY-----`).
    ///
    /// # Errors
    /// The text is not a public key or is of another kind.
    pub fn from_pem(pem: &str) -> Result<Self, ParseLogKeyError> {
        let (label, der) = Document::from_pem(pem).map_err(|_| ParseLogKeyError)?;
        if label == "PUBLIC KEY" { Self::from_der(der.as_bytes()) } else { Err(ParseLogKeyError) }
    }

    /// Parses a key in DER form (`SubjectPublicKeyInfo`).
    ///
    /// # Errors
    /// The bytes are not a public key or are of another kind.
    pub fn from_der(der: &[u8]) -> Result<Self, ParseLogKeyError> {
        let spki = SubjectPublicKeyInfoRef::try_from(der).map_err(|_| ParseLogKeyError)?;
        if spki.algorithm.oid == ED25519 {
            let key = spki.subject_public_key.as_bytes().ok_or(ParseLogKeyError)?;
            let key = key.try_into().map_err(|_| ParseLogKeyError)?;
            let key = PublicKey::from_bytes(key).map_err(|_| ParseLogKeyError)?;
            return Ok(Self(Kind::Ed25519(Box::new(key))));
        }
        let key = VerifyingKey::from_public_key_der(der).map_err(|_| ParseLogKeyError)?;
        let [a, b, c, d, ..] = *Digest::compute(der).as_bytes();
        Ok(Self(Kind::P256(Box::new(key), [a, b, c, d])))
    }

    /// Returns whether this key signed `note`. Ignores signatures of other keys.
    pub(super) fn has_signed(&self, note: &Note<'_>) -> bool {
        match &self.0 {
            Kind::Ed25519(key) => {
                let origin = note.text.lines().next().unwrap_or_default();
                let vkey = Vkey::new(origin, VkeyKind::Note, PublicKey::clone(key));
                vkey.is_ok_and(|vkey| note.verify(&vkey).is_ok())
            }
            Kind::P256(key, id) => note.lines.iter().filter(|line| line.id == *id).any(|line| {
                let signature = Signature::from_der(&line.signature);
                signature
                    .is_ok_and(|signature| key.verify(note.text.as_bytes(), &signature).is_ok())
            }),
        }
    }
}
