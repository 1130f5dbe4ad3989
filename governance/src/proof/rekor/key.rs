//! The key that signs Rekor entries.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use p256::{
    ecdsa::{Signature, SigningKey, VerifyingKey, signature::Signer},
    pkcs8::{DecodePrivateKey, EncodePrivateKey, EncodePublicKey, LineEnding},
};
use receipt::digest::Digest;
use zeroize::Zeroizing;

/// A P-256 key. Rekor entries contain a digest and a signature over it. Ed25519 as used elsewhere in the
/// service cannot sign a digest.
#[derive(Clone, derive_more::Debug)]
#[debug("RekorKey {{ public: {:?}, .. }}", pem)]
pub struct RekorKey {
    key: SigningKey,
    pem: String,
    der: Vec<u8>,
    kid: String,
}

/// The error for bytes that are not a private key of the curve, such as zero or a number that is not below
/// its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a private key of P-256")]
pub struct ParseRekorKeyError;

impl RekorKey {
    /// Creates the key from its private number in big-endian order.
    ///
    /// # Errors
    /// The number is not a private key. About one in 2^32 random numbers is refused.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, ParseRekorKeyError> {
        Self::new(SigningKey::from_slice(bytes).map_err(|_| ParseRekorKeyError)?)
    }

    /// Parses a key in PKCS#8 PEM form (`-----BEGIN PRIVATE KEY-----`).
    ///
    /// # Errors
    /// The text is not a private key of P-256.
    pub fn from_pem(pem: &str) -> Result<Self, ParseRekorKeyError> {
        Self::new(SigningKey::from_pkcs8_pem(pem).map_err(|_| ParseRekorKeyError)?)
    }

    /// Returns the key in PKCS#8 PEM form.
    ///
    /// # Errors
    /// None are known; the encoder returns a `Result`.
    pub fn to_pem(&self) -> Result<Zeroizing<String>, ParseRekorKeyError> {
        self.key.to_pkcs8_pem(LineEnding::LF).map_err(|_| ParseRekorKeyError)
    }

    fn new(key: SigningKey) -> Result<Self, ParseRekorKeyError> {
        let public = VerifyingKey::from(&key);
        let pem = public.to_public_key_pem(LineEnding::LF).map_err(|_| ParseRekorKeyError)?;
        let der = public.to_public_key_der().map_err(|_| ParseRekorKeyError)?.into_vec();
        let kid = thumbprint(&der)?;
        Ok(Self { key, pem, der, kid })
    }

    /// Returns the thumbprint (RFC 7638).
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// Returns the ECDSA signature over the SHA-256 of `message` in DER form. The signature is
    /// deterministic (RFC 6979), so that an entry that is sent twice is the same entry.
    pub(super) fn sign(&self, message: &[u8]) -> Vec<u8> {
        let signature: Signature = self.key.sign(message);
        signature.to_der().as_bytes().to_vec()
    }

    /// Returns the public key in PEM form (`-----BEGIN PUBLIC KEY-----`), by which readers search in Rekor.
    pub fn public_pem(&self) -> &str {
        &self.pem
    }

    /// Returns the public key in DER form (`SubjectPublicKeyInfo`).
    pub fn public_der(&self) -> &[u8] {
        &self.der
    }
}

/// Returns the thumbprint of the key whose `SubjectPublicKeyInfo` is `der`. `der` ends with the uncompressed
/// point: two coordinates of 32 bytes.
fn thumbprint(der: &[u8]) -> Result<String, ParseRekorKeyError> {
    let (before, y) = der.split_last_chunk::<32>().ok_or(ParseRekorKeyError)?;
    let (_, x) = before.split_last_chunk::<32>().ok_or(ParseRekorKeyError)?;
    let (x, y) = (URL_SAFE_NO_PAD.encode(x), URL_SAFE_NO_PAD.encode(y));
    let jwk = format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#);
    Ok(URL_SAFE_NO_PAD.encode(Digest::compute(jwk.as_bytes()).as_bytes()))
}
