//! A decision between what it rests on and what came of it, as one picture shows it.

use contract::{
    evaluation::Verdict,
    id::PolicyId,
    rule::{Rule, Severity},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::{
    clause::{ClauseLine, Clauses},
    decision::explain::{Explained, Fate},
    outcome::Told,
};

/// From clause to rule to ratifier to decision to outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lineage {
    /// The policies that were in force, in the order of the snapshot.
    pub policies: Vec<PolicyLine>,
    /// The decision.
    pub decision: DecisionStep,
    /// What happened after it, if somebody has told.
    pub outcome: Option<Told>,
}

/// A policy: where its rules come from, and who ratified its version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyLine {
    /// The policy.
    pub policy: PolicyId,
    /// Its name.
    pub name: String,
    /// The version that decided.
    pub version: u32,
    /// Whether it only watched.
    pub shadow: bool,
    /// Where the rules come from.
    pub origin: Origin,
    /// All its rules in authored order.
    pub rules: Vec<RuleLine>,
    /// Who ratified the version.
    pub ratified: Ratified,
}

/// Where the rules of a version come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// The clauses of a document, some of which became no rule.
    Clauses {
        /// The document's name.
        document: String,
        /// How many clauses became no rule.
        without_rule: usize,
    },
    /// The author, who gave no clauses.
    Author,
    /// A tenant above, which keeps the clauses to itself if there are any.
    Above,
}

/// A rule and the clauses behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleLine {
    /// Its code.
    pub code: String,
    /// Its name.
    pub name: Option<String>,
    /// How bad a violation is.
    pub severity: Severity,
    /// How it fared.
    pub fared: Fared,
    /// Where each clause stands, and how it begins.
    pub clauses: Vec<(String, String)>,
    /// What the author named as the source, where there is no clause.
    pub cited: Option<String>,
}

/// How a rule fared in the decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fared {
    /// A check failed.
    Violated,
    /// Its gate did not match.
    NotApplicable,
    /// Every check held.
    Passed,
    /// It was switched off.
    Inactive,
}

/// Who ratified a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ratified {
    /// This person.
    By(Ratifier),
    /// The snapshot names an approval that is not kept here.
    Gone,
    /// The snapshot names none: it came into force before approvals were kept.
    Unrecorded,
}

/// The person who ratified a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ratifier {
    /// By name; the id where no name is known.
    pub name: String,
    /// In what role.
    pub role: String,
    /// When.
    pub at: Timestamp,
    /// Digest of the approval.
    pub digest: String,
    /// Whether the approval is signed.
    pub signed: bool,
    /// Whether the ratifier had a hand in making the version.
    pub is_maker: bool,
}

/// The decision itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionStep {
    /// The verdict.
    pub verdict: Verdict,
    /// When it was recorded.
    pub at: Timestamp,
    /// How the receipt is signed.
    pub signed: Signed,
    /// Its place in the transparency log, once it has one.
    pub log_index: Option<u64>,
}

/// How a receipt is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Signed {
    /// The statement about this very decision.
    Statement,
    /// The hash of verdict and context alone: receipts of version 1.
    HashAlone,
    /// Not at all.
    Not,
}

/// How much of a clause is shown, in characters.
const CLAUSE_SHOWN: usize = 90;

impl PolicyLine {
    /// Rules with the clauses behind them and how they fared; `clauses` are those of the version.
    pub fn rules(rules: &[Rule], clauses: Option<&Clauses>, fared: &Explained) -> Vec<RuleLine> {
        let line = |rule: &Rule| {
            let behind = clauses.map(|clauses| clauses.behind(&rule.code)).unwrap_or_default();
            let cited = behind.is_empty().then(|| cited(rule)).flatten();
            RuleLine {
                code: rule.code.clone(),
                name: rule.name.clone(),
                severity: rule.severity,
                fared: Fared::of(rule, fared),
                clauses: behind.into_iter().map(begins).collect(),
                cited,
            }
        };
        rules.iter().map(line).collect()
    }
}

impl Fared {
    fn of(rule: &Rule, explained: &Explained) -> Self {
        if !rule.active() {
            return Self::Inactive;
        }
        let fate = explained.rules.iter().find(|one| one.code == rule.code).map(|one| &one.fate);
        match fate {
            Some(Fate::Violated(_)) => Self::Violated,
            Some(Fate::NotApplicable(_)) => Self::NotApplicable,
            Some(Fate::Passed) | None => Self::Passed,
        }
    }
}

/// "Code of conduct, section 4.2"
fn cited(rule: &Rule) -> Option<String> {
    let source = rule.source_ref.as_ref()?;
    let parts: Vec<&str> =
        [&source.document, &source.section].into_iter().flatten().map(String::as_str).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn begins(clause: ClauseLine) -> (String, String) {
    let text = match clause.text.char_indices().nth(CLAUSE_SHOWN) {
        None => clause.text,
        Some((end, _)) => {
            let start = clause.text.get(..end).unwrap_or_default();
            // At a word's end, where there is one.
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
    fn a_rule_without_a_clause_tells_what_its_author_cites() {
        let rule = |json: serde_json::Value| serde_json::from_value::<Rule>(json).unwrap();
        let base = serde_json::json!({"code": "A", "rule_type": "presence", "severity": "high",
            "condition": {}, "source_ref": {"document": "Code", "section": "§ 1"}});
        let mut bare = base.clone();
        bare["source_ref"] = serde_json::Value::Null;
        bare["is_active"] = false.into();
        let none = Explained {
            policy: PolicyId(uuid::Uuid::nil()),
            name: String::new(),
            version: 1,
            shadow: false,
            rules: Vec::new(),
        };
        let lines = PolicyLine::rules(&[rule(base), rule(bare)], None, &none);
        let told: Vec<_> = lines.iter().map(|line| (line.cited.as_deref(), line.fared)).collect();
        assert_eq!(told, [(Some("Code, § 1"), Fared::Passed), (None, Fared::Inactive)]);
        let long = ClauseLine {
            unit: "u".into(),
            locator: "§ 1".into(),
            text: "ä".repeat(200),
            fates: Vec::new(),
            rules: Vec::new(),
            findings: Vec::new(),
            needs_context: false,
        };
        assert_eq!(begins(long).1.chars().count(), CLAUSE_SHOWN + 1);
    }
}
