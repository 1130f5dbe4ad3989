//! Properties that hold for all rules and contexts.

use contract::{
    evaluation::RuleStatus,
    json::{Limits, Value},
    read::{FieldErrors, JsonPath},
    rule::Severity,
};
use engine::{GateTrace, Program, parse, verdict_of};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use crate::{
    fixtures::{self, Context, Policy, program, rule, run},
    generate::{context, policies},
};

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn member_order_and_white_space_do_not_affect_results(
        policies in policies(),
        context in context(),
    ) {
        let reread: Vec<_> = policies.iter().map(reformatted).collect();
        let fields = parse(&reverse_format(&serde_json::to_value(&context.fields).unwrap()));
        let fields = fields.as_object().unwrap().clone();
        let reformatted = Context { fields, ..context.clone() };
        prop_assert_eq!(run(&program(&reread), &reformatted), run(&program(&policies), &context));
    }

    #[test]
    fn policy_order_does_not_affect_the_verdict(policies in policies(), context in context()) {
        let forwards = run(&program(&policies), &context);
        let backwards = run(&program(&policies.into_iter().rev().collect::<Vec<_>>()), &context);
        prop_assert_eq!(backwards.decision, forwards.decision);
        prop_assert_eq!(backwards.original_decision, forwards.original_decision);
        prop_assert_eq!(backwards.violations.len(), forwards.violations.len());
        prop_assert_eq!(backwards.rules_na, forwards.rules_na);
    }

    #[test]
    fn a_gate_matches_if_its_rule_is_applicable(policies in policies(), context in context()) {
        let evaluation = run(&program(&policies), &context);
        let rules = policies.iter().flat_map(|policy| &policy.rules).filter(|rule| rule.is_active());
        for (rule, result) in rules.zip(&evaluation.rules) {
            let Some(gate) = &rule.when else { continue };
            let matches = context.input(|input| GateTrace::new(gate, input.fields).map(|trace| trace.matches));
            prop_assert_eq!(matches, Some(result.outcome != RuleStatus::NotApplicable));
        }
    }

    #[test]
    fn each_rule_is_evaluated_or_has_a_reason(policies in policies(), context in context()) {
        let evaluation = run(&program(&policies), &context);
        prop_assert_eq!(usize::try_from(evaluation.rules_na).unwrap(), evaluation.na_rules.len());
        let counted = evaluation.rules_evaluated + evaluation.rules_na;
        prop_assert_eq!(usize::try_from(counted).unwrap(), evaluation.rules.len());
        for rule in &evaluation.rules {
            let violated = evaluation.violations.iter().any(|violation| {
                (&violation.rule_code, violation.policy_id) == (&rule.rule_code, rule.policy_id)
            });
            prop_assert_eq!(violated, rule.outcome == RuleStatus::Violation);
        }
    }

    #[test]
    fn verdict_follows_from_the_violations_alone(policies in policies(), context in context()) {
        let evaluation = run(&program(&policies), &context);
        prop_assert_eq!(verdict_of(&evaluation.violations), evaluation.decision);
    }

    #[test]
    fn adding_a_policy_never_weakens_the_verdict(
        policies in policies(),
        additional in policies(),
        context in context(),
    ) {
        let verdict_before = run(&program(&policies), &context).decision;
        let combined: Vec<_> = policies.into_iter().chain(additional).collect();
        prop_assert!(run(&program(&combined), &context).decision >= verdict_before);
    }

    #[test]
    fn raising_the_severity_never_weakens_the_verdict(
        policies in policies(),
        context in context(),
    ) {
        let verdict_before = run(&program(&policies), &context).decision;
        let mut tightened = policies;
        for rule in tightened.iter_mut().flat_map(|policy| &mut policy.rules) {
            rule.severity = Severity::Critical;
        }
        prop_assert!(run(&program(&tightened), &context).decision >= verdict_before);
    }

    #[test]
    fn tightening_a_limit_never_weakens_the_verdict(
        (max, by) in (-5..5_i32, 0..5_i32),
        context in context(),
    ) {
        let decision_for_max = |max| {
            let condition = json!({"field": "a", "max": max});
            run(&program(&[single_rule_policy("threshold", &condition)]), &context).decision
        };
        prop_assert!(decision_for_max(max - by) >= decision_for_max(max));
    }

    #[test]
    fn shortening_an_allow_list_never_weakens_the_verdict(
        values in prop::collection::vec("[a-cA-C]{1,2}", 2..6),
        context in context(),
    ) {
        let decision_for_list = |values: &[String]| {
            let condition = json!({"field": "a", "allowed": values});
            run(&program(&[single_rule_policy("list", &condition)]), &context).decision
        };
        prop_assert!(decision_for_list(&values[1..]) >= decision_for_list(&values));
    }
}

