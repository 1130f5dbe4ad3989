//! Rule types as sentences and forms. One table describes each rule type.

mod parts;

use contract::{
    json::Value,
    rule::{Rule, RuleType},
};

pub use self::parts::{DATE_CHECKS, DATE_TESTS, Input, Part};
use super::{gate, number, sentence::Sentence};

#[derive(Clone, Copy, Debug)]
pub struct RuleTypeInfo {
    pub rule_type: RuleType,
    pub label: &'static str,
    pub description: &'static str,
    pub parts: &'static [Part],
}

/// All rule types, in the order of the contract.
pub const RULE_TYPES: [RuleTypeInfo; 8] = [
    RuleTypeInfo {
        rule_type: RuleType::Presence,
        label: "Presence",
        description: "Fields that must be present, be absent, or have a minimum length.",
        parts: parts::PRESENCE,
    },
    RuleTypeInfo {
        rule_type: RuleType::Threshold,
        label: "Threshold",
        description: "A number within bounds.",
        parts: parts::THRESHOLD,
    },
    RuleTypeInfo {
        rule_type: RuleType::List,
        label: "List",
        description: "A value that is, or is not, on a list.",
        parts: parts::LIST,
    },
    RuleTypeInfo {
        rule_type: RuleType::Temporal,
        label: "Date",
        description: "A date compared with the time of the decision or a fixed day.",
        parts: parts::TEMPORAL,
    },
    RuleTypeInfo {
        rule_type: RuleType::Pattern,
        label: "Pattern",
        description: "A text that matches, or must not match, a pattern.",
        parts: parts::PATTERN,
    },
    RuleTypeInfo {
        rule_type: RuleType::Comparison,
        label: "Comparison",
        description: "Two values compared with each other.",
        parts: parts::COMPARISON,
    },
    RuleTypeInfo {
        rule_type: RuleType::Evidence,
        label: "Evidence",
        description: "Evidence of required kinds, with intact hashes.",
        parts: parts::EVIDENCE,
    },
    RuleTypeInfo {
        rule_type: RuleType::Distinct,
        label: "Distinct",
        description: "Values that must differ from each other.",
        parts: parts::DISTINCT,
    },
];

pub fn rule_type_info(rule_type: RuleType) -> Option<&'static RuleTypeInfo> {
    RULE_TYPES.iter().find(|info| info.rule_type == rule_type)
}

/// Formats a rule as one sentence: its gate, if any, then its condition.
pub fn sentence(rule: &Rule) -> Sentence {
    let condition = condition(rule.rule_type, &rule.condition);
    match &rule.when {
        Some(when) => {
            let gate = Sentence::default().words("When ").then(gate::format(when));
            gate.words(", ").then(condition).finish()
        }
        None => condition.finish(),
    }
}

/// Formats a condition as a sentence, without its full stop. A function pointer in the table above would keep this
/// code in the browser's module, which does not use it.
pub fn condition(rule_type: RuleType, condition: &Value) -> Sentence {
    match rule_type {
        RuleType::Presence => presence(condition),
        RuleType::Threshold => threshold(condition),
        RuleType::List => list(condition),
        RuleType::Temporal => temporal(condition),
        RuleType::Pattern => pattern(condition),
        RuleType::Comparison => comparison(condition),
        RuleType::Evidence => evidence(condition),
        RuleType::Distinct => distinct(condition),
    }
}

/// Returns the label of a member of a condition, as the form of the rule type names it.
pub fn member_label(rule_type: RuleType, member: &str) -> String {
    let parts = rule_type_info(rule_type).map_or(&[][..], |info| info.parts);
    let choice = |choices: &[(&str, &str)], part: &Part| {
        let (_, label) = choices.iter().find(|(name, _)| *name == member)?;
        Some(format!("{} {label}", part.label))
    };
    let label = |part: &Part| match part.input {
        Input::Text(choices) | Input::Values(choices) => choice(choices, part),
        Input::Date => {
            choice(&DATE_TESTS, part).or_else(|| (member == "check").then(|| part.label.to_owned()))
        }
        Input::Against if member.starts_with("right") => Some(part.label.to_owned()),
        _ if part.name == member => Some(part.label.to_owned()),
        _ => None,
    };
    let label = parts.iter().find_map(label).unwrap_or_else(|| member.replace('_', " "));
    // The rest of the label is a hint of the form.
    label.split(" (").next().unwrap_or_default().to_owned()
}

