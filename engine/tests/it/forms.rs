//! Tests of form fields derived from rules, and of value validation.

use contract::{
    form::{FieldOption, FormDraft, FormField},
    json::{Limits, Object, Value},
    read::{self, FieldErrors, JsonPath},
};
use engine::{form, parse};

fn value(text: &str) -> Value {
    Value::parse(text.as_bytes(), &Limits::REQUEST).unwrap()
}

fn object(text: &str) -> Object {
    value(text).as_object().unwrap().clone()
}

/// Derives the fields of these rules, one per line: name, type, `!` if required, options, hint.
fn derived_fields(rules: &str) -> Vec<String> {
    let mut errors = FieldErrors::default();
    let rules = parse::read_rules(&value(rules), &JsonPath::ROOT, &mut errors);
    let rules = rules.unwrap_or_else(|| panic!("{:?}", errors.into_vec()));
    let field_line = |field: FormField| {
        let required_mark = if field.is_required() { "!" } else { "" };
        let options: Vec<String> =
            field.options_or_empty().iter().map(FieldOption::form_value).collect();
        let help = field.help.unwrap_or_default();
        format!("{} {}{required_mark} {} {help}", field.name, field.kind, options.join("|"))
            .trim()
            .to_owned()
    };
    form::derive_fields(&rules).into_iter().map(field_line).collect()
}

fn fields(text: &str) -> Vec<FormField> {
    let draft = format!(
        r#"{{"policy_id": "a0000000-0000-4000-8000-000000000001", "title": "T", "fields": {text}}}"#
    );
    read::body::<FormDraft>(&value(&draft)).unwrap().fields.unwrap()
}

#[test]
fn every_rule_type_implies_its_form_fields() {
    assert_eq!(
        derived_fields(
            r#"[
            {"code": "A", "rule_type": "threshold", "severity": "high",
             "condition": {"field": "amount", "min": 0, "exclusive_min": true, "max": 10000}},
            {"code": "B", "rule_type": "presence", "severity": "high", "condition":
             {"required_fields": ["purpose"], "forbidden_fields": ["secret"], "min_length": {"purpose": 20}}},
            {"code": "C", "rule_type": "list", "severity": "high",
             "condition": {"field": "currency", "allowed": ["EUR", "CHF"]}},
            {"code": "D", "rule_type": "list", "severity": "high",
             "condition": {"field": "vendor", "forbidden": ["Evil Ltd"]}},
            {"code": "E", "rule_type": "temporal", "severity": "high",
             "condition": {"field": "valid_until", "check": "not_expired"}},
            {"code": "F", "rule_type": "pattern", "severity": "high",
             "condition": {"field": "iban", "matches": "^[A-Z]{2}"}},
            {"code": "G", "rule_type": "comparison", "severity": "high",
             "condition": {"left": "paid", "operator": "lte", "right": "amount"}},
            {"code": "H", "rule_type": "comparison", "severity": "high",
             "condition": {"left": "agreed", "operator": "eq", "right_value": true}},
            {"code": "I", "rule_type": "evidence", "severity": "high",
             "condition": {"required_kinds": ["invoice"]}},
            {"code": "J", "rule_type": "distinct", "severity": "high",
             "condition": {"fields": ["requester", "approver"]}}
        ]"#
        ),
        [
            "amount number!  More than 0. At most 10000.",
            "purpose text!  At least 20 characters.",
            "currency select! EUR|CHF",
            "vendor text!",
            "valid_until date!  Today or later.",
            "iban text!",
            "paid number!",
            "agreed boolean!",
            "requester text!",
            "approver text!",
        ]
    );
}

