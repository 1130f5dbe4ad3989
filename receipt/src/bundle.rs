//! Verification bundles: everything needed to verify a decision or a chain offline (receipts,
//! section 12).

mod archive;
mod files;
mod json_form;
mod manifest;
pub mod path;

use contract::json::Value;

pub use self::{
    archive::{ParseArchiveError, read_archive, write_archive},
    files::{BundleFileError, BundleTooLarge, Files},
    json_form::{read_json, write_json},
    manifest::{
        ClaimFiles, FileEntry, INFORMATIONAL, Manifest, Subject, claim_digest, claim_of,
        claims_digest, manifest,
    },
};
use crate::{
    canonical_json::{CanonicalJson, ObjectBuilder},
    dsse::Envelope,
    key::{InvalidSignature, PayloadType, SigningKey},
};

/// The members of `canonicalisation/profile.json` besides `schema` and `evaluator`.
pub const PROFILE: [(&str, &str); 5] = [
    ("profile", "service-jcs/1"),
    ("hash", "SHA-256"),
    ("signature", "Ed25519"),
    ("envelope", "DSSE"),
    ("merkle", "RFC6962"),
];

/// The schema of `canonicalisation/profile.json`.
pub const PROFILE_SCHEMA: &str = "service-canonicalisation/v1";

/// The version of the evaluation rules, as named in `canonicalisation/profile.json`.
pub const EVALUATOR: &str = "service-rules/1";

/// Returns the file `canonicalisation/profile.json`.
pub fn profile() -> CanonicalJson {
    let members = ObjectBuilder::with_schema(PROFILE_SCHEMA).member("evaluator", EVALUATOR);
    PROFILE
        .into_iter()
        .fold(members, |members, (name, value)| members.member(name, value))
        .canonical()
}

/// The reason why a bundle cannot be closed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BundleCloseError {
    /// A file does not belong in a bundle, or the bundle is too large.
    #[error(transparent)]
    File(#[from] BundleFileError),
    /// The signature failed verification directly after signing, which indicates a hardware fault.
    #[error(transparent)]
    Signature(#[from] InvalidSignature),
}

/// Adds the manifest to `files` and, with a key, its envelope.
///
/// Deterministic: the same files, subject and key give the same bytes.
///
/// # Errors
/// Returns an error if a file belongs to no claim, the bundle becomes too large, or the signature
/// fails verification.
pub fn close(
    files: &mut Files,
    subject: &Subject,
    key: Option<&SigningKey>,
) -> Result<(), BundleCloseError> {
    let manifest = manifest(files, subject, key.map(SigningKey::kid))?;
    let sign = |key| Envelope::sign(PayloadType::BundleManifest, manifest.clone(), [key]);
    let envelope = key.map(sign).transpose()?;
    Ok(close_with(files, manifest, envelope.as_ref())?)
}

/// Adds `manifest`, which describes `files`, and its envelope if it is signed.
///
/// # Errors
/// Returns an error if the bundle becomes too large or already has a manifest.
pub fn close_with(
    files: &mut Files,
    manifest: CanonicalJson,
    envelope: Option<&Envelope>,
) -> Result<(), BundleFileError> {
    if let Some(envelope) = envelope {
        files.insert(path::MANIFEST_ENVELOPE, file(&envelope.to_value()))?;
    }
    files.insert(path::MANIFEST, manifest.text.into_bytes())
}

/// Returns the bytes of a `.json` file.
pub fn file(value: &Value) -> Vec<u8> {
    value.to_canonical().into_bytes()
}