/// Formats a member of a condition for a list of properties: lists without brackets, texts without quotes.
pub fn member_value(value: &Value) -> String {
    match value {
        Value::Array(elements) => elements.iter().map(member_value).collect::<Vec<_>>().join(", "),
        Value::Object(members) => {
            let member = |(name, value)| format!("{name}: {}", member_value(value));
            members.iter().map(member).collect::<Vec<_>>().join(", ")
        }
        Value::String(text) => text.clone(),
        Value::Bool(is_set) => (if *is_set { "yes" } else { "no" }).to_owned(),
        other => number::value(other),
    }
}

/// Formats a gate as the condition of a sentence, without a full stop.
pub fn gate_sentence(gate: &Value) -> Sentence {
    gate::format(gate)
}

/// Formats a gate as text, without a full stop.
pub fn gate_text(gate: &Value) -> String {
    gate_sentence(gate).to_string()
}

fn text<'a>(condition: &'a Value, name: &str) -> &'a str {
    condition.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn flag(condition: &Value, name: &str) -> Option<bool> {
    condition.get(name).and_then(Value::as_bool)
}

fn elements<'a>(condition: &'a Value, name: &str) -> &'a [Value] {
    condition.get(name).and_then(Value::as_array).unwrap_or_default()
}

fn fields(condition: &Value, name: &str) -> Vec<Sentence> {
    let names = elements(condition, name).iter().filter_map(Value::as_str);
    names.map(|name| Sentence::default().field(name)).collect()
}

fn presence(condition: &Value) -> Sentence {
    let mut parts = Vec::new();
    for (member, one, many) in [
        ("required_fields", " is present", " are present"),
        ("forbidden_fields", " is absent", " are absent"),
    ] {
        let names = fields(condition, member);
        let verb = if names.len() == 1 { one } else { many };
        if !names.is_empty() {
            parts.push(Sentence::default().list(names, " and ").words(verb));
        }
    }
    let lengths = condition.get("min_length").and_then(Value::as_object);
    for (field, length) in lengths.into_iter().flat_map(contract::json::Object::iter) {
        let requirement = Sentence::default().field(field).words(" has a length of at least ");
        parts.push(requirement.value(number::value(length)));
    }
    Sentence::default().list(parts, ", and ")
}

fn threshold(condition: &Value) -> Sentence {
    let bound = |member: &str, exclusive: &str, words: [&str; 2]| {
        let value = condition.get(member)?;
        let words = words[usize::from(flag(condition, exclusive) == Some(true))];
        Some(Sentence::default().words(words).value(number::value(value)))
    };
    let bounds = [
        bound("min", "exclusive_min", ["at least ", "more than "]),
        bound("max", "exclusive_max", ["at most ", "less than "]),
    ];
    let start = Sentence::default().field(text(condition, "field")).words(" is ");
    start.list(bounds.into_iter().flatten().collect(), " and ")
}

fn list(condition: &Value) -> Sentence {
    let allowed = condition.get("allowed").is_some();
    let values = elements(condition, if allowed { "allowed" } else { "forbidden" });
    let words = match (allowed, values.len()) {
        (true, 1) => " is ",
        (true, _) => " is one of ",
        (false, 1) => " is not ",
        (false, _) => " is none of ",
    };
    let ignores_case = flag(condition, "case_sensitive") != Some(true);
    let start = Sentence::default().field(text(condition, "field")).words(words);
    start.then(gate::values(values, ignores_case))
}

fn temporal(condition: &Value) -> Sentence {
    let start = Sentence::default().field(text(condition, "field"));
    if let Some(days) = condition.get("max_age_days") {
        return start.words(" is at most ").value(number::value(days)).words(" days old");
    }
    if let Some(day) = condition.get("not_before").and_then(Value::as_str) {
        return start.words(" is on ").value(day).words(" or later");
    }
    if let Some(day) = condition.get("not_after").and_then(Value::as_str) {
        return start.words(" is on ").value(day).words(" or earlier");
    }
    match text(condition, "check") {
        "not_future" => start.words(" is not after the time of the decision"),
        _ => start.words(" has not expired at the time of the decision"),
    }
}

fn pattern(condition: &Value) -> Sentence {
    let start = Sentence::default().field(text(condition, "field"));
    match condition.get("matches") {
        Some(_) => start.words(" matches ").value(text(condition, "matches")),
        None => start.words(" does not match ").value(text(condition, "forbids")),
    }
}

