//! The file names of a bundle.

use crate::digest::Digest;

/// The manifest.
pub const MANIFEST: &str = "manifest.json";
/// The envelope of the manifest; absent when unsigned.
pub const MANIFEST_ENVELOPE: &str = "manifest.dsse.json";
/// The links of the chain.
pub const LINKS: &str = "chain/links.json";
/// The envelope of the chain seal.
pub const SEAL_ENVELOPE: &str = "chain/seal.dsse.json";
/// The chain seal when unsigned.
pub const SEAL: &str = "chain/seal.json";
/// The Merkle proof that replaces the other links of a long chain.
pub const CHAIN_PROOF: &str = "chain/proof.json";
/// The log entry of the chain seal.
pub const SEAL_ENTRY: &str = "transparency/seal/entry.json";
/// The anchor of the chain seal.
pub const SEAL_ANCHOR: &str = "transparency/seal/anchor.json";
/// The anchor of the chain seal in text form.
pub const SEAL_PROOF_TEXT: &str = "transparency/seal/proof.tlog-proof";
/// The log entry of the chain seal under the final checkpoint of a frozen log.
pub const SEAL_FINAL_PROOF: &str = "transparency/seal/final.tlog-proof";
/// The trust registry at the time of export.
pub const REGISTRY: &str = "trust/registry.dsse.json";
/// The canonicalization profile.
pub const PROFILE: &str = "canonicalisation/profile.json";
/// A key set for people; it does not affect the result.
pub const TRUSTED_KEYS: &str = "trusted_keys.json";

/// The part of a bundle that a file belongs to: its only decision or one step of its chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BundleScope {
    /// The decision of a decision bundle.
    Decision,
    /// The decision at this step of a chain bundle.
    Step(u32),
}

/// Defines functions that return the name of a file in its directory.
macro_rules! file_names {
    ($($(#[$doc:meta])* $function:ident = $directory:literal $name:literal;)+) => {
        impl BundleScope {
            $($(#[$doc])* pub fn $function(self) -> String {
                self.file_name($directory, $name)
            })+
        }
    };
}

file_names! {
    /// Returns the name of the receipt.
    receipt = "receipt" "receipt.json";
    /// Returns the name of the receipt statement.
    statement = "receipt" "statement.json";
    /// Returns the name of the envelope of the statement.
    receipt_envelope = "receipt" "receipt.dsse.json";
    /// Returns the name of the integrity preimage.
    integrity = "receipt" "integrity.json";
    /// Returns the name of the log entry.
    entry = "transparency" "entry.json";
    /// Returns the name of the anchor.
    anchor = "transparency" "anchor.json";
    /// Returns the name of the anchor in text form.
    proof_text = "transparency" "proof.tlog-proof";
    /// Returns the name of the proof for the log entry under the final checkpoint of a frozen log.
    final_proof = "transparency" "final.tlog-proof";
    /// Returns the name of the evidence manifest.
    evidence_manifest = "evidence" "manifest.json";
    /// Returns the name of the preimage of the context digest.
    context = "evaluation" "context.json";
}

impl BundleScope {
    /// Returns the name of a file in `directory`, such as `receipt/receipt.json` or
    /// `receipt/000001/receipt.json`.
    pub fn file_name(self, directory: &str, name: &str) -> String {
        match self {
            Self::Decision => format!("{directory}/{name}"),
            Self::Step(step) => format!("{directory}/{step:06}/{name}"),
        }
    }

    /// Returns the name of the policy snapshot.
    pub fn snapshot(self, digest: Digest) -> String {
        self.policy(digest, "snapshot.json")
    }

    /// Returns the name of the evaluated rules.
    pub fn evaluated_rules(self, digest: Digest) -> String {
        self.policy(digest, "evaluated_rules.json")
    }

    fn policy(self, digest: Digest, name: &str) -> String {
        match self {
            Self::Decision => format!("policy/{name}"),
            Self::Step(_) => format!("policy/{digest}/{name}"),
        }
    }

    /// Returns the name of the data of evidence item `index`.
    pub fn evidence_data(self, index: u32) -> String {
        self.file_name("evidence", &format!("data/{index}.json"))
    }
}

/// Returns the file name of an earlier trust registry version.
pub fn registry_version(version: u32) -> String {
    format!("trust/history/{version:06}.dsse.json")
}

/// Returns the file name of an approval.
pub fn approval(digest: Digest) -> String {
    format!("approval/{digest}.dsse.json")
}
