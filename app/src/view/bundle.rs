//! What is in the bundle of a decision, and where the decision comes from.

use contract::id::{DecisionId, TenantId};
use serde::{Deserialize, Serialize};

use super::lineage::Lineage;

/// The bundle of a decision, for looking into.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BundlePage {
    /// The tenant.
    pub tenant: TenantId,
    /// The decision.
    pub id: DecisionId,
    /// What kind of decision it is.
    pub decision_type: String,
    /// Where the decision comes from.
    pub lineage: Lineage,
    /// The files, in the order of the archive.
    pub files: Vec<FileLine>,
    /// The file that the address names.
    pub open: Option<OpenFile>,
    /// Where the archive can be fetched by anybody who has the id.
    pub archive: String,
}

/// A file as a line of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileLine {
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub size: usize,
    /// SHA-256 of its bytes.
    pub digest: String,
    /// The claim that it belongs to; absent for what decides nothing.
    pub claim: Option<String>,
}

/// A file that is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenFile {
    /// Its name.
    pub name: String,
    /// Its text, indented where it is JSON.
    pub readable: String,
    /// What an envelope holds, indented; absent for what is none.
    pub signed: Option<String>,
    /// Its text as it was hashed; absent when that is what is shown already.
    pub exact: Option<String>,
    /// Whether it goes on beyond what is shown.
    pub is_cut: bool,
}

/// The ten claims in the order of reports, with how many files each has.
pub fn claims(files: &[FileLine]) -> Vec<(&'static str, usize)> {
    let of = |claim: &str| files.iter().filter(|file| file.claim.as_deref() == Some(claim)).count();
    CLAIMS.iter().map(|claim| (*claim, of(claim))).collect()
}

/// The names of the claims. Source: receipts, section 13.1.
pub const CLAIMS: [&str; 10] = [
    "receipt",
    "policy_snapshot",
    "chain_proofs",
    "transparency_proof",
    "trust_roots",
    "canonicalisation",
    "evidence",
    "approval_lineage",
    "manifest",
    "evaluation",
];
