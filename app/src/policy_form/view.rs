//! The form of a policy: the settings that do not belong to a version.

use contract::{
    error::FieldError,
    id::{PolicyGroupId, PolicyId, TenantId},
    json::{Limits, Object, Value},
    policy::Policy,
};
use serde::{Deserialize, Serialize};

use crate::{
    problem::{Problem, UNREADABLE},
    text::{TICKED, lines},
};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PolicyForm {
    pub code: String,
    pub name: String,
    pub description: String,
    /// The decision types that it governs, one per line.
    pub types: String,
    /// The ID of its group, or empty.
    pub group: String,
    /// Its regulatory references, one per line.
    pub refs: String,
    /// Present if the policy is in shadow mode.
    pub shadow: Option<String>,
    /// Present if the policy also governs descendant tenants.
    pub inheritable: Option<String>,
    /// The stored values that the user has seen, as canonical JSON; empty for a new policy.
    pub seen: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyFormPage {
    pub tenant: TenantId,
    /// The policy; absent for a new one.
    pub policy: Option<PolicyId>,
    /// Its stored name.
    pub name: String,
    pub groups: Vec<(PolicyGroupId, String)>,
    pub form: PolicyForm,
    /// Why the form was rejected.
    pub problem: Option<Problem>,
    pub errors: Vec<FieldError>,
}

impl From<&Policy> for PolicyForm {
    fn from(policy: &Policy) -> Self {
        let checkbox = |on: bool| on.then(|| TICKED.to_owned());
        let form = Self {
            code: policy.code.clone(),
            name: policy.name.clone(),
            description: policy.description.clone().unwrap_or_default(),
            types: policy.decision_types.join("\n"),
            group: policy.policy_group_id.map(|id| id.to_string()).unwrap_or_default(),
            refs: policy.regulatory_refs.join("\n"),
            shadow: checkbox(policy.shadow_mode),
            inheritable: checkbox(policy.inheritable),
            seen: String::new(),
        };
        Self { seen: Value::Object(form.members()).to_canonical(), ..form }
    }
}

impl PolicyForm {
    /// Returns the body that creates a policy with an empty version.
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

    /// Returns the body that changes the policy. It contains only the members that the user has changed.
    ///
    /// # Errors
    /// Fails like [`Self::read`].
    pub fn patch(&self) -> Result<Value, Problem> {
        let before = self.read()?;
        let after = self.members();
        let changed = after.into_iter().filter(|(name, value)| before.get(name) != Some(value));
        Ok(Value::Object(changed.collect()))
    }

    /// Returns the stored values that the user has seen, in the form of a change.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` if the form does not contain them.
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

/// Parses the stored values that the user has seen.
///
/// # Errors
/// Returns `VALIDATION_ERROR` for anything but a JSON object.
pub(crate) fn seen(text: &str) -> Result<Value, Problem> {
    let value = Value::parse(text.as_bytes(), &Limits::REQUEST).ok();
    let value = value.filter(|value| value.as_object().is_some());
    value.ok_or_else(|| Problem::of_form(UNREADABLE))
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
    fn a_draft_omits_empty_optional_members() {
        assert_eq!(
            form().draft().to_canonical(),
            r#"{"code":"PAY","decision_types":["payment","refund"],"inheritable":false,"name":"Payments","regulatory_refs":[],"rules":[],"shadow_mode":true}"#
        );
    }

    #[test]
    fn a_patch_contains_only_changed_members() {
        let stored = r#"{"id":"00000000-0000-4000-8000-000000000000","code":"PAY",
            "tenant_id":"00000000-0000-4000-8000-000000000000","name":"Payments",
            "description":"Old words","decision_types":["payment"],"shadow_mode":true,
            "inheritable":false,"regulatory_refs":[],"is_active":false,"latest_version":0,
            "created_at":"2026-11-20T10:00:00.000Z","updated_at":"2026-11-20T10:00:00.000Z"}"#;
        let policy: Policy = serde_json::from_str(stored).unwrap();
        let shown = PolicyForm::from(&policy);
        assert_eq!(shown.patch().unwrap().to_canonical(), "{}");
        let edited = PolicyForm { seen: shown.seen, ..form() };
        assert_eq!(
            edited.patch().unwrap().to_canonical(),
            r#"{"decision_types":["payment","refund"],"description":null}"#
        );
    }
}
