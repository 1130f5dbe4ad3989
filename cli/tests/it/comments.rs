//! YAML files that are changed: comments and the text of unchanged parts stay.

use cli::document::Format;
use contract::json::{Number, Object, Value};
use insta::assert_snapshot;

use crate::POLICY;

/// Returns the value of the policy with `change` applied.
fn changed(change: impl FnOnce(&mut Object, &mut Vec<Value>)) -> Value {
    let Value::Object(mut policy) = Format::Yaml.parse(POLICY).expect("valid YAML") else {
        panic!("a policy is an object")
    };
    let Some(Value::Array(mut rules)) = policy.remove("rules") else { panic!("a list of rules") };
    change(&mut policy, &mut rules);
    policy.insert("rules", rules);
    policy.into()
}

/// Returns the changed text, after checking its value.
fn update(value: &Value) -> String {
    let text = Format::Yaml.update(POLICY, value);
    assert_eq!(Format::Yaml.parse(&text).as_ref(), Ok(value), "{text}");
    text
}

/// Returns the lines that only the changed text has (`+`), or only the original (`-`).
fn differences(value: &Value) -> String {
    let text = update(value);
    let diff = similar::TextDiff::from_lines(POLICY, &text);
    let changes =
        diff.iter_all_changes().filter(|change| change.tag() != similar::ChangeTag::Equal);
    changes.flat_map(|change| [change.tag().to_string(), change.to_string()]).collect()
}

fn set_max(rule: &mut Value, max: u32) {
    let Value::Object(rule) = rule else { panic!("a rule is an object") };
    let condition = Object::from([("field", "amount".into()), ("max", Number::from(max).into())]);
    rule.insert("condition", condition);
}

#[test]
fn a_text_with_the_same_value_is_unchanged() {
    assert_eq!(update(&changed(|_, _| {})), POLICY);
}

