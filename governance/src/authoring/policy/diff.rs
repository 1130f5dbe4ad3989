//! The differences between two lists of rules, as a pure function.

use contract::policy::{RuleChange, RuleMove, VersionDiff};

use crate::base::prelude::*;

/// Returns the changes from the rules `before` to the rules `after`.
///
/// Rules are paired by code. A rule without a match is paired with the earlier rule that it names in
/// `replaces_rule_code`. This pairing only affects how the difference is displayed.
pub(super) fn between(before: &[Rule], after: &[Rule]) -> VersionDiff {
    let pairs = pairs(before, after);
    let paired: Vec<RulePair<'_>> = pairs
        .iter()
        .zip(after)
        .enumerate()
        .filter_map(|(to, (from, after))| {
            let from = (*from)?;
            Some(RulePair { from, to, before: before.get(from)?, after })
        })
        .collect();
    let mut is_paired = vec![false; before.len()];
    for pair in &paired {
        is_paired[pair.from] = true;
    }
    let added = pairs.iter().zip(after).filter(|(from, _)| from.is_none());
    let removed = before.iter().zip(&is_paired).filter(|(_, is_paired)| !**is_paired);
    VersionDiff {
        against: None,
        added: added.map(|(_, rule)| rule.clone()).collect(),
        removed: removed.map(|(rule, _)| rule.clone()).collect(),
        changed: paired.iter().filter_map(RulePair::change).collect(),
        moved: moved_rules(&paired),
    }
}

/// A rule that both lists contain.
struct RulePair<'a> {
    from: usize,
    to: usize,
    before: &'a Rule,
    after: &'a Rule,
}

impl RulePair<'_> {
    fn change(&self) -> Option<RuleChange> {
        let fields = fields(self.before, self.after);
        (!fields.is_empty()).then(|| RuleChange {
            code: self.after.code.clone(),
            before: self.before.clone(),
            after: self.after.clone(),
            fields,
        })
    }
}

/// Returns for each later rule the index of the paired earlier rule.
fn pairs(before: &[Rule], after: &[Rule]) -> Vec<Option<usize>> {
    let indices: HashMap<&str, usize> =
        before.iter().enumerate().map(|(index, rule)| (rule.code.as_str(), index)).collect();
    let mut pairs: Vec<Option<usize>> =
        after.iter().map(|rule| indices.get(rule.code.as_str()).copied()).collect();
    let mut is_taken = vec![false; before.len()];
    for index in pairs.iter().flatten() {
        is_taken[*index] = true;
    }
    for (pair, rule) in pairs.iter_mut().zip(after).filter(|(pair, _)| pair.is_none()) {
        let replaced = rule.replaces_rule_code.as_deref().and_then(|code| indices.get(code));
        if let Some(index) = replaced.filter(|index| !is_taken[**index]) {
            is_taken[*index] = true;
            *pair = Some(*index);
        }
    }
    pairs
}

/// Returns the members that differ, in the order in which rules are written.
fn fields(before: &Rule, after: &Rule) -> Vec<String> {
    // Destructured, so that a new member cannot be forgotten.
    let Rule {
        code,
        name,
        rule_type,
        condition,
        severity,
        description,
        is_active,
        when,
        source_ref,
        replaces_rule_code,
    } = before;
    let members = [
        ("code", *code != after.code),
        ("name", *name != after.name),
        ("rule_type", *rule_type != after.rule_type),
        ("condition", *condition != after.condition),
        ("severity", *severity != after.severity),
        ("description", *description != after.description),
        ("is_active", *is_active != after.is_active),
        ("when", *when != after.when),
        ("source_ref", *source_ref != after.source_ref),
        ("replaces_rule_code", *replaces_rule_code != after.replaces_rule_code),
    ];
    members.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name.to_owned()).collect()
}

/// Returns the pairs outside the longest sequence of rules in unchanged order.
fn moved_rules(paired: &[RulePair<'_>]) -> Vec<RuleMove> {
    let in_order = longest_increasing(&paired.iter().map(|pair| pair.from).collect::<Vec<_>>());
    let to_u32 = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    paired
        .iter()
        .zip(in_order)
        .filter(|(_, in_order)| !in_order)
        .map(|(pair, _)| RuleMove {
            code: pair.after.code.clone(),
            from: to_u32(pair.from),
            to: to_u32(pair.to),
        })
        .collect()
}

/// Marks the elements of a longest increasing subsequence of `numbers`, which are distinct.
fn longest_increasing(numbers: &[usize]) -> Vec<bool> {
    // `ends[n]` is the index of the lowest last element of all subsequences of length n + 1; `previous`
    // links each element to its predecessor.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(numbers.len());
    for (index, number) in numbers.iter().enumerate() {
        let length = ends.partition_point(|end| numbers[*end] < *number);
        previous.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(index);
        } else {
            ends[length] = index;
        }
    }
    let mut is_member = vec![false; numbers.len()];
    let mut next = ends.last().copied();
    while let Some(index) = next {
        is_member[index] = true;
        next = previous[index];
    }
    is_member
}