#[test]
fn program_is_send_and_sync() {
    fn assert_shareable<T: Send + Sync + std::fmt::Debug + 'static>() {}
    assert_shareable::<Program>();
}

/// The program is larger than those of the reference test: it has many rules per bucket and several words of
/// bits.
#[test]
fn index_does_not_change_results() {
    let gate = |n: u32| match n % 7 {
        0 => json!({"field": "a", "equals": n % 5}),
        1 => json!({"field": "a", "in": [n % 3, n % 11, "x"]}),
        2 => json!({"field": "b", "equals": format!("V-{}", n % 9), "case_sensitive": false}),
        3 => json!({"all": [{"field": "a", "exists": true}, {"field": "b", "equals": "v-1"}]}),
        4 => json!({"any": [{"field": "a", "equals": 3}, {"field": "b", "equals": true}]}),
        5 => json!({"any": [{"field": "a", "equals": 4}, {"field": "c", "exists": false}]}),
        _ => json!({"all": [{"field": "c", "exists": false}]}),
    };
    let rules = (0..1_000).map(|n| {
        rule(json!({
            "code": format!("R-{n}"), "rule_type": "presence", "severity": "high",
            "condition": {"required_fields": ["d"]}, "when": gate(n),
        }))
    });
    let policies = [Policy::new(1, false, rules.collect())];
    let (indexed, scanned) = (program(&policies), program(&policies).without_index());
    for a in [json!(0), json!(3), json!(4), json!("x"), Json::Null] {
        for b in [json!("v-1"), json!("V-1"), json!(true), json!(["v-1"])] {
            for fields in [json!({"a": a, "b": b}), json!({"a": a, "c": 0}), json!({"b": b})] {
                let context = Context::new(fixtures::fields(&fields));
                assert_eq!(run(&indexed, &context), run(&scanned, &context), "{fields}");
            }
        }
    }
}

/// Returns a policy of one rule with severity `high`.
fn single_rule_policy(rule_type: &str, condition: &Json) -> Policy {
    let rule = json!({
        "code": "R", "rule_type": rule_type, "condition": condition, "severity": "high",
    });
    Policy::new(1, false, vec![fixtures::rule(rule)])
}

/// Returns the same policy with its rules parsed from a differently formatted text.
fn reformatted(policy: &Policy) -> Policy {
    let text = reverse_format(&serde_json::to_value(&policy.rules).unwrap());
    let mut errors = FieldErrors::default();
    let rules = parse::read_rules(&parse(&text), &JsonPath::ROOT, &mut errors);
    Policy { rules: rules.unwrap_or_else(|| panic!("{:?}", errors.into_vec())), ..policy.clone() }
}

fn parse(text: &str) -> Value {
    Value::parse(text.as_bytes(), &Limits::REQUEST).unwrap()
}

/// Returns JSON with the members of each object in descending order and much white space.
fn reverse_format(json: &Json) -> String {
    match json {
        Json::Object(members) => {
            let members = members.iter().rev();
            let parts =
                members.map(|(name, v)| format!("{} :\t{}", json!(name), reverse_format(v)));
            format!("{{\r\n{}\n}}", parts.collect::<Vec<_>>().join(" ,\n  "))
        }
        Json::Array(elements) => {
            let parts: Vec<_> = elements.iter().map(reverse_format).collect();
            format!("[ {} ]", parts.join("\n, "))
        }
        _ => json.to_string(),
    }
}
