//! Conversion between rules and form fields.

use super::{
    condition::{self, Fields, TICKED},
    gate::{self, GateLine},
};
use crate::{prelude::*, text::rule::rule_type_info};

/// The form of one rule: the input, as field values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RuleForm {
    pub code: String,
    pub name: String,
    /// Its rule type, as on the wire.
    pub rule_type: String,
    /// Its severity, as on the wire.
    pub severity: String,
    pub description: String,
    /// Present if the rule is active.
    pub active: Option<String>,
    /// The source document.
    pub document: String,
    pub section: String,
    pub url: String,
    /// The rule of an earlier version that it replaces.
    pub replaces: String,
    /// The names of members that are written explicitly although their value is the default, separated by
    /// spaces.
    pub stated: String,
    /// The condition, by rule type. The input for other types is preserved.
    pub of: BTreeMap<String, Fields>,
    pub gate: Vec<GateLine>,
}

impl RuleForm {
    /// Reads the form from the names and values of its fields, for example `rule[gate][0][field]`. The service
    /// reads the same names with `serde_qs`, which would add 12 kB to the editor's module.
    pub fn from_fields(fields: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut form = Self::default();
        let mut gate = BTreeMap::<usize, GateLine>::new();
        for (name, value) in fields {
            let name = name.strip_prefix("rule[").and_then(|name| name.strip_suffix(']'));
            match name.unwrap_or_default().split("][").collect::<Vec<_>>()[..] {
                [name] => form.set(name, value),
                ["of", rule_type, name] => {
                    let fields = form.of.entry(rule_type.to_owned()).or_default();
                    fields.insert(name.to_owned(), value);
                }
                ["gate", index, name] => {
                    if let Ok(index) = index.parse() {
                        gate.entry(index).or_default().set(name, value);
                    }
                }
                _ => {}
            }
        }
        form.gate = gate.into_values().collect();
        form
    }

    fn set(&mut self, name: &str, value: String) {
        match name {
            "code" => self.code = value,
            "name" => self.name = value,
            "rule_type" => self.rule_type = value,
            "severity" => self.severity = value,
            "description" => self.description = value,
            "active" => self.active = Some(value),
            "document" => self.document = value,
            "section" => self.section = value,
            "url" => self.url = value,
            "replaces" => self.replaces = value,
            "stated" => self.stated = value,
            _ => {}
        }
    }
}

/// The optional text members.
const TEXTS: [&str; 3] = ["name", "description", "replaces_rule_code"];
/// The members of `source_ref`.
const SOURCE: [&str; 3] = ["document", "section", "url"];

impl RuleForm {
    /// Returns the form of a new rule.
    pub fn blank(rule_type: RuleType) -> Self {
        Self {
            rule_type: rule_type.to_string(),
            severity: Severity::High.to_string(),
            active: Some(TICKED.to_owned()),
            of: defaults(),
            ..Self::default()
        }
    }

    /// Converts a stored rule to a form; returns `None` if the rule contains something that the form cannot
    /// represent.
    pub fn of(rule: &Value) -> Option<Self> {
        let form = Self::show(rule);
        let mut errors = Vec::new();
        let is_same = form.rule(&mut errors) == *rule && errors.is_empty();
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
        let info = rule_type.parse().ok().and_then(rule_type_info);
        if let (Some(info), Some(condition)) = (info, rule.get("condition")) {
            let mut fields = Fields::new();
            for part in info.parts {
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

    /// Converts the form to a rule, and adds an error for every value that cannot be converted. The service
    /// validates the rule.
    pub fn rule(&self, errors: &mut Vec<FieldError>) -> Value {
        let mut rule = Object::new();
        let stated: Vec<_> = self.stated.split(' ').collect();
        let put = |into: &mut Object, name: &str, text: &str| {
            if !text.is_empty() || stated.contains(&name) {
                into.insert(name, text);
            }
        };
        for (name, text) in TEXTS.into_iter().zip([&self.name, &self.description, &self.replaces]) {
            // A text area sends line breaks as `\r\n`.
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
        rule.insert("condition", self.condition(errors));
        if let Some(when) = gate::gate(&self.gate, errors) {
            rule.insert("when", when);
        }
        Value::Object(rule)
    }

    fn condition(&self, errors: &mut Vec<FieldError>) -> Object {
        let mut condition = Object::new();
        let (no_fields, info) =
            (Fields::new(), self.rule_type.parse().ok().and_then(rule_type_info));
        let fields = self.of.get(&self.rule_type).unwrap_or(&no_fields);
        for part in info.map_or(&[][..], |info| info.parts) {
            condition::write(part, fields, &mut condition, errors);
        }
        condition
    }
}

/// Returns the initial fields of each rule type, with checkboxes at their default.
fn defaults() -> BTreeMap<String, Fields> {
    let empty = Value::Object(Object::new());
    let fields = |rule_type: RuleType| {
        let mut fields = Fields::new();
        for part in rule_type_info(rule_type).map_or(&[][..], |info| info.parts) {
            condition::show(part, &empty, &mut fields);
        }
        fields.retain(|_, text| !text.is_empty());
        (rule_type.to_string(), fields)
    };
    RuleType::ALL.into_iter().map(fields).collect()
}

/// Returns the names of the members that are written explicitly without need.
fn stated(rule: &Value, is_active: Option<bool>) -> String {
    let is_empty = |value: Option<&Value>| value.and_then(Value::as_str) == Some("");
    let source = rule.get("source_ref");
    let texts = TEXTS.into_iter().filter(|name| is_empty(rule.get(name)));
    let parts = SOURCE.into_iter().filter(|name| is_empty(source.and_then(|of| of.get(name))));
    let is_empty_source = source.and_then(Value::as_object).is_some_and(Object::is_empty);
    let rest = [("is_active", is_active == Some(true)), ("source_ref", is_empty_source)];
    let rest = rest.into_iter().filter(|(_, is_explicit)| *is_explicit).map(|(name, _)| name);
    texts.chain(parts).chain(rest).collect::<Vec<_>>().join(" ")
}

/// Returns whether a text contains a line break where its field has one line, or a line break that a text
/// area would change.
fn breaks_lines(rule: &Value) -> bool {
    let breaks = |name: &str, value: &Value| match name {
        "description" => contains_char(value, &['\r']),
        _ => contains_char(value, &['\r', '\n']),
    };
    rule.as_object().into_iter().flatten().any(|(name, value)| breaks(name, value))
}

fn contains_char(value: &Value, letters: &[char]) -> bool {
    match value {
        Value::String(text) => text.contains(letters),
        Value::Array(elements) => elements.iter().any(|element| contains_char(element, letters)),
        Value::Object(members) => members
            .iter()
            .any(|(name, value)| name.contains(letters) || contains_char(value, letters)),
        _ => false,
    }
}
