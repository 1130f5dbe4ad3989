//! The sample of the editor: a recorded context, or a context with the fields of the rules.

use contract::decision::DecisionFilter;
use governance::{PageRequest, authoring::policy, deciding::decision};

use super::draft::{Draft, text_of};
use crate::{
    editor::{
        view::{EditorTarget, rule::RuleForm},
        words,
    },
    prelude::*,
    text::json::indented,
};

/// The number of decisions that the list of samples offers.
const DECISIONS_MAX: u32 = 10;

/// Returns the newest decisions that evaluated the policy with their names, and the context of the newest.
pub(super) async fn decisions(
    cx: &Cx,
    policy: PolicyId,
) -> Result<(Vec<(DecisionId, String)>, Option<String>), Problem> {
    let filter = DecisionFilter { policy_id: Some(policy), ..DecisionFilter::default() };
    let page = PageRequest { limit: DECISIONS_MAX, cursor: None };
    let records = decision::list(cx, filter, &page).await?.items;
    let name = |id: DecisionId, verdict| words::decision(&id.to_string(), verdict);
    let names = records.iter().map(|record| (record.id, name(record.id, record.decision)));
    let names = names.collect();
    let newest = records.into_iter().next().map(|record| indented(&sample_of(record.context)));
    Ok((names, newest))
}

/// Returns the sample that `target.from` selects. The rules include the rule as entered.
pub async fn make(cx: &Cx, target: &EditorTarget, form: &RuleForm) -> Result<String, Problem> {
    cx.tenant(permission::WRITE_POLICIES).map(drop)?;
    if let Ok(id) = target.from.parse::<DecisionId>() {
        let record = decision::read(cx, id).await?;
        return Ok(indented(&sample_of(record.context)));
    }
    let draft = Draft::read(cx, target).await?;
    let unmoved = EditorTarget { act: String::new(), ..target.clone() };
    let (rules, _) = draft.apply(&unmoved, form.rule(&mut Vec::new()));
    let policy = policy::read(cx, target.policy, None).await?;
    let decision_type = policy.decision_types.first().map_or("", String::as_str);
    Ok(of_rules(decision_type, &rules))
}

/// Returns the members of a stored context that a request can contain.
fn sample_of(context: Value) -> Value {
    let Value::Object(stored) = context else { return context };
    let names = ["decision_type", "fields", "evidence"];
    let members = stored.into_iter().filter(|(name, _)| names.contains(&name.as_str()));
    let mut members: Object = members.collect();
    if let Some(Value::Array(items)) = members.get("evidence") {
        let items = items.iter().cloned().map(without_digest).collect::<Vec<_>>();
        members.insert("evidence", items);
    }
    Value::Object(members)
}

/// Removes the digest: a record stores a digest instead of the data, and a request has no such member.
fn without_digest(mut item: Value) -> Value {
    if let Value::Object(members) = &mut item {
        members.remove("data_digest");
    }
    item
}

/// Returns a context with each field of `rules`. The first rule that uses a field determines its value.
pub(super) fn of_rules(decision_type: &str, rules: &[Value]) -> String {
    let mut fields = Object::new();
    for rule in rules {
        if let Some(condition) = rule.get("condition") {
            add_condition(condition, &mut fields);
        }
        if let Some(gate) = rule.get("when") {
            add_gate(gate, &mut fields);
        }
    }
    let kinds = rules.iter().filter_map(|rule| rule.get("condition")?.get("required_kinds"));
    let kinds = kinds.filter_map(Value::as_array).flatten();
    let evidence: Vec<_> =
        kinds.map(|kind| Value::from(Object::from([("kind", kind.clone())]))).collect();
    let mut context = Object::new();
    context.insert("decision_type", decision_type);
    context.insert("fields", fields);
    if !evidence.is_empty() {
        context.insert("evidence", evidence);
    }
    indented(&Value::Object(context))
}

/// Adds a field unless it has a value.
fn add(fields: &mut Object, name: &str, value: Value) {
    if !name.is_empty() && fields.get(name).is_none() {
        fields.insert(name, value);
    }
}

/// Adds the fields of a condition, with an example of a value.
fn add_condition(condition: &Value, fields: &mut Object) {
    let empty = || Value::from("");
    for list in ["required_fields", "fields"] {
        let names = condition.get(list).and_then(Value::as_array).unwrap_or_default();
        for name in names.iter().filter_map(Value::as_str) {
            add(fields, name, empty());
        }
    }
    let lengths = condition.get("min_length").and_then(Value::as_object);
    for (name, _) in lengths.into_iter().flat_map(Object::iter) {
        add(fields, name, empty());
    }
    let mut limits = ["max", "min", "not_before", "not_after"].into_iter();
    let limit = limits.find_map(|name| condition.get(name)).cloned();
    let allowed = condition.get("allowed").and_then(Value::as_array).unwrap_or_default();
    let value = limit.or_else(|| allowed.first().cloned()).unwrap_or_else(empty);
    add(fields, text_of(condition, "field"), value);
    let right = condition.get("right_value").cloned().unwrap_or_else(empty);
    add(fields, text_of(condition, "left"), right);
    add(fields, text_of(condition, "right"), empty());
}

/// Adds the fields of a gate, with values that the gate matches.
fn add_gate(gate: &Value, fields: &mut Object) {
    for group in ["all", "any"] {
        let gates = gate.get(group).and_then(Value::as_array).unwrap_or_default();
        for gate in gates {
            add_gate(gate, fields);
        }
    }
    if gate.get("exists").and_then(Value::as_bool) == Some(false) {
        return;
    }
    let one_of = gate.get("in").and_then(Value::as_array).unwrap_or_default();
    let value = gate.get("equals").or_else(|| one_of.first()).cloned();
    add(fields, text_of(gate, "field"), value.unwrap_or_else(|| Value::from("")));
}

#[cfg(test)]
mod tests {
    use contract::json::Limits;

    use super::*;

    #[test]
    fn a_sample_has_each_field_of_the_rules() {
        let rules = r#"[
            {"condition":{"field":"amount","max":500},"when":{"all":[
                {"field":"currency","in":["GBP","EUR"]},{"field":"note","exists":false}]}},
            {"condition":{"required_fields":["amount","receipt"]}},
            {"condition":{"required_kinds":["kyc"]}}]"#;
        let rules = Value::parse(rules.as_bytes(), &Limits::REQUEST).unwrap();
        let sample = of_rules("payment", rules.as_array().unwrap());
        let sample = Value::parse(sample.as_bytes(), &Limits::REQUEST).unwrap();
        let expected = r#"{"decision_type":"payment","evidence":[{"kind":"kyc"}],"fields":{"amount":500,"currency":"GBP","receipt":""}}"#;
        assert_eq!(sample.to_canonical(), expected);
    }
}
