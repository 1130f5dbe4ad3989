//! Converts rules to forms and back.

use std::collections::BTreeMap;

use contract::{
    json::{Limits, Value},
    rule::RuleType,
};

use super::{
    gate::{GateChange, GateLine, paths},
    rule::RuleForm,
};

fn value(text: &str) -> Value {
    Value::parse(text.as_bytes(), &Limits::REQUEST).unwrap()
}

fn rule(rule_type: &str, condition: &str, more: &str) -> Value {
    value(&format!(
        r#"{{"code":"R-1","rule_type":"{rule_type}","severity":"high","condition":{condition}{more}}}"#
    ))
}

/// Returns the form as a browser sends it: text areas send line breaks as `\r\n`.
fn sent(form: RuleForm) -> RuleForm {
    let to_crlf = |text: &mut String| *text = text.replace('\n', "\r\n");
    let mut form = form;
    to_crlf(&mut form.description);
    form.of.values_mut().flat_map(BTreeMap::values_mut).for_each(to_crlf);
    form.gate.iter_mut().for_each(|line| to_crlf(&mut line.values));
    form
}

const CONDITIONS: [(&str, &str); 30] = [
    ("presence", r#"{"required_fields":["a","b c"]}"#),
    ("presence", r#"{"forbidden_fields":["a"],"min_length":{"a/b":3,"~c":1}}"#),
    ("threshold", r#"{"field":"n","min":1}"#),
    ("threshold", r#"{"field":"n","max":2.5,"exclusive_max":true}"#),
    ("threshold", r#"{"field":"n","min":-1,"exclusive_min":false,"max":9007199254740991}"#),
    ("list", r#"{"field":"c","allowed":["GBP","EUR"]}"#),
    ("list", r#"{"field":"c","forbidden":[1,2],"case_sensitive":true}"#),
    ("list", r#"{"field":"c","allowed":["x",1,true,""],"case_sensitive":false}"#),
    ("list", r#"{"field":"c","allowed":[" x","y "]}"#),
    ("temporal", r#"{"field":"d","check":"not_expired"}"#),
    ("temporal", r#"{"field":"d","check":"not_future"}"#),
    ("temporal", r#"{"field":"d","max_age_days":180}"#),
    ("temporal", r#"{"field":"d","not_before":"2026-01-01"}"#),
    ("temporal", r#"{"field":"d","not_after":"2026-01-01T00:00:00Z"}"#),
    ("pattern", r#"{"field":"p","matches":"^[A-Z]{2}\\d+$"}"#),
    ("pattern", r#"{"field":"p","forbids":" x "}"#),
    ("comparison", r#"{"left":"a","operator":"lte","right":"b"}"#),
    ("comparison", r#"{"left":"a","operator":"eq","right_value":true}"#),
    ("comparison", r#"{"left":"a","operator":"ne","right_value":""}"#),
    ("comparison", r#"{"left":"a","operator":"gt","right_value":5}"#),
    ("comparison", r#"{"left":"a","operator":"gte","right_value":"5"}"#),
    ("comparison", r#"{"left":"a","operator":"lt","right_value":"2026-01-01"}"#),
    ("evidence", r#"{"required_kinds":["kyc"]}"#),
    ("evidence", r#"{"required_kinds":["kyc","id"],"verify_hash":false}"#),
    ("evidence", r#"{"required_kinds":["kyc"],"verify_hash":true}"#),
    ("distinct", r#"{"fields":["a","b"]}"#),
    ("distinct", r#"{"fields":["a","b"],"include_actor":true}"#),
    ("distinct", r#"{"fields":["a","b"],"include_actor":false}"#),
    ("list", r#"{"field":"c","allowed":[true,false]}"#),
    ("threshold", r#"{"field":"order.lines.0.sku","min":0,"max":0}"#),
];

#[test]
fn conditions_survive_the_conversion_to_a_form_and_back() {
    for rule_type in RuleType::ALL {
        assert!(CONDITIONS.iter().any(|(word, _)| *word == rule_type.as_str()), "{rule_type}");
    }
    for (rule_type, condition) in CONDITIONS {
        let rule = rule(rule_type, condition, "");
        let form = RuleForm::of(&rule).unwrap_or_else(|| panic!("no form shows {condition}"));
        let mut errors = Vec::new();
        assert_eq!(sent(form).rule(&mut errors), rule);
        assert_eq!(errors, []);
    }
}

const GATES: [&str; 12] = [
    r#"{"field":"a","equals":"x"}"#,
    r#"{"field":"a","equals":""}"#,
    r#"{"field":"a","equals":1}"#,
    r#"{"field":"a","equals":true,"case_sensitive":true}"#,
    r#"{"field":"a","equals":"x","case_sensitive":false}"#,
    r#"{"field":"a","in":["x","y"]}"#,
    r#"{"field":"a","in":["x",1,false],"case_sensitive":false}"#,
    r#"{"field":"a","exists":true}"#,
    r#"{"field":"a","exists":false}"#,
    r#"{"all":[{"field":"a","exists":true},{"field":"b","equals":2}]}"#,
    r#"{"any":[{"all":[{"field":"a","exists":true}]},{"field":"b","in":[2]},
        {"any":[{"all":[{"field":"c","equals":"d"}]},{"field":"e","exists":false}]}]}"#,
    r#"{"all":[{"all":[{"all":[{"any":[{"all":[{"any":[{"all":[{"any":[
        {"field":"a","equals":"deep"}]}]}]}]}]}]}]}]}"#,
];

#[test]
fn gates_survive_the_conversion_to_a_form_and_back() {
    for gate in GATES {
        let rule = rule("presence", r#"{"required_fields":["a"]}"#, &format!(r#","when":{gate}"#));
        let form = RuleForm::of(&rule).unwrap_or_else(|| panic!("no form shows {gate}"));
        assert_eq!(sent(form).rule(&mut Vec::new()), rule);
    }
}

#[test]
fn optional_members_survive_the_conversion_to_a_form_and_back() {
    for more in [
        r#","name":"Limit","description":"two\nlines","is_active":false,"replaces_rule_code":"R-0""#,
        r#","is_active":true,"description":"","source_ref":{}"#,
        r#","source_ref":{"document":"Manual","section":"4.2","url":"https://example.org"}"#,
        r#","source_ref":{"section":""}"#,
    ] {
        let rule = rule("evidence", r#"{"required_kinds":["kyc"]}"#, more);
        let form = RuleForm::of(&rule).unwrap_or_else(|| panic!("no form shows {more}"));
        assert_eq!(sent(form).rule(&mut Vec::new()), rule);
    }
}

#[test]
fn rules_that_a_form_would_change_have_no_form() {
    for (rule_type, condition) in [
        ("pattern", r#"{"field":"p","matches":"a\nb"}"#),
        ("presence", r#"{"required_fields":[" a"]}"#),
        ("a_later_type", r#"{"field":"x"}"#),
    ] {
        assert_eq!(RuleForm::of(&rule(rule_type, condition, "")), None, "{condition}");
    }
}

#[test]
fn an_invalid_number_is_reported_at_its_field() {
    let rule = rule("threshold", r#"{"field":"n","max":2}"#, "");
    let mut form = RuleForm::of(&rule).unwrap();
    let fields = form.of.get_mut("threshold").unwrap();
    fields.insert("max".to_owned(), "2,5oo".to_owned());
    let mut errors = Vec::new();
    form.rule(&mut errors);
    let paths: Vec<_> = errors.iter().map(|error| error.path.as_str()).collect();
    assert_eq!(paths, ["/condition/max"]);
}

#[test]
fn input_for_another_rule_type_is_preserved() {
    let mut form = RuleForm::of(&rule("threshold", r#"{"field":"n","max":2}"#, "")).unwrap();
    form.rule_type = "list".to_owned();
    assert_eq!(form.rule(&mut Vec::new()).get("condition"), Some(&value("{}")));
    form.rule_type = "threshold".to_owned();
    let condition = value(r#"{"field":"n","max":2}"#);
    assert_eq!(form.rule(&mut Vec::new()).get("condition"), Some(&condition));
}

#[test]
fn a_true_false_value_of_a_comparison_is_the_selected_choice() {
    let condition = r#"{"left":"a","operator":"eq","right_value":true}"#;
    let mut form = RuleForm::of(&rule("comparison", condition, "")).unwrap();
    let fields = form.of.get_mut("comparison").unwrap();
    assert_eq!(fields.insert("truth".to_owned(), "false".to_owned()).as_deref(), Some("true"));
    let expected = value(r#"{"left":"a","operator":"eq","right_value":false}"#);
    assert_eq!(form.rule(&mut Vec::new()).get("condition"), Some(&expected));
}

fn tests_of(lines: &[GateLine]) -> Vec<(u32, &str)> {
    lines.iter().map(|line| (line.depth, line.test.as_str())).collect()
}

#[test]
fn gate_changes_add_and_remove_lines() {
    let mut lines = Vec::new();
    assert_eq!(GateChange::AddCondition(None).apply(&mut lines), 0);
    assert_eq!(tests_of(&lines), [(0, "equals")]);
    // A second condition requires a group around both.
    assert_eq!(GateChange::AddGroup(None).apply(&mut lines), 2);
    assert_eq!(tests_of(&lines), [(0, "all"), (1, "equals"), (1, "all")]);
    assert_eq!(GateChange::AddCondition(Some(2)).apply(&mut lines), 3);
    assert_eq!(GateChange::AddCondition(Some(0)).apply(&mut lines), 4);
    let all = [(0, "all"), (1, "equals"), (1, "all"), (2, "equals"), (1, "equals")];
    assert_eq!(tests_of(&lines), all);
    assert_eq!(
        paths(&lines),
        ["/when", "/when/all/0", "/when/all/1", "/when/all/1/all/0", "/when/all/2"]
    );
    GateChange::Remove(2).apply(&mut lines);
    assert_eq!(tests_of(&lines), [(0, "all"), (1, "equals"), (1, "equals")]);
    GateChange::Remove(0).apply(&mut lines);
    assert_eq!(lines, []);
}

#[test]
fn gate_changes_round_trip_through_their_button_value() {
    for change in [
        GateChange::AddCondition(None),
        GateChange::AddCondition(Some(3)),
        GateChange::AddGroup(Some(0)),
        GateChange::Remove(12),
    ] {
        assert_eq!(GateChange::of(&change.word()), Some(change));
    }
    assert_eq!(GateChange::of("save"), None);
    assert_eq!(GateChange::Remove(9).apply(&mut Vec::new()), 0);
}

#[test]
fn a_true_false_value_is_the_selected_choice() {
    let gate = r#","when":{"field":"f","equals":true}"#;
    let mut form = RuleForm::of(&rule("presence", CONDITIONS[0].1, gate)).unwrap();
    assert_eq!(form.gate[0].truth, "true");
    form.gate[0].truth = "false".to_owned();
    let changed = form.rule(&mut Vec::new());
    assert_eq!(changed.get("when").unwrap().to_canonical(), r#"{"equals":false,"field":"f"}"#);
}

/// Returns the names and values with which a browser sends `value`.
fn fields(name: &str, value: &serde_json::Value, fields: &mut Vec<(String, String)>) {
    use serde_json::Value;
    match value {
        Value::Null => {}
        Value::String(text) => fields.push((name.to_owned(), text.clone())),
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                self::fields(&format!("{name}[{index}]"), element, fields);
            }
        }
        Value::Object(members) => {
            for (member, value) in members {
                self::fields(&format!("{name}[{member}]"), value, fields);
            }
        }
        other => fields.push((name.to_owned(), other.to_string())),
    }
}

#[test]
fn the_browser_reads_every_field_of_a_form() {
    let more = r#","name":"N","description":"D","is_active":true,"replaces_rule_code":"R-0",
        "source_ref":{"document":"Manual","section":"4","url":"https://example.com"},
        "when":{"all":[{"field":"a","equals":true},{"any":[{"field":"b","in":[1,2],"case_sensitive":true},
        {"field":"c","exists":false}]}]}"#;
    for (rule_type, condition) in CONDITIONS {
        let mut form = sent(RuleForm::of(&rule(rule_type, condition, more)).unwrap());
        // A rule type without input sends no field.
        form.of.retain(|_, fields| !fields.is_empty());
        let mut names_and_values = Vec::new();
        fields("rule", &serde_json::to_value(&form).unwrap(), &mut names_and_values);
        assert_eq!(RuleForm::from_fields(names_and_values), form, "{condition}");
    }
}
