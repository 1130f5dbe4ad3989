//! The contents of a decision's bundle, and the provenance of the decision.

use contract::{
    id::{DecisionId, TenantId},
    verification::Claim,
};
use serde::{Deserialize, Serialize};

use crate::provenance::view::ProvenanceView;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BundlePage {
    pub tenant: TenantId,
    pub id: DecisionId,
    pub decision_type: String,
    /// The provenance of the decision.
    pub lineage: ProvenanceView,
    /// The files, in the order of the archive.
    pub files: Vec<FileLine>,
    /// The file to display, named in the address.
    pub open: Option<OpenFile>,
    /// The public address of the archive.
    pub archive: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileLine {
    pub name: String,
    /// Its size in bytes.
    pub size: usize,
    /// SHA-256 of its bytes.
    pub digest: String,
    /// The claim that the file belongs to; absent for files that no claim uses.
    pub claim: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenFile {
    pub name: String,
    /// Its text, indented where it is JSON.
    pub readable: String,
    /// The payload of an envelope, indented; absent if the file is not an envelope.
    pub signed: Option<String>,
    /// Its text as hashed; absent if `readable` is the same text.
    pub exact: Option<String>,
    /// Whether the displayed text is truncated.
    pub is_cut: bool,
}

/// Returns the ten claims in the order of reports, with the number of files of each.
pub fn claims(files: &[FileLine]) -> Vec<(&'static str, usize)> {
    let files_of =
        |claim: &str| files.iter().filter(|file| file.claim.as_deref() == Some(claim)).count();
    Claim::NAMES.map(|claim| (claim, files_of(claim))).into()
}
