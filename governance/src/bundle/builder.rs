//! The builder of a bundle: its files so far, and the tenant's settings.

use contract::{receipt::Redaction, settings::Settings};
use receipt::{
    bundle::{self, BundleFileError, Files, Subject, path},
    dsse::Envelope,
    key::PayloadType,
    transparency_log::{Anchor, EntryKind, ProofText, entry},
};

use super::Bundle;
use crate::{
    authoring::settings,
    base::{
        error::{bundle::too_large, not_signed},
        prelude::*,
    },
    proof::{signing::ServiceKey, transparency_log},
};

#[derive(Debug)]
pub(super) struct BundleBuilder {
    pub(super) files: Files,
    pub(super) settings: Settings,
    /// The approvals that were looked up, whether or not they exist, each with the number of its predecessors that
    /// were.
    pub(super) approvals: BTreeMap<Digest, usize>,
}

impl BundleBuilder {
    /// Creates a bundle with the format description that every bundle contains.
    pub(super) async fn new(tx: &TenantTx) -> Result<Self> {
        let settings = settings::load(tx).await?;
        let mut builder = Self { files: Files::default(), settings, approvals: BTreeMap::new() };
        builder.add(path::PROFILE, bundle::profile().text)?;
        Ok(builder)
    }

    /// Returns whether context values are redacted in public data.
    pub(super) fn redacts_values(&self) -> bool {
        self.settings.public_receipt_redaction == Redaction::Values
    }

    /// Returns whether bundles include contexts and evidence data.
    pub(super) fn includes_context(&self) -> bool {
        self.settings.bundle_include_context && !self.redacts_values()
    }

    /// Adds a file.
    ///
    /// # Errors
    /// `BUNDLE_TOO_LARGE`.
    pub(super) fn add(&mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Result<()> {
        self.files.insert(name, bytes).map_err(map_file_error)
    }

    /// Adds a file that several receipts share, unless it was added before.
    pub(super) fn add_once(&mut self, name: &str, bytes: impl Into<Vec<u8>>) -> Result<()> {
        if self.files.get(name).is_some() { Ok(()) } else { self.add(name, bytes) }
    }

    /// Adds the transparency log entry of a digest and, once it is anchored, its anchor and proof. The anchor
    /// does not change when its tree is frozen; the proof under the final checkpoint is then added.
    pub(super) async fn add_log_entry(
        &mut self,
        tx: &TenantTx,
        names: &LogFileNames,
        (kind, digest): (EntryKind, Digest),
        anchor: Option<&contract::json::Value>,
    ) -> Result<()> {
        self.add(&names.entry, entry(kind, digest).text)?;
        let Some(anchor) = anchor else { return Ok(()) };
        self.add(&names.anchor, bundle::file(anchor))?;
        let inclusion_proof = Anchor::read(anchor).map(|anchor| anchor.inclusion_proof);
        if let Ok(proof) = inclusion_proof
            && let Some(checkpoint) = &proof.checkpoint
        {
            let index = proof.log_index;
            let text = ProofText { index, hashes: proof.hashes.clone(), checkpoint }.to_string();
            self.add(&names.proof, text)?;
        }
        match transparency_log::final_proof(tx.connection(), kind, digest).await? {
            Some(text) => self.add(&names.last, text),
            None => Ok(()),
        }
    }

    /// Adds the manifest, signed if the service has a key.
    ///
    /// # Errors
    /// `BUNDLE_TOO_LARGE`; `SERVICE_UNAVAILABLE` if the signing key is unavailable or its signature fails
    /// verification.
    pub(super) async fn finish(
        mut self,
        governance: &Governance,
        subject: &Subject,
    ) -> Result<Bundle> {
        let signer = governance.signer();
        let manifest = bundle::manifest(&self.files, subject, signer.map(ServiceKey::kid));
        let manifest = manifest.map_err(map_file_error)?;
        let envelope = match signer {
            Some(key) => {
                let kind = PayloadType::BundleManifest;
                let signature = key.sign(kind, &manifest).await?;
                let signed = [(key.kid(), signature.as_str())];
                Some(Envelope::new(kind, manifest.clone(), signed).map_err(not_signed)?)
            }
            None => None,
        };
        bundle::close_with(&mut self.files, manifest, envelope.as_ref()).map_err(map_file_error)?;
        Ok(Bundle { files: self.files })
    }
}

/// The names of the files that prove the inclusion in the transparency log.
#[derive(Debug)]
pub(super) struct LogFileNames {
    pub(super) entry: String,
    pub(super) anchor: String,
    pub(super) proof: String,
    /// The proof under the final checkpoint of a frozen tree.
    pub(super) last: String,
}

fn map_file_error(error: BundleFileError) -> Error {
    match error {
        BundleFileError::TooLarge(_) => too_large().into(),
        other => Error::internal(other),
    }
}
