//! The sample policies return the expected verdicts.

use contract::evaluation::{EvaluationResult, RuleStatus, Violation};
use governance::demo::SAMPLES;

use crate::prelude::*;

#[tokio::test]
async fn procurement_sample_returns_the_expected_results() {
    assert_expected_results(SAMPLES[0], 39).await;
}

#[tokio::test]
async fn credit_sample_returns_the_expected_results() {
    assert_expected_results(SAMPLES[1], 51).await;
}

#[tokio::test]
async fn agent_sample_returns_the_expected_results() {
    assert_expected_results(SAMPLES[2], 53).await;
}

async fn assert_expected_results(file: &str, case_count: usize) {
    let sample = value(file);
    let env = test_env().await;
    let tenant = env.tenant("sample").await;
    Box::pin(tenant.active_policy(sample.get("policy").unwrap())).await;
    assert_eq!(list(&sample, "contexts").len(), case_count);
    let mut mismatches = Vec::new();
    for case in list(&sample, "contexts") {
        let name = text(case, "name");
        let request = case_request(case);
        let explained = with(&request, "explain", true);
        let response = tenant.evaluate(&explained).await.unwrap();
        let response_text = tenant.evaluate_text(&explained).await.unwrap();
        assert_eq!(
            response_text,
            serde_json::to_string(&response).unwrap(),
            "{name}: a response has one text form"
        );
        let evaluated = response.result;
        let recorded = tenant.record(&with(&request, "idempotency_key", name)).await.unwrap();
        let recorded = decision_record(&recorded.record).result;

        let expected = case.get("expect").unwrap();
        let actual = summary(&evaluated);
        if &actual != expected {
            mismatches.push(format!("{name}\n  expected {expected}\n  got      {actual}"));
        }
        assert_consistent(&evaluated);
        let dry = EvaluationResult { dry_run: false, rules: None, ..evaluated };
        let unsigned = EvaluationResult { signature: None, ..recorded };
        assert_eq!(dry, unsigned, "{name}: a dry run and a record have the same result");
    }
    assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
}

/// The members of a case's request that evaluating and recording have in common.
pub(crate) fn case_request(case: &Value) -> Value {
    let request = object([("context", case.get("context").unwrap().clone())]);
    match case.get("actor") {
        Some(actor) => with(&request, "actor", actor.clone()),
        None => request,
    }
}

/// A result in the form of a case's `expect`.
fn summary(result: &EvaluationResult) -> Value {
    object([
        ("decision", result.decision.as_str().into()),
        ("violations", result.violations.iter().map(violation).collect()),
        ("not_applicable", result.na_rules.iter().map(|na| &*na.rule_code).collect()),
        ("rules_evaluated", result.rules_evaluated.into()),
    ])
}

fn violation(violation: &Violation) -> Value {
    let summary = object([
        ("rule_code", violation.rule_code.as_str().into()),
        ("reason_code", violation.reason_code.as_str().into()),
    ]);
    match &violation.field {
        Some(field) => with(&summary, "field", field.as_str()),
        None => summary,
    }
}

/// Asserts that the rule results, counts and lists of a result agree.
fn assert_consistent(result: &EvaluationResult) {
    let rules = result.rules.as_deref().unwrap();
    let codes = |outcome| {
        let rules = rules.iter().filter(move |rule| rule.outcome == outcome);
        rules.map(|rule| rule.rule_code.as_str()).collect::<Vec<_>>()
    };
    let na: Vec<_> = result.na_rules.iter().map(|na| &*na.rule_code).collect();
    let mut violated: Vec<_> = result.violations.iter().map(|v| v.rule_code.as_str()).collect();
    violated.dedup();
    assert_eq!(codes(RuleStatus::NotApplicable), na);
    assert_eq!(codes(RuleStatus::Violation), violated);
    assert_eq!(u32::try_from(rules.len()).unwrap(), result.rules_evaluated + result.rules_na);
}
