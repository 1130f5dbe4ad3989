//! The key that signs what is sent to Rekor.

use p256::{
    ecdsa::{Signature, SigningKey, VerifyingKey, signature::Signer},
    pkcs8::{EncodePublicKey, LineEnding},
};

/// A P-256 key. Rekor's entries hold a digest and a signature over it, which Ed25519, as it is used
/// everywhere else here, does not give.
#[derive(Clone)]
pub struct RekorKey {
    key: SigningKey,
    pem: String,
    der: Vec<u8>,
}

/// A number that is no private key of the curve: zero, or not below its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a private key of P-256")]
pub struct NotAKey;

impl RekorKey {
    /// The key whose private number is `bytes`, most significant first.
    ///
    /// # Errors
    /// It is none. Of random numbers about one in 2^32 is refused.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, NotAKey> {
        let key = SigningKey::from_slice(bytes).map_err(|_| NotAKey)?;
        let public = VerifyingKey::from(&key);
        let pem = public.to_public_key_pem(LineEnding::LF).map_err(|_| NotAKey)?;
        let der = public.to_public_key_der().map_err(|_| NotAKey)?.into_vec();
        Ok(Self { key, pem, der })
    }

    /// The ECDSA signature over SHA-256 of `message`, as DER. The same message always gets the same
    /// one (RFC 6979), so that an entry which is sent twice is one entry.
    pub(super) fn sign(&self, message: &[u8]) -> Vec<u8> {
        let signature: Signature = self.key.sign(message);
        signature.to_der().as_bytes().to_vec()
    }

    /// The public half as PEM (`-----BEGIN PUBLIC KEY-----`): what readers of Rekor look for.
    pub fn public_pem(&self) -> &str {
        &self.pem
    }

    /// The public half as DER (`SubjectPublicKeyInfo`).
    pub fn public_der(&self) -> &[u8] {
        &self.der
    }
}

impl std::fmt::Debug for RekorKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RekorKey").field("public", &self.pem).finish_non_exhaustive()
    }
}
