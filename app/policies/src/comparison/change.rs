//! The differences between two versions, rule by rule and property by property.

use contract::{
    policy::{RuleChange, VersionDiff},
    rule::SourceRef,
};
use page_kit::{
    prelude::*,
    text::{
        difference::{Run, of_sentences, of_texts},
        messages::capitalize,
        rule::{gate_text, member_label, member_value, rule_type_info},
    },
};
use rules::rule::view::RuleLine;

/// The kind of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    Added,
    Removed,
    /// Members of the rule differ.
    Changed,
    /// Only the position of the rule differs.
    Moved,
}

impl ChangeKind {
    /// Returns the symbol, the name and the color of a difference.
    pub(crate) fn appearance(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Added => ("+", "added", "allow"),
            Self::Removed => ("-", "removed", "deny"),
            Self::Changed => ("~", "changed", "warn"),
            Self::Moved => (">", "moved", "na"),
        }
    }
}

/// A rule that differs.
#[derive(Clone, Debug)]
pub struct Change {
    pub(crate) kind: ChangeKind,
    /// Its code; for a removed rule, its former code.
    pub(crate) code: String,
    /// The rule in the active version.
    pub(crate) before: Option<RuleLine>,
    /// The rule in the reviewed version.
    pub(crate) after: Option<RuleLine>,
    /// The names of the members that differ.
    pub(crate) members: Vec<String>,
    /// The old and the new position, from 1, if the rule was moved.
    pub(crate) moved: Option<(u32, u32)>,
    /// The mark for "viewed". It includes a digest, so another change of the rule has a different mark.
    pub(crate) mark: String,
}

impl Change {
    /// Returns the name of the rule.
    pub(crate) fn name(&self) -> Option<String> {
        self.after.as_ref().or(self.before.as_ref())?.name.clone()
    }

    /// Returns the sentences of both sides with their differences, if the rule is on both.
    pub(crate) fn words(&self) -> Option<Vec<Run>> {
        let (before, after) = self.before.as_ref().zip(self.after.as_ref())?;
        Some(of_sentences(&before.sentence, &after.sentence))
    }
}

/// The digits of a rule's digest in a mark. Only its reviewer sees a mark, and 64 bits distinguish the changes of one
/// rule. A page with 1,000 changes repeats them.
const MARK_DIGITS: usize = 16;

/// Returns all differences, in the order of `after`. `digest` computes the digest of a rule.
pub fn changes(
    diff: &VersionDiff,
    after: &[Rule],
    digest: impl Fn(&Rule) -> String,
) -> Vec<Change> {
    let mark = |rule: &Rule| {
        let digest = digest(rule);
        format!("{} {}", rule.code, digest.get(..MARK_DIGITS).unwrap_or(&digest))
    };
    let positions: BTreeMap<&str, (u32, u32)> = diff
        .moved
        .iter()
        .map(|moved| (moved.code.as_str(), (moved.from + 1, moved.to + 1)))
        .collect();
    let change = |rule: &Rule| {
        let moved = positions.get(rule.code.as_str()).copied();
        let changed = diff.changed.iter().find(|changed| changed.code == rule.code);
        let is_added = diff.added.iter().any(|added| added.code == rule.code);
        let kind = match (is_added, changed, moved) {
            (true, ..) => ChangeKind::Added,
            (_, Some(_), _) => ChangeKind::Changed,
            (.., Some(_)) => ChangeKind::Moved,
            _ => return None,
        };
        Some(Change {
            kind,
            code: rule.code.clone(),
            before: changed.map(|changed| RuleLine::from(&changed.before)),
            after: Some(RuleLine::from(rule)),
            members: changed.map(|changed| changed.fields.clone()).unwrap_or_default(),
            moved,
            mark: mark(rule),
        })
    };
    let removed = |rule: &Rule| Change {
        kind: ChangeKind::Removed,
        code: rule.code.clone(),
        before: Some(RuleLine::from(rule)),
        after: None,
        members: Vec::new(),
        moved: None,
        mark: mark(rule),
    };
    after.iter().filter_map(change).chain(diff.removed.iter().map(removed)).collect()
}

/// Returns the rules that are equal in both versions.
pub fn same(changes: &[Change], after: &[Rule]) -> Vec<RuleLine> {
    let differs = |rule: &&Rule| changes.iter().any(|change| change.code == rule.code);
    after.iter().filter(|rule| !differs(rule)).map(RuleLine::from).collect()
}

/// A rule that differs, with its changed words and properties.
#[derive(Clone, Debug)]
pub(crate) struct RuleComparison {
    pub(crate) change: Change,
    /// The sentences of a changed rule; empty for other rules.
    pub(crate) sentence: Vec<Run>,
    /// The properties of a changed rule that differ.
    pub(crate) properties: Vec<PropertyChange>,
}

/// A property with different values.
#[derive(Clone, Debug)]
pub(crate) struct PropertyChange {
    pub(crate) label: String,
    pub(crate) runs: Vec<Run>,
}

/// Returns all differences with their changed words and properties, in the order of `after`.
pub(crate) fn comparisons(diff: &VersionDiff, after: &[Rule]) -> Vec<RuleComparison> {
    let changed: BTreeMap<&str, &RuleChange> =
        diff.changed.iter().map(|change| (change.code.as_str(), change)).collect();
    let comparison = |change: Change| {
        let changed = changed.get(change.code.as_str());
        let changed = changed.filter(|_| change.kind == ChangeKind::Changed);
        RuleComparison {
            sentence: change.words().unwrap_or_default(),
            properties: changed.map(|change| properties(change)).unwrap_or_default(),
            change,
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
                properties.extend(property(capitalize(member(field)), values));
            }
        }
    }
    properties
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
            None => "yes (default)".to_owned(),
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
        ("Source document", |source| source.document.clone()),
        ("Source section", |source| source.section.clone()),
        ("Source URL", |source| source.url.clone()),
    ];
    let change = |(label, part): (&str, Part)| {
        let (old, new) = (before.and_then(part), after.and_then(part));
        (old != new).then(|| property(label.to_owned(), [old, new])).flatten()
    };
    parts.into_iter().filter_map(change).collect()
}

/// Returns the name of a member of a rule.
pub fn member(name: &str) -> &str {
    match name {
        "code" => "code",
        "name" => "name",
        "rule_type" => "type",
        "condition" => "condition",
        "severity" => "severity",
        "description" => "description",
        "is_active" => "active",
        "when" => "gate",
        "source_ref" => "source",
        "replaces_rule_code" => "replaced rule",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use page_kit::text::{
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
