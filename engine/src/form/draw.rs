//! Draws the questions of a form from rules.
//!
//! A question takes the type that the rules lead to, and must be answered where a rule without a gate
//! fails when its field is missing. Bounds stand in the hint and are not enforced: what a policy refuses
//! is to be decided and recorded, and not to be kept away from it.

use contract::{
    form::{FIELDS_MAX, FieldOption, FieldType, FormField},
    json::Value,
    rule::{Rule, RuleType},
    time::Timestamp,
};

/// The questions to which the active ones of `rules` lead, in the order in which rules read their fields.
pub fn draw(rules: &[Rule]) -> Vec<FormField> {
    let mut sketch = Sketch::default();
    for rule in rules.iter().filter(|rule| rule.active()) {
        if let Some(when) = &rule.when {
            sketch.gate(when);
        }
        sketch.rule(rule);
    }
    sketch.compared();
    sketch.drawn.into_iter().take(FIELDS_MAX).map(Drawn::finish).collect()
}

/// What is known of the questions so far.
#[derive(Default)]
struct Sketch {
    drawn: Vec<Drawn>,
    /// Pairs of fields that are compared, and whether by their order.
    pairs: Vec<(String, String, bool)>,
}

/// What is known of one question.
struct Drawn {
    name: String,
    kind: Option<FieldType>,
    is_required: bool,
    options: Vec<Value>,
    hints: Vec<String>,
}

impl Sketch {
    /// The question about `name`.
    fn note(&mut self, name: &str) -> Option<&mut Drawn> {
        let known = self.drawn.iter().position(|drawn| drawn.name == name);
        let place = known.unwrap_or(self.drawn.len());
        if known.is_none() {
            self.drawn.push(Drawn {
                name: name.to_owned(),
                kind: None,
                is_required: false,
                options: Vec::new(),
                hints: Vec::new(),
            });
        }
        self.drawn.get_mut(place)
    }

    /// The question about the field that a condition names as `member`, which must be answered when the
    /// rule has no gate.
    fn asked(&mut self, rule: &Rule, member: &str) -> Option<&mut Drawn> {
        let drawn = self.note(rule.condition.get(member)?.as_str()?)?;
        drawn.is_required |= rule.when.is_none();
        Some(drawn)
    }

    /// All fields that a condition lists as `member`.
    fn listed(&mut self, rule: &Rule, member: &str) {
        let names = rule.condition.get(member).and_then(Value::as_array).unwrap_or_default();
        for name in names.iter().filter_map(Value::as_str) {
            if let Some(drawn) = self.note(name) {
                drawn.is_required |= rule.when.is_none();
            }
        }
    }

    /// Fields that a gate looks at: the answer may be missing.
    fn gate(&mut self, gate: &Value) {
        for combinator in ["all", "any"] {
            let members = gate.get(combinator).and_then(Value::as_array).unwrap_or_default();
            for member in members {
                self.gate(member);
            }
        }
        let wanted = gate.get("equals").or_else(|| gate.get("in")?.as_array()?.first());
        let kind = wanted.and_then(kind_of);
        if let Some(drawn) = gate.get("field").and_then(Value::as_str).and_then(|f| self.note(f)) {
            drawn.kind = drawn.kind.or(kind);
        }
    }

    fn rule(&mut self, rule: &Rule) {
        match rule.rule_type {
            RuleType::Presence => self.presence(rule),
            RuleType::Threshold => self.threshold(rule),
            RuleType::List => self.list(rule),
            RuleType::Temporal => self.temporal(rule),
            RuleType::Pattern => drop(self.asked(rule, "field").map(|drawn| {
                drawn.kind = drawn.kind.or(Some(FieldType::Text));
            })),
            RuleType::Comparison => self.comparison(rule),
            RuleType::Distinct => self.listed(rule, "fields"),
            // Evidence is no field.
            RuleType::Evidence => {}
        }
    }

    fn presence(&mut self, rule: &Rule) {
        self.listed(rule, "required_fields");
        let lengths = rule.condition.get("min_length").and_then(Value::as_object);
        for (name, length) in lengths.into_iter().flatten() {
            if let Some(drawn) = self.note(name) {
                drawn.is_required |= rule.when.is_none();
                drawn.hints.push(format!("At least {length} characters."));
            }
        }
    }

