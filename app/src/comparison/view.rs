//! The comparison of two versions of a policy, rule by rule and property by property.

use std::collections::BTreeMap;

use contract::{
    json::{Object, Value},
    policy::{RuleChange, VersionDiff},
    rule::{Rule, SourceRef},
};
use serde::{Deserialize, Serialize};

use super::words as strings;
use crate::{
    comment::view::Discussion,
    review::{
        record::SubmissionLine,
        view::{ChangeKind, changes},
        words::member,
    },
    rule::view::RuleLine,
    text::{
        difference::{Run, of_sentences, of_texts},
        rule::{gate_text, member_label, member_value, rule_type_info},
        verdict,
    },
    version::view::VersionPage,
};

/// How changed rules are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Layout {
    #[default]
    SideBySide,
    Unified,
}

impl Layout {
    pub const ALL: [Self; 2] = [Self::SideBySide, Self::Unified];

    /// Returns its value in addresses: empty for the default.
    pub const fn word(self) -> &'static str {
        match self {
            Self::SideBySide => "",
            Self::Unified => "unified",
        }
    }

    /// Reads a value of an address. An unknown value means the default.
    pub fn read(word: &str) -> Self {
        Self::ALL.into_iter().find(|layout| layout.word() == word).unwrap_or_default()
    }

    pub const fn label(self) -> &'static str {
        match self {
            Self::SideBySide => "Side by side",
            Self::Unified => "Unified",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComparePage {
    /// The later side.
    pub version: VersionPage,
    /// The number of the earlier side; absent if there is no other version.
    pub against: Option<u32>,
    /// All versions of the policy, newest first: the number and the status.
    pub versions: Vec<(u32, String)>,
    /// The differences in the order of the later side; removed rules last.
    pub rules: Vec<RuleComparison>,
    /// The rules that are equal on both sides: code and name.
    pub same: Vec<(String, Option<String>)>,
    /// The review submissions of the later side, newest first.
    pub submissions: Vec<SubmissionLine>,
    pub discussion: Discussion,
    pub layout: Layout,
}

/// A rule that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleComparison {
    pub kind: ChangeKind,
    /// Its code; for a removed rule, its former code.
    pub code: String,
    pub before: Option<RuleLine>,
    pub after: Option<RuleLine>,
    /// The sentences of a changed rule; empty for other rules.
    pub sentence: Vec<Run>,
    /// The properties of a changed rule that differ.
    pub properties: Vec<PropertyChange>,
    /// The old and the new position, from 1, if the rule was moved.
    pub moved: Option<(u32, u32)>,
}

/// A property with different values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyChange {
    pub label: String,
    pub runs: Vec<Run>,
}

/// Returns all differences, in the order of `after`.
pub fn comparisons(diff: &VersionDiff, after: &[Rule]) -> Vec<RuleComparison> {
    let changed: BTreeMap<&str, &RuleChange> =
        diff.changed.iter().map(|change| (change.code.as_str(), change)).collect();
    let comparison = |change: crate::review::view::Change| {
        let changed = changed.get(change.code.as_str());
        let changed = changed.filter(|_| change.kind == ChangeKind::Changed);
        let sentence = change.before.as_ref().zip(change.after.as_ref());
        let sentence =
            sentence.map(|(before, after)| of_sentences(&before.sentence, &after.sentence));
        RuleComparison {
            kind: change.kind,
            sentence: sentence.unwrap_or_default(),
            properties: changed.map(|change| properties(change)).unwrap_or_default(),
            code: change.code,
            before: change.before,
            after: change.after,
            moved: change.moved,
        }
    };
    changes(diff, after, |_| String::new()).into_iter().map(comparison).collect()
}

/// Returns the properties of a changed rule that differ, in the order in which rules are written.
fn properties(change: &RuleChange) -> Vec<PropertyChange> {
    let RuleChange { before, after, fields, .. } = change;
    let mut properties = Vec::new();
    for field in fields {
        match field.as_str() {
            "condition" => properties.extend(condition(before, after)),
            "source_ref" => {
                properties.extend(source(before.source_ref.as_ref(), after.source_ref.as_ref()));
            }
            field => {
                let values = [value(before, field), value(after, field)];
                properties.extend(property(capitalized(member(field)), values));
            }
        }
    }
    properties
}

fn capitalized(label: &str) -> String {
    crate::text::messages::capitalize(label)
}

/// Returns the line of a property, unless its values have the same text.
fn property(label: String, [before, after]: [Option<String>; 2]) -> Option<PropertyChange> {
    let runs = of_texts(&before.unwrap_or_default(), &after.unwrap_or_default());
    (!runs.is_empty()).then_some(PropertyChange { label, runs })
}

