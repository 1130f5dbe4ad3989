//! `cases/*.json`: context, policies and the expected result in one place.
//!
//! A violation of a case names what it expects; `severity`, `policy_id` and `is_shadow` may be left
//! out, every other member that is left out must be absent. Reasons of gates are compared exactly.

use std::{collections::BTreeSet, fs, path::Path};

use contract::{
    evaluation::ReasonCode,
    read::{At, Errors},
};
use engine::author;
use serde_json::{Map, Value as Json, json};

use crate::given::{self, Context, Item, Policy, Said};

#[test]
fn every_case_holds_and_every_reason_code_appears() {
    let mut codes = BTreeSet::new();
    let mut files = 0;
    for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")).unwrap() {
        let text = fs::read(file.unwrap().path()).unwrap();
        let suite: Json = serde_json::from_slice(&text).unwrap();
        files += 1;
        for case in suite["cases"].as_array().unwrap() {
            let said = said(case);
            codes.extend(said.violations.iter().map(|violation| violation.reason_code));
            let expected = &case["result"];
            assert_eq!(&told(&said, expected), expected, "{}", case["name"]);
        }
    }
    assert_eq!(files, 10, "one file for each rule type, one for gates, one for the verdict");
    assert_eq!(codes, BTreeSet::from(ReasonCode::ALL), "every code is shown");
}

fn said(case: &Json) -> Said {
    let policies: Vec<_> = case["policies"].as_array().unwrap().iter().map(policy).collect();
    given::said(&given::program(&policies), &context(&case["context"]))
}

/// A policy whose rules pass the authoring validator.
fn policy(json: &Json) -> Policy {
    let mut errors = Errors::default();
    let rules = author::read_rules(&given::value(&json["rules"]), &At::ROOT, &mut errors);
    assert!(errors.is_empty(), "{json}: {:?}", errors.into_vec());
    Policy {
        id: json["policy_id"].as_str().unwrap().parse().unwrap(),
        shadow_mode: json["shadow_mode"] == true,
        rules: rules.unwrap(),
    }
}

/// A context as receipts see it.
fn context(json: &Json) -> Context {
    let text = |json: &Json| json.as_str().map(str::to_owned);
    let mut context = Context::of(given::fields(&json["fields"]));
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

/// What the engine said, in the words of a case: what is false or empty is left out.
fn told(said: &Said, expected: &Json) -> Json {
    let violations: Vec<_> = said
        .violations
        .iter()
        .enumerate()
        .map(|(index, violation)| {
            let named = &expected["violations"][index];
            let mut violation = serde_json::to_value(violation).unwrap();
            for name in ["severity", "policy_id", "is_shadow"] {
                if named.get(name).is_none() {
                    violation.as_object_mut().unwrap().remove(name);
                }
            }
            violation
        })
        .collect();
    let mut told = json!({
        "decision": said.decision,
        "violations": violations,
        "rules_evaluated": said.rules_evaluated,
        "rules_na": said.rules_na,
    });
    let members: &mut Map<_, _> = told.as_object_mut().unwrap();
    if !said.na_rules.is_empty() {
        let na = said.na_rules.iter();
        let na = na.map(|rule| json!({"rule_code": rule.rule_code, "reason": rule.reason}));
        members.insert("na_rules".to_owned(), na.collect());
    }
    for (name, truth) in [
        ("is_shadow", said.is_shadow),
        ("shadow_converted", said.shadow_converted),
        ("as_of_consulted", said.as_of_consulted),
    ] {
        if truth {
            members.insert(name.to_owned(), true.into());
        }
    }
    if let Some(original) = said.original_decision {
        members.insert("original_decision".to_owned(), json!(original));
    }
    told
}