    fn threshold(&mut self, rule: &Rule) {
        let condition = &rule.condition;
        let is_set = |name| condition.get(name).and_then(Value::as_bool).unwrap_or(false);
        let low = if is_set("exclusive_min") { "More than" } else { "At least" };
        let high = if is_set("exclusive_max") { "Less than" } else { "At most" };
        let bounds = [(low, condition.get("min")), (high, condition.get("max"))];
        let Some(drawn) = self.asked(rule, "field") else { return };
        drawn.kind = Some(FieldType::Number);
        if rule.when.is_none() {
            let told = bounds.into_iter().filter_map(|(word, bound)| Some((word, bound?)));
            drawn.hints.extend(told.map(|(word, bound)| format!("{word} {bound}.")));
        }
    }

    fn list(&mut self, rule: &Rule) {
        let allowed = rule.condition.get("allowed").and_then(Value::as_array);
        let Some(drawn) = self.asked(rule, "field") else { return };
        let Some(allowed) = allowed else { return };
        if allowed.iter().all(|value| value.as_bool().is_some()) {
            drawn.kind = Some(FieldType::Boolean);
        } else if rule.when.is_none() && drawn.options.is_empty() {
            drawn.options = allowed.iter().filter(|v| v.as_str() != Some("")).cloned().collect();
        } else {
            drawn.kind = drawn.kind.or_else(|| allowed.first().and_then(kind_of));
        }
    }

    fn temporal(&mut self, rule: &Rule) {
        let condition = &rule.condition;
        let text = |name: &str| condition.get(name).and_then(Value::as_str);
        let hint = match (text("check"), text("not_before"), text("not_after")) {
            (Some("not_expired"), ..) => Some("Today or later.".to_owned()),
            (Some("not_future"), ..) => Some("Today or earlier.".to_owned()),
            (_, Some(day), _) => Some(format!("Not before {day}.")),
            (.., Some(day)) => Some(format!("Not after {day}.")),
            _ => condition.get("max_age_days").map(|days| format!("Not older than {days} days.")),
        };
        let Some(drawn) = self.asked(rule, "field") else { return };
        drawn.kind = Some(FieldType::Date);
        drawn.hints.extend(hint.filter(|_| rule.when.is_none()));
    }

    fn comparison(&mut self, rule: &Rule) {
        let text = |name: &str| rule.condition.get(name).and_then(Value::as_str);
        let by_order = matches!(text("operator"), Some("lt" | "lte" | "gt" | "gte"));
        let kind = rule.condition.get("right_value").and_then(kind_of);
        if let Some(drawn) = self.asked(rule, "left") {
            drawn.kind = drawn.kind.or(kind);
        }
        if let (Some(left), Some(right)) = (text("left"), text("right")) {
            self.asked(rule, "right");
            self.pairs.push((left.to_owned(), right.to_owned(), by_order));
        }
    }

    /// Fields that are compared with each other are of one kind: what is known of one holds for the other,
    /// and what is compared by its order is taken for a number.
    fn compared(&mut self) {
        for (left, right, by_order) in std::mem::take(&mut self.pairs) {
            let otherwise = by_order.then_some(FieldType::Number);
            let known = [&left, &right].map(|name| self.note(name).and_then(|drawn| drawn.kind));
            let [a, b] = known;
            for name in [&left, &right] {
                if let Some(drawn) = self.note(name) {
                    drawn.kind = drawn.kind.or(a).or(b).or(otherwise);
                }
            }
        }
    }
}

impl Drawn {
    fn finish(self) -> FormField {
        let kind = if self.options.is_empty() {
            self.kind.unwrap_or(FieldType::Text)
        } else {
            FieldType::Select
        };
        let option = |value: Value| {
            let label = value.as_str().map_or_else(|| value.to_canonical(), str::to_owned);
            FieldOption { value, label }
        };
        let options: Vec<FieldOption> = self.options.into_iter().map(option).collect();
        FormField {
            required: self.is_required.then_some(true),
            help: (!self.hints.is_empty()).then(|| self.hints.join(" ")),
            options: (!options.is_empty()).then_some(options),
            ..FormField::new(self.name.as_str(), label(&self.name), kind)
        }
    }
}

/// The kind of answer that can be equal to `value`.
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

/// A name as a question: `tax_number` is asked as `Tax number`.
fn label(name: &str) -> String {
    let words = name.split(['_', '.', '-', ' ']).filter(|word| !word.is_empty());
    let spaced = words.collect::<Vec<_>>().join(" ");
    let mut characters = spaced.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => name.to_owned(),
    }
}