/// Formats a property of a rule.
fn value(rule: &Rule, field: &str) -> Option<String> {
    match field {
        "code" => Some(rule.code.clone()),
        "name" => rule.name.clone(),
        "rule_type" => rule_type_info(rule.rule_type).map(|info| info.label.to_owned()),
        "severity" => Some(verdict::severity(rule.severity).to_owned()),
        "description" => rule.description.clone(),
        "is_active" => Some(match rule.is_active {
            None => strings::ACTIVE_BY_DEFAULT.to_owned(),
            Some(is_active) => member_value(&Value::Bool(is_active)),
        }),
        "when" => rule.when.as_ref().map(gate_text),
        "replaces_rule_code" => rule.replaces_rule_code.clone(),
        _ => None,
    }
}

/// Returns the members of two conditions that differ.
fn condition(before: &Rule, after: &Rule) -> Vec<PropertyChange> {
    let members = |rule: &Rule| {
        let members = rule.condition.as_object().into_iter().flat_map(Object::iter);
        members.map(|(name, _)| name.to_owned()).collect::<Vec<_>>()
    };
    let mut names = members(after);
    names.extend(members(before).into_iter().filter(|name| after.condition.get(name).is_none()));
    let change = |name: String| {
        let (old, new) = (before.condition.get(&name), after.condition.get(&name));
        let rule_type = if new.is_some() { after.rule_type } else { before.rule_type };
        let values = [old.map(member_value), new.map(member_value)];
        (old != new).then(|| property(member_label(rule_type, &name), values)).flatten()
    };
    names.into_iter().filter_map(change).collect()
}

/// Returns the parts of two source references that differ.
fn source(before: Option<&SourceRef>, after: Option<&SourceRef>) -> Vec<PropertyChange> {
    type Part = fn(&SourceRef) -> Option<String>;
    let parts: [(&str, Part); 3] = [
        (strings::SOURCE_DOCUMENT, |source| source.document.clone()),
        (strings::SOURCE_SECTION, |source| source.section.clone()),
        (strings::SOURCE_URL, |source| source.url.clone()),
    ];
    let change = |(label, part): (&str, Part)| {
        let (old, new) = (before.and_then(part), after.and_then(part));
        (old != new).then(|| property(label.to_owned(), [old, new])).flatten()
    };
    parts.into_iter().filter_map(change).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{
        difference::Side,
        sentence::{Piece, Sentence},
    };

    fn rule(text: &str) -> Rule {
        serde_json::from_str(text).unwrap()
    }

    /// Formats a property as `label: old > new`.
    fn line(property: &PropertyChange) -> String {
        let text = |side: Side| -> String {
            let runs = property.runs.iter().filter(|run| [Side::Both, side].contains(&run.side));
            let pieces: Vec<Piece> = runs.map(|run| run.piece.clone()).collect();
            Sentence(pieces).to_string()
        };
        format!("{}: {} > {}", property.label, text(Side::Before), text(Side::After))
    }

    #[test]
    fn each_changed_property_has_one_line() {
        let before = rule(
            r#"{"code":"A","name":"Limit","rule_type":"threshold","severity":"high",
                "condition":{"field":"amount","max":500},"source_ref":{"document":"Code"}}"#,
        );
        let after = rule(
            r#"{"code":"B","name":"Upper limit","rule_type":"threshold","severity":"low",
                "condition":{"field":"amount","max":450,"exclusive_max":true},"is_active":true,
                "when":{"field":"kind","equals":"new"},"replaces_rule_code":"A",
                "source_ref":{"document":"Code","section":"2"}}"#,
        );
        let fields = [
            "code",
            "name",
            "condition",
            "severity",
            "is_active",
            "when",
            "source_ref",
            "replaces_rule_code",
        ];
        let change = RuleChange {
            code: "B".into(),
            before,
            after,
            fields: fields.map(str::to_owned).to_vec(),
        };
        let lines: Vec<String> = properties(&change).iter().map(line).collect();
        assert_eq!(
            lines,
            [
                "Code: A > B",
                "Name: Limit > Upper limit",
                "Less than this, not equal:  > yes",
                "At most: 500 > 450",
                "Severity: High > Low",
                "Active: yes (default) > yes",
                "Gate:  > kind is \"new\" (exact case)",
                "Source section:  > 2",
                "Replaced rule:  > A",
            ]
        );
    }

    #[test]
    fn lists_and_maps_are_compared_without_json_syntax() {
        let of = |rule_type: &str, condition: &str| {
            rule(&format!(
                r#"{{"code":"A","rule_type":"{rule_type}","severity":"high",
                     "condition":{condition}}}"#
            ))
        };
        let lines = |rule_type: &str, before: &str, after: &str| {
            let properties = condition(&of(rule_type, before), &of(rule_type, after));
            properties.iter().map(line).collect::<Vec<_>>()
        };
        assert_eq!(
            lines(
                "list",
                r#"{"field":"c","allowed":["GBP"]}"#,
                r#"{"field":"c","allowed":["GBP","EUR"]}"#
            ),
            ["Values must be one of: GBP > GBP, EUR"]
        );
        assert_eq!(
            lines(
                "presence",
                r#"{"required_fields":["a"],"min_length":{"a":8}}"#,
                r#"{"required_fields":["a"],"min_length":{"a":9}}"#
            ),
            ["Minimum length: a: 8 > a: 9"]
        );
    }
}
