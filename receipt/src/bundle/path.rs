//! Where the members of a bundle stand.

use crate::digest::Digest;

/// The manifest.
pub const MANIFEST: &str = "manifest.json";
/// Its envelope; absent when unsigned.
pub const MANIFEST_ENVELOPE: &str = "manifest.dsse.json";
/// The links of the chain.
pub const LINKS: &str = "chain/links.json";
/// The envelope of the seal.
pub const SEAL_ENVELOPE: &str = "chain/seal.dsse.json";
/// The seal when unsigned.
pub const SEAL: &str = "chain/seal.json";
/// What stands for the other links of a long chain.
pub const CHAIN_PROOF: &str = "chain/proof.json";
/// The log entry of the seal.
pub const SEAL_ENTRY: &str = "transparency/seal/entry.json";
/// The anchor of the seal.
pub const SEAL_ANCHOR: &str = "transparency/seal/anchor.json";
/// The proof of the seal's log entry as a text.
pub const SEAL_PROOF_TEXT: &str = "transparency/seal/proof.tlog-proof";
/// The seal's log entry under the final checkpoint of a frozen log.
pub const SEAL_FINAL_PROOF: &str = "transparency/seal/final.tlog-proof";
/// The registry at export.
pub const REGISTRY: &str = "trust/registry.dsse.json";
/// The forms that bytes were written in.
pub const PROFILE: &str = "canonicalisation/profile.json";
/// A key set for people; decides nothing.
pub const TRUSTED_KEYS: &str = "trusted_keys.json";

/// Whose members they are: those of the one decision, or of a step of the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// In a decision bundle.
    Decision,
    /// In a chain bundle, the number of the step.
    Step(u32),
}

impl Place {
    /// `receipt/<d>receipt.json`, and so on: the member `name` of `directory`.
    pub fn member(self, directory: &str, name: &str) -> String {
        match self {
            Self::Decision => format!("{directory}/{name}"),
            Self::Step(step) => format!("{directory}/{step:06}/{name}"),
        }
    }

    /// The receipt.
    pub fn receipt(self) -> String {
        self.member("receipt", "receipt.json")
    }

    /// The statement.
    pub fn statement(self) -> String {
        self.member("receipt", "statement.json")
    }

    /// The envelope of the statement.
    pub fn receipt_envelope(self) -> String {
        self.member("receipt", "receipt.dsse.json")
    }

    /// The integrity preimage.
    pub fn integrity(self) -> String {
        self.member("receipt", "integrity.json")
    }

    /// The policy snapshot.
    pub fn snapshot(self, digest: Digest) -> String {
        self.policy(digest, "snapshot.json")
    }

    /// The evaluated rules.
    pub fn evaluated_rules(self, digest: Digest) -> String {
        self.policy(digest, "evaluated_rules.json")
    }

    fn policy(self, digest: Digest, name: &str) -> String {
        match self {
            Self::Decision => format!("policy/{name}"),
            Self::Step(_) => format!("policy/{digest}/{name}"),
        }
    }

    /// The log entry.
    pub fn entry(self) -> String {
        self.member("transparency", "entry.json")
    }

    /// The anchor.
    pub fn anchor(self) -> String {
        self.member("transparency", "anchor.json")
    }

    /// The proof as a text.
    pub fn proof_text(self) -> String {
        self.member("transparency", "proof.tlog-proof")
    }

    /// The log entry under the final checkpoint of a frozen log.
    pub fn final_proof(self) -> String {
        self.member("transparency", "final.tlog-proof")
    }

    /// The evidence manifest.
    pub fn evidence_manifest(self) -> String {
        self.member("evidence", "manifest.json")
    }

    /// The data of an evidence item.
    pub fn evidence_data(self, index: u32) -> String {
        self.member("evidence", &format!("data/{index}.json"))
    }

    /// The preimage of the context digest.
    pub fn context(self) -> String {
        self.member("evaluation", "context.json")
    }
}

/// An earlier version of the registry.
pub fn registry_version(version: u32) -> String {
    format!("trust/history/{version:06}.dsse.json")
}

/// An approval.
pub fn approval(digest: Digest) -> String {
    format!("approval/{digest}.dsse.json")
}
