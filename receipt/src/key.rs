//! Ed25519 keys: signing, and verification in the strict sense (receipts, sections 4 and 6).

mod payload_type;

use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use contract::json::{Object, Value};
use ed25519_dalek::{Signature, Signer as _, VerifyingKey};
use zeroize::Zeroizing;

use crate::{
    canon::{Canonical, Members},
    digest::Digest,
    dsse::pae,
};

pub use payload_type::PayloadType;

/// The only algorithm. It is never chosen from data.
pub const ALGORITHM: &str = "Ed25519";

/// A signature that is malformed, or not of this key over these bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the signature is not valid")]
pub struct SignatureInvalid;

/// Why a JSON Web Key is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyRefused {
    /// Not `kty` `OKP` and `crv` `Ed25519`, or for another algorithm or use.
    #[error("not an Ed25519 key for signatures")]
    Kind,
    /// It holds a private member.
    #[error("`d` is private and must not be here")]
    Private,
    /// Not a point of the curve in 32 bytes, or one of small order.
    #[error("`x` is no public key")]
    Point,
    /// The thumbprint is another one.
    #[error("`kid` is not the thumbprint of the key")]
    Kid,
}

/// A key that signs. Its seed is wiped from memory when it is dropped.
pub struct SigningKey {
    secret: ed25519_dalek::SigningKey,
    public: PublicKey,
}

impl SigningKey {
    /// The key that grows from `seed` (the private key of RFC 8032).
    pub fn from_seed(seed: [u8; 32]) -> Self {
        let seed = Zeroizing::new(seed);
        let secret = ed25519_dalek::SigningKey::from_bytes(&seed);
        let public = PublicKey::new(secret.verifying_key());
        Self { secret, public }
    }

    /// The thumbprint (RFC 7638).
    pub fn kid(&self) -> &str {
        self.public.kid()
    }

    /// The public half as a JSON Web Key.
    pub fn jwk(&self) -> Value {
        self.public.jwk()
    }

    /// The public half.
    pub const fn public(&self) -> &PublicKey {
        &self.public
    }

    /// Signs `statement` as `payload_type` and returns base64url without padding, 86 characters.
    ///
    /// # Errors
    /// The signature does not verify: the machine has made a mistake, and it must not be used.
    pub fn sign(
        &self,
        payload_type: PayloadType,
        statement: &Canonical,
    ) -> Result<String, SignatureInvalid> {
        let signature = self.sign_bytes(&pae(payload_type.as_str(), &statement.text))?;
        Ok(signature_text(&signature))
    }

    /// Signs bytes that say themselves what they are for, such as the text of a note.
    pub(crate) fn sign_bytes(&self, bytes: &[u8]) -> Result<[u8; 64], SignatureInvalid> {
        let signature = self.raw_signature(bytes);
        self.public.verify_bytes(bytes, &signature)?;
        Ok(signature)
    }

    /// Returns the signature over `bytes` without verifying it. The caller verifies it before use.
    pub fn raw_signature(&self, bytes: &[u8]) -> [u8; 64] {
        self.secret.sign(bytes).to_bytes()
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("kid", &self.kid()).finish_non_exhaustive()
    }
}

/// A key that checks signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    key: VerifyingKey,
    kid: String,
}

impl PublicKey {
    fn new(key: VerifyingKey) -> Self {
        let thumbprint = Members::default()
            .with("crv", ALGORITHM)
            .with("kty", "OKP")
            .with("x", URL_SAFE_NO_PAD.encode(key.as_bytes()))
            .canonical();
        Self { key, kid: URL_SAFE_NO_PAD.encode(thumbprint.digest.as_bytes()) }
    }

    /// Takes the 32 bytes of a public key.
    ///
    /// # Errors
    /// `Point`: they are none.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, KeyRefused> {
        let key = VerifyingKey::from_bytes(bytes).map_err(|_| KeyRefused::Point)?;
        if key.is_weak() { Err(KeyRefused::Point) } else { Ok(Self::new(key)) }
    }

    /// Reads a JSON Web Key. `alg` may be `EdDSA` or `Ed25519`; `kid` is computed, and compared
    /// when it is there; members that are not known are ignored.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn from_jwk(jwk: &Value) -> Result<Self, KeyRefused> {
        let text = |name| jwk.get(name).map(|value| value.as_str().unwrap_or_default());
        let is_ed25519 = text("kty") == Some("OKP") && text("crv") == Some(ALGORITHM);
        let fits = matches!(text("alg"), None | Some("EdDSA" | ALGORITHM))
            && matches!(text("use"), None | Some("sig"));
        if !is_ed25519 || !fits {
            return Err(KeyRefused::Kind);
        }
        if jwk.get("d").is_some() {
            return Err(KeyRefused::Private);
        }
        let x = URL_SAFE_NO_PAD.decode(text("x").unwrap_or_default());
        let bytes = x.ok().and_then(|x| x.try_into().ok()).ok_or(KeyRefused::Point)?;
        let key = Self::from_bytes(&bytes)?;
        if text("kid").is_some_and(|kid| kid != key.kid) { Err(KeyRefused::Kid) } else { Ok(key) }
    }

    /// The JSON Web Key, as it is published.
    pub fn jwk(&self) -> Value {
        Object::from([
            ("kty", "OKP".into()),
            ("crv", ALGORITHM.into()),
            ("x", URL_SAFE_NO_PAD.encode(self.key.as_bytes()).into()),
            ("kid", self.kid().into()),
            ("use", "sig".into()),
            ("alg", "EdDSA".into()),
        ])
        .into()
    }

    /// The 32 bytes of the key.
    pub fn as_bytes(&self) -> &[u8; 32] {
        self.key.as_bytes()
    }

    /// The thumbprint (RFC 7638): base64url of 32 bytes, 43 characters.
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// Checks a signature, in base64url without padding, over the text of a statement.
    ///
    /// # Errors
    /// It is not valid.
    pub fn verify(
        &self,
        payload_type: PayloadType,
        text: &str,
        signature: &str,
    ) -> Result<(), SignatureInvalid> {
        self.verify_bytes(&pae(payload_type.as_str(), text), &signature_bytes(signature)?)
    }

    /// Checks the signature of a receipt of schema version 1: over the hex of its `integrity_hash`,
    /// with nothing around it.
    ///
    /// # Errors
    /// It is not valid.
    pub fn verify_v1(
        &self,
        integrity_hash: Digest,
        signature: &str,
    ) -> Result<(), SignatureInvalid> {
        self.verify_bytes(integrity_hash.to_string().as_bytes(), &signature_bytes(signature)?)
    }

    /// Checks a raw signature strictly: the equation of RFC 8032 without cofactor, canonical S, R
    /// compared as bytes, R of small order refused.
    ///
    /// # Errors
    /// It is not valid.
    pub fn verify_bytes(&self, message: &[u8], signature: &[u8]) -> Result<(), SignatureInvalid> {
        let signature = Signature::from_slice(signature).map_err(|_| SignatureInvalid)?;
        self.key.verify_strict(message, &signature).map_err(|_| SignatureInvalid)
    }
}

/// Returns a raw signature in the form of the API: base64url without padding, 86 characters.
pub fn signature_text(signature: &[u8; 64]) -> String {
    URL_SAFE_NO_PAD.encode(signature)
}

/// The bytes of a signature in the form of the API. Other alphabets, padding and spare bits that
/// are not zero are refused.
pub(crate) fn signature_bytes(text: &str) -> Result<[u8; 64], SignatureInvalid> {
    let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| SignatureInvalid)?;
    bytes.try_into().map_err(|_| SignatureInvalid)
}