fn comparison(condition: &Value) -> Sentence {
    let words = match text(condition, "operator") {
        "eq" => " equals ",
        "ne" => " differs from ",
        "lt" => " is less than ",
        "lte" => " is at most ",
        "gt" => " is more than ",
        _ => " is at least ",
    };
    let start = Sentence::default().field(text(condition, "left")).words(words);
    match condition.get("right_value") {
        Some(value) => start.value(number::value(value)),
        None => start.field(text(condition, "right")),
    }
}

fn evidence(condition: &Value) -> Sentence {
    let kinds = elements(condition, "required_kinds").iter();
    let kinds = kinds.map(|kind| Sentence::default().value(kind.to_canonical())).collect();
    let sentence = Sentence::default().words("evidence of kind ").list(kinds, " and ");
    let sentence = sentence.words(" is attached");
    if flag(condition, "verify_hash") == Some(false) {
        return sentence;
    }
    sentence.words(", and its data match their hashes")
}

fn distinct(condition: &Value) -> Sentence {
    let mut parts = fields(condition, "fields");
    if flag(condition, "include_actor") == Some(true) {
        parts.push(Sentence::default().words("the actor"));
    }
    Sentence::default().list(parts, " and ").words(" all differ from each other")
}

#[cfg(test)]
mod tests {
    use contract::json::Limits;

    use super::*;

    fn rule(rule_type: RuleType, condition: &str, when: Option<&str>) -> String {
        let parse = |text: &str| Value::parse(text.as_bytes(), &Limits::REQUEST).unwrap();
        sentence(&Rule {
            code: "R-1".into(),
            name: None,
            rule_type,
            condition: parse(condition),
            severity: contract::rule::Severity::High,
            description: None,
            is_active: None,
            when: when.map(parse),
            source_ref: None,
            replaces_rule_code: None,
        })
        .to_string()
    }

    #[test]
    fn every_rule_type_is_described() {
        assert_eq!(RULE_TYPES.map(|info| info.rule_type), RuleType::ALL);
    }

    #[test]
    fn a_sentence_starts_with_the_gate_and_its_case_sensitivity() {
        let sentence = rule(
            RuleType::Threshold,
            r#"{"field":"contract_value","max":250000}"#,
            Some(r#"{"field":"vendor_type","equals":"new"}"#),
        );
        assert_eq!(
            sentence,
            r#"When vendor_type is "new" (exact case), contract_value is at most 250,000."#
        );
    }

    #[test]
    fn nested_gate_groups_are_put_in_brackets() {
        let sentence = rule(
            RuleType::List,
            r#"{"field":"currency","allowed":["GBP"]}"#,
            Some(
                r#"{"all":[{"field":"a","exists":true},{"any":[{"field":"b","equals":1},
                {"field":"c","in":["x","y"],"case_sensitive":false}]}]}"#,
            ),
        );
        assert_eq!(
            sentence,
            "When a is given and (b is 1 or c is one of \"x\", \"y\" (any case)), \
             currency is \"GBP\" (any case)."
        );
    }

    #[test]
    fn conditions_are_formatted_as_sentences() {
        use RuleType::{Comparison, Distinct, Evidence, Pattern, Presence, Temporal, Threshold};
        for (rule_type, condition, expected) in [
            (
                Presence,
                r#"{"required_fields":["a","b"],"min_length":{"a":8}}"#,
                "a and b are present, and a has a length of at least 8.",
            ),
            (Presence, r#"{"forbidden_fields":["x"]}"#, "x is absent."),
            (
                Threshold,
                r#"{"field":"n","min":1,"max":9,"exclusive_max":true}"#,
                "n is at least 1 and less than 9.",
            ),
            (Temporal, r#"{"field":"d","max_age_days":180}"#, "d is at most 180 days old."),
            (
                Temporal,
                r#"{"field":"d","not_after":"2026-01-01"}"#,
                "d is on 2026-01-01 or earlier.",
            ),
            (Pattern, r#"{"field":"p","forbids":"^x"}"#, "p does not match ^x."),
            (Comparison, r#"{"left":"a","operator":"gt","right":"b"}"#, "a is more than b."),
            (Comparison, r#"{"left":"a","operator":"eq","right_value":true}"#, "a equals true."),
            (
                Evidence,
                r#"{"required_kinds":["kyc"]}"#,
                "Evidence of kind \"kyc\" is attached, and its data match their hashes.",
            ),
            (
                Distinct,
                r#"{"fields":["a","b"],"include_actor":true}"#,
                "a, b and the actor all differ from each other.",
            ),
        ] {
            assert_eq!(rule(rule_type, condition, None), expected);
        }
    }
}
