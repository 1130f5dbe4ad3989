//! A draft as it is stored, and as a form would change it.

use contract::{
    error::FieldError,
    json::{Object, Value},
    policy::PolicyVersion,
    read,
};
use governance::{
    Cx,
    policy::{self, authored::Edit},
};

use crate::{api::ssr::answer, problem::Problem, view::editor::Place};

/// A draft with its rules as JSON.
pub(super) struct Draft {
    pub(super) version: PolicyVersion,
    pub(super) rules: Vec<Value>,
}

impl Draft {
    pub(super) async fn read(cx: &Cx, place: &Place) -> Result<Self, Problem> {
        let version = answer(policy::version::read(cx, place.policy, place.version).await)?;
        let rules = values(&version)?;
        Ok(Self { version, rules })
    }

    /// The rule with this code, and where it stands.
    pub(super) fn find(&self, code: &str) -> Option<(usize, &Value)> {
        self.rules.iter().enumerate().find(|(_, rule)| text_of(rule, "code") == code)
    }

    /// The rules as the pressed button would leave them, and where the rule then stands. A rule that
    /// somebody else has removed meanwhile comes back at the end.
    pub(super) fn changed(&self, place: &Place, rule: Value) -> (Vec<Value>, usize) {
        let mut rules = self.rules.clone();
        let was = self.find(&place.was).map(|(at, _)| at);
        if let Some(at) = was {
            rules.remove(at);
        }
        let at = was.unwrap_or(rules.len());
        let to = match place.act.as_str() {
            "remove" => return (rules, at),
            "up" => at.saturating_sub(1),
            "down" => at + 1,
            "move" => place.to.trim().parse::<usize>().map_or(at, |to| to.saturating_sub(1)),
            _ => at,
        };
        let to = to.min(rules.len());
        rules.insert(to, rule);
        (rules, to)
    }
}

/// The rules of a version as JSON.
pub(super) fn values(version: &PolicyVersion) -> Result<Vec<Value>, Problem> {
    let tree = serde_json::to_value(version.rules.as_deref().unwrap_or_default());
    let tree = tree.and_then(serde_json::from_value::<Vec<Value>>);
    answer(tree.map_err(|error| governance::Error::Bug(error.into())))
}

pub(super) fn text_of<'v>(rule: &'v Value, name: &str) -> &'v str {
    rule.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// An edit that puts `rules` in place of the draft's, or everything that is wrong with them.
pub(super) fn edit(revision: u32, rules: Vec<Value>) -> Result<Edit, Vec<FieldError>> {
    let body = [("expected_revision", Value::from(revision)), ("rules", Value::from(rules))];
    read::body::<Edit>(&Value::Object(Object::from(body)))
}

/// Faults of a body as they stand beside the form of the rule at `index`. Of two rules with one code
/// it is the open one that is told, whichever comes first.
pub(super) fn beside(faults: Vec<FieldError>, index: usize, rules: &[Value]) -> Vec<FieldError> {
    let own = format!("/rules/{index}");
    let code = |at: usize| rules.get(at).map(|rule| text_of(rule, "code"));
    let is_twin = |path: &str| {
        let other = path.strip_prefix("/rules/").and_then(|rest| rest.strip_suffix("/code"));
        let other = other.and_then(|at| at.parse().ok()).and_then(code);
        other.is_some() && other == code(index)
    };
    let moved = |mut fault: FieldError| {
        if fault.path == own || fault.path.starts_with(&format!("{own}/")) {
            fault.path.drain(..own.len());
        } else if fault.code == "duplicate" && is_twin(&fault.path) {
            "/code".clone_into(&mut fault.path);
        }
        fault
    };
    faults.into_iter().map(moved).collect()
}
