//! The key that signs what is sent to Rekor.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use p256::{
    ecdsa::{Signature, SigningKey, VerifyingKey, signature::Signer},
    pkcs8::{DecodePrivateKey, EncodePrivateKey, EncodePublicKey, LineEnding},
};
use receipt::digest::Digest;
use zeroize::Zeroizing;

/// A P-256 key. Rekor's entries hold a digest and a signature over it, which Ed25519, as it is used
/// everywhere else here, does not give.
#[derive(Clone)]
pub struct RekorKey {
    key: SigningKey,
    pem: String,
    der: Vec<u8>,
    kid: String,
}

/// Bytes that are no private key of the curve, such as zero or a number not below its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a private key of P-256")]
pub struct NotAKey;

impl RekorKey {
    /// The key whose private number is `bytes`, most significant first.
    ///
    /// # Errors
    /// It is none. Of random numbers about one in 2^32 is refused.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, NotAKey> {
        Self::new(SigningKey::from_slice(bytes).map_err(|_| NotAKey)?)
    }

    /// Reads the key as PKCS#8 PEM (`-----BEGIN PRIVATE KEY-----`).
    ///
    /// # Errors
    /// It is not a private key of P-256.
    pub fn from_pem(pem: &str) -> Result<Self, NotAKey> {
        Self::new(SigningKey::from_pkcs8_pem(pem).map_err(|_| NotAKey)?)
    }

    /// The key as PKCS#8 PEM.
    ///
    /// # Errors
    /// None that is known; the encoder has one in its signature.
    pub fn to_pem(&self) -> Result<Zeroizing<String>, NotAKey> {
        self.key.to_pkcs8_pem(LineEnding::LF).map_err(|_| NotAKey)
    }

    fn new(key: SigningKey) -> Result<Self, NotAKey> {
        let public = VerifyingKey::from(&key);
        let pem = public.to_public_key_pem(LineEnding::LF).map_err(|_| NotAKey)?;
        let der = public.to_public_key_der().map_err(|_| NotAKey)?.into_vec();
        let kid = thumbprint(&der)?;
        Ok(Self { key, pem, der, kid })
    }

    /// The thumbprint (RFC 7638).
    pub fn kid(&self) -> &str {
        &self.kid
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

/// The thumbprint of the key whose `SubjectPublicKeyInfo` is `der`: that ends in the uncompressed point, two
/// numbers of 32 bytes.
fn thumbprint(der: &[u8]) -> Result<String, NotAKey> {
    let (before, y) = der.split_last_chunk::<32>().ok_or(NotAKey)?;
    let (_, x) = before.split_last_chunk::<32>().ok_or(NotAKey)?;
    let (x, y) = (URL_SAFE_NO_PAD.encode(x), URL_SAFE_NO_PAD.encode(y));
    let jwk = format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#);
    Ok(URL_SAFE_NO_PAD.encode(Digest::of(jwk.as_bytes()).as_bytes()))
}
