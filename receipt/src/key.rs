//! Ed25519 keys: signing and strict verification (receipts, sections 4 and 6).

mod payload_type;

use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use contract::json::{Object, Value};
use ed25519_dalek::{Signature, Signer as _, VerifyingKey};
use zeroize::Zeroizing;

use crate::{
    canonical_json::{CanonicalJson, ObjectBuilder},
    digest::Digest,
};

pub use payload_type::{PayloadType, pae};

/// The only signature algorithm. It is never selected by input.
pub const ALGORITHM: &str = "Ed25519";

/// A signature that is malformed or does not match the key and the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the signature is not valid")]
pub struct InvalidSignature;

/// The reason why a JSON Web Key is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JwkError {
    /// `kty` is not `OKP`, `crv` is not `Ed25519`, or the key is for another algorithm or use.
    #[error("not an Ed25519 key for signatures")]
    Kind,
    /// The key contains the private member `d`.
    #[error("the private member `d` is not allowed")]
    Private,
    /// `x` is not a curve point in 32 bytes, or has small order.
    #[error("`x` is not a public key")]
    Point,
    /// `kid` is not the thumbprint of the key.
    #[error("`kid` is not the thumbprint of the key")]
    Kid,
}

/// A private signing key. Its seed is wiped from memory on drop.
pub struct SigningKey {
    secret: ed25519_dalek::SigningKey,
    public: PublicKey,
}

impl SigningKey {
    /// Creates the signing key for `seed`, an RFC 8032 private key.
    pub fn from_seed(seed: [u8; 32]) -> Self {
        let seed = Zeroizing::new(seed);
        let secret = ed25519_dalek::SigningKey::from_bytes(&seed);
        let public = PublicKey::new(secret.verifying_key());
        Self { secret, public }
    }

    /// Returns the thumbprint (RFC 7638).
    pub fn kid(&self) -> &str {
        self.public.kid()
    }

    /// Returns the public key as a JSON Web Key.
    pub fn jwk(&self) -> Value {
        self.public.jwk()
    }

    /// Returns the public key.
    pub const fn public(&self) -> &PublicKey {
        &self.public
    }

    /// Signs `statement` as `payload_type` and returns base64url without padding, 86 characters.
    ///
    /// # Errors
    /// The signature failed verification directly after signing, which indicates a hardware fault;
    /// discard it.
    pub fn sign(
        &self,
        payload_type: PayloadType,
        statement: &CanonicalJson,
    ) -> Result<String, InvalidSignature> {
        let signature = self.sign_bytes(&pae(payload_type.as_str(), &statement.text))?;
        Ok(signature_text(&signature))
    }

    /// Signs bytes that are unambiguous without a payload type, such as the text of a note.
    pub(crate) fn sign_bytes(&self, bytes: &[u8]) -> Result<[u8; 64], InvalidSignature> {
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

/// A public key that verifies signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    key: VerifyingKey,
    kid: String,
}

impl PublicKey {
    fn new(key: VerifyingKey) -> Self {
        let thumbprint = ObjectBuilder::default()
            .member("crv", ALGORITHM)
            .member("kty", "OKP")
            .member("x", URL_SAFE_NO_PAD.encode(key.as_bytes()))
            .canonical();
        Self { key, kid: URL_SAFE_NO_PAD.encode(thumbprint.digest.as_bytes()) }
    }

    /// Creates a key from its 32 bytes.
    ///
    /// # Errors
    /// Returns `Point` if the bytes are not a valid key.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, JwkError> {
        let key = VerifyingKey::from_bytes(bytes).map_err(|_| JwkError::Point)?;
        if key.is_weak() { Err(JwkError::Point) } else { Ok(Self::new(key)) }
    }

    /// Parses a JSON Web Key. `alg` may be `EdDSA` or `Ed25519`. A `kid` must equal the computed
    /// thumbprint. Unknown members are ignored.
    ///
    /// # Errors
    /// Returns the reason why the key is refused.
    pub fn from_jwk(jwk: &Value) -> Result<Self, JwkError> {
        let text = |name| jwk.get(name).map(|value| value.as_str().unwrap_or_default());
        let is_ed25519 = text("kty") == Some("OKP") && text("crv") == Some(ALGORITHM);
        let is_for_signatures = matches!(text("alg"), None | Some("EdDSA" | ALGORITHM))
            && matches!(text("use"), None | Some("sig"));
        if !is_ed25519 || !is_for_signatures {
            return Err(JwkError::Kind);
        }
        if jwk.get("d").is_some() {
            return Err(JwkError::Private);
        }
        let x = URL_SAFE_NO_PAD.decode(text("x").unwrap_or_default());
        let bytes = x.ok().and_then(|x| x.try_into().ok()).ok_or(JwkError::Point)?;
        let key = Self::from_bytes(&bytes)?;
        if text("kid").is_some_and(|kid| kid != key.kid) { Err(JwkError::Kid) } else { Ok(key) }
    }

    /// Returns the JSON Web Key in published form.
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

    /// Returns the 32 bytes of the key.
    pub fn as_bytes(&self) -> &[u8; 32] {
        self.key.as_bytes()
    }

    /// Returns the thumbprint (RFC 7638): base64url of 32 bytes, 43 characters.
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// Checks a signature, in base64url without padding, over a statement.
    ///
    /// # Errors
    /// Returns an error if the signature is invalid.
    pub fn verify(
        &self,
        payload_type: PayloadType,
        text: &str,
        signature: &str,
    ) -> Result<(), InvalidSignature> {
        self.verify_bytes(&pae(payload_type.as_str(), text), &signature_bytes(signature)?)
    }

    /// Checks the signature of a receipt of schema version 1, which signs only the hex form of its
    /// `integrity_hash`.
    ///
    /// # Errors
    /// Returns an error if the signature is invalid.
    pub fn verify_v1(
        &self,
        integrity_hash: Digest,
        signature: &str,
    ) -> Result<(), InvalidSignature> {
        self.verify_bytes(integrity_hash.to_string().as_bytes(), &signature_bytes(signature)?)
    }

    /// Checks a raw signature strictly: RFC 8032 equation without cofactor, canonical S, R compared
    /// as bytes, and no R of small order.
    ///
    /// # Errors
    /// Returns an error if the signature is invalid.
    pub fn verify_bytes(&self, message: &[u8], signature: &[u8]) -> Result<(), InvalidSignature> {
        let signature = Signature::from_slice(signature).map_err(|_| InvalidSignature)?;
        self.key.verify_strict(message, &signature).map_err(|_| InvalidSignature)
    }
}

/// Returns a raw signature in API form: base64url without padding, 86 characters.
pub fn signature_text(signature: &[u8; 64]) -> String {
    URL_SAFE_NO_PAD.encode(signature)
}

/// Decodes a signature in API form. Refuses other alphabets, padding and trailing bits that are not
/// zero.
pub(crate) fn signature_bytes(text: &str) -> Result<[u8; 64], InvalidSignature> {
    let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| InvalidSignature)?;
    bytes.try_into().map_err(|_| InvalidSignature)
}
