//! `govern policy test`: evaluates test cases with the engine of the service.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use contract::{
    evaluation::{NaRule, Violation},
    id::PolicyId,
    json::{Object, Value},
    time::Timestamp,
};
use engine::{Evaluation, Evidence, Input, PolicyRules, Program, ResultTooLarge};
use receipt::statement;
use uuid::Uuid;

use super::{
    args::TestArgs,
    cases::{self, Case, Cases, ExpectedViolation},
    file::{self, PolicyFile},
    junit,
    report::{CaseResult, FileReport, Report},
};
use crate::{
    clock,
    exit::{Error, Exit},
    output::{self, BOLD, DIM, GREEN, RED, one_line, styled},
    output_file,
};

pub(super) fn run(args: &TestArgs) -> Result<Exit, Error> {
    let started = Instant::now();
    let report = report(&args.paths, clock::now())?;
    if let Some(path) = &args.junit {
        let text = junit::render(&report).map_err(|error| Error::file(path, error))?;
        output_file::write(path, text)?;
    }
    let json = serde_json::to_string(&report).unwrap_or_default();
    output::print_as(args.json, &json, &text(&report, started.elapsed()))?;
    Ok(Exit::negative_if(report.failed > 0))
}

/// Evaluates the cases of all policy files in `paths`. Date rules use `now` if a context has no
/// `metadata.timestamp`.
///
/// # Errors
/// Returns an error if a file is not valid, or there is no policy file.
pub fn report(paths: &[PathBuf], now: Timestamp) -> Result<Report, Error> {
    let mut files = Vec::new();
    for path in paths {
        for path in file::find(path)? {
            let policy = PolicyFile::read(&path)?;
            let cases = cases::path_of(&path)?;
            let results = match &cases {
                Some(cases) => evaluate(&policy, &Cases::read(cases)?, now)?,
                None => Vec::new(),
            };
            files.push(FileReport { policy: path, cases, results });
        }
    }
    if files.is_empty() {
        return Err(Error::Input("no policy files: their names end with .policy.yaml".to_owned()));
    }
    let results = || files.iter().flat_map(|file| &file.results);
    let failed = results().filter(|result| !result.failures.is_empty()).count();
    Ok(Report { passed: results().count() - failed, failed, files })
}

/// Evaluates the cases of a policy.
///
/// # Errors
/// Returns an error if a rule cannot be compiled, or if the violations of a case exceed the limit of a result.
pub fn evaluate(
    policy: &PolicyFile,
    cases: &Cases,
    now: Timestamp,
) -> Result<Vec<CaseResult>, Error> {
    let rules = PolicyRules {
        policy_id: PolicyId(Uuid::nil()),
        shadow_mode: policy.source.draft.shadow_mode.unwrap_or(false),
        rules: &policy.source.rules,
    };
    let program = Program::compile(&[rules]).map_err(|error| Error::file(&policy.path, error))?;
    let evaluate = |case: &Case| {
        evaluate_case(policy, &program, case, now)
            .map_err(|error| Error::file(&policy.path, format!("case `{}`: {error}", case.name)))
    };
    cases.0.iter().map(evaluate).collect()
}

fn evaluate_case(
    policy: &PolicyFile,
    program: &Program,
    case: &Case,
    now: Timestamp,
) -> Result<CaseResult, ResultTooLarge> {
    let started = Instant::now();
    let context = &case.context;
    let no_fields = Object::new();
    let digests: Vec<Option<String>> = context.evidence().iter().map(data_digest).collect();
    let evidence: Vec<Evidence<'_>> = context
        .evidence()
        .iter()
        .zip(&digests)
        .map(|(item, digest)| Evidence {
            kind: item.get("kind").and_then(Value::as_str),
            hash: item.get("hash").and_then(Value::as_str),
            data_digest: digest.as_deref(),
        })
        .collect();
    let actor = case.actor.as_ref().and_then(|actor| actor.id.as_deref());
    let input = Input {
        fields: context.fields().unwrap_or(&no_fields),
        evidence: &evidence,
        actor_id: actor.or_else(|| context.metadata("actor_id")),
        as_of: context.timestamp().unwrap_or(now),
    };
    let evaluation = engine::evaluate(program, &input)?;
    let failures = failures(policy, case, &evaluation, &evaluation.na_rules(&input)?);
    Ok(CaseResult {
        name: case.name.clone(),
        decision: evaluation.decision,
        violations: evaluation.violations,
        failures,
        time: started.elapsed(),
    })
}

