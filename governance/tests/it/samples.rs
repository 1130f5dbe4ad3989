//! The worked policies give the verdicts that their authors say.

use contract::{
    evaluation::{EvaluationResult, RuleStatus, Violation},
    json::Value,
};
use governance::demo::SAMPLES;

use crate::fixtures::{decision_record, list, object, text, value, with, world};

#[tokio::test]
async fn the_procurement_policy_decides_as_its_authors_say() {
    decides_as_written(SAMPLES[0], 39).await;
}

#[tokio::test]
async fn the_credit_policy_decides_as_its_authors_say() {
    decides_as_written(SAMPLES[1], 51).await;
}

#[tokio::test]
async fn the_policy_for_agents_decides_as_its_authors_say() {
    decides_as_written(SAMPLES[2], 53).await;
}

async fn decides_as_written(file: &str, cases: usize) {
    let worked = value(file);
    let world = world().await;
    let house = world.tenant("worked").await;
    Box::pin(house.active_policy(worked.get("policy").unwrap())).await;
    assert_eq!(list(&worked, "contexts").len(), cases);
    let mut wrong = Vec::new();
    for case in list(&worked, "contexts") {
        let name = text(case, "name");
        let asked = asked(case);
        let explained = with(&asked, "explain", true);
        let evaluated = house.evaluate(&explained).await.unwrap();
        let said = house.evaluate_text(&explained).await.unwrap();
        assert_eq!(
            said,
            serde_json::to_string(&evaluated).unwrap(),
            "{name}: an answer has one text"
        );
        let evaluated = evaluated.result;
        let recorded = house.record(&with(&asked, "idempotency_key", name)).await.unwrap();
        let recorded = decision_record(&recorded.record).result;

        let expected = case.get("expect").unwrap();
        if &told(&evaluated) != expected {
            wrong.push(format!("{name}\n  expected {expected}\n  got      {}", told(&evaluated)));
        }
        explains_itself(&evaluated);
        let dry = EvaluationResult { dry_run: false, rules: None, ..evaluated };
        let unsigned = EvaluationResult { signature: None, ..recorded };
        assert_eq!(dry, unsigned, "{name}: a dry run and a record say the same");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The request of a case, without what is peculiar to evaluating or recording.
pub(crate) fn asked(case: &Value) -> Value {
    let asked = object([("context", case.get("context").unwrap().clone())]);
    match case.get("actor") {
        Some(actor) => with(&asked, "actor", actor.clone()),
        None => asked,
    }
}

/// A result in the form of a case's `expect`.
fn told(result: &EvaluationResult) -> Value {
    object([
        ("decision", result.decision.as_str().into()),
        ("violations", result.violations.iter().map(violation).collect()),
        ("not_applicable", result.na_rules.iter().map(|na| &*na.rule_code).collect()),
        ("rules_evaluated", result.rules_evaluated.into()),
    ])
}

fn violation(violation: &Violation) -> Value {
    let told = object([
        ("rule_code", violation.rule_code.as_str().into()),
        ("reason_code", violation.reason_code.as_str().into()),
    ]);
    match &violation.field {
        Some(field) => with(&told, "field", field.as_str()),
        None => told,
    }
}

/// Outcomes, counts and lists of one result are one story.
fn explains_itself(result: &EvaluationResult) {
    let rules = result.rules.as_deref().unwrap();
    let of = |outcome| {
        let rules = rules.iter().filter(move |rule| rule.outcome == outcome);
        rules.map(|rule| rule.rule_code.as_str()).collect::<Vec<_>>()
    };
    let na: Vec<_> = result.na_rules.iter().map(|na| &*na.rule_code).collect();
    let mut violated: Vec<_> = result.violations.iter().map(|v| v.rule_code.as_str()).collect();
    violated.dedup();
    assert_eq!(of(RuleStatus::NotApplicable), na);
    assert_eq!(of(RuleStatus::Violation), violated);
    assert_eq!(u32::try_from(rules.len()).unwrap(), result.rules_evaluated + result.rules_na);
}
