//! Derivation of form fields from rules.
//!
//! A field has the type that the rules imply. It is required if a rule without a gate fails when the field is
//! missing. Limits are shown as hints but not enforced, so that submissions that violate the policy are
//! decided and recorded instead of being refused by the form.

use std::collections::BTreeSet;

use contract::{
    form::{FIELDS_MAX, FieldOption, FieldType, FormField},
    json::Value,
    rule::{Rule, RuleType},
    time::Timestamp,
};

/// Returns the fields that the active rules of `rules` imply, in the order in which the rules read them.
pub fn derive_fields(rules: &[Rule]) -> Vec<FormField> {
    let mut inference = FieldInference::default();
    for rule in rules.iter().filter(|rule| rule.is_active()) {
        if let Some(when) = &rule.when {
            inference.add_gate(when);
        }
        inference.add_rule(rule);
    }
    inference.unify_compared();
    inference.fields.into_iter().take(FIELDS_MAX).map(InferredField::into_field).collect()
}

/// The fields inferred so far.
#[derive(Default)]
struct FieldInference {
    fields: Vec<InferredField>,
    /// Pairs of compared fields, and whether the comparison requires an order.
    pairs: Vec<(String, String, bool)>,
}

struct InferredField {
    name: String,
    kind: Option<FieldType>,
    is_required: bool,
    options: Vec<Value>,
    hints: Vec<String>,
}

impl FieldInference {
    /// Returns the field `name` and adds it if it is new.
    fn field_mut(&mut self, name: &str) -> Option<&mut InferredField> {
        let existing = self.fields.iter().position(|field| field.name == name);
        let index = existing.unwrap_or(self.fields.len());
        if existing.is_none() {
            self.fields.push(InferredField {
                name: name.to_owned(),
                kind: None,
                is_required: false,
                options: Vec::new(),
                hints: Vec::new(),
            });
        }
        self.fields.get_mut(index)
    }

    /// Returns the field that the condition names in `member`, which is required if the rule has no gate.
    fn condition_field(&mut self, rule: &Rule, member: &str) -> Option<&mut InferredField> {
        let field = self.field_mut(rule.condition.get(member)?.as_str()?)?;
        field.is_required |= rule.when.is_none();
        Some(field)
    }

    /// Adds all fields that the condition lists in `member`.
    fn add_fields(&mut self, rule: &Rule, member: &str) {
        let names = rule.condition.get(member).and_then(Value::as_array).unwrap_or_default();
        for name in names.iter().filter_map(Value::as_str) {
            if let Some(field) = self.field_mut(name) {
                field.is_required |= rule.when.is_none();
            }
        }
    }

    /// Adds the fields of a gate. They do not become required.
    fn add_gate(&mut self, gate: &Value) {
        for combinator in ["all", "any"] {
            let members = gate.get(combinator).and_then(Value::as_array).unwrap_or_default();
            for member in members {
                self.add_gate(member);
            }
        }
        let expected = gate.get("equals").or_else(|| gate.get("in")?.as_array()?.first());
        let kind = expected.and_then(kind_of);
        if let Some(field) =
            gate.get("field").and_then(Value::as_str).and_then(|f| self.field_mut(f))
        {
            field.kind = field.kind.or(kind);
        }
    }

    /// Adds the fields of a rule's condition.
    fn add_rule(&mut self, rule: &Rule) {
        match rule.rule_type {
            RuleType::Presence => self.add_presence(rule),
            RuleType::Threshold => self.add_threshold(rule),
            RuleType::List => self.add_list(rule),
            RuleType::Temporal => self.add_temporal(rule),
            RuleType::Pattern => {
                if let Some(field) = self.condition_field(rule, "field") {
                    field.kind.get_or_insert(FieldType::Text);
                }
            }
            RuleType::Comparison => self.add_comparison(rule),
            RuleType::Distinct => self.add_fields(rule, "fields"),
            // Evidence is not a field.
            RuleType::Evidence => {}
        }
    }

    fn add_presence(&mut self, rule: &Rule) {
        self.add_fields(rule, "required_fields");
        let lengths = rule.condition.get("min_length").and_then(Value::as_object);
        for (name, length) in lengths.into_iter().flatten() {
            if let Some(field) = self.field_mut(name) {
                field.is_required |= rule.when.is_none();
                field.hints.push(format!("At least {length} characters."));
            }
        }
    }

    fn add_threshold(&mut self, rule: &Rule) {
        let condition = &rule.condition;
        let is_set = |name| condition.get(name).and_then(Value::as_bool).unwrap_or(false);
        let low = if is_set("exclusive_min") { "More than" } else { "At least" };
        let high = if is_set("exclusive_max") { "Less than" } else { "At most" };
        let bounds = [(low, condition.get("min")), (high, condition.get("max"))];
        let Some(field) = self.condition_field(rule, "field") else { return };
        field.kind = Some(FieldType::Number);
        if rule.when.is_none() {
            let hints = bounds.into_iter().filter_map(|(prefix, bound)| Some((prefix, bound?)));
            field.hints.extend(hints.map(|(prefix, bound)| format!("{prefix} {bound}.")));
        }
    }

