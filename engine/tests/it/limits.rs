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

#[test]
fn pairs_of_long_lists_are_compared_once_for_all_rules() {
    let names: Vec<_> = (0..50).map(|number| format!("f{number}")).collect();
    let rules = |count: usize| -> Vec<Json> {
        let rule = |number| {
            json!({"code": format!("D{number}"), "rule_type": "distinct", "severity": "high",
                "condition": {"fields": names}})
        };
        (0..count).map(rule).collect()
    };
    let fields = |last: fn(usize) -> usize| -> Json {
        let list = |number: usize| json!([vec![json!([]); 2_000], {"a": last(number)}]);
        names.iter().enumerate().map(|(number, name)| (name.clone(), list(number))).collect()
    };
    // A comparison of each pair in each rule would take minutes.
    assert_eq!(violations(rules(200), &fields(|number| number)), Ok(0));
    assert_eq!(violations(rules(1), &fields(|number| number.max(1))), Ok(1));
}

#[test]
fn a_long_list_is_checked_like_a_short_one() {
    let mut elements = vec![json!("Ä"), json!("b"), json!(1), json!(true)];
    elements.extend((0..40).map(|number| json!(format!("x{}", number % 2))));
    elements.extend([json!("STRASSE"), json!(2), json!(false), json!(null)]);
    let first = |condition: Json| {
        let mut rule = json!({"code": "L", "rule_type": "list", "severity": "high",
            "condition": {"field": "a"}});
        for (name, value) in condition.as_object().unwrap() {
            rule["condition"][name] = value.clone();
        }
        let program = program(&[Policy::new(1, false, vec![crate::fixtures::rule(rule)])]);
        Context::new(fixtures::fields(&json!({"a": elements}))).input(|input| {
            let violations = evaluate(&program, input).unwrap().violations;
            let details = violations.first().and_then(|violation| violation.details.as_ref());
            serde_json::to_value(details).unwrap()["index"].as_u64()
        })
    };
    let known = json!(["ä", "B", 1, true, "X0", "x1", "strasse", 2, false]);
    assert_eq!(first(json!({"allowed": known})), Some(47), "null is never in a list");
    assert_eq!(first(json!({"allowed": known, "case_sensitive": true})), Some(0));
    assert_eq!(
        first(json!({"allowed": ["Ä", "b", 1, true, "x0"], "case_sensitive": true})),
        Some(5)
    );
    assert_eq!(first(json!({"forbidden": ["straSSe", 2]})), Some(44));
    assert_eq!(first(json!({"forbidden": [2, "Strasse"], "case_sensitive": true})), Some(45));
    assert_eq!(first(json!({"forbidden": [3, false]})), Some(46));
    assert_eq!(first(json!({"forbidden": ["y"]})), Some(47));
}

#[test]
fn steps_grow_with_the_elements_of_lists_and_with_the_pairs_of_fields() {
    let distinct = json!({"code": "D", "rule_type": "distinct", "severity": "high",
        "condition": {"fields": ["a", "b"]}});
    let program = program(&[Policy::new(1, false, vec![rule(distinct)])]);
    let steps = |list: &Json| program.steps(&fixtures::fields(&json!({"a": list})));
    assert!(steps(&json!([1])) < 1_000);
    assert!(steps(&json!([vec![0; 200_000]])) > 1_000_000);
    assert!(steps(&json!([{"a": "x".repeat(60_000)}, "x".repeat(60_000)])) > 1_000_000);
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
