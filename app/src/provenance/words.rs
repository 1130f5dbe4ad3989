//! The provenance diagram from clause to outcome.

use contract::outcome::OutcomeStatus;

use crate::outcome;

pub(crate) const TITLE: &str = "From clause to outcome";
pub(crate) const CLAUSE: &str = "Clause";
pub(crate) const RULE: &str = "Rule";
pub(crate) const RATIFIER: &str = "Ratified by";
pub(crate) const DECISION: &str = "Decision";
pub(crate) const OUTCOME: &str = "Outcome";
pub(crate) const NO_CLAUSE: &str = "No clause";
pub(crate) const CITED_SOURCE: &str = "No clause. Cited source:";
pub(crate) const AS: &str = "as";
pub(crate) const WAS_MAKER: &str = "Also authored this version.";
pub(crate) const APPROVAL_UNSIGNED: &str = "The approval is unsigned.";
pub(crate) const APPROVAL_SIGNED: &str = "The approval is signed.";
pub(crate) const APPROVAL: &str = "Approval digest";
pub(crate) const APPROVAL_MISSING: &str =
    "The snapshot refers to an approval that is not stored here.";
pub(crate) const APPROVAL_NOT_RECORDED: &str =
    "No approval recorded. The version was activated before approvals were stored.";
pub(crate) const NO_OUTCOME: &str = "No outcome recorded yet.";
pub(crate) const SHADOW: &str = "Shadow mode: did not affect the verdict.";
pub(crate) const NO_POLICY: &str = "No policy was active for this decision type.";

pub(crate) fn log_entry(index: Option<u64>) -> String {
    match index {
        Some(index) => format!("Entry {index} of the transparency log."),
        None => "Not yet in the transparency log.".to_owned(),
    }
}

pub(crate) fn outcome_sentence(status: Option<OutcomeStatus>) -> String {
    match status {
        Some(status) => format!("Outcome: {}.", outcome::status(status).to_lowercase()),
        None => NO_OUTCOME.to_owned(),
    }
}