fn data_digest(item: &Value) -> Option<String> {
    item.get("data").map(|data| statement::data_digest(data).to_string())
}

/// Returns the differences between the expected result and the evaluation.
fn failures(
    policy: &PolicyFile,
    case: &Case,
    evaluation: &Evaluation<'_>,
    na_rules: &[NaRule],
) -> Vec<String> {
    let expect = &case.expect;
    let mut failures = Vec::new();
    if evaluation.decision != expect.decision {
        failures.push(format!("expected {}, got {}", expect.decision, evaluation.decision));
    }
    let Some(expected) = &expect.violations else {
        if !failures.is_empty() {
            failures.extend(evaluation.violations.iter().map(describe));
        }
        return failures;
    };
    for wanted in expected {
        if !evaluation.violations.iter().any(|violation| wanted.matches(violation)) {
            let code = &wanted.rule_code;
            let cause = why_not_violated(policy, code, evaluation, na_rules);
            failures.push(format!("no expected violation of {code}: {cause}"));
        }
    }
    for violation in &evaluation.violations {
        if !expected.iter().any(|wanted| wanted.matches(violation)) {
            failures.push(format!("unexpected violation of {}", describe(violation)));
        }
    }
    failures
}

impl ExpectedViolation {
    fn matches(&self, violation: &Violation) -> bool {
        self.rule_code == violation.rule_code
            && self.reason_code.is_none_or(|code| code == violation.reason_code)
            && (self.field.is_none() || self.field == violation.field)
    }
}

/// Describes a violation: rule, field, value and reason.
fn describe(violation: &Violation) -> String {
    let Violation { rule_code, severity, reason, reason_code, field, actual_value, .. } = violation;
    let field = field.as_ref().map(|field| match actual_value {
        Some(value) => format!("; {field} = {value}"),
        None => format!("; {field} is missing"),
    });
    let field = field.unwrap_or_default();
    format!("{rule_code} ({severity}, {reason_code}): {reason}{field}")
}

/// Returns why there is no matching violation of a rule.
fn why_not_violated(
    policy: &PolicyFile,
    code: &str,
    evaluation: &Evaluation<'_>,
    na_rules: &[NaRule],
) -> String {
    if let Some(violation) = evaluation.violations.iter().find(|other| other.rule_code == code) {
        return format!("the violation is {}", describe(violation));
    }
    if let Some(rule) = na_rules.iter().find(|rule| &*rule.rule_code == code) {
        return format!("the rule is not applicable: {}", rule.reason);
    }
    match policy.source.rules.iter().find(|rule| rule.code == code) {
        None => "the policy has no such rule".to_owned(),
        Some(rule) if !rule.is_active() => "the rule is not active".to_owned(),
        Some(_) => "the rule passed".to_owned(),
    }
}

/// Returns the results for people.
fn text(report: &Report, time: Duration) -> String {
    let mut lines = Vec::new();
    for file in &report.files {
        let count = match (&file.cases, file.results.len()) {
            (None, _) => styled("no cases", DIM),
            (Some(_), 1) => "1 case".to_owned(),
            (Some(_), count) => format!("{count} cases"),
        };
        lines.push(format!("{}  {count}", styled(display(&file.policy), BOLD)));
        for result in file.results.iter().filter(|result| !result.failures.is_empty()) {
            lines.push(format!("  {} {}", styled("FAIL", RED), one_line(&result.name)));
            let failures = result.failures.iter();
            lines.extend(failures.map(|failure| format!("       {}", one_line(failure))));
        }
    }
    let color = if report.failed > 0 { RED } else { GREEN };
    let summary = format!("{} passed, {} failed", report.passed, report.failed);
    lines.push(format!("{} in {:.2} s", styled(summary, color), time.as_secs_f64()));
    lines.join("\n")
}

fn display(path: &Path) -> String {
    let path = path.strip_prefix(".").unwrap_or(path);
    one_line(&path.display().to_string())
}
