//! The cases in `cases/*.json`, each with a context, policies and the expected result.
//!
//! The expected violations can omit `severity`, `policy_id` and `is_shadow`; any other omitted member must be
//! absent. Reasons of gates are compared exactly.

use std::{collections::BTreeSet, fs, path::Path};

use contract::{
    evaluation::ReasonCode,
    read::{FieldErrors, JsonPath},
};
use engine::parse;
use serde_json::{Map, Value as Json, json};

use crate::fixtures::{self, Context, FullEvaluation, Item, Policy};

#[test]
fn cases_match_and_cover_every_reason_code() {
    let mut codes = BTreeSet::new();
    let mut files = 0;
    for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")).unwrap() {
        let text = fs::read(file.unwrap().path()).unwrap();
        let suite: Json = serde_json::from_slice(&text).unwrap();
        files += 1;
        for case in suite["cases"].as_array().unwrap() {
            let evaluation = evaluate_case(case);
            codes.extend(evaluation.violations.iter().map(|violation| violation.reason_code));
            let expected = &case["result"];
            assert_eq!(&to_case_result(&evaluation, expected), expected, "{}", case["name"]);
        }
    }
    assert_eq!(files, 10, "one file for each rule type, one for gates, one for the verdict");
    assert_eq!(codes, BTreeSet::from(ReasonCode::ALL), "every code is covered");
}

fn evaluate_case(case: &Json) -> FullEvaluation {
    let policies: Vec<_> = case["policies"].as_array().unwrap().iter().map(policy).collect();
    fixtures::run(&fixtures::program(&policies), &context(&case["context"]))
}

/// Returns a policy whose rules pass the authoring validator.
fn policy(json: &Json) -> Policy {
    let mut errors = FieldErrors::default();
    let rules = parse::read_rules(&fixtures::value(&json["rules"]), &JsonPath::ROOT, &mut errors);
    assert!(errors.is_empty(), "{json}: {:?}", errors.into_vec());
    Policy {
        id: json["policy_id"].as_str().unwrap().parse().unwrap(),
        shadow_mode: json["shadow_mode"] == true,
        rules: rules.unwrap(),
    }
}

/// Returns a context as stored with receipts.
fn context(json: &Json) -> Context {
    let text = |json: &Json| json.as_str().map(str::to_owned);
    let mut context = Context::new(fixtures::fields(&json["fields"]));
    context.actor_id = text(&json["metadata"]["actor_id"]);
    if let Some(timestamp) = json["metadata"]["timestamp"].as_str() {
        context.as_of = timestamp.parse().unwrap();
    }
    for item in json["evidence"].as_array().into_iter().flatten() {
        context.evidence.push(Item {
            kind: text(&item["kind"]),
            hash: text(&item["hash"]),
            data_digest: text(&item["data_digest"]),
        });
    }
    context
}

/// Returns the evaluation in the form of a case, without false and empty members.
fn to_case_result(evaluation: &FullEvaluation, expected: &Json) -> Json {
    let violations: Vec<_> = evaluation
        .violations
        .iter()
        .enumerate()
        .map(|(index, violation)| {
            let expected_violation = &expected["violations"][index];
            let mut violation = serde_json::to_value(violation).unwrap();
            for name in ["severity", "policy_id", "is_shadow"] {
                if expected_violation.get(name).is_none() {
                    violation.as_object_mut().unwrap().remove(name);
                }
            }
            violation
        })
        .collect();
    let mut result = json!({
        "decision": evaluation.decision,
        "violations": violations,
        "rules_evaluated": evaluation.rules_evaluated,
        "rules_na": evaluation.rules_na,
    });
    let members: &mut Map<_, _> = result.as_object_mut().unwrap();
    if !evaluation.na_rules.is_empty() {
        let na = evaluation.na_rules.iter();
        let na = na.map(|rule| json!({"rule_code": rule.rule_code, "reason": rule.reason}));
        members.insert("na_rules".to_owned(), na.collect());
    }
    for (name, is_set) in [
        ("is_shadow", evaluation.is_shadow),
        ("shadow_converted", evaluation.shadow_converted),
        ("as_of_consulted", evaluation.as_of_consulted),
    ] {
        if is_set {
            members.insert(name.to_owned(), true.into());
        }
    }
    if let Some(original) = evaluation.original_decision {
        members.insert("original_decision".to_owned(), json!(original));
    }
    result
}
