//! Laws that hold whatever the rules and the context are.

use contract::{
    evaluation::{Outcome, Verdict},
    json::{Limits, Value},
    read::{At, Errors},
    rule::Severity,
};
use engine::{Program, author, verdict_of};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use crate::{
    generate::{context, policies},
    given::{self, Context, Policy, program, rule, said},
};

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_members_and_white_space_mean_nothing(
        policies in policies(),
        context in context(),
    ) {
        let reread: Vec<_> = policies.iter().map(respelt).collect();
        let fields = parse(&spelt_backwards(&serde_json::to_value(&context.fields).unwrap()));
        let respelt = Context { fields: fields.as_object().unwrap().clone(), ..context.clone() };
        prop_assert_eq!(said(&program(&reread), &respelt), said(&program(&policies), &context));
    }

    #[test]
    fn the_order_of_policies_changes_no_verdict(policies in policies(), context in context()) {
        let forwards = said(&program(&policies), &context);
        let backwards = said(&program(&policies.into_iter().rev().collect::<Vec<_>>()), &context);
        prop_assert_eq!(backwards.decision, forwards.decision);
        prop_assert_eq!(backwards.original_decision, forwards.original_decision);
        prop_assert_eq!(backwards.violations.len(), forwards.violations.len());
        prop_assert_eq!(backwards.rules_na, forwards.rules_na);
    }

    #[test]
    fn inactive_rules_are_as_good_as_absent(policies in policies(), context in context()) {
        let mut pruned = policies.clone();
        for policy in &mut pruned {
            policy.rules.retain(contract::rule::Rule::active);
        }
        prop_assert_eq!(said(&program(&pruned), &context), said(&program(&policies), &context));
    }

    #[test]
    fn a_rule_with_a_false_gate_is_never_violated(policies in policies(), context in context()) {
        let mut closed = policies;
        for rule in closed.iter_mut().flat_map(|policy| &mut policy.rules) {
            rule.when = Some(given::value(&json!({"field": "no such field", "exists": true})));
        }
        let said = said(&program(&closed), &context);
        prop_assert_eq!((said.decision, said.rules_evaluated), (Verdict::Allow, 0));
        prop_assert!(said.violations.is_empty());
        prop_assert!(said.rules.iter().all(|rule| rule.outcome == Outcome::NotApplicable));
    }

    #[test]
    fn each_rule_is_evaluated_or_explained(policies in policies(), context in context()) {
        let said = said(&program(&policies), &context);
        prop_assert_eq!(usize::try_from(said.rules_na).unwrap(), said.na_rules.len());
        let counted = said.rules_evaluated + said.rules_na;
        prop_assert_eq!(usize::try_from(counted).unwrap(), said.rules.len());
        for rule in &said.rules {
            let violated = said.violations.iter().any(|violation| {
                (&violation.rule_code, violation.policy_id) == (&rule.rule_code, rule.policy_id)
            });
            prop_assert_eq!(violated, rule.outcome == Outcome::Violation);
        }
    }

    #[test]
    fn violations_alone_tell_the_verdict(policies in policies(), context in context()) {
        let said = said(&program(&policies), &context);
        prop_assert_eq!(verdict_of(&said.violations), said.decision);
    }

    #[test]
    fn one_more_policy_never_makes_the_verdict_milder(
        policies in policies(),
        more in policies(),
        context in context(),
    ) {
        let before = said(&program(&policies), &context).decision;
        let both: Vec<_> = policies.into_iter().chain(more).collect();
        prop_assert!(said(&program(&both), &context).decision >= before);
    }

    #[test]
    fn a_worse_severity_never_makes_the_verdict_milder(
        policies in policies(),
        context in context(),
    ) {
        let before = said(&program(&policies), &context).decision;
        let mut tightened = policies;
        for rule in tightened.iter_mut().flat_map(|policy| &mut policy.rules) {
            rule.severity = Severity::Critical;
        }
        prop_assert!(said(&program(&tightened), &context).decision >= before);
    }

    #[test]
    fn tighter_bounds_never_turn_deny_to_allow(
        (max, by) in (-5..5_i32, 0..5_i32),
        context in context(),
    ) {
        let bounded = |max| {
            let condition = json!({"field": "a", "max": max});
            said(&program(&[only("threshold", &condition)]), &context).decision
        };
        prop_assert!(bounded(max - by) >= bounded(max));
    }

    #[test]
    fn a_shorter_list_never_turns_deny_to_allow(
        values in prop::collection::vec("[a-cA-C]{1,2}", 2..6),
        context in context(),
    ) {
        let allowed = |values: &[String]| {
            let condition = json!({"field": "a", "allowed": values});
            said(&program(&[only("list", &condition)]), &context).decision
        };
        prop_assert!(allowed(&values[1..]) >= allowed(&values));
    }

    #[test]
    fn the_same_input_gives_the_same_bytes(policies in policies(), context in context()) {
        let bytes = || {
            let said = said(&program(&policies), &context);
            serde_json::to_string(&(said.violations, said.na_rules, said.rules)).unwrap()
        };
        prop_assert_eq!(bytes(), bytes());
    }
}

