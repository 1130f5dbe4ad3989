//! The checks of the ten claims, and the priority of their codes.

pub(crate) mod approval_lineage;
pub(crate) mod canonicalisation;
pub(crate) mod chain_proofs;
pub(crate) mod evaluation;
pub(crate) mod evidence;
pub(crate) mod manifest;
pub(crate) mod policy_snapshot;
pub(crate) mod receipt;
pub(crate) mod transparency_proof;
pub(crate) mod trust_roots;

use contract::verification::Claim;

use crate::code::Code;

/// Returns the code of a claim for withheld data, which the verifying party may accept (receipts, section
/// 13.2).
pub(crate) const fn withheld(claim: Claim) -> Option<Code> {
    match claim {
        Claim::Evidence => Some(Code::EvidenceWithheld),
        Claim::Evaluation => Some(Code::ContextWithheld),
        _ => None,
    }
}

/// Returns the priority of `code` in a claim. Codes of the claim come first, then key and
/// general codes.
pub(crate) fn rank(claim: Claim, code: Code) -> usize {
    let own_codes = Code::of(claim);
    let position = own_codes.iter().position(|own_code| *own_code == code);
    position.unwrap_or_else(|| {
        let general = Code::ALL.iter().position(|other| *other == code);
        own_codes.len().saturating_add(general.unwrap_or(Code::ALL.len()))
    })
}
