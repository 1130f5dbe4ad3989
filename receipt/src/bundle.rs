//! Verification bundles: all that is needed to check a decision or a chain offline (receipts,
//! section 12).

mod archive;
mod files;
mod json_form;
mod manifest;
pub mod path;

use contract::json::Value;

pub use self::{
    archive::{ArchiveMalformed, read_archive, write_archive},
    files::{BundleTooLarge, FileRefused, Files},
    json_form::{read_json, write_json},
    manifest::{
        CLAIMS, ClaimFiles, FileEntry, INFORMATIONAL, Manifest, Subject, claim_digest, claim_of,
        claims_digest, manifest,
    },
};
use crate::{
    canon::{Canonical, Members},
    dsse::Envelope,
    key::{PayloadType, SignatureInvalid, SigningKey},
};

/// What `canonicalisation/profile.json` says, beside its `schema` and the evaluator.
pub const PROFILE: [(&str, &str); 5] = [
    ("profile", "service-jcs/1"),
    ("hash", "SHA-256"),
    ("signature", "Ed25519"),
    ("envelope", "DSSE"),
    ("merkle", "RFC6962"),
];

/// The schema of `canonicalisation/profile.json`.
pub const PROFILE_SCHEMA: &str = "service-canonicalisation/v1";

/// The rules that a decision was evaluated by.
pub const EVALUATOR: &str = "service-rules/1";

/// The file `canonicalisation/profile.json`.
pub fn profile() -> Canonical {
    let members = Members::schema(PROFILE_SCHEMA).with("evaluator", EVALUATOR);
    PROFILE
        .into_iter()
        .fold(members, |members, (name, value)| members.with(name, value))
        .canonical()
}

/// Why a bundle cannot be closed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotClosed {
    /// A member has no place in a bundle, or there are too many.
    #[error(transparent)]
    File(#[from] FileRefused),
    /// The signature does not verify: the machine has made a mistake.
    #[error(transparent)]
    Signature(#[from] SignatureInvalid),
}

/// Adds the manifest to `files`, and its envelope when there is a key. The same files, subject and
/// key give the same bytes.
///
/// # Errors
/// A member belongs to no claim, or the signature does not verify.
pub fn close(
    files: &mut Files,
    subject: &Subject,
    key: Option<&SigningKey>,
) -> Result<(), NotClosed> {
    let manifest = manifest(files, subject, key.map(SigningKey::kid))?;
    let sign = |key| Envelope::sign(PayloadType::BundleManifest, manifest.clone(), [key]);
    let envelope = key.map(sign).transpose()?;
    Ok(close_with(files, manifest, envelope.as_ref())?)
}

/// Adds a manifest of `files` to them, and its envelope when it was signed.
///
/// # Errors
/// There are too many members.
pub fn close_with(
    files: &mut Files,
    manifest: Canonical,
    envelope: Option<&Envelope>,
) -> Result<(), FileRefused> {
    if let Some(envelope) = envelope {
        files.insert(path::MANIFEST_ENVELOPE, file(&envelope.to_value()))?;
    }
    files.insert(path::MANIFEST, manifest.text.into_bytes())
}

/// The bytes of a `.json` member.
pub fn file(value: &Value) -> Vec<u8> {
    value.to_canonical().into_bytes()
}
