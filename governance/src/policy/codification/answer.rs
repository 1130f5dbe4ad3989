//! What is asked of an answerer outside, and what its answer must be like.

use std::collections::{BTreeMap, BTreeSet};

use contract::{
    codification::{
        Clause, ClauseLint, Codification, Evidence, Finding, LINT_SCHEMA, LedgerEntry, Lint,
        LintStatus, Source,
    },
    json::{Limits, Value},
};
use serde::{Deserialize, Serialize};

use super::answerer::{ANSWER_BYTES_MAX, Answerer, OUTSIDE};

/// The schema of a question.
const QUESTION_SCHEMA: &str = "service-codification-lint-question/v1";

/// How many findings one clause may have.
const FINDINGS_MAX: usize = 100;

#[derive(Serialize)]
struct Question<'a> {
    schema: &'static str,
    source: &'a Source,
    clauses: &'a [Clause],
    ledger: &'a [LedgerEntry],
    rules: &'a [Value],
}

/// An answer as it comes; members that nobody knows are passed over.
#[derive(Deserialize)]
struct Given {
    questions_version: String,
    #[serde(default)]
    floor: Option<u32>,
    #[serde(default)]
    model: Option<String>,
    clauses: Vec<GivenClause>,
}

#[derive(Deserialize)]
struct GivenClause {
    unit_id: String,
    #[serde(default)]
    findings: Vec<Finding>,
    #[serde(default)]
    needs_context: bool,
}

/// The answer, or why there is none.
pub(super) struct Answer(Result<Given, String>);

/// Asks `answerer` about the clauses of `block` and the rules that they became.
pub(super) async fn ask(answerer: &dyn Answerer, block: &Codification, rules: &[Value]) -> Answer {
    let Codification { source, clauses, ledger } = block;
    let question = Question { schema: QUESTION_SCHEMA, source, clauses, ledger, rules };
    let answer = match serde_json::to_string(&question) {
        Ok(question) => answerer.ask(question).await,
        Err(_) => Err("the question could not be written".to_owned()),
    };
    Answer(answer.and_then(|bytes| read(&bytes, clauses)))
}

/// Reads an answer strictly: what it says is stored and shown.
fn read(bytes: &[u8], clauses: &[Clause]) -> Result<Given, String> {
    let limits = Limits::REQUEST.with_bytes(ANSWER_BYTES_MAX);
    Value::parse(bytes, &limits)
        .map_err(|fault| format!("the answer is not JSON: {}", fault.code.reason()))?;
    let given: Given = serde_json::from_slice(bytes)
        .map_err(|_| "the answer has not the members that were asked for".to_owned())?;
    given.check(clauses)?;
    Ok(given)
}

impl Given {
    fn check(&self, clauses: &[Clause]) -> Result<(), String> {
        let mut open: BTreeSet<&str> = clauses.iter().map(|clause| &*clause.unit_id).collect();
        for clause in &self.clauses {
            if !open.remove(&*clause.unit_id) {
                return Err("the answer names a clause twice, or one that is not there".to_owned());
            }
            if clause.findings.len() > FINDINGS_MAX || !clause.findings.iter().all(is_finding) {
                return Err("the answer has a finding that is none".to_owned());
            }
        }
        let texts = [Some(&self.questions_version), self.model.as_ref()];
        let named = texts.into_iter().flatten().all(|text| (1..=200).contains(&text.len()));
        let floor = self.floor.is_none_or(|floor| floor <= 100);
        if named && floor {
            Ok(())
        } else {
            Err("the answer's head is not as asked for".to_owned())
        }
    }
}

fn is_finding(finding: &Finding) -> bool {
    let word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    (1..=100).contains(&finding.code.len())
        && finding.code.bytes().all(word)
        && (1..=2_000).contains(&finding.message.len())
        && (0.0..=1.0).contains(&finding.evidence.confidence)
}

impl Answer {
    /// What is kept of it, after `elapsed_ms` milliseconds.
    pub(super) fn lint(self, block: &Codification, elapsed_ms: u32) -> Lint {
        let lint = Lint {
            schema: LINT_SCHEMA.to_owned(),
            status: LintStatus::Failed,
            answerer: OUTSIDE.to_owned(),
            questions_version: None,
            floor: codify::lint::FLOOR,
            clauses: Vec::new(),
            reason: None,
            model: None,
            elapsed_ms,
        };
        match self.0 {
            Err(reason) => Lint { reason: Some(reason), ..lint },
            Ok(given) => {
                let floor = given.floor.unwrap_or(lint.floor);
                Lint {
                    status: LintStatus::Ran,
                    questions_version: Some(given.questions_version),
                    floor,
                    clauses: above(floor, given.clauses, &block.clauses),
                    model: given.model,
                    ..lint
                }
            }
        }
    }
}

/// One entry for each clause, in order, with the findings from `floor` percent up.
fn above(floor: u32, given: Vec<GivenClause>, clauses: &[Clause]) -> Vec<ClauseLint> {
    let is_sure = |finding: &Finding| {
        let Evidence { confidence } = finding.evidence;
        confidence * 100.0 >= f64::from(floor)
    };
    let mut given: BTreeMap<String, GivenClause> =
        given.into_iter().map(|clause| (clause.unit_id.clone(), clause)).collect();
    clauses
        .iter()
        .map(|clause| {
            let (findings, needs_context) = given
                .remove(&clause.unit_id)
                .map_or_else(Default::default, |given| (given.findings, given.needs_context));
            let findings = findings.into_iter().filter(is_sure).collect();
            ClauseLint { unit_id: clause.unit_id.clone(), findings, needs_context }
        })
        .collect()
}
