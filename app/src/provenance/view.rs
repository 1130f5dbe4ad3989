//! The provenance of a decision, from clause to outcome, as shown in one diagram.

use contract::{
    evaluation::Verdict,
    id::PolicyId,
    rule::{Rule, Severity},
    text::isolated,
    time::Timestamp,
};
use islands::explanation::{ExplainedStatus, PolicyExplanation};
use serde::{Deserialize, Serialize};

use super::words;
use crate::{
    clause::view::{ClauseLine, Clauses},
    outcome::OutcomeDetails,
    text::number::count,
};

/// The diagram of clauses, rules, ratifiers, decision and outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProvenanceView {
    /// The policies that were active, in the order of the snapshot.
    pub policies: Vec<PolicyLine>,
    pub decision: DecisionStep,
    pub outcome: Option<OutcomeDetails>,
}

impl ProvenanceView {
    /// Returns the whole diagram as one sentence.
    pub fn summary(&self) -> String {
        let rules: Vec<_> = self.policies.iter().flat_map(|policy| &policy.rules).collect();
        let from_clauses = rules.iter().filter(|rule| !rule.clauses.is_empty()).count();
        let violated =
            rules.iter().filter(|rule| rule.status == ProvenanceRuleStatus::Violated).count();
        let mut ratifiers: Vec<&str> = Vec::new();
        for policy in &self.policies {
            if let Ratified::By(ratifier) = &policy.ratified
                && !ratifiers.contains(&&*ratifier.name)
            {
                ratifiers.push(&ratifier.name);
            }
        }
        let by = if ratifiers.is_empty() {
            "no one on record".to_owned()
        } else {
            isolated(&ratifiers.join(", ")).into_owned()
        };
        format!(
            "{}, {from_clauses} of them from a clause, in {}, ratified by {by}, gave {}: {} violated. {}",
            count(rules.len(), "rule", "rules"),
            count(self.policies.len(), "policy", "policies"),
            self.decision.verdict,
            count(violated, "was", "were"),
            words::outcome_sentence(self.outcome.as_ref().map(|outcome| outcome.status)),
        )
    }
}

/// A policy: the origin of its rules, and the ratifier of its version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyLine {
    pub policy: PolicyId,
    pub name: String,
    /// The evaluated version.
    pub version: u32,
    pub shadow: bool,
    pub origin: Origin,
    /// All its rules in authored order.
    pub rules: Vec<RuleLine>,
    pub ratified: Ratified,
    /// The last activation of the version. It may be later than the decision.
    pub activated_at: Option<Timestamp>,
}

/// The origin of the rules of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// The clauses of a document. Some clauses may have no rule.
    Clauses {
        /// The name of the document.
        document: String,
        /// The number of clauses without a rule.
        without_rule: usize,
    },
    /// The author, without clauses.
    Author,
    /// An ancestor tenant, which does not share its clauses.
    Above,
}

impl Origin {
    pub fn description(&self) -> String {
        match self {
            Self::Clauses { document, without_rule: 0 } => {
                format!("Codified from {}; every clause is mapped to a rule.", isolated(document))
            }
            Self::Clauses { document, without_rule } => format!(
                "Codified from {}; {} not mapped to a rule.",
                isolated(document),
                count(*without_rule, "clause", "clauses")
            ),
            Self::Author => "Written without codification. No clauses are stored.".to_owned(),
            Self::Above => {
                "Inherited from a parent tenant. Its clauses are not visible here.".to_owned()
            }
        }
    }
}

/// A rule and its source clauses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleLine {
    pub code: String,
    pub name: Option<String>,
    pub severity: Severity,
    pub status: ProvenanceRuleStatus,
    /// The location and the beginning of each clause.
    pub clauses: Vec<(String, String)>,
    /// The source that the author cites, if there is no clause.
    pub cited: Option<String>,
}

/// The result of a rule in the decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProvenanceRuleStatus {
    /// A check failed.
    Violated,
    /// Its gate did not match.
    NotApplicable,
    /// Every check passed.
    Passed,
    Inactive,
}

/// The ratification of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ratified {
    By(Ratifier),
    /// The snapshot references an approval that is not stored.
    Gone,
    /// The snapshot references no approval: the version was activated before approvals were stored.
    Unrecorded,
}

/// The user who ratified a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ratifier {
    /// The name, or the ID if the name is unknown.
    pub name: String,
    /// The role at ratification.
    pub role: String,
    /// The time of ratification.
    pub at: Timestamp,
    /// Digest of the approval.
    pub digest: String,
    /// Whether the approval is signed.
    pub signed: bool,
    /// Whether the ratifier was also a maker of the version.
    pub is_maker: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionStep {
    pub verdict: Verdict,
    /// The time of recording.
    pub at: Timestamp,
    pub signed: Signed,
    /// Its index in the transparency log, if it is anchored.
    pub log_index: Option<u64>,
}

