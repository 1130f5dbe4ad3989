//! What one list of rules asks otherwise than another, as a pure function.

use std::collections::HashMap;

use contract::{
    json::Value,
    policy::{RuleChange, RuleMove, VersionDiff},
    rule::Rule,
};
use receipt::canon::Canonical;

/// The way from the rules `before` to the rules `after`.
///
/// Rules are the same rule when their codes are; else when the later one names the earlier one in
/// `replaces_rule_code`, which only pairs them for the reader: nothing rests on it.
pub(super) fn between(before: &[Rule], after: &[Rule]) -> VersionDiff {
    let pairs = pairs(before, after);
    let both: Vec<Pair<'_>> = pairs
        .iter()
        .zip(after)
        .enumerate()
        .filter_map(|(to, (from, after))| {
            let from = (*from)?;
            Some(Pair { from, to, before: before.get(from)?, after })
        })
        .collect();
    let mut is_kept = vec![false; before.len()];
    for pair in &both {
        is_kept[pair.from] = true;
    }
    let added = pairs.iter().zip(after).filter(|(from, _)| from.is_none());
    let removed = before.iter().zip(&is_kept).filter(|(_, is_kept)| !**is_kept);
    VersionDiff {
        against: None,
        added: added.map(|(_, rule)| rule.clone()).collect(),
        removed: removed.map(|(rule, _)| rule.clone()).collect(),
        changed: both.iter().filter_map(Pair::change).collect(),
        moved: moved(&both),
    }
}

/// A rule that both lists have.
struct Pair<'a> {
    from: usize,
    to: usize,
    before: &'a Rule,
    after: &'a Rule,
}

impl Pair<'_> {
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

/// For each later rule the place of the earlier one that it is.
fn pairs(before: &[Rule], after: &[Rule]) -> Vec<Option<usize>> {
    let places: HashMap<&str, usize> =
        before.iter().enumerate().map(|(place, rule)| (rule.code.as_str(), place)).collect();
    let mut pairs: Vec<Option<usize>> =
        after.iter().map(|rule| places.get(rule.code.as_str()).copied()).collect();
    let mut is_taken = vec![false; before.len()];
    for place in pairs.iter().flatten() {
        is_taken[*place] = true;
    }
    for (pair, rule) in pairs.iter_mut().zip(after).filter(|(pair, _)| pair.is_none()) {
        let replaced = rule.replaces_rule_code.as_deref().and_then(|code| places.get(code));
        if let Some(place) = replaced.filter(|place| !is_taken[**place]) {
            is_taken[*place] = true;
            *pair = Some(*place);
        }
    }
    pairs
}

/// The members that differ, in the order in which rules are written.
fn fields(before: &Rule, after: &Rule) -> Vec<String> {
    // Taken apart, so that no member can be forgotten.
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

/// The pairs outside the longest run of rules that kept their order.
fn moved(both: &[Pair<'_>]) -> Vec<RuleMove> {
    let stayed = longest_rise(&both.iter().map(|pair| pair.from).collect::<Vec<_>>());
    let place = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    both.iter()
        .zip(stayed)
        .filter(|(_, stayed)| !stayed)
        .map(|(pair, _)| RuleMove {
            code: pair.after.code.clone(),
            from: place(pair.from),
            to: place(pair.to),
        })
        .collect()
}

/// Which elements make up a longest rising run of `numbers`, all of which differ.
fn longest_rise(numbers: &[usize]) -> Vec<bool> {
    // `ends[n]` is where the run of n + 1 elements with the lowest end ends; `previous` leads back.
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
    let mut is_in = vec![false; numbers.len()];
    let mut at = ends.last().copied();
    while let Some(index) = at {
        is_in[index] = true;
        at = previous[index];
    }
    is_in
}

/// Names the exact bytes of a rule, for marks that hold as long as the rule stays as it is.
pub fn rule_digest(rule: &Rule) -> String {
    let tree = serde_json::to_value(rule).and_then(serde_json::from_value::<Value>);
    tree.map(|tree| Canonical::of(&tree).digest.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::{json::Value, rule::Severity};

    /// Rules of one letter each.
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

    /// `+added -removed ~changed >moved`, by codes.
    fn said(before: &[Rule], after: &[Rule]) -> String {
        let diff = between(before, after);
        let changed: String = diff.changed.iter().map(|change| change.code.as_str()).collect();
        let moved: String = diff.moved.iter().map(|moved| moved.code.as_str()).collect();
        format!("+{} -{} ~{changed} >{moved}", codes(&diff.added), codes(&diff.removed))
    }

    #[test]
    fn rules_that_came_went_or_moved_are_told_apart() {
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
            assert_eq!(said(&rules(before), &rules(after)), expected, "{before} to {after}");
        }
    }

    #[test]
    fn a_move_names_both_places() {
        let moved = between(&rules("abcd"), &rules("dabc")).moved;
        assert_eq!(moved, [RuleMove { code: "d".to_owned(), from: 3, to: 0 }]);
    }

    #[test]
    fn a_changed_rule_names_the_members_that_differ() {
        let before = rules("ab");
        let mut after = rules("ab");
        after[1].severity = Severity::High;
        after[1].when = Some(Value::from(true));
        let diff = between(&before, &after);
        assert_eq!(diff.changed.len(), 1);
        assert_eq!(diff.changed[0].fields, ["severity", "when"]);
        assert_eq!((&diff.changed[0].before, &diff.changed[0].after), (&before[1], &after[1]));
    }

    #[test]
    fn every_member_of_a_rule_counts() {
        let before = rules("a");
        let text = r#"{"code":"b","name":"n","rule_type":"list","severity":"high","condition":{},
                       "description":"d","is_active":true,"when":{},"source_ref":{},
                       "replaces_rule_code":"a"}"#;
        let after: Rule = serde_json::from_str(text).unwrap();
        let written: std::collections::BTreeMap<String, serde_json::Value> =
            serde_json::from_str(text).unwrap();
        let mut fields = between(&before, &[after]).changed[0].fields.clone();
        fields.sort();
        assert_eq!(fields, written.into_keys().collect::<Vec<_>>());
    }

    #[test]
    fn a_rule_may_say_which_one_it_replaces() {
        let before = rules("abc");
        let replacing = |code: &str, replaced: &str| {
            let mut rule = rules(code).remove(0);
            rule.replaces_rule_code = Some(replaced.to_owned());
            rule
        };
        // Equal codes come first, then the first that names a rule that is gone.
        let after =
            [replacing("x", "b"), replacing("y", "b"), replacing("z", "c"), rules("c").remove(0)];
        assert_eq!(said(&before, &after), "+yz -a ~x >");
        assert!(between(&before, &after).changed[0].fields.contains(&"code".to_owned()));
        let nowhere = [replacing("x", "nowhere")];
        assert_eq!(said(&before, &nowhere), "+x -abc ~ >");
    }

    #[test]
    fn a_diff_is_empty_only_between_equal_rules() {
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
