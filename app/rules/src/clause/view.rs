//! The source clauses of the rules of a version, and their lint findings.

use contract::codification::{
    Clause, ClauseLint, CodificationRecord, Counts, Disposition, Finding, Lint, LintStatus,
};
use page_kit::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clauses {
    /// The name of the document.
    pub document: String,
    pub url: Option<String>,
    /// The number of clauses, in total and per disposition.
    pub counts: Counts,
    /// The codification errors, as sentences.
    pub refusals: Vec<String>,
    /// The clauses, in the order of the document.
    pub lines: Vec<ClauseLine>,
    pub linted: Linted,
}

/// The lint run: its provider and its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Linted {
    /// The name of the lint provider.
    pub by: String,
    /// The version of the questions.
    pub questions: Option<String>,
    /// The confidence, in percent, below which findings were left out.
    pub floor: u32,
    /// Why the lint run failed.
    pub failed: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClauseLine {
    /// The ID of the clause within the version.
    pub unit: String,
    /// Its location in the document.
    pub locator: String,
    pub text: String,
    /// Its dispositions, each with the author's note.
    pub dispositions: Vec<(Disposition, Option<String>)>,
    /// The codes of the rules that cite it as their source.
    pub rules: Vec<String>,
    pub findings: Vec<FindingLine>,
    /// Whether it refers to a text outside the clauses.
    pub needs_context: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingLine {
    pub code: String,
    /// A sentence for users.
    pub message: String,
    /// The confidence of the lint provider, in percent.
    pub confidence: u32,
}

impl Clauses {
    /// Creates the clauses of a record; `rules` are the rules of its version.
    pub fn of(record: CodificationRecord, rules: &[Rule]) -> Self {
        let CodificationRecord { source, clauses, ledger, counts, refusals, lint, .. } = record;
        let line = |clause: Clause| {
            let unit = clause.unit_id;
            let dispositions = ledger.iter().filter(|entry| entry.unit_id == unit);
            let mut dispositions: Vec<_> =
                dispositions.map(|entry| (entry.disposition, entry.note.clone())).collect();
            dispositions.dedup();
            let is_from_clause = |rule: &&Rule| {
                let section = rule.source_ref.as_ref().and_then(|source| source.section.as_ref());
                section == Some(&clause.locator)
            };
            let is_mapped =
                dispositions.iter().any(|(disposition, _)| *disposition == Disposition::Mapped);
            let rules = rules.iter().filter(is_from_clause).filter(|_| is_mapped);
            let linted: Vec<&ClauseLint> =
                lint.clauses.iter().filter(|linted| linted.unit_id == unit).collect();
            ClauseLine {
                rules: rules.map(|rule| rule.code.clone()).collect(),
                findings: linted
                    .iter()
                    .flat_map(|clause_lint| &clause_lint.findings)
                    .map(finding)
                    .collect(),
                needs_context: linted.iter().any(|clause_lint| clause_lint.needs_context),
                dispositions,
                locator: clause.locator,
                text: clause.text,
                unit,
            }
        };
        Self {
            document: source.document,
            url: source.url,
            counts,
            refusals: refusals.into_iter().map(|refusal| refusal.message).collect(),
            lines: clauses.into_iter().map(line).collect(),
            linted: lint.into(),
        }
    }

    /// Returns the clauses that a rule comes from.
    pub fn behind(&self, code: &str) -> Vec<ClauseLine> {
        let is_source = |line: &&ClauseLine| line.rules.iter().any(|rule| rule == code);
        self.lines.iter().filter(is_source).cloned().collect()
    }

    /// Returns the clauses that no rule cites as its source.
    pub fn without_rule(&self) -> Vec<ClauseLine> {
        self.lines.iter().filter(|line| line.rules.is_empty()).cloned().collect()
    }
}

impl From<Lint> for Linted {
    fn from(lint: Lint) -> Self {
        let failed = (lint.status == LintStatus::Failed).then(|| lint.reason.unwrap_or_default());
        Self { by: lint.answerer, questions: lint.questions_version, floor: lint.floor, failed }
    }
}

fn finding(finding: &Finding) -> FindingLine {
    // An external lint provider may report a confidence outside 0 to 1. A float above the range converts to
    // the largest integer.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is clamped")]
    let confidence = (finding.evidence.confidence.clamp(0.0, 1.0) * 100.0).round() as u32;
    FindingLine { code: finding.code.clone(), message: finding.message.clone(), confidence }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_lists_its_rules_and_its_findings() {
        let record = serde_json::json!({
            "schema": "service-codification-record/v1",
            "source": {"document": "Code"},
            "clauses": [
                {"unit_id": "u1", "locator": "§ 1", "text": "One."},
                {"unit_id": "u2", "locator": "§ 2", "text": "Two."},
            ],
            "ledger": [
                {"unit_id": "u1", "disposition": "mapped"},
                {"unit_id": "u1", "disposition": "mapped"},
                {"unit_id": "u2", "disposition": "refused", "note": "out of scope"},
            ],
            "counts": {"clauses": 2, "mapped": 1, "ambiguous": 0, "unsupported": 0,
                "non_normative": 0, "refused": 1},
            "refusals": [],
            "lint": {
                "schema": "service-codification-lint/v1", "status": "ran", "answerer": "builtin",
                "floor": 60, "elapsed_ms": 0,
                "clauses": [{"unit_id": "u2", "needs_context": true, "findings": [
                    {"code": "vague_term", "message": "What?", "evidence": {"confidence": 0.9}},
                ]}],
            },
        });
        let rule = |code: &str, section: &str| {
            serde_json::json!({"code": code, "rule_type": "presence", "severity": "high",
                "condition": {}, "source_ref": {"document": "Code", "section": section}})
        };
        let rules = serde_json::json!([rule("A", "§ 1"), rule("B", "§ 1"), rule("C", "§ 2")]);
        let rules: Vec<Rule> = serde_json::from_value(rules).unwrap();
        let clauses = Clauses::of(serde_json::from_value(record).unwrap(), &rules);
        let [one, two] = &clauses.lines[..] else { panic!("two clauses") };
        assert_eq!((one.rules.join(" "), one.dispositions.len()), ("A B".to_owned(), 1));
        assert!(one.findings.is_empty() && two.rules.is_empty() && !one.needs_context);
        assert_eq!(two.dispositions, [(Disposition::Refused, Some("out of scope".to_owned()))]);
        let [reported] = &two.findings[..] else { panic!("one finding") };
        assert_eq!(
            (&*reported.code, &*reported.message, reported.confidence),
            ("vague_term", "What?", 90)
        );
        assert!(two.needs_context);
        let Linted { by, questions, floor, failed } = &clauses.linted;
        assert_eq!((&**by, questions, *floor, failed), ("builtin", &None, 60, &None));
        assert_eq!(clauses.behind("B"), vec![one.clone()]);
        assert_eq!((clauses.behind("C"), clauses.without_rule()), (vec![], vec![two.clone()]));
    }
}
