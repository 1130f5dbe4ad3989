//! The form of a policy: what stays the same from version to version.

use contract::{
    error::FieldError,
    id::{PolicyGroupId, PolicyId, TenantId},
    json::{Limits, Object, Value},
    policy::Policy,
};
use serde::{Deserialize, Serialize};

use crate::{
    problem::Problem,
    text::{lines, words},
};

/// What a ticked box says.
const TICKED: &str = "yes";

/// What was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PolicyForm {
    /// Its code.
    pub code: String,
    /// What people call it.
    pub name: String,
    /// Longer words about it.
    pub description: String,
    /// The decision types that it governs, one a line.
    pub types: String,
    /// Its group, or nothing.
    pub group: String,
    /// The laws and standards that it serves, one a line.
    pub refs: String,
    /// Ticked: it only watches.
    pub shadow: Option<String>,
    /// Ticked: it governs child tenants too.
    pub inheritable: Option<String>,
    /// The members as the person has seen them: canonical JSON; empty for a new policy.
    pub seen: String,
}

/// The page of the form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyFormPage {
    /// The tenant.
    pub tenant: TenantId,
    /// The policy; a new one has none yet.
    pub policy: Option<PolicyId>,
    /// Its name, as it is stored.
    pub name: String,
    /// The groups to choose from.
    pub groups: Vec<(PolicyGroupId, String)>,
    /// What stands in the form.
    pub form: PolicyForm,
    /// Why it was refused.
    pub problem: Option<Problem>,
    /// What is wrong, value by value.
    pub faults: Vec<FieldError>,
}

impl From<&Policy> for PolicyForm {
    fn from(policy: &Policy) -> Self {
        let tick = |on: bool| on.then(|| TICKED.to_owned());
        let form = Self {
            code: policy.code.clone(),
            name: policy.name.clone(),
            description: policy.description.clone().unwrap_or_default(),
            types: policy.decision_types.join("\n"),
            group: policy.policy_group_id.map(|id| id.to_string()).unwrap_or_default(),
            refs: policy.regulatory_refs.join("\n"),
            shadow: tick(policy.shadow_mode),
            inheritable: tick(policy.inheritable),
            seen: String::new(),
        };
        Self { seen: Value::Object(form.members()).to_canonical(), ..form }
    }
}

impl PolicyForm {
    /// The body that makes a policy, with an empty version to write.
    pub fn draft(&self) -> Value {
        let mut body = self.members();
        for name in ["description", "policy_group_id"] {
            if body.get(name) == Some(&Value::Null) {
                body.remove(name);
            }
        }
        body.insert("code", self.code.trim());
        body.insert("rules", Vec::new());
        Value::Object(body)
    }

    /// The body that changes the policy: members that are as they were seen are left out, so that nothing
    /// is asked for that the person did not touch.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn patch(&self) -> Result<Value, Problem> {
        let before = self.read()?;
        let after = self.members();
        let changed = after.into_iter().filter(|(name, value)| before.get(name) != Some(value));
        Ok(Value::Object(changed.collect()))
    }

    /// The members as the person has seen them, in the shape of a change.
    ///
    /// # Errors
    /// `VALIDATION_ERROR` for a form that does not name them.
    pub fn read(&self) -> Result<Value, Problem> {
        seen(&self.seen)
    }

    fn members(&self) -> Object {
        let text = |text: &str| if text.is_empty() { Value::Null } else { Value::from(text) };
        Object::from([
            ("name", Value::from(self.name.trim())),
            ("description", text(self.description.replace("\r\n", "\n").trim())),
            ("decision_types", lines(&self.types).collect::<Value>()),
            ("policy_group_id", text(self.group.trim())),
            ("regulatory_refs", lines(&self.refs).collect::<Value>()),
            ("shadow_mode", Value::from(self.shadow.is_some())),
            ("inheritable", Value::from(self.inheritable.is_some())),
        ])
    }
}

/// What a form says was seen: a JSON object.
///
/// # Errors
/// `VALIDATION_ERROR` for anything else.
pub(super) fn seen(text: &str) -> Result<Value, Problem> {
    let value = Value::parse(text.as_bytes(), &Limits::REQUEST).ok();
    let value = value.filter(|value| value.as_object().is_some());
    value.ok_or_else(|| Problem::of_form(words::UNREADABLE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> PolicyForm {
        PolicyForm {
            code: " PAY ".to_owned(),
            name: "Payments".to_owned(),
            types: "payment\r\n\r\nrefund\r\n".to_owned(),
            shadow: Some(TICKED.to_owned()),
            ..PolicyForm::default()
        }
    }

    #[test]
    fn a_form_becomes_a_body_without_what_was_left_empty() {
        assert_eq!(
            form().draft().to_canonical(),
            r#"{"code":"PAY","decision_types":["payment","refund"],"inheritable":false,"name":"Payments","regulatory_refs":[],"rules":[],"shadow_mode":true}"#
        );
    }

    #[test]
    fn only_what_was_changed_is_asked_for() {
        let stored = r#"{"id":"00000000-0000-4000-8000-000000000000","code":"PAY",
            "tenant_id":"00000000-0000-4000-8000-000000000000","name":"Payments",
            "description":"Old words","decision_types":["payment"],"shadow_mode":true,
            "inheritable":false,"regulatory_refs":[],"is_active":false,"latest_version":0,
            "created_at":"2026-11-20T10:00:00.000Z","updated_at":"2026-11-20T10:00:00.000Z"}"#;
        let policy: Policy = serde_json::from_str(stored).unwrap();
        let shown = PolicyForm::from(&policy);
        assert_eq!(shown.patch().unwrap().to_canonical(), "{}");
        let typed = PolicyForm { seen: shown.seen, ..form() };
        assert_eq!(
            typed.patch().unwrap().to_canonical(),
            r#"{"decision_types":["payment","refund"],"description":null}"#
        );
    }
}
