//! Gates in words: when a rule applies.

use contract::json::Value;

use super::{number, sentence::Sentence};

/// A gate as the condition of a sentence, without a full stop.
pub(super) fn say(gate: &Value) -> Sentence {
    nested(gate, false)
}

/// A group within a group stands in brackets.
fn nested(gate: &Value, within: bool) -> Sentence {
    let group = |members: &[Value], last| {
        let parts = members.iter().map(|member| nested(member, true)).collect::<Vec<_>>();
        let brackets = within && parts.len() > 1;
        let open = if brackets { Sentence::default().words("(") } else { Sentence::default() };
        let list = open.list(parts, last);
        if brackets { list.words(")") } else { list }
    };
    if let Some(members) = gate.get("all").and_then(Value::as_array) {
        return group(members, " and ");
    }
    if let Some(members) = gate.get("any").and_then(Value::as_array) {
        return group(members, " or ");
    }
    one(gate)
}

fn one(gate: &Value) -> Sentence {
    let field = gate.get("field").and_then(Value::as_str).unwrap_or_default();
    let start = Sentence::default().field(field);
    let folds = gate.get("case_sensitive").and_then(Value::as_bool) == Some(false);
    if let Some(value) = gate.get("equals") {
        return start.words(" is ").then(values(std::slice::from_ref(value), folds));
    }
    if let Some(list) = gate.get("in").and_then(Value::as_array) {
        return start.words(" is one of ").then(values(list, folds));
    }
    let exists = gate.get("exists").and_then(Value::as_bool).unwrap_or(true);
    start.words(if exists { " is given" } else { " is not given" })
}

/// Values, with a word on letter case where there are letters: both defaults exist in the rules,
/// so neither may go without saying.
pub(super) fn values(list: &[Value], folds: bool) -> Sentence {
    let shown = list.iter().map(|value| Sentence::default().value(number::value(value)));
    let sentence = Sentence::default().list(shown.collect(), ", ");
    match list.iter().any(|value| value.as_str().is_some()) {
        true if folds => sentence.words(" (any case)"),
        true => sentence.words(" (exact case)"),
        false => sentence,
    }
}
