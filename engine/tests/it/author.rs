//! Tests of the authoring validator: refused input, error paths and completeness of errors.

use contract::{
    json::{Limits, Value},
    read::{FieldErrors, JsonPath},
    rule::RuleType,
};
use engine::parse::{read_rules, unsupported_rule_type};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use crate::{fixtures, generate};

/// Returns the errors of rules as `path code`.
fn errors_of(rules: &Json) -> Vec<String> {
    let mut errors = FieldErrors::default();
    let at = JsonPath::ROOT;
    let read = read_rules(&fixtures::value(rules), &at.name("rules"), &mut errors);
    assert_eq!(read.is_some(), errors.is_empty(), "either rules or errors");
    errors.into_vec().into_iter().map(|error| format!("{} {}", error.path, error.code)).collect()
}

fn condition_errors(rule_type: &str, condition: &Json) -> Vec<String> {
    let rule = json!({
        "code": "R", "rule_type": rule_type, "condition": condition, "severity": "low",
    });
    let errors = errors_of(&json!([rule])).into_iter();
    errors.map(|error| error.replace("/rules/0/condition", "")).collect()
}

fn gate_errors(when: &Json) -> Vec<String> {
    let rule = json!({
        "code": "R", "rule_type": "presence", "condition": {"required_fields": ["a"]},
        "severity": "low", "when": when,
    });
    let errors = errors_of(&json!([rule])).into_iter();
    errors.map(|error| error.replace("/rules/0/when", "")).collect()
}

/// Returns `count` rules that differ only in their code.
fn repeated_rule(count: u32, rule_type: &str, condition: &Json) -> Json {
    let rule = |n| {
        json!({
            "code": format!("R-{n}"), "rule_type": rule_type, "severity": "low",
            "condition": condition,
        })
    };
    (0..count).map(rule).collect()
}

#[test]
fn authored_rule_round_trips_unchanged() {
    let authored = json!([{
        "code": "EXP-002.a_b", "name": "Upper limit", "rule_type": "threshold",
        "severity": "critical",
        "condition": {"field": "amount", "max": 500_000, "exclusive_max": false},
        "description": "", "is_active": false,
        "when": {"any": [{"field": "currency", "in": ["EUR", 1, true], "case_sensitive": false}]},
        "source_ref": {"document": "Manual", "section": "3.2", "url": "https://example.org"},
        "replaces_rule_code": "EXP-001",
    }]);
    let mut errors = FieldErrors::default();
    let rules = read_rules(&fixtures::value(&authored), &JsonPath::ROOT, &mut errors).unwrap();
    assert_eq!(serde_json::to_value(rules).unwrap(), authored);
}

#[test]
fn errors_of_all_rules_are_collected() {
    let rules = json!([
        {"code": "A", "rule_type": "threshold", "condition": {"feild": "a", "min": "1"}},
        {"code": "A", "rule_type": "list", "severity": "bad", "when": {},
         "condition": {"field": "", "allowed": [], "forbidden": [null]}},
        7,
    ]);
    assert_eq!(
        errors_of(&rules),
        [
            "/rules/0/condition/field required",
            "/rules/0/condition/min type",
            "/rules/0/condition/feild unknown",
            "/rules/0/severity required",
            "/rules/1/code duplicate",
            "/rules/1/condition/field too_short",
            "/rules/1/condition/allowed too_few",
            "/rules/1/condition/forbidden/0 type",
            "/rules/1/condition/forbidden conflict",
            "/rules/1/severity enum",
            "/rules/1/when/field required",
            "/rules/1/when/equals required",
            "/rules/2 type",
        ]
    );
}

#[test]
fn invalid_rule_members_are_refused() {
    let rule = json!({
        "code": "-A", "name": "n".repeat(201), "rule_type": "presence",
        "condition": {"required_fields": ["a"]}, "severity": "low",
        "description": "d".repeat(65_537), "is_active": "yes", "sevrity": "low",
        "source_ref": {"page": 1}, "replaces_rule_code": "",
    });
    assert_eq!(
        errors_of(&json!([rule])),
        [
            "/rules/0/code format",
            "/rules/0/name too_long",
            "/rules/0/description too_long",
            "/rules/0/is_active type",
            "/rules/0/source_ref/page unknown",
            "/rules/0/replaces_rule_code too_short",
            "/rules/0/sevrity unknown",
        ]
    );
    assert_eq!(errors_of(&json!({})), ["/rules type"]);
}

#[test]
fn more_than_a_thousand_rules_are_refused() {
    let rules = |count| repeated_rule(count, "presence", &json!({"required_fields": ["a"]}));
    assert!(errors_of(&rules(1_000)).is_empty());
    assert_eq!(errors_of(&rules(1_001)), ["/rules too_many"]);
}

