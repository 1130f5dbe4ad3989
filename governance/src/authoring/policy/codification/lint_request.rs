//! The request to an external lint provider and the validation of its response.

use contract::{
    codification::{
        Clause, ClauseLint, Codification, Finding, FindingEvidence, LINT_SCHEMA, LedgerEntry, Lint,
        LintStatus, SourceDocument,
    },
    json::Limits,
};

use super::lint_provider::{EXTERNAL_PROVIDER, LintProvider, RESPONSE_BYTES_MAX};
use crate::base::prelude::*;

const REQUEST_SCHEMA: &str = "service-codification-lint-question/v1";

const FINDINGS_MAX: usize = 100;

#[derive(Serialize)]
struct LintRequest<'a> {
    schema: &'static str,
    source: &'a SourceDocument,
    clauses: &'a [Clause],
    ledger: &'a [LedgerEntry],
    rules: &'a [Value],
}

/// The response as received. Unknown members are ignored.
#[derive(Deserialize)]
struct LintResponse {
    questions_version: String,
    #[serde(default)]
    floor: Option<u32>,
    #[serde(default)]
    model: Option<String>,
    clauses: Vec<LintResponseClause>,
}

#[derive(Deserialize)]
struct LintResponseClause {
    unit_id: String,
    #[serde(default)]
    findings: Vec<Finding>,
    #[serde(default)]
    needs_context: bool,
}

/// The response, or the reason why there is none.
pub(super) struct LintResult(Result<LintResponse, String>);

/// Sends the clauses of `block` and the resulting rules to `provider`.
pub(super) async fn request_lint(
    provider: &dyn LintProvider,
    block: &Codification,
    rules: &[Value],
) -> LintResult {
    let Codification { source, clauses, ledger } = block;
    let request = LintRequest { schema: REQUEST_SCHEMA, source, clauses, ledger, rules };
    let response = match serde_json::to_string(&request) {
        Ok(request) => provider.send(request).await,
        Err(_) => Err("the request could not be serialized".to_owned()),
    };
    LintResult(response.and_then(|bytes| parse(&bytes, clauses)))
}

/// Parses and validates a response strictly, because its contents are stored and displayed.
fn parse(bytes: &[u8], clauses: &[Clause]) -> Result<LintResponse, String> {
    let limits = Limits::REQUEST.with_bytes(RESPONSE_BYTES_MAX);
    Value::parse(bytes, &limits)
        .map_err(|error| format!("the response is not JSON: {}", error.code.reason()))?;
    let response: LintResponse = serde_json::from_slice(bytes)
        .map_err(|_| "the response lacks required members".to_owned())?;
    response.check(clauses)?;
    Ok(response)
}

impl LintResponse {
    fn check(&self, clauses: &[Clause]) -> Result<(), String> {
        let mut unit_ids: BTreeSet<&str> = clauses.iter().map(|clause| &*clause.unit_id).collect();
        for clause in &self.clauses {
            if !unit_ids.remove(&*clause.unit_id) {
                return Err("the response contains a duplicate or unknown clause".to_owned());
            }
            if clause.findings.len() > FINDINGS_MAX || !clause.findings.iter().all(is_finding) {
                return Err("the response contains an invalid finding".to_owned());
            }
        }
        let texts = [Some(&self.questions_version), self.model.as_ref()];
        let has_names = texts.into_iter().flatten().all(|text| (1..=200).contains(&text.len()));
        let is_floor_valid = self.floor.is_none_or(|floor| floor <= 100);
        if has_names && is_floor_valid {
            Ok(())
        } else {
            Err("the response header members are invalid".to_owned())
        }
    }
}

fn is_finding(finding: &Finding) -> bool {
    let is_name_byte =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    (1..=100).contains(&finding.code.len())
        && finding.code.bytes().all(is_name_byte)
        && (1..=2_000).contains(&finding.message.len())
        && (0.0..=1.0).contains(&finding.evidence.confidence)
}

impl LintResult {
    /// Converts the result to the stored lint, after `elapsed_ms` milliseconds.
    pub(super) fn lint(self, block: &Codification, elapsed_ms: u32) -> Lint {
        let lint = Lint {
            schema: LINT_SCHEMA.to_owned(),
            status: LintStatus::Failed,
            answerer: EXTERNAL_PROVIDER.to_owned(),
            questions_version: None,
            floor: codify::lint::FLOOR,
            clauses: Vec::new(),
            reason: None,
            model: None,
            elapsed_ms,
        };
        match self.0 {
            Err(reason) => Lint { reason: Some(reason), ..lint },
            Ok(response) => {
                let floor = response.floor.unwrap_or(lint.floor);
                Lint {
                    status: LintStatus::Ran,
                    questions_version: Some(response.questions_version),
                    floor,
                    clauses: confident_findings(floor, response.clauses, &block.clauses),
                    model: response.model,
                    ..lint
                }
            }
        }
    }
}

/// Returns one entry for each clause, in order, with the findings whose confidence is at least `floor`
/// percent.
fn confident_findings(
    floor: u32,
    entries: Vec<LintResponseClause>,
    clauses: &[Clause],
) -> Vec<ClauseLint> {
    let is_confident = |finding: &Finding| {
        let FindingEvidence { confidence } = finding.evidence;
        confidence * 100.0 >= f64::from(floor)
    };
    let mut entries: BTreeMap<String, LintResponseClause> =
        entries.into_iter().map(|clause| (clause.unit_id.clone(), clause)).collect();
    clauses
        .iter()
        .map(|clause| {
            let (findings, needs_context) = entries
                .remove(&clause.unit_id)
                .map_or_else(Default::default, |entries| (entries.findings, entries.needs_context));
            let findings = findings.into_iter().filter(is_confident).collect();
            ClauseLint { unit_id: clause.unit_id.clone(), findings, needs_context }
        })
        .collect()
}
