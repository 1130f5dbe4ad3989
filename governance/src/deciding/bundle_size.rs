//! The limits that give each recorded decision a bundle.
//!
//! A bundle has at most 4,096 files and 64 MiB (receipts, section 12.1). A decision is refused before it is recorded
//! if its parts may exceed this. The largest parts of a bundle in MiB:
//!
//! | Part | MiB | Limited by |
//! |---|---|---|
//! | snapshot and its evaluated rules, violations in the receipt and in the integrity preimage | 36 | [`check`] |
//! | fields, evidence and action of a request of 1 MiB: each twice, and canonical numbers have up to 3.4 times their characters | 8 | the size of a request |
//! | approvals of 1,000 policies | 4 | [`POLICIES_MAX`], for 50 authors per version on average |
//! | list of these approvals in the receipt | 0.5 | [`POLICIES_MAX`] |
//! | links of the chain, 600 bytes each | 8.6 | [`CHAIN_LINKS_MAX`] |
//! | newest trust registry and its keys, proofs of the log, seal | 1 | a thousand keys |
//! | manifest of 4,096 files and its envelope | 2.5 | |
//! | sum | 60.6 | |
//!
//! Earlier approvals and earlier versions of the trust registry take the rest. There are at most 30 files besides
//! 1,001 of the evidence, 2,600 approvals and the versions of the trust registry.

use crate::base::{error::decision_too_large, prelude::*};

/// The maximum number of policies of an evaluation.
pub(super) const POLICIES_MAX: usize = 1_000;

/// The maximum size of the policies of an evaluation in bytes: their rules and references as canonical JSON. Those of one
/// tenant are limited to 8 MiB when a version is activated; the rest is for inherited ones. With the other members of 1,000
/// policies, a snapshot has less than 12 MiB. A file of a bundle may have 2,000,000 members, of which each takes at least
/// 6 bytes.
pub(super) const POLICY_BYTES_MAX: usize = 10 << 20;

/// The maximum number of decisions in a chain.
pub(super) const CHAIN_LINKS_MAX: u32 = 15_000;

/// The maximum size in bytes of what a bundle contains of the policies and of the violations.
const BYTES_MAX: usize = 36 << 20;

/// Checks the size of the policies and of the result of an evaluation, whose violations and not-applicable rules are in
/// the preimage `integrity`.
///
/// # Errors
/// `VALIDATION_ERROR` if a bundle could not contain them.
pub(super) fn check(snapshot_bytes: usize, integrity: &CanonicalJson) -> Result<(), Refusal> {
    let result_bytes = integrity.text.len().saturating_mul(2);
    if snapshot_bytes.saturating_add(result_bytes) > BYTES_MAX {
        return Err(decision_too_large(BYTES_MAX >> 20));
    }
    Ok(())
}

/// Returns the size in bytes of rules and regulatory references.
pub(super) fn policy_bytes(rules: &[Value], regulatory_refs: &[String]) -> usize {
    let refs = regulatory_refs.iter().map(String::len).sum::<usize>();
    receipt::statement::rules(rules).text.len().saturating_add(refs)
}
