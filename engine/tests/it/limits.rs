//! Limits of what a result repeats of its context.

use engine::{Program, RESULT_BYTES_MAX, ResultTooLarge, evaluate};
use serde_json::{Value as Json, json};

use crate::fixtures::{self, Context, Policy, program, rule};

#[test]
fn equal_long_texts_are_repeated_up_to_the_limit() {
    let names: Vec<_> = (0..50).map(|number| format!("f{number}")).collect();
    let distinct = json!({"code": "D", "rule_type": "distinct", "severity": "high",
        "condition": {"fields": names}});
    let with_texts = |length: usize| {
        let text = "x".repeat(length);
        names.iter().map(|name| (name.clone(), json!(text))).collect::<Json>()
    };
    assert_eq!(violations(vec![distinct.clone()], &with_texts(1_000)), Ok(1_225));
    assert_eq!(violations(vec![distinct], &with_texts(20_000)), Err(ResultTooLarge));
}

#[test]
fn control_characters_count_as_they_are_written() {
    let rules = |count: usize| -> Vec<Json> {
        let rule = |number| {
            json!({"code": format!("T{number}"), "rule_type": "threshold", "severity": "high",
                "condition": {"field": "n", "max": 1}})
        };
        (0..count).map(rule).collect()
    };
    let text = "\u{1}".repeat(RESULT_BYTES_MAX / 6 / 10);
    assert_eq!(violations(rules(9), &json!({"n": text})), Ok(9));
    assert_eq!(violations(rules(11), &json!({"n": text})), Err(ResultTooLarge));
}

#[test]
fn reasons_of_gates_count_with_the_violations() {
    let gated = |number: usize| {
        json!({"code": format!("G{number}"), "rule_type": "presence", "severity": "low",
            "condition": {"required_fields": ["a"]},
            "when": {"any": [{"field": "text", "equals": number}, {"field": "text", "equals": "b"}]}})
    };
    let fields = json!({"text": "x".repeat(60_000)});
    assert_eq!(violations((0..50).map(gated).collect(), &fields), Ok(0));
    assert_eq!(violations((0..80).map(gated).collect(), &fields), Err(ResultTooLarge));
}

#[test]
fn patterns_of_unknown_origin_are_compiled_up_to_a_limit() {
    let pattern = |number: usize| {
        rule(json!({"code": format!("P{number}"), "rule_type": "pattern", "severity": "high",
            "condition": {"field": "a", "matches": "[a-z]{200}"}}))
    };
    let policies = [Policy::new(1, false, (0..20).map(pattern).collect())];
    let snapshot = fixtures::snapshot(&policies);
    let bytes = Program::compile(&snapshot).unwrap().pattern_bytes();
    assert!(Program::compile_within(&snapshot, bytes).is_ok());
    let error = Program::compile_within(&snapshot, bytes / 2).expect_err("too large");
    assert!(error.is_too_large(), "{error}");
}

/// Returns the number of violations of `rules`, after the reasons of all rules that do not apply.
fn violations(rules: Vec<Json>, fields: &Json) -> Result<usize, ResultTooLarge> {
    let rules = rules.into_iter().map(rule).collect();
    let program = program(&[Policy::new(1, false, rules)]);
    Context::new(fixtures::fields(fields)).input(|input| {
        let evaluation = evaluate(&program, input)?;
        evaluation.na_rules(input)?;
        Ok(evaluation.violations.len())
    })
}
