//! Formats gates as text.

use contract::json::Value;

use super::{number, sentence::Sentence};

/// Formats a gate as the condition of a sentence, without a full stop.
pub(super) fn format(gate: &Value) -> Sentence {
    nested(gate, false)
}

/// Formats a gate. A group inside another group is put in brackets.
fn nested(gate: &Value, is_nested: bool) -> Sentence {
    let group = |members: &[Value], last| {
        let parts = members.iter().map(|member| nested(member, true)).collect::<Vec<_>>();
        let has_brackets = is_nested && parts.len() > 1;
        let open = if has_brackets { Sentence::default().words("(") } else { Sentence::default() };
        let list = open.list(parts, last);
        if has_brackets { list.words(")") } else { list }
    };
    if let Some(members) = gate.get("all").and_then(Value::as_array) {
        return group(members, " and ");
    }
    if let Some(members) = gate.get("any").and_then(Value::as_array) {
        return group(members, " or ");
    }
    condition(gate)
}

fn condition(gate: &Value) -> Sentence {
    let field = gate.get("field").and_then(Value::as_str).unwrap_or_default();
    let start = Sentence::default().field(field);
    let ignores_case = gate.get("case_sensitive").and_then(Value::as_bool) == Some(false);
    if let Some(value) = gate.get("equals") {
        return start.words(" is ").then(values(std::slice::from_ref(value), ignores_case));
    }
    if let Some(list) = gate.get("in").and_then(Value::as_array) {
        return start.words(" is one of ").then(values(list, ignores_case));
    }
    let exists = gate.get("exists").and_then(Value::as_bool).unwrap_or(true);
    start.words(if exists { " is given" } else { " is not given" })
}

/// Formats values. With text values it states whether letter case matters: rules and gates have different
/// defaults, so the sentence must be explicit.
pub(super) fn values(list: &[Value], ignores_case: bool) -> Sentence {
    let formatted = list.iter().map(|value| Sentence::default().value(number::value(value)));
    let sentence = Sentence::default().list(formatted.collect(), ", ");
    match list.iter().any(|value| value.as_str().is_some()) {
        true if ignores_case => sentence.words(" (any case)"),
        true => sentence.words(" (exact case)"),
        false => sentence,
    }
}
