//! Strict parsing of authored rules: rules that are accepted here can be compiled and evaluated.
//!
//! All errors are collected, with a JSON Pointer to each.

use std::collections::BTreeSet;

use contract::{
    json::{Object, Value},
    read::{
        self, FieldErrors, FromJson as _, JsonPath, ObjectReader,
        schema::{self, Shape},
    },
    rule::{Rule, RuleType, Severity, SourceRef},
};

use crate::{field::SlotTable, gate::Gate, rule::Condition};

/// The maximum number of rules of a version.
const RULES_MAX: usize = 1_000;
/// The number of errors after which reading stops, because [`FieldErrors`] stores no more.
const ERRORS_MAX: usize = 100;

/// The schema names of the conditions, in the order of [`RuleType::ALL`].
const CONDITIONS: [&str; 8] = [
    "PresenceConditionDraft",
    "ThresholdConditionDraft",
    "ListConditionDraft",
    "TemporalConditionDraft",
    "PatternConditionDraft",
    "ComparisonConditionDraft",
    "EvidenceConditionDraft",
    "DistinctConditionDraft",
];

/// Reads the `rules` of a version at the path `at`. Returns `None` if `errors` contains an error.
///
/// An unknown rule type is also reported here, but the service has its own error code for it. Call
/// [`unsupported_rule_type`] first.
pub fn read_rules(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Vec<Rule>> {
    if errors.is_describing() {
        let rule = errors.schema_of(|errors| {
            errors.describes_named("RuleDraft", |errors| describe_rule(at, errors));
        });
        errors.describes(|| schema::list(rule, 0, RULES_MAX));
        return None;
    }
    let Some(elements) = value.as_array() else {
        errors.push(at, "type", "must be an array");
        return None;
    };
    if elements.len() > RULES_MAX {
        errors.push(at, "too_many", format!("must have at most {RULES_MAX} elements"));
        return None;
    }
    let mut reader = Reader { names: SlotTable::for_new_rules(), ..Reader::default() };
    let mut rules = Vec::new();
    for (index, element) in elements.iter().enumerate() {
        if errors.len() >= ERRORS_MAX {
            break;
        }
        rules.extend(reader.rule(element, &at.index(index), errors));
    }
    errors.is_empty().then_some(rules)
}

/// Returns the code (empty if absent) and the type of the first rule whose `rule_type` is a string but not
/// one of the eight types.
pub fn unsupported_rule_type(value: &Value) -> Option<(String, String)> {
    let text = |rule: &Value, name| rule.get(name).and_then(Value::as_str).map(str::to_owned);
    value.as_array()?.iter().find_map(|rule| {
        let rule_type = text(rule, "rule_type")?;
        let unknown = rule_type.parse::<RuleType>().is_err();
        unknown.then(|| (text(rule, "code").unwrap_or_default(), rule_type))
    })
}

/// Describes a rule: one shape per type, with the condition of that type.
fn describe_rule(at: &JsonPath<'_>, errors: &mut FieldErrors) {
    let mut shapes = Vec::new();
    for (rule_type, name) in RuleType::ALL.into_iter().zip(CONDITIONS) {
        let condition = errors.schema_of(|errors| {
            errors.describes_named(name, |errors| {
                Condition::read(rule_type, &Value::Null, at, errors, &mut SlotTable::default());
            });
        });
        shapes.push(Shape {
            overrides: vec![
                ("rule_type", schema::string_enum([rule_type.as_str()])),
                ("condition", condition),
            ],
            ..Shape::default()
        });
    }
    let rule = &Value::Null;
    let Some(mut members) = ObjectReader::new(rule, at, errors) else { return };
    Reader::default().members(rule, &mut members);
    members.one_of(|| shapes);
    members.finish();
}

/// The state shared by the rules of a version while they are read.
#[derive(Default)]
struct Reader<'v> {
    names: SlotTable,
    codes: BTreeSet<&'v str>,
}

impl<'v> Reader<'v> {
    fn rule(
        &mut self,
        value: &'v Value,
        at: &JsonPath<'_>,
        errors: &mut FieldErrors,
    ) -> Option<Rule> {
        let mut members = ObjectReader::new(value, at, errors)?;
        let rule = self.members(value, &mut members);
        members.finish()?;
        rule
    }

    fn members(&mut self, value: &'v Value, members: &mut ObjectReader<'_, '_>) -> Option<Rule> {
        let code = members.required("code", read::code);
        self.reject_duplicate(value, members);
        let name = members.optional("name", read::name);
        let rule_type = members.required("rule_type", RuleType::from_json);
        let condition = members.required("condition", |value, at, errors| match rule_type {
            Some(rule_type) => self.condition(rule_type, value, at, errors),
            None => Object::from_json(value, at, errors).map(Value::Object),
        });
        let severity = members.required("severity", Severity::from_json);
        let description = members.optional("description", read::long_text);
        let is_active = members.optional("is_active", bool::from_json);
        let when = members.optional("when", |value, at, errors| {
            Gate::read(value, at, errors, &mut self.names).map(|_| value.clone())
        });
        let source_ref = members.optional("source_ref", source_ref);
        let replaces_rule_code = members.optional("replaces_rule_code", read::code);
        Some(Rule {
            code: code?,
            name,
            rule_type: rule_type?,
            condition: condition?,
            severity: severity?,
            description,
            is_active,
            when,
            source_ref,
            replaces_rule_code,
        })
    }

    /// Refuses a rule whose code is used by an earlier rule.
    fn reject_duplicate(&mut self, rule: &'v Value, members: &mut ObjectReader<'_, '_>) {
        if let Some(code) = rule.get("code").and_then(Value::as_str)
            && !self.codes.insert(code)
        {
            let message = format!("`{code}` is already the code of an earlier rule");
            members.add_error("code", "duplicate", message);
        }
    }

    fn condition(
        &mut self,
        rule_type: RuleType,
        value: &Value,
        at: &JsonPath<'_>,
        errors: &mut FieldErrors,
    ) -> Option<Value> {
        Condition::read(rule_type, value, at, errors, &mut self.names).map(|_| value.clone())
    }
}

fn source_ref(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<SourceRef> {
    let mut members = ObjectReader::new(value, at, errors)?;
    let source = SourceRef {
        document: members.optional("document", read::long_text),
        section: members.optional("section", read::long_text),
        url: members.optional("url", read::long_text),
    };
    members.finish()?;
    Some(source)
}