/// The kinds of signature of a receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Signed {
    /// The signature covers the statement of this decision.
    Statement,
    /// The signature covers only the hash of verdict and context: receipts of version 1.
    HashAlone,
    Not,
}

impl Signed {
    pub fn description(self) -> &'static str {
        match self {
            Self::Statement => "The receipt is signed.",
            Self::HashAlone => {
                "Recorded in version 1: the signature covers only the hash and does not identify the decision."
            }
            Self::Not => "Unsigned. Signing was not configured.",
        }
    }
}

/// The number of characters of a clause that the page shows.
const CLAUSE_SHOWN: usize = 90;

impl PolicyLine {
    /// Combines rules with their source clauses and results. `clauses` are the clauses of the version.
    pub fn rules(
        rules: &[Rule],
        clauses: Option<&Clauses>,
        explanation: &PolicyExplanation,
    ) -> Vec<RuleLine> {
        let line = |rule: &Rule| {
            let sources = clauses.map(|clauses| clauses.behind(&rule.code)).unwrap_or_default();
            let cited = sources.is_empty().then(|| citation(rule)).flatten();
            RuleLine {
                code: rule.code.clone(),
                name: rule.name.clone(),
                severity: rule.severity,
                status: ProvenanceRuleStatus::of(rule, explanation),
                clauses: sources.into_iter().map(beginning).collect(),
                cited,
            }
        };
        rules.iter().map(line).collect()
    }
}

impl ProvenanceRuleStatus {
    fn of(rule: &Rule, explained: &PolicyExplanation) -> Self {
        if !rule.is_active() {
            return Self::Inactive;
        }
        let status =
            explained.rules.iter().find(|one| one.code == rule.code).map(|one| &one.status);
        match status {
            Some(ExplainedStatus::Violated(_)) => Self::Violated,
            Some(ExplainedStatus::NotApplicable(_)) => Self::NotApplicable,
            Some(ExplainedStatus::Passed) | None => Self::Passed,
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Violated => "violated",
            Self::NotApplicable => "not applicable",
            Self::Passed => "passed",
            Self::Inactive => "inactive",
        }
    }
}

/// Formats the cited source: "Code of conduct, section 4.2".
fn citation(rule: &Rule) -> Option<String> {
    let source = rule.source_ref.as_ref()?;
    let parts: Vec<&str> =
        [&source.document, &source.section].into_iter().flatten().map(String::as_str).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn beginning(clause: ClauseLine) -> (String, String) {
    let text = match clause.text.char_indices().nth(CLAUSE_SHOWN) {
        None => clause.text,
        Some((end, _)) => {
            let start = clause.text.get(..end).unwrap_or_default();
            // Cut at the end of a word, if there is one.
            let start = start.rsplit_once(' ').map_or(start, |(whole_words, _)| whole_words);
            format!("{}…", start.trim_end())
        }
    };
    (clause.locator, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_without_a_clause_shows_the_cited_source() {
        let rule = |json: serde_json::Value| serde_json::from_value::<Rule>(json).unwrap();
        let base = serde_json::json!({"code": "A", "rule_type": "presence", "severity": "high",
            "condition": {}, "source_ref": {"document": "Code", "section": "§ 1"}});
        let mut bare = base.clone();
        bare["source_ref"] = serde_json::Value::Null;
        bare["is_active"] = false.into();
        let none = PolicyExplanation {
            policy: PolicyId(uuid::Uuid::nil()),
            name: String::new(),
            version: 1,
            shadow: false,
            rules: Vec::new(),
        };
        let lines = PolicyLine::rules(&[rule(base), rule(bare)], None, &none);
        let results: Vec<_> =
            lines.iter().map(|line| (line.cited.as_deref(), line.status)).collect();
        assert_eq!(
            results,
            [
                (Some("Code, § 1"), ProvenanceRuleStatus::Passed),
                (None, ProvenanceRuleStatus::Inactive)
            ]
        );
        let long = ClauseLine {
            unit: "u".into(),
            locator: "§ 1".into(),
            text: "ä".repeat(200),
            dispositions: Vec::new(),
            rules: Vec::new(),
            findings: Vec::new(),
            needs_context: false,
        };
        assert_eq!(beginning(long).1.chars().count(), CLAUSE_SHOWN + 1);
    }
}
