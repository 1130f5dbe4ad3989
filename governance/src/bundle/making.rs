//! A bundle in the making: its members so far, and what the tenant lets out.

use std::collections::BTreeSet;

use contract::{receipt::Redaction, settings::Settings};
use receipt::{
    bundle::{self, FileRefused, Files, Subject, path},
    digest::Digest,
    dsse::Envelope,
    key::PayloadType,
    log::{Anchor, EntryKind, ProofText, entry},
};

use super::Bundle;
use crate::{
    Governance,
    error::{Error, Result, bundle::too_large, not_signed},
    log, settings,
    signing::ServiceKey,
    tenancy::TenantTx,
};

/// Members of a bundle that is not closed yet.
#[derive(Debug)]
pub(super) struct Making {
    pub(super) files: Files,
    pub(super) settings: Settings,
    /// Approvals that were looked up, whether they were there or not.
    pub(super) approvals: BTreeSet<Digest>,
}

impl Making {
    /// A bundle with what every bundle says of the forms of its bytes.
    pub(super) async fn begin(tx: &TenantTx) -> Result<Self> {
        let settings = settings::of(tx).await?;
        let mut making = Self { files: Files::default(), settings, approvals: BTreeSet::new() };
        making.put(path::PROFILE, bundle::profile().text)?;
        Ok(making)
    }

    /// Whether values of contexts are left out of what is public.
    pub(super) fn hides_values(&self) -> bool {
        self.settings.public_receipt_redaction == Redaction::Values
    }

    /// Whether contexts and evidence data go into bundles.
    pub(super) fn shows_context(&self) -> bool {
        self.settings.bundle_include_context && !self.hides_values()
    }

    /// Adds a member.
    ///
    /// # Errors
    /// `BUNDLE_TOO_LARGE`.
    pub(super) fn put(&mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Result<()> {
        self.files.insert(name, bytes).map_err(refused)
    }

    /// Adds a member that several receipts share, unless it is there.
    pub(super) fn put_once(&mut self, name: &str, bytes: impl Into<Vec<u8>>) -> Result<()> {
        if self.files.get(name).is_some() { Ok(()) } else { self.put(name, bytes) }
    }

    /// Adds what shows something to be in the log: its entry, and once it is anchored where it stands. The
    /// anchor never changes; of a tree that was frozen since, the proof that ends in its final checkpoint is
    /// added.
    pub(super) async fn logged(
        &mut self,
        tx: &TenantTx,
        names: &Logged,
        (kind, digest): (EntryKind, Digest),
        anchor: Option<&contract::json::Value>,
    ) -> Result<()> {
        self.put(&names.entry, entry(kind, digest).text)?;
        let Some(anchor) = anchor else { return Ok(()) };
        self.put(&names.anchor, bundle::file(anchor))?;
        let read = Anchor::read(anchor).map(|anchor| anchor.inclusion_proof);
        if let Ok(proof) = read
            && let Some(checkpoint) = &proof.checkpoint
        {
            let index = proof.log_index;
            let text = ProofText { index, hashes: proof.hashes.clone(), checkpoint }.to_string();
            self.put(&names.proof, text)?;
        }
        match log::final_proof(tx.connection(), kind, &digest.to_string()).await? {
            Some(text) => self.put(&names.last, text),
            None => Ok(()),
        }
    }

    /// Adds the manifest, signed when the service has a key.
    ///
    /// # Errors
    /// `BUNDLE_TOO_LARGE`; `SERVICE_UNAVAILABLE` when the key cannot be used, or its signature does not
    /// verify.
    pub(super) async fn close(
        mut self,
        governance: &Governance,
        subject: &Subject,
    ) -> Result<Bundle> {
        let signer = governance.signer();
        let manifest = bundle::manifest(&self.files, subject, signer.map(ServiceKey::kid));
        let manifest = manifest.map_err(refused)?;
        let envelope = match signer {
            Some(key) => {
                let kind = PayloadType::BundleManifest;
                let signature = key.sign(kind, &manifest).await?;
                let signed = [(key.kid(), signature.as_str())];
                Some(Envelope::new(kind, manifest.clone(), signed).map_err(not_signed)?)
            }
            None => None,
        };
        bundle::close_with(&mut self.files, manifest, envelope.as_ref()).map_err(refused)?;
        Ok(Bundle { files: self.files })
    }
}

/// Where the members stand that show something to be in the log.
#[derive(Debug)]
pub(super) struct Logged {
    pub(super) entry: String,
    pub(super) anchor: String,
    pub(super) proof: String,
    /// The proof under the final checkpoint of a frozen tree.
    pub(super) last: String,
}

fn refused(error: FileRefused) -> Error {
    match error {
        FileRefused::TooLarge(_) => too_large().into(),
        other => Error::Bug(other.into()),
    }
}
