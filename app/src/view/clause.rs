//! The clauses that the rules of a version come from, and what the lint says of them.

use contract::{
    codification::{CodificationRecord, Disposition, LintStatus},
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
    /// The clauses, in the order of the document.
    pub lines: Vec<ClauseLine>,
    /// Why nobody linted them.
    pub failed: Option<String>,
}

/// One clause as a line of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClauseLine {
    /// Where it stands in the document.
    pub locator: String,
    /// Its words.
    pub text: String,
    /// What became of it, each with the author's note.
    pub fates: Vec<(Disposition, Option<String>)>,
    /// The codes of the rules that name it as their source.
    pub rules: Vec<String>,
    /// What a reviewer should know, in sentences.
    pub findings: Vec<String>,
}

impl Clauses {
    /// The clauses of a record, beside the rules of its version.
    pub fn of(record: CodificationRecord, rules: &[Rule]) -> Self {
        let CodificationRecord { source, clauses, ledger, lint, .. } = record;
        let line = |clause: contract::codification::Clause| {
            let unit = &clause.unit_id;
            let fates = ledger.iter().filter(|entry| &entry.unit_id == unit);
            let mut fates: Vec<_> =
                fates.map(|entry| (entry.disposition, entry.note.clone())).collect();
            fates.dedup();
            let from_here = |rule: &&Rule| {
                let section = rule.source_ref.as_ref().and_then(|source| source.section.as_ref());
                section == Some(&clause.locator)
            };
            let is_mapped = fates.iter().any(|(fate, _)| *fate == Disposition::Mapped);
            let rules = rules.iter().filter(from_here).filter(|_| is_mapped);
            let linted = lint.clauses.iter().filter(|linted| &linted.unit_id == unit);
            let findings = linted.flat_map(|linted| &linted.findings);
            ClauseLine {
                fates,
                rules: rules.map(|rule| rule.code.clone()).collect(),
                findings: findings.map(|finding| finding.message.clone()).collect(),
                locator: clause.locator,
                text: clause.text,
            }
        };
        let failed = (lint.status == LintStatus::Failed).then(|| lint.reason.clone());
        Self {
            document: source.document,
            url: source.url,
            lines: clauses.into_iter().map(line).collect(),
            failed: failed.map(Option::unwrap_or_default),
        }
    }
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
                "clauses": [{"unit_id": "u2", "needs_context": false, "findings": [
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
        assert!(one.findings.is_empty() && two.rules.is_empty());
        assert_eq!(two.fates, [(Disposition::Refused, Some("not ours".to_owned()))]);
        assert_eq!((two.findings.concat(), clauses.failed), ("What?".to_owned(), None));
    }
}
