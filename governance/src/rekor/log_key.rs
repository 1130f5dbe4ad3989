//! The key of a Rekor instance, which its checkpoints are checked with.

use p256::{
    ecdsa::{Signature, VerifyingKey, signature::Verifier},
    pkcs8::{DecodePublicKey, Document, ObjectIdentifier, SubjectPublicKeyInfoRef},
};
use receipt::{
    digest::Digest,
    key::PublicKey,
    log::{Note, Vkey, VkeyKind},
};

/// The algorithm of an Ed25519 key (RFC 8410, section 3).
const ED25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.112");

/// A public key of a log: P-256 as Rekor 1 has it, or Ed25519 as Rekor 2 has it.
#[derive(Clone, Debug)]
pub struct LogKey(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Ed25519(Box<PublicKey>),
    /// The key, and the first 4 bytes of the digest of its DER form, by which notes name it.
    P256(Box<VerifyingKey>, [u8; 4]),
}

/// A text that is no public key of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a public key of Ed25519 or P-256 as PEM")]
pub struct NotALogKey;

impl LogKey {
    /// Reads a key as PEM (`-----BEGIN PUBLIC KEY-----`).
    ///
    /// # Errors
    /// It is none, or of another kind.
    pub fn from_pem(pem: &str) -> Result<Self, NotALogKey> {
        let (label, der) = Document::from_pem(pem).map_err(|_| NotALogKey)?;
        if label == "PUBLIC KEY" { Self::from_der(der.as_bytes()) } else { Err(NotALogKey) }
    }

    /// Reads a key as DER (`SubjectPublicKeyInfo`).
    ///
    /// # Errors
    /// It is none, or of another kind.
    pub fn from_der(der: &[u8]) -> Result<Self, NotALogKey> {
        let spki = SubjectPublicKeyInfoRef::try_from(der).map_err(|_| NotALogKey)?;
        if spki.algorithm.oid == ED25519 {
            let key = spki.subject_public_key.as_bytes().ok_or(NotALogKey)?;
            let key = key.try_into().map_err(|_| NotALogKey)?;
            let key = PublicKey::from_bytes(key).map_err(|_| NotALogKey)?;
            return Ok(Self(Kind::Ed25519(Box::new(key))));
        }
        let key = VerifyingKey::from_public_key_der(der).map_err(|_| NotALogKey)?;
        let [a, b, c, d, ..] = *Digest::of(der).as_bytes();
        Ok(Self(Kind::P256(Box::new(key), [a, b, c, d])))
    }

    /// Whether this key signed `note`. Lines by other keys do not matter.
    pub(super) fn signed(&self, note: &Note<'_>) -> bool {
        match &self.0 {
            Kind::Ed25519(key) => {
                let origin = note.text.lines().next().unwrap_or_default();
                let vkey = Vkey::new(origin, VkeyKind::Note, PublicKey::clone(key));
                vkey.is_ok_and(|vkey| note.verify(&vkey).is_ok())
            }
            Kind::P256(key, id) => note.lines.iter().filter(|line| line.id == *id).any(|line| {
                let signature = Signature::from_der(&line.signature);
                signature.is_ok_and(|made| key.verify(note.text.as_bytes(), &made).is_ok())
            }),
        }
    }
}
