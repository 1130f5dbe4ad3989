//! `/schemas`: the JSON Schemas of policy files and case files.

use contract::rule::RuleType;
use governance::authoring::sample;
use jsonschema::Validator;

use crate::prelude::*;

async fn schema(name: &str) -> Value {
    let service = test_service().await;
    service.public.get(format!("/schemas/{name}.json")).await.expect(200)
}

fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::new(schema).expect("a schema without unknown references")
}

#[tokio::test]
async fn policy_schema_describes_every_rule_type() {
    let schema = schema("policy").await;
    let shapes = schema["$defs"]["RuleDraft"]["oneOf"].as_array().expect("a list of shapes");
    let types: Vec<&Value> =
        shapes.iter().map(|shape| &shape["properties"]["rule_type"]["enum"][0]).collect();
    assert_eq!(types, RuleType::NAMES);
    for shape in shapes {
        assert!(shape["properties"]["severity"]["description"].is_string(), "{shape}");
        let condition = shape["properties"]["condition"]["$ref"].as_str().expect("a reference");
        assert!(schema.pointer(condition.trim_start_matches('#')).is_some(), "{condition}");
    }
}

#[tokio::test]
async fn policy_schema_accepts_the_samples_and_refuses_invalid_rules() {
    let validator = validator(&schema("policy").await);
    for text in sample::FILES {
        let sample: Value = serde_json::from_str(text).expect("JSON");
        let mut policy = sample["policy"].clone();
        policy["$schema"] = json!("https://govern.example/schemas/policy.json");
        if let Some(error) = validator.iter_errors(&policy).next() {
            panic!("{}: {error}", error.instance_path());
        }
        for (pointer, value) in [
            ("/rules/0/rule_type", json!("treshold")),
            ("/rules/0/severity", json!("severe")),
            ("/rules/0/condition", json!({"filed": 1})),
            ("/code", json!("a b")),
            ("/rules", json!(null)),
        ] {
            let mut invalid = policy.clone();
            *invalid.pointer_mut(pointer).expect("a member") = value;
            assert!(!validator.is_valid(&invalid), "{pointer}");
        }
        let mut unknown = policy.clone();
        unknown["colour"] = json!("red");
        assert!(!validator.is_valid(&unknown));
    }
}

#[tokio::test]
async fn case_schema_accepts_what_the_command_accepts() {
    let validator = validator(&schema("cases").await);
    let case = |expect: Value| {
        let context = json!({"decision_type": "payment", "fields": {"amount": 1}});
        json!([{"name": "a", "context": context, "expect": expect}])
    };
    let violation = json!({"rule_code": "PAY", "reason_code": "FIELD_MISSING", "field": "a"});
    let expectation = json!({"decision": "DENY", "violations": ["PAY", violation]});
    for valid in [case(json!("ALLOW")), case(expectation), json!([])] {
        assert!(validator.is_valid(&valid), "{valid}");
    }
    for invalid in [case(json!("MAYBE")), case(json!({"violations": []})), json!({}), json!([{}])] {
        assert!(!validator.is_valid(&invalid), "{invalid}");
    }
}