    fn add_list(&mut self, rule: &Rule) {
        let allowed = rule.condition.get("allowed").and_then(Value::as_array);
        let Some(field) = self.condition_field(rule, "field") else { return };
        let Some(allowed) = allowed else { return };
        if allowed.iter().all(|value| value.as_bool().is_some()) {
            field.kind = Some(FieldType::Boolean);
        } else if rule.when.is_none() && field.options.is_empty() {
            field.options = allowed.iter().filter(|value| !is_blank(value)).cloned().collect();
        } else {
            field.kind = field.kind.or_else(|| allowed.first().and_then(kind_of));
        }
    }

    fn add_temporal(&mut self, rule: &Rule) {
        let condition = &rule.condition;
        let text = |name: &str| condition.get(name).and_then(Value::as_str);
        let hint = match (text("check"), text("not_before"), text("not_after")) {
            (Some("not_expired"), ..) => Some("Today or later.".to_owned()),
            (Some("not_future"), ..) => Some("Today or earlier.".to_owned()),
            (_, Some(day), _) => Some(format!("Not before {day}.")),
            (.., Some(day)) => Some(format!("Not after {day}.")),
            _ => condition.get("max_age_days").map(|days| format!("Not older than {days} days.")),
        };
        let Some(field) = self.condition_field(rule, "field") else { return };
        field.kind = Some(FieldType::Date);
        field.hints.extend(hint.filter(|_| rule.when.is_none()));
    }

    fn add_comparison(&mut self, rule: &Rule) {
        let text = |name: &str| rule.condition.get(name).and_then(Value::as_str);
        let is_ordered = matches!(text("operator"), Some("lt" | "lte" | "gt" | "gte"));
        let kind = rule.condition.get("right_value").and_then(kind_of);
        if let Some(field) = self.condition_field(rule, "left") {
            field.kind = field.kind.or(kind);
        }
        if let (Some(left), Some(right)) = (text("left"), text("right")) {
            self.condition_field(rule, "right");
            self.pairs.push((left.to_owned(), right.to_owned(), is_ordered));
        }
    }

    /// Gives compared fields the same type: the known type of either field, or a number if the comparison
    /// requires an order.
    fn unify_compared(&mut self) {
        for (left, right, is_ordered) in std::mem::take(&mut self.pairs) {
            let fallback = is_ordered.then_some(FieldType::Number);
            let [a, b] =
                [&left, &right].map(|name| self.field_mut(name).and_then(|field| field.kind));
            for name in [&left, &right] {
                if let Some(field) = self.field_mut(name) {
                    field.kind = field.kind.or(a).or(b).or(fallback);
                }
            }
        }
    }
}

impl InferredField {
    fn into_field(self) -> FormField {
        let kind = if self.options.is_empty() {
            self.kind.unwrap_or(FieldType::Text)
        } else {
            FieldType::Select
        };
        let option = |value: Value| {
            let label = value.as_str().map_or_else(|| value.to_canonical(), str::to_owned);
            FieldOption { value, label: label.chars().take(OPTION_LABEL_MAX).collect() }
        };
        let mut options: Vec<FieldOption> = self.options.into_iter().map(option).collect();
        // A browser submits `"1"` and `1` alike, so a form can offer only one of them.
        let mut known = BTreeSet::new();
        options.retain(|option| known.insert(option.form_value()));
        FormField {
            required: self.is_required.then_some(true),
            help: (!self.hints.is_empty()).then(|| self.hints.join(" ")),
            options: (!options.is_empty()).then_some(options),
            ..FormField::new(self.name.as_str(), label(&self.name), kind)
        }
    }
}

/// The maximum length of an option's label in characters, as in a form that is created with fields.
const OPTION_LABEL_MAX: usize = 500;

/// Returns whether a value is a string of white space, which is no option of a form.
fn is_blank(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// Returns the type of a field that can equal `value`.
fn kind_of(value: &Value) -> Option<FieldType> {
    match value {
        Value::Bool(_) => Some(FieldType::Boolean),
        Value::Number(_) => Some(FieldType::Number),
        Value::String(text) if Timestamp::from_date(text).is_some() => Some(FieldType::Date),
        Value::String(text) if text.parse::<Timestamp>().is_ok() => Some(FieldType::Datetime),
        Value::String(_) => Some(FieldType::Text),
        _ => None,
    }
}

/// Returns the label of a field name, such as `Tax number` for `tax_number`.
fn label(name: &str) -> String {
    let separators = ['_', '.', '-', ' ', '[', ']', '"', '/'];
    let words = name.split(separators).filter(|word| !word.is_empty());
    let spaced = words.collect::<Vec<_>>().join(" ");
    let mut characters = spaced.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => name.to_owned(),
    }
}