#[test]
fn a_program_can_be_shared_by_threads() {
    fn shared<T: Send + Sync + std::fmt::Debug + 'static>() {}
    shared::<Program>();
}

#[test]
fn a_gate_is_strict_and_a_list_folds_unless_they_say_otherwise() {
    let usd = Context::of(given::fields(&json!({"currency": "usd"})));
    let gate = json!({"field": "currency", "equals": "USD"});
    let list = json!({"field": "currency", "allowed": ["USD"]});
    let violated = |condition: &Json, when: Option<Json>| {
        let mut policy = only("list", condition);
        policy.rules[0].when = when.map(|when| given::value(&when));
        let said = said(&program(&[policy]), &usd);
        (said.rules_na, said.decision)
    };
    assert_eq!(violated(&list, None), (0, Verdict::Allow), "the list folds");
    assert_eq!(violated(&list, Some(gate)), (1, Verdict::Allow), "the gate does not");
    let gate = json!({"field": "currency", "equals": "USD", "case_sensitive": false});
    let list = json!({"field": "currency", "allowed": ["USD"], "case_sensitive": true});
    assert_eq!(violated(&list, Some(gate)), (0, Verdict::Deny), "both the other way round");
}

#[test]
fn booleans_numbers_and_texts_never_meet() {
    let unlike = [
        (json!(true), json!("true")),
        (json!("false"), json!(false)),
        (json!(1), json!("1")),
        (json!("1"), json!(1)),
        (json!(1), json!(true)),
        (json!(0), json!(false)),
    ];
    for (written, found) in unlike {
        let context = Context::of(given::fields(&json!({"a": found})));
        for case_sensitive in [true, false] {
            let allowed =
                json!({"field": "a", "allowed": [written], "case_sensitive": case_sensitive});
            let mut gated = only("presence", &json!({"required_fields": ["missing"]}));
            gated.rules[0].when = Some(given::value(
                &json!({"field": "a", "equals": written, "case_sensitive": case_sensitive}),
            ));
            let list = said(&program(&[only("list", &allowed)]), &context);
            assert_eq!(list.decision, Verdict::Deny, "{written} is not {found}");
            assert_eq!(said(&program(&[gated]), &context).rules_na, 1, "{written} is not {found}");
        }
    }
}

/// Larger than the programs of the reference test: buckets with many rules, several words of bits.
#[test]
fn the_index_changes_no_result() {
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
                let context = Context::of(given::fields(&fields));
                assert_eq!(said(&indexed, &context), said(&scanned, &context), "{fields}");
            }
        }
    }
}

/// A policy of one rule with severity `high`.
fn only(rule_type: &str, condition: &Json) -> Policy {
    let rule = json!({
        "code": "R", "rule_type": rule_type, "condition": condition, "severity": "high",
    });
    Policy::new(1, false, vec![given::rule(rule)])
}

/// The same policy, its rules read by the validator from a text spelt another way.
fn respelt(policy: &Policy) -> Policy {
    let text = spelt_backwards(&serde_json::to_value(&policy.rules).unwrap());
    let mut errors = Errors::default();
    let rules = author::read_rules(&parse(&text), &At::ROOT, &mut errors);
    Policy { rules: rules.unwrap_or_else(|| panic!("{:?}", errors.into_vec())), ..policy.clone() }
}

fn parse(text: &str) -> Value {
    Value::parse(text.as_bytes(), &Limits::REQUEST).unwrap()
}

/// JSON with the members of each object in falling order, and much white space.
fn spelt_backwards(json: &Json) -> String {
    match json {
        Json::Object(members) => {
            let members = members.iter().rev();
            let spelt =
                members.map(|(name, v)| format!("{} :\t{}", json!(name), spelt_backwards(v)));
            format!("{{\r\n{}\n}}", spelt.collect::<Vec<_>>().join(" ,\n  "))
        }
        Json::Array(elements) => {
            let spelt: Vec<_> = elements.iter().map(spelt_backwards).collect();
            format!("[ {} ]", spelt.join("\n, "))
        }
        _ => json.to_string(),
    }
}
