//! `govern policy diff`: the differences between a policy file and the service, rule by rule.

use std::collections::BTreeMap;

use contract::json::Value;
use serde::Serialize;
use similar::TextDiff;

use super::{
    args::DiffArgs,
    file::{PolicyFile, without_nulls},
    remote::{self, Remote},
};
use crate::{
    client::Client,
    exit::{Error, Exit},
    output::{self, BOLD, DIM, GREEN, RED, YELLOW, styled},
};

/// The differences between two policies.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct PolicyDiff {
    /// The members of the policy that differ.
    pub members: Vec<Change>,
    /// The codes of new rules.
    pub added: Vec<String>,
    /// The codes of removed rules.
    pub removed: Vec<String>,
    /// The rules that differ.
    pub changed: Vec<RuleChange>,
    /// Whether common rules have another order.
    pub is_reordered: bool,
}

/// The differences of a rule.
#[derive(Debug, PartialEq, Serialize)]
pub struct RuleChange {
    /// The code of the rule.
    pub code: String,
    /// The members that differ.
    pub members: Vec<Change>,
}

/// A value that differs.
#[derive(Debug, PartialEq, Serialize)]
pub struct Change {
    /// The path of the value, with `/` between names.
    pub path: String,
    /// The value before; absent if it is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// The value after; absent if it is removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

impl PolicyDiff {
    /// Returns whether there is no difference.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether the rules are equal.
    pub(super) fn has_equal_rules(&self) -> bool {
        let Self { added, removed, changed, is_reordered, .. } = self;
        added.is_empty() && removed.is_empty() && changed.is_empty() && !is_reordered
    }
}

pub(super) async fn run(args: DiffArgs) -> Result<Exit, Error> {
    let file = PolicyFile::read(&args.file)?;
    let client = Client::new(&args.connection.connection()?)?;
    let remote = Remote::read(&client, file.code(), args.version_number).await?;
    let before = remote.as_ref().map_or(Value::Null, |remote| remote.value(Some(&file.value)));
    let diff = between(&before, &file.value);
    if args.json {
        output::print_json(&serde_json::to_string(&diff).unwrap_or_default())?;
    } else if args.unified {
        let old = if remote.is_some() { file.format.render(&before) } else { String::new() };
        let new = file.format.render(&without_nulls(&file.value));
        output::print(&unified(&old, &new))?;
    } else {
        let name = remote.as_ref().map_or_else(no_policy, Remote::name);
        output::print(&text(file.code(), &name, &diff))?;
    }
    Ok(Exit::negative_if(!diff.is_empty()))
}

fn no_policy() -> String {
    "the service, which has no such policy".to_owned()
}

/// Returns the differences from the policy `before` to `after`. Absent members equal their defaults.
pub fn between(before: &Value, after: &Value) -> PolicyDiff {
    let members = |policy: &Value| {
        let mut policy = remote::with_defaults(&without_nulls(policy));
        policy.remove("rules");
        Value::Object(policy)
    };
    let mut diff = PolicyDiff::default();
    changes("", &members(before), &members(after), &mut diff.members);
    let (before, after) = (rules(before), rules(after));
    let old: BTreeMap<&str, &Value> = before.iter().map(|rule| (code(rule), rule)).collect();
    let new: BTreeMap<&str, &Value> = after.iter().map(|rule| (code(rule), rule)).collect();
    for rule in &after {
        match old.get(code(rule)) {
            None => diff.added.push(code(rule).to_owned()),
            Some(before) => {
                let mut members = Vec::new();
                changes("", before, rule, &mut members);
                if !members.is_empty() {
                    diff.changed.push(RuleChange { code: code(rule).to_owned(), members });
                }
            }
        }
    }
    let removed = before.iter().map(code).filter(|code| !new.contains_key(code));
    diff.removed = removed.map(str::to_owned).collect();
    let old_order = before.iter().map(code).filter(|code| new.contains_key(code));
    let new_order = after.iter().map(code).filter(|code| old.contains_key(code));
    diff.is_reordered = old_order.ne(new_order);
    diff
}

fn rules(policy: &Value) -> Vec<Value> {
    let rules = policy.get("rules").and_then(Value::as_array).unwrap_or_default();
    rules.iter().map(without_nulls).collect()
}

fn code(rule: &Value) -> &str {
    rule.get("code").and_then(Value::as_str).unwrap_or_default()
}

/// Adds the differences between two values. Objects are compared member by member.
fn changes(path: &str, before: &Value, after: &Value, out: &mut Vec<Change>) {
    let (Value::Object(old), Value::Object(new)) = (before, after) else {
        if before != after {
            let (before, after) = (Some(before.clone()), Some(after.clone()));
            out.push(Change { path: path.to_owned(), before, after });
        }
        return;
    };
    let names = old.iter().chain(new.iter()).map(|(name, _)| name);
    for name in names.collect::<std::collections::BTreeSet<_>>() {
        let path = if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
        match (old.get(name), new.get(name)) {
            (Some(before), Some(after)) => changes(&path, before, after, out),
            (before, after) => {
                out.push(Change { path, before: before.cloned(), after: after.cloned() });
            }
        }
    }
}

/// Returns the differences for people.
pub(super) fn text(code: &str, other: &str, diff: &PolicyDiff) -> String {
    let title = format!("{} compared with {other}", styled(code, BOLD));
    if diff.is_empty() {
        return format!("{title}: no differences");
    }
    let mut lines = vec![title];
    lines.extend(diff.members.iter().map(|change| format!("  {}", change_text(change))));
    lines.extend(diff.added.iter().map(|code| styled(format!("+ rule {code}"), GREEN)));
    lines.extend(diff.removed.iter().map(|code| styled(format!("- rule {code}"), RED)));
    for RuleChange { code, members } in &diff.changed {
        lines.push(styled(format!("~ rule {code}"), YELLOW));
        lines.extend(members.iter().map(|change| format!("    {}", change_text(change))));
    }
    if diff.is_reordered {
        lines.push(styled("~ the order of the rules", YELLOW));
    }
    lines.join("\n")
}

fn change_text(Change { path, before, after }: &Change) -> String {
    let path = styled(path, DIM);
    match (before, after) {
        (Some(before), Some(after)) => format!("{path}: {before} → {after}"),
        (None, Some(after)) => format!("{path}: {} {after}", styled("added", GREEN)),
        (Some(before), None) => format!("{path}: {} {before}", styled("removed", RED)),
        (None, None) => path,
    }
}

/// Returns the unified difference of two texts.
fn unified(old: &str, new: &str) -> String {
    let diff = TextDiff::from_lines(old, new);
    let text = diff.unified_diff().header("service", "file").to_string();
    let color = |line: &str| match line.chars().next() {
        Some('+') => styled(line, GREEN),
        Some('-') => styled(line, RED),
        _ => line.to_owned(),
    };
    text.lines().map(color).collect::<Vec<_>>().join("\n")
}