/// Returns the digest of a rule, which identifies its exact content.
pub fn rule_digest(rule: &Rule) -> String {
    to_json(rule)
        .map(|value| CanonicalJson::from_value(&value).digest.to_string())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::rule::Severity;

    /// Rules with one-letter codes.
    fn rules(codes: &str) -> Vec<Rule> {
        let rule = |code: char| -> Rule {
            serde_json::from_str(&format!(
                r#"{{"code":"{code}","rule_type":"presence","severity":"low",
                     "condition":{{"required_fields":["{code}"]}}}}"#
            ))
            .unwrap()
        };
        codes.chars().map(rule).collect()
    }

    fn codes(rules: &[Rule]) -> String {
        rules.iter().map(|rule| rule.code.as_str()).collect()
    }

    /// Formats a diff as `+added -removed ~changed >moved`, by codes.
    fn summary(before: &[Rule], after: &[Rule]) -> String {
        let diff = between(before, after);
        let changed: String = diff.changed.iter().map(|change| change.code.as_str()).collect();
        let moved: String = diff.moved.iter().map(|moved| moved.code.as_str()).collect();
        format!("+{} -{} ~{changed} >{moved}", codes(&diff.added), codes(&diff.removed))
    }

    #[test]
    fn added_removed_and_moved_rules_are_distinguished() {
        for (before, after, expected) in [
            ("", "", "+ - ~ >"),
            ("", "abc", "+abc - ~ >"),
            ("abc", "", "+ -abc ~ >"),
            ("abc", "abc", "+ - ~ >"),
            ("abc", "xabc", "+x - ~ >"),
            ("abc", "bc", "+ -a ~ >"),
            ("abcd", "bcda", "+ - ~ >a"),
            ("abcd", "dabc", "+ - ~ >d"),
            ("ab", "ba", "+ - ~ >b"),
            ("abcdef", "xcbady", "+xy -ef ~ >cb"),
        ] {
            assert_eq!(summary(&rules(before), &rules(after)), expected, "{before} to {after}");
        }
    }

    #[test]
    fn move_contains_both_positions() {
        let moved = between(&rules("abcd"), &rules("dabc")).moved;
        assert_eq!(moved, [RuleMove { code: "d".to_owned(), from: 3, to: 0 }]);
    }

    #[test]
    fn changed_rule_lists_the_differing_members() {
        let before = rules("ab");
        let mut after = rules("ab");
        after[1].severity = Severity::High;
        after[1].when = Some(contract::json::Value::from(true));
        let diff = between(&before, &after);
        assert_eq!(diff.changed.len(), 1);
        assert_eq!(diff.changed[0].fields, ["severity", "when"]);
        assert_eq!((&diff.changed[0].before, &diff.changed[0].after), (&before[1], &after[1]));
    }

    #[test]
    fn difference_in_any_rule_member_is_reported() {
        let before = rules("a");
        let text = r#"{"code":"b","name":"n","rule_type":"list","severity":"high","condition":{},
                       "description":"d","is_active":true,"when":{},"source_ref":{},
                       "replaces_rule_code":"a"}"#;
        let after: Rule = serde_json::from_str(text).unwrap();
        let members: std::collections::BTreeMap<String, serde_json::Value> =
            serde_json::from_str(text).unwrap();
        let mut fields = between(&before, &[after]).changed[0].fields.clone();
        fields.sort();
        assert_eq!(fields, members.into_keys().collect::<Vec<_>>());
    }

    #[test]
    fn rule_is_paired_with_the_rule_that_it_replaces() {
        let before = rules("abc");
        let replacing = |code: &str, replaced: &str| {
            let mut rule = rules(code).remove(0);
            rule.replaces_rule_code = Some(replaced.to_owned());
            rule
        };
        // Rules with equal codes are paired first, then the first rule that names a removed rule.
        let after =
            [replacing("x", "b"), replacing("y", "b"), replacing("z", "c"), rules("c").remove(0)];
        assert_eq!(summary(&before, &after), "+yz -a ~x >");
        assert!(between(&before, &after).changed[0].fields.contains(&"code".to_owned()));
        let unpaired = [replacing("x", "nowhere")];
        assert_eq!(summary(&before, &unpaired), "+x -abc ~ >");
    }

    #[test]
    fn diff_is_empty_only_for_equal_rules() {
        let lists: Vec<Vec<Rule>> =
            ["", "a", "b", "ab", "ba", "abc", "cab", "bca", "acb"].map(rules).to_vec();
        for before in &lists {
            for after in &lists {
                let is_empty = between(before, after) == VersionDiff::default();
                assert_eq!(is_empty, before == after, "{} {}", codes(before), codes(after));
            }
        }
    }
}