/// Rule types with conditions and their errors.
const CONDITIONS: &str = r#"
presence {} : /required_fields required
presence {"required_fields": []} : /required_fields too_few
presence {"required_fields": ["a", "a"]} : /required_fields/1 duplicate
presence {"forbidden_fields": [1]} : /forbidden_fields/0 type
presence {"min_length": {"a/b": 0}} : /min_length/a~1b range
presence {"min_length": {}} : /min_length too_few
presence {"min_length": []} : /min_length type
presence {"required_fields": [], "forbidden_fields": [], "min_length": {}} : /required_fields too_few
threshold {"field": "a"} : /min required
threshold {"field": "a", "min": 2, "max": 1} : /min order
threshold {"field": "a", "min": 1, "max": 1, "exclusive_max": true} : /min order
threshold {"field": "a", "min": 1, "exclusive_max": true} : /exclusive_max conflict
list {"field": "a"} : /allowed required
list {"field": "a", "allowed": [{}]} : /allowed/0 type
list {"field": "a", "allowed": "x"} : /allowed type
temporal {"field": "a"} : /check required
temporal {"field": "a", "check": "expired"} : /check enum
temporal {"field": "a", "max_age_days": 1.5} : /max_age_days range
temporal {"field": "a", "not_before": "2026-02-29"} : /not_before format
temporal {"field": "a", "not_before": "2026-01-01", "not_after": "2026-01-02"} : /not_after conflict
pattern {"field": "a", "matches": "("} : /matches format
pattern {"field": "a", "matches": "(?=a)"} : /matches format
pattern {"field": "a", "forbids": "(a)\\1"} : /forbids format
pattern {"field": "a", "matches": "(\\w{99}){99}"} : /matches value
pattern {"field": "a", "matches": ""} : /matches too_short
comparison {"left": "a", "operator": "eq"} : /right required
comparison {"left": "a", "operator": "=", "right": "b"} : /operator enum
comparison {"left": "a", "operator": "lt", "right_value": true} : /right_value type
comparison {"left": "a", "operator": "lt", "right_value": null} : /right required
evidence {"verify_hash": true} : /required_kinds required
evidence {"required_kinds": [""]} : /required_kinds/0 too_short
distinct {"fields": ["a"]} : /fields too_few
distinct {"fields": ["a", "a"]} : /fields/1 duplicate"#;

/// Gates with their errors.
const GATES: &str = r#"
[] :  type
{"field": "a"} : /equals required
{"field": "a", "equals": null} : /equals required
{"field": "a", "equals": ["x"]} : /equals type
{"field": "a", "in": []} : /in too_few
{"field": "a", "in": "x"} : /in type
{"field": "a", "equals": 1, "in": [1]} : /in conflict
{"field": "a", "exists": "yes"} : /exists type
{"field": "a", "exists": true, "case_sensitive": true} : /case_sensitive unknown
{"all": []} : /all type
{"all": [{"any": [{"field": 1}]}]} : /all/0/any/0/field type, /all/0/any/0/equals required
{"all": [{"field": "a", "exists": true}], "field": "a"} : /field unknown"#;

#[test]
fn invalid_conditions_and_gates_are_refused() {
    let json = |text: &str| serde_json::from_str::<Json>(text).unwrap();
    for line in CONDITIONS.lines().skip(1) {
        let (rule, errors) = line.split_once(" : ").unwrap();
        let (rule_type, condition) = rule.split_once(' ').unwrap();
        assert_eq!(condition_errors(rule_type, &json(condition)).join(", "), errors, "{rule}");
    }
    let long = json!({"field": "a", "matches": "a".repeat(1_001)});
    assert_eq!(condition_errors("pattern", &long), ["/matches too_long"]);
    for line in GATES.lines().skip(1) {
        let (gate, errors) = line.split_once(" : ").unwrap();
        assert_eq!(gate_errors(&json(gate)).join(", "), errors, "{gate}");
    }
}

#[test]
fn gates_nested_deeper_than_eight_are_refused() {
    let nested = |depth| {
        let leaf = json!({"field": "a", "exists": true});
        (0..depth).fold(leaf, |gate, _| json!({"all": [gate]}))
    };
    assert!(gate_errors(&nested(8)).is_empty());
    assert_eq!(gate_errors(&nested(9)), [format!("{} too_deep", "/all/0".repeat(8) + "/all")]);
}

#[test]
fn first_unknown_rule_type_is_returned() {
    let rules = json!([
        {"code": "A", "rule_type": "presence"},
        {"code": "B", "rule_type": 7},
        {"code": "C", "rule_type": "formula"},
        {"code": "D", "rule_type": "script"},
    ]);
    let unsupported = unsupported_rule_type(&fixtures::value(&rules));
    assert_eq!(unsupported, Some(("C".to_owned(), "formula".to_owned())));
    assert_eq!(unsupported_rule_type(&fixtures::value(&json!([{"rule_type": "list"}, 1]))), None);
    assert_eq!(unsupported_rule_type(&fixtures::value(&json!({}))), None);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The hash of the evaluated rules omits the type and relies on this property.
    #[test]
    fn condition_is_valid_for_exactly_one_type((own, condition) in generate::condition()) {
        for other in RuleType::ALL {
            let errors = condition_errors(other.as_str(), &condition);
            prop_assert_eq!(errors.is_empty(), other.as_str() == own, "{}: {:?}", other, errors);
        }
    }

    #[test]
    fn random_gates_are_accepted(gate in generate::gate()) {
        prop_assert_eq!(gate_errors(&gate), Vec::<String>::new());
    }

    /// Any JSON value returns rules or errors, and never panics.
    #[test]
    fn any_json_value_returns_rules_or_errors(text in r#"[\[\]{}":,a0-9 ]{0,40}"#) {
        if let Ok(value) = Value::parse(text.as_bytes(), &Limits::REQUEST) {
            let mut errors = FieldErrors::default();
            let read = read_rules(&value, &JsonPath::ROOT, &mut errors);
            prop_assert_eq!(read.is_some(), errors.is_empty());
        }
    }
}
