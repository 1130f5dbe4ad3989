//! A rule as the fields of a form, and back.

use std::collections::BTreeMap;

use contract::{
    error::FieldError,
    json::{Object, Value},
    rule::{RuleType, Severity},
};
use serde::{Deserialize, Serialize};

use super::{
    condition::{self, Fields, TICKED},
    gate::{self, GateLine},
};
use crate::text::rule::shape;

/// The form of one rule: what was typed, in the fields' own words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RuleForm {
    /// Its code.
    pub code: String,
    /// What people call it.
    pub name: String,
    /// The word of its type.
    pub rule_type: String,
    /// The word of its severity.
    pub severity: String,
    /// Longer words about it.
    pub description: String,
    /// Ticked: it takes part in evaluations.
    pub active: Option<String>,
    /// The document that it comes from.
    pub document: String,
    /// The section within it.
    pub section: String,
    /// Where the document can be read.
    pub url: String,
    /// The rule of an earlier version that it replaces.
    pub replaces: String,
    /// Members that are written out although they say what their absence says, by name.
    pub stated: String,
    /// The condition, by rule type: what was typed for another type is not lost.
    pub of: BTreeMap<String, Fields>,
    /// The gate, line by line.
    pub gate: Vec<GateLine>,
}

/// The members that hold a text and may be absent.
const TEXTS: [&str; 3] = ["name", "description", "replaces_rule_code"];
/// The members of `source_ref`.
const SOURCE: [&str; 3] = ["document", "section", "url"];

impl RuleForm {
    /// The form of a new rule.
    pub fn blank(rule_type: RuleType) -> Self {
        Self {
            rule_type: rule_type.to_string(),
            severity: Severity::High.to_string(),
            active: Some(TICKED.to_owned()),
            of: defaults(),
            ..Self::default()
        }
    }

    /// The form of a stored rule; `None` when it holds what no form can show.
    pub fn of(rule: &Value) -> Option<Self> {
        let form = Self::show(rule);
        let mut faults = Vec::new();
        let is_same = form.rule(&mut faults) == *rule && faults.is_empty();
        (is_same && !breaks_lines(rule)).then_some(form)
    }

    fn show(rule: &Value) -> Self {
        let text =
            |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let member = |name| text(rule.get(name));
        let source = rule.get("source_ref");
        let part = |name| text(source.and_then(|source| source.get(name)));
        let rule_type = member("rule_type");
        let is_active = rule.get("is_active").and_then(Value::as_bool);
        let mut of = defaults();
        let known = rule_type.parse().ok().and_then(shape);
        if let (Some(shape), Some(condition)) = (known, rule.get("condition")) {
            let mut fields = Fields::new();
            for part in shape.parts {
                condition::show(part, condition, &mut fields);
            }
            of.insert(rule_type.clone(), fields);
        }
        Self {
            code: member("code"),
            name: member("name"),
            rule_type,
            severity: member("severity"),
            description: member("description"),
            active: is_active.unwrap_or(true).then(|| TICKED.to_owned()),
            document: part("document"),
            section: part("section"),
            url: part("url"),
            replaces: member("replaces_rule_code"),
            stated: stated(rule, is_active),
            of,
            gate: rule.get("when").map(gate::lines).unwrap_or_default(),
        }
    }

    /// The rule that the form makes, with a fault for everything that cannot be written as it should.
    /// Whether it is a good rule is for the service to say.
    pub fn rule(&self, faults: &mut Vec<FieldError>) -> Value {
        let mut rule = Object::new();
        let stated: Vec<_> = self.stated.split(' ').collect();
        let put = |into: &mut Object, name: &str, text: &str| {
            if !text.is_empty() || stated.contains(&name) {
                into.insert(name, text);
            }
        };
        for (name, text) in TEXTS.into_iter().zip([&self.name, &self.description, &self.replaces]) {
            // A text area sends its line breaks as the web does.
            put(&mut rule, name, &text.replace("\r\n", "\n"));
        }
        let mut source = Object::new();
        for (name, text) in SOURCE.into_iter().zip([&self.document, &self.section, &self.url]) {
            put(&mut source, name, text);
        }
        if !source.is_empty() || stated.contains(&"source_ref") {
            rule.insert("source_ref", source);
        }
        let is_active = self.active.is_some();
        if !is_active || stated.contains(&"is_active") {
            rule.insert("is_active", is_active);
        }
        if !self.code.trim().is_empty() {
            rule.insert("code", self.code.trim());
        }
        rule.insert("rule_type", self.rule_type.as_str());
        rule.insert("severity", self.severity.as_str());
        rule.insert("condition", self.condition(faults));
        if let Some(when) = gate::gate(&self.gate, faults) {
            rule.insert("when", when);
        }
        Value::Object(rule)
    }

    fn condition(&self, faults: &mut Vec<FieldError>) -> Object {
        let mut condition = Object::new();
        let (nothing, known) = (Fields::new(), self.rule_type.parse().ok().and_then(shape));
        let fields = self.of.get(&self.rule_type).unwrap_or(&nothing);
        for part in known.map_or(&[][..], |shape| shape.parts) {
            condition::write(part, fields, &mut condition, faults);
        }
        condition
    }
}

/// The fields of a rule of each type that says nothing yet: boxes stand as absence means.
fn defaults() -> BTreeMap<String, Fields> {
    let nothing = Value::Object(Object::new());
    let fields = |rule_type: RuleType| {
        let mut fields = Fields::new();
        for part in shape(rule_type).map_or(&[][..], |shape| shape.parts) {
            condition::show(part, &nothing, &mut fields);
        }
        fields.retain(|_, text| !text.is_empty());
        (rule_type.to_string(), fields)
    };
    RuleType::ALL.into_iter().map(fields).collect()
}

/// The members that are there without need.
fn stated(rule: &Value, is_active: Option<bool>) -> String {
    let is_empty = |value: Option<&Value>| value.and_then(Value::as_str) == Some("");
    let source = rule.get("source_ref");
    let texts = TEXTS.into_iter().filter(|name| is_empty(rule.get(name)));
    let parts = SOURCE.into_iter().filter(|name| is_empty(source.and_then(|of| of.get(name))));
    let bare = source.and_then(Value::as_object).is_some_and(Object::is_empty);
    let rest = [("is_active", is_active == Some(true)), ("source_ref", bare)];
    let rest = rest.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| name);
    texts.chain(parts).chain(rest).collect::<Vec<_>>().join(" ")
}

/// Whether a text breaks its line where a field has only one, or breaks it as no text area does.
fn breaks_lines(rule: &Value) -> bool {
    let breaks = |name: &str, value: &Value| match name {
        "description" => holds(value, &['\r']),
        _ => holds(value, &['\r', '\n']),
    };
    rule.as_object().into_iter().flatten().any(|(name, value)| breaks(name, value))
}

fn holds(value: &Value, letters: &[char]) -> bool {
    match value {
        Value::String(text) => text.contains(letters),
        Value::Array(elements) => elements.iter().any(|element| holds(element, letters)),
        Value::Object(members) => {
            members.iter().any(|(name, value)| name.contains(letters) || holds(value, letters))
        }
        _ => false,
    }
}