#[test]
fn a_changed_value_changes_only_its_line_and_keeps_its_comment() {
    assert_snapshot!(differences(&changed(|_, rules| set_max(&mut rules[0], 60_000))), @r"
    -      max: 50000 # EUR
    +      max: 60000 # EUR
    ");
    let list = changed(|policy, _| {
        policy.insert("decision_types", vec!["payment".into(), Value::from("refund")]);
    });
    assert_snapshot!(differences(&list), @r"
    -decision_types: [payment] # one type
    +decision_types: [payment, refund] # one type
    ");
}

#[test]
fn new_members_are_in_the_order_of_files() {
    let value = changed(|policy, rules| {
        policy.insert("description", "First line.\nSecond: line.");
        policy.insert("shadow_mode", true);
        let Value::Object(rule) = &mut rules[0] else { panic!("a rule is an object") };
        rule.insert("name", "At most 50,000");
    });
    assert_snapshot!(differences(&value), @r#"
    +description: |-
    +  First line.
    +  Second: line.
    +shadow_mode: true
    +    name: "At most 50,000"
    "#);
}

#[test]
fn rules_are_added_removed_and_moved_with_their_comments() {
    let removed = changed(|_, rules| drop(rules.remove(0)));
    assert_snapshot!(differences(&removed), @r"
    -  # Agreed with the treasury.
    -  - code: PAY-LIMIT
    -    rule_type: threshold
    -    severity: high
    -    condition:
    -      field: amount
    -      max: 50000 # EUR
    -
    ");
    let added = changed(|_, rules| {
        let mut rule = rules[0].clone();
        set_max(&mut rule, 1);
        let Value::Object(members) = &mut rule else { panic!("a rule is an object") };
        members.insert("code", "PAY-ONE");
        rules.push(rule);
    });
    assert_snapshot!(differences(&added), @r"
    +
    +  - code: PAY-ONE
    +    rule_type: threshold
    +    severity: high
    +    condition:
    +      field: amount
    +      max: 1
    ");
    let moved = update(&changed(|_, rules| rules.swap(0, 1)));
    let position = |text: &str| moved.find(text).expect("the text is in the file");
    assert!(position("PAY-PURPOSE") < position("# Agreed with the treasury."), "{moved}");
    assert!(position("# Agreed with the treasury.") < position("PAY-LIMIT"), "{moved}");
    assert!(position("PAY-LIMIT") < position("# The end."), "{moved}");
}

#[test]
fn line_ends_stay() {
    let value = changed(|_, rules| set_max(&mut rules[0], 7));
    let lines = update(&value);
    for old in
        [POLICY.replace('\n', "\r\n"), format!("\u{feff}{POLICY}"), POLICY.trim_end().to_owned()]
    {
        let text = Format::Yaml.update(&old, &value);
        assert_eq!(text, old.replace("max: 50000", "max: 7"));
        assert_eq!(text.replace(['\r', '\u{feff}'], "").trim_end(), lines.trim_end());
    }
}

#[test]
fn a_json_text_changes_only_where_its_value_differs() {
    let old = "{\r\n\t\"name\":  \"Payments\",\r\n\t\"code\": \"PAY\",\r\n\t\"decision_types\": [ \"payment\" ],\r\n\t\"rules\": [\r\n\t\t{\"code\": \"A\", \"max\": 1.0},\r\n\t\t{ \"code\" : \"B\",\"max\":2 }\r\n\t]\r\n}";
    let update = |new: &str| {
        let new = Format::Json.parse(new).expect("valid JSON");
        let text = Format::Json.update(old, &new);
        assert_eq!(Format::Json.parse(&text).as_ref(), Ok(&new), "{text}");
        text
    };
    assert_eq!(update(old), old);
    let changed = old
        .replace("\"max\":2", "\"max\":3")
        .replace("[ \"payment\" ]", "[ \"payment\",\"refund\" ]");
    assert_eq!(
        update(&changed.replace("[ \"payment\",\"refund\" ]", "[ \"payment\", \"refund\" ]"))
            .replace(", \"refund", ",\"refund"),
        changed
    );
    let removed = update(&old.replace("{\"code\": \"A\", \"max\": 1.0},", ""));
    assert_eq!(removed, old.replace("{\"code\": \"A\", \"max\": 1.0},\r\n\t\t", ""));
    let added =
        update(&old.replace("\"code\": \"PAY\",", "\"code\": \"PAY\", \"shadow_mode\": true,"));
    assert_eq!(
        added,
        old.replace("],\r\n\t\"rules\"", "],\r\n\t\"shadow_mode\": true,\r\n\t\"rules\"")
    );
    let rule = update(
        &old.replace("\"max\":2 }", "\"max\":2 }, {\"code\": \"C\", \"condition\": {\"max\": 3}}"),
    );
    assert!(rule.ends_with(",\r\n\t\t{\r\n\t\t\t\"code\": \"C\",\r\n\t\t\t\"condition\": {\r\n\t\t\t\t\"max\": 3\r\n\t\t\t}\r\n\t\t}\r\n\t]\r\n}"), "{rule}");
    let line = "{\"code\":\"PAY\",\"rules\":[]}\n";
    let new = Format::Json
        .parse("{\"code\": \"PAY\", \"name\": \"n\", \"rules\": [1]}")
        .expect("valid JSON");
    assert_eq!(
        Format::Json.update(line, &new),
        "{\"code\":\"PAY\", \"name\":\"n\",\"rules\":[1]}\n".replace(", \"name", ",\"name")
    );
}

#[test]
fn other_styles_are_changed_or_written_again_with_the_right_value() {
    let value = changed(|_, rules| set_max(&mut rules[0], 7));
    let flow = "{code: PAY, name: Payments, decision_types: [payment], rules: []}\n";
    let anchors = "a: &a {field: amount, max: 1}\nrules:\n- code: PAY-LIMIT\n  condition: *a\n";
    let quoted = POLICY.replace("code:", "\"code\":").replace("  - ", "  -   ");
    for old in [flow, anchors, &quoted, "", "- 1\n", "code: [", "---\ncode: X # c\n...\n"] {
        let text = Format::Yaml.update(old, &value);
        assert_eq!(Format::Yaml.parse(&text).as_ref(), Ok(&value), "{old}\n{text}");
    }
    let same_column = "code: PAY\nrules:\n# first\n- code: A # a\n  max: 1\n# second\n- code: B\n";
    let Value::Object(mut policy) = Format::Yaml.parse(same_column).expect("valid YAML") else {
        panic!("an object")
    };
    policy.insert("name", "Payments");
    let text = Format::Yaml.update(same_column, &policy.into());
    assert_eq!(text, same_column.replace("PAY\n", "PAY\nname: Payments\n"));
}
