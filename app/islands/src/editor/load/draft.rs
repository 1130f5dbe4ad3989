//! A stored draft, and the changes that a form makes to it.

use governance::authoring::policy::{self, rule_input::VersionEdit};

use crate::{editor::view::EditorTarget, prelude::*};

pub(super) struct Draft {
    pub(super) version: PolicyVersion,
    pub(super) rules: Vec<Value>,
}

impl Draft {
    pub(super) async fn read(cx: &Cx, target: &EditorTarget) -> Result<Self, Problem> {
        let version = policy::version::read(cx, target.policy, target.version).await;
        Self::new(version?)
    }

    pub(super) fn new(version: PolicyVersion) -> Result<Self, Problem> {
        let rules = values(&version)?;
        Ok(Self { version, rules })
    }

    /// Returns the rule with this code, and its index.
    pub(super) fn find(&self, code: &str) -> Option<(usize, &Value)> {
        self.rules.iter().enumerate().find(|(_, rule)| text_of(rule, "code") == code)
    }

    /// Returns the rules after the action of the pressed button, and the new index of the rule. A rule that
    /// another user has removed in the meantime is added again at the end.
    pub(super) fn apply(&self, target: &EditorTarget, rule: Value) -> (Vec<Value>, usize) {
        let mut rules = self.rules.clone();
        let previous = self.find(&target.was).map(|(at, _)| at);
        if let Some(at) = previous {
            rules.remove(at);
        }
        let at = previous.unwrap_or(rules.len());
        let to = match target.act.as_str() {
            "remove" => return (rules, at),
            "up" => at.saturating_sub(1),
            "down" => at + 1,
            "move" => target.to.trim().parse::<usize>().map_or(at, |to| to.saturating_sub(1)),
            _ => at,
        };
        let to = to.min(rules.len());
        rules.insert(to, rule);
        (rules, to)
    }
}

/// Returns the rules of a version as JSON.
pub(super) fn values(version: &PolicyVersion) -> Result<Vec<Value>, Problem> {
    let tree = serde_json::to_value(version.rules.as_deref().unwrap_or_default());
    let tree = tree.and_then(serde_json::from_value::<Vec<Value>>);
    tree.map_err(|error| governance::Error::Bug(error.into()).into())
}

pub(super) fn text_of<'v>(rule: &'v Value, name: &str) -> &'v str {
    rule.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Returns an edit that replaces the rules of the draft with `rules`, or all errors in them.
pub(super) fn edit(revision: u32, rules: Vec<Value>) -> Result<VersionEdit, Vec<FieldError>> {
    let body = [("expected_revision", Value::from(revision)), ("rules", Value::from(rules))];
    read::body::<VersionEdit>(&Value::Object(Object::from(body)))
}

/// Converts the errors of a request body to paths of the form for the rule at `index`. If another rule has
/// the same code, the error is reported for the open rule, whichever comes first.
pub(super) fn errors_for_rule(
    errors: Vec<FieldError>,
    index: usize,
    rules: &[Value],
) -> Vec<FieldError> {
    let rule_path = format!("/rules/{index}");
    let code = |index: usize| rules.get(index).map(|rule| text_of(rule, "code"));
    let is_duplicate_code = |path: &str| {
        let twin = path.strip_prefix("/rules/").and_then(|rest| rest.strip_suffix("/code"));
        let twin = twin.and_then(|at| at.parse().ok()).and_then(code);
        twin.is_some() && twin == code(index)
    };
    let relocate = |mut error: FieldError| {
        if error.path == rule_path || error.path.starts_with(&format!("{rule_path}/")) {
            error.path.drain(..rule_path.len());
        } else if error.code == "duplicate" && is_duplicate_code(&error.path) {
            "/code".clone_into(&mut error.path);
        }
        error
    };
    errors.into_iter().map(relocate).collect()
}
