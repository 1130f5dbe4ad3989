//! The provenance diagram from clause to outcome.

use contract::outcome::OutcomeStatus;

use super::outcome;
use crate::{
    text::number::count,
    view::provenance::{Origin, ProvenanceRuleStatus, ProvenanceView, Ratified, Signed},
};

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

/// Returns the display name of a rule result.
pub(crate) fn rule_status(status: ProvenanceRuleStatus) -> &'static str {
    match status {
        ProvenanceRuleStatus::Violated => "violated",
        ProvenanceRuleStatus::NotApplicable => "not applicable",
        ProvenanceRuleStatus::Passed => "passed",
        ProvenanceRuleStatus::Inactive => "inactive",
    }
}

/// Returns the origin of the rules of a version, as a sentence.
pub(crate) fn origin(origin: &Origin) -> String {
    match origin {
        Origin::Clauses { document, without_rule: 0 } => {
            format!("Codified from {document}; every clause is mapped to a rule.")
        }
        Origin::Clauses { document, without_rule } => format!(
            "Codified from {document}; {} not mapped to a rule.",
            count(*without_rule, "clause", "clauses")
        ),
        Origin::Author => "Written without codification. No clauses are stored.".to_owned(),
        Origin::Above => {
            "Inherited from a parent tenant. Its clauses are not visible here.".to_owned()
        }
    }
}

/// Returns how the receipt is signed, as a sentence.
pub(crate) fn signature(signed: Signed) -> &'static str {
    match signed {
        Signed::Statement => "The receipt is signed.",
        Signed::HashAlone => {
            "Recorded in version 1: the signature covers only the hash and does not identify the decision."
        }
        Signed::Not => "Unsigned. Signing was not configured.",
    }
}

/// Returns the position of the receipt in the transparency log, as a sentence.
pub(crate) fn log_entry(index: Option<u64>) -> String {
    match index {
        Some(index) => format!("Entry {index} of the transparency log."),
        None => "Not yet in the transparency log.".to_owned(),
    }
}

/// Returns the whole diagram as one sentence.
pub(crate) fn summary(provenance: &ProvenanceView) -> String {
    let rules: Vec<_> = provenance.policies.iter().flat_map(|policy| &policy.rules).collect();
    let from_clauses = rules.iter().filter(|rule| !rule.clauses.is_empty()).count();
    let violated =
        rules.iter().filter(|rule| rule.status == ProvenanceRuleStatus::Violated).count();
    let mut ratifiers: Vec<&str> = Vec::new();
    for policy in &provenance.policies {
        if let Ratified::By(ratifier) = &policy.ratified
            && !ratifiers.contains(&&*ratifier.name)
        {
            ratifiers.push(&ratifier.name);
        }
    }
    let by =
        if ratifiers.is_empty() { "no one on record".to_owned() } else { ratifiers.join(", ") };
    format!(
        "{}, {from_clauses} of them from a clause, in {}, ratified by {by}, gave {}: {} violated. {}",
        count(rules.len(), "rule", "rules"),
        count(provenance.policies.len(), "policy", "policies"),
        provenance.decision.verdict,
        count(violated, "was", "were"),
        outcome_sentence(provenance.outcome.as_ref().map(|outcome| outcome.status)),
    )
}

fn outcome_sentence(status: Option<OutcomeStatus>) -> String {
    match status {
        Some(status) => format!("Outcome: {}.", outcome::status(status).to_lowercase()),
        None => NO_OUTCOME.to_owned(),
    }
}