#[test]
fn gated_rules_imply_optional_fields_after_their_gate_fields() {
    assert_eq!(
        derived_fields(
            r#"[
            {"code": "A", "rule_type": "presence", "severity": "low",
             "when": {"all": [{"field": "region", "equals": "EU"}, {"field": "is_new", "equals": true}]},
             "condition": {"required_fields": ["tax_number"]}},
            {"code": "B", "rule_type": "list", "severity": "low", "when": {"field": "level", "in": [1, 2]},
             "condition": {"field": "currency", "allowed": ["EUR"]}},
            {"code": "C", "rule_type": "presence", "severity": "low", "is_active": false,
             "condition": {"required_fields": ["unseen"]}}
        ]"#
        ),
        ["region text", "is_new boolean", "tax_number text", "level number", "currency text"]
    );
    let label = |field: &FormField| field.label.clone();
    let rules_json = r#"[{"code": "A", "rule_type": "presence", "severity": "low",
                     "condition": {"required_fields": ["order.tax_number"]}}]"#;
    let rules = parse::read_rules(&value(rules_json), &JsonPath::ROOT, &mut FieldErrors::default())
        .unwrap();
    assert_eq!(
        form::derive_fields(&rules).iter().map(label).collect::<Vec<_>>(),
        ["Order tax number"]
    );
}

#[test]
fn each_invalid_value_has_exactly_one_error() {
    let fields = fields(
        r#"[
        {"name": "n", "label": "N", "type": "number", "required": true, "min": 1, "max": 5},
        {"name": "t", "label": "T", "type": "text", "required": true, "max_length": 4, "pattern": "^a"},
        {"name": "d", "label": "D", "type": "date"},
        {"name": "i", "label": "I", "type": "datetime"},
        {"name": "b", "label": "B", "type": "boolean"},
        {"name": "s", "label": "S", "type": "select", "options": [{"value": 1, "label": "One"}]},
        {"name": "m", "label": "M", "type": "multiselect", "required": true,
         "options": [{"value": "x", "label": "X"}, {"value": "y", "label": "Y"}]},
        {"name": "e", "label": "E", "type": "email"},
        {"name": "a/u", "label": "U", "type": "url"}
    ]"#,
    );
    let errors_of = |values: &str| -> Vec<String> {
        let errors = form::check(&fields, &object(values));
        errors.into_iter().map(|error| format!("{} {}", error.path, error.code)).collect()
    };
    let valid = r#"{"n": 1, "t": "abc", "d": "2026-09-01", "i": "2026-09-01T10:00:00+02:00", "b": false,
                   "s": 1, "m": ["y"], "e": "a@b.example", "a/u": "https://b.example/x"}"#;
    assert_eq!(errors_of(valid), [""; 0]);
    assert_eq!(
        errors_of(r#"{"n": 1, "t": "abc", "m": ["x"]}"#),
        [""; 0],
        "optional fields can be missing"
    );
    assert_eq!(errors_of("{}"), ["/values/n required", "/values/t required", "/values/m required"]);
    assert_eq!(
        errors_of(
            r#"{"n": "1", "t": "abcde", "d": "1.9.2026", "i": "2026-09-01", "b": "yes", "s": "1",
                "m": [], "e": "ada", "a/u": "javascript:alert(1)", "nn": 1}"#
        ),
        [
            "/values/n type",
            "/values/t too_long",
            "/values/d format",
            "/values/i format",
            "/values/b type",
            "/values/s enum",
            "/values/m required",
            "/values/e format",
            "/values/a~1u format",
            "/values/nn unknown",
        ]
    );
    assert_eq!(
        errors_of(r#"{"n": 6, "t": "b", "m": ["x", "x"], "d": null}"#),
        ["/values/n range", "/values/t pattern", "/values/d type", "/values/m duplicate"]
    );
    let invalid = fields_with_pattern("(");
    assert_eq!(form::check_patterns(&invalid)[0].path, "/fields/0/pattern");
    assert_eq!(form::check_patterns(&fields), []);
}

fn fields_with_pattern(pattern: &str) -> Vec<FormField> {
    fields(&format!(r#"[{{"name": "t", "label": "T", "type": "text", "pattern": "{pattern}"}}]"#))
}
