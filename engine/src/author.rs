//! Reads authored rules strictly: whatever passes here can be compiled and evaluated.
//!
//! Every error is collected, with a JSON Pointer to its place.

use std::collections::BTreeSet;

use contract::{
    json::Value,
    read::{
        self, At, Errors, Members,
        schema::{self, Shape},
    },
    rule::{Rule, RuleType, Severity, SourceRef},
};

use crate::{field::Names, gate::Gate, rule::Condition};

/// How many rules a version may have.
const RULES_MAX: usize = 1_000;
/// How many patterns of a version may be big, so that no version takes more than some 128 MiB.
const BIG_PATTERNS_MAX: usize = 32;
/// [`Errors`] keeps no more, so reading on after that many would be work for nothing.
const ERRORS_ENOUGH: usize = 100;

/// The words of [`RuleType`], in the order of the contract, and the names of their conditions' schemas.
const CONDITIONS: [(&str, &str); 8] = [
    ("presence", "PresenceConditionDraft"),
    ("threshold", "ThresholdConditionDraft"),
    ("list", "ListConditionDraft"),
    ("temporal", "TemporalConditionDraft"),
    ("pattern", "PatternConditionDraft"),
    ("comparison", "ComparisonConditionDraft"),
    ("evidence", "EvidenceConditionDraft"),
    ("distinct", "DistinctConditionDraft"),
];

/// The words of [`RuleType`], in the order of the contract.
const RULE_TYPES: &[&str] =
    &["presence", "threshold", "list", "temporal", "pattern", "comparison", "evidence", "distinct"];

const SEVERITIES: &[&str] = &["low", "medium", "high", "critical"];

/// Reads the `rules` of a version, which stand at `at`. `None` when there is an error in `errors`.
///
/// An unknown rule type is an error here too, but the service answers it with a code of its own:
/// ask [`unsupported_rule_type`] first.
pub fn read_rules(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Vec<Rule>> {
    if errors.is_describing() {
        let rule = errors.part(|errors| {
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
    let mut reader = Reader::default();
    let mut rules = Vec::new();
    for (index, element) in elements.iter().enumerate() {
        if errors.len() >= ERRORS_ENOUGH {
            break;
        }
        rules.extend(reader.rule(element, &at.index(index), errors));
    }
    errors.is_empty().then_some(rules)
}

/// The first rule whose `rule_type` is a text, but none of the eight types: its code (empty when it
/// has none) and that text.
pub fn unsupported_rule_type(value: &Value) -> Option<(String, String)> {
    let text = |rule: &Value, name| rule.get(name).and_then(Value::as_str).map(str::to_owned);
    value.as_array()?.iter().find_map(|rule| {
        let rule_type = text(rule, "rule_type")?;
        let unknown = rule_type.parse::<RuleType>().is_err();
        unknown.then(|| (text(rule, "code").unwrap_or_default(), rule_type))
    })
}

/// Describes a rule: one shape for each type, with the condition of that type.
fn describe_rule(at: &At<'_>, errors: &mut Errors) {
    let mut shapes = Vec::new();
    for (rule_type, (word, name)) in RuleType::ALL.into_iter().zip(CONDITIONS) {
        let condition = errors.part(|errors| {
            errors.describes_named(name, |errors| {
                Condition::read(rule_type, &Value::Null, at, errors, &mut Names::default());
            });
        });
        shapes.push(Shape {
            fixed: vec![("rule_type", schema::words([word])), ("condition", condition)],
            ..Shape::default()
        });
    }
    let rule = &Value::Null;
    let Some(mut members) = Members::of(rule, at, errors) else { return };
    Reader::default().members(rule, &mut members);
    members.one_of(|| shapes);
    members.finish();
}

/// What rules share while the rules of one version are read.
#[derive(Default)]
struct Reader<'v> {
    names: Names,
    codes: BTreeSet<&'v str>,
    big_patterns: usize,
}

impl<'v> Reader<'v> {
    fn rule(&mut self, value: &'v Value, at: &At<'_>, errors: &mut Errors) -> Option<Rule> {
        let mut members = Members::of(value, at, errors)?;
        let rule = self.members(value, &mut members);
        members.finish()?;
        rule
    }

    fn members(&mut self, value: &'v Value, members: &mut Members<'_, '_>) -> Option<Rule> {
        let code = members.required("code", read::code);
        self.refuse_duplicate(value, members);
        let name = members.optional("name", read::name);
        let rule_type = members.required("rule_type", read::word(RULE_TYPES));
        let condition = members.required("condition", |value, at, errors| match rule_type {
            Some(rule_type) => self.condition(rule_type, value, at, errors),
            None => read::object(value, at, errors).map(Value::Object),
        });
        let severity = members.required("severity", read::word::<Severity>(SEVERITIES));
        let description = members.optional("description", read::prose);
        let is_active = members.optional("is_active", read::boolean);
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

    /// Codes are unique in a version; the later of two is the wrong one.
    fn refuse_duplicate(&mut self, rule: &'v Value, members: &mut Members<'_, '_>) {
        if let Some(code) = rule.get("code").and_then(Value::as_str)
            && !self.codes.insert(code)
        {
            let message = format!("`{code}` is already the code of an earlier rule");
            members.refuse("code", "duplicate", message);
        }
    }

    fn condition(
        &mut self,
        rule_type: RuleType,
        value: &Value,
        at: &At<'_>,
        errors: &mut Errors,
    ) -> Option<Value> {
        let condition = Condition::read(rule_type, value, at, errors, &mut self.names)?;
        if condition.is_big_pattern() {
            self.big_patterns = self.big_patterns.saturating_add(1);
            if self.big_patterns > BIG_PATTERNS_MAX {
                let message =
                    format!("more than {BIG_PATTERNS_MAX} patterns are big when compiled");
                errors.push(at, "too_big", message);
                return None;
            }
        }
        Some(value.clone())
    }
}

fn source_ref(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<SourceRef> {
    let mut members = Members::of(value, at, errors)?;
    let source = SourceRef {
        document: members.optional("document", read::prose),
        section: members.optional("section", read::prose),
        url: members.optional("url", read::prose),
    };
    members.finish()?;
    Some(source)
}
