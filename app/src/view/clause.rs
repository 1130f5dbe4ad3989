//! The clauses that the rules of a version come from, and what the lint says of them.

use contract::{
    codification::{
        Clause, ClauseLint, CodificationRecord, Counts, Disposition, Finding, Lint, LintStatus,
    },
    rule::Rule,
};
use serde::{Deserialize, Serialize};

/// All clauses of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clauses {
    /// The document's name.
    pub document: String,
    /// Where it can be read.
    pub url: Option<String>,
    /// How many clauses there are, and how many of each disposition.
    pub counts: Counts,
    /// What could not be codified, in sentences.
    pub refusals: Vec<String>,
    /// The clauses, in the order of the document.
    pub lines: Vec<ClauseLine>,
    /// Who looked for what a reviewer should know.
    pub linted: Linted,
}

/// Who linted the clauses, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Linted {
    /// Who answered.
    pub by: String,
    /// Which questions were put.
    pub questions: Option<String>,
    /// Findings below this confidence, in percent, were left out.
    pub floor: u32,
    /// Why there is no answer.
    pub failed: Option<String>,
}

/// One clause as a line of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClauseLine {
    /// Names the clause within the version.
    pub unit: String,
    /// Where it stands in the document.
    pub locator: String,
    /// Its words.
    pub text: String,
    /// What became of it, each with the author's note.
    pub fates: Vec<(Disposition, Option<String>)>,
    /// The codes of the rules that name it as their source.
    pub rules: Vec<String>,
    /// What a reviewer should know.
    pub findings: Vec<FindingLine>,
    /// Whether it refers to a text that is not among the clauses.
    pub needs_context: bool,
}

/// What the lint says of a clause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingLine {
    /// The word of the wire.
    pub code: String,
    /// A sentence for people.
    pub message: String,
    /// How sure the answerer is, in percent.
    pub confidence: u32,
}

impl Clauses {
    /// The clauses of a record, beside the rules of its version.
    pub fn of(record: CodificationRecord, rules: &[Rule]) -> Self {
        let CodificationRecord { source, clauses, ledger, counts, refusals, lint, .. } = record;
        let line = |clause: Clause| {
            let unit = clause.unit_id;
            let fates = ledger.iter().filter(|entry| entry.unit_id == unit);
            let mut fates: Vec<_> =
                fates.map(|entry| (entry.disposition, entry.note.clone())).collect();
            fates.dedup();
            let from_here = |rule: &&Rule| {
                let section = rule.source_ref.as_ref().and_then(|source| source.section.as_ref());
                section == Some(&clause.locator)
            };
            let is_mapped = fates.iter().any(|(fate, _)| *fate == Disposition::Mapped);
            let rules = rules.iter().filter(from_here).filter(|_| is_mapped);
            let linted: Vec<&ClauseLint> =
                lint.clauses.iter().filter(|linted| linted.unit_id == unit).collect();
            ClauseLine {
                rules: rules.map(|rule| rule.code.clone()).collect(),
                findings: linted.iter().flat_map(|one| &one.findings).map(finding).collect(),
                needs_context: linted.iter().any(|one| one.needs_context),
                fates,
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

    /// The clauses that a rule comes from.
    pub fn behind(&self, code: &str) -> Vec<ClauseLine> {
        let behind = |line: &&ClauseLine| line.rules.iter().any(|rule| rule == code);
        self.lines.iter().filter(behind).cloned().collect()
    }

    /// The clauses that no rule names as its source.
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
    // An answerer outside may be surer than sure; a float that is too big becomes the biggest number.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is clamped")]
    let confidence = (finding.evidence.confidence.clamp(0.0, 1.0) * 100.0).round() as u32;
    FindingLine { code: finding.code.clone(), message: finding.message.clone(), confidence }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_knows_its_rules_and_what_was_found() {
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
                {"unit_id": "u2", "disposition": "refused", "note": "not ours"},
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
        assert_eq!((one.rules.join(" "), one.fates.len()), ("A B".to_owned(), 1));
        assert!(one.findings.is_empty() && two.rules.is_empty() && !one.needs_context);
        assert_eq!(two.fates, [(Disposition::Refused, Some("not ours".to_owned()))]);
        let [found] = &two.findings[..] else { panic!("one finding") };
        assert_eq!((&*found.code, &*found.message, found.confidence), ("vague_term", "What?", 90));
        assert!(two.needs_context);
        let Linted { by, questions, floor, failed } = &clauses.linted;
        assert_eq!((&**by, questions, *floor, failed), ("builtin", &None, 60, &None));
        assert_eq!(clauses.behind("B"), vec![one.clone()]);
        assert_eq!((clauses.behind("C"), clauses.without_rule()), (vec![], vec![two.clone()]));
    }
}
