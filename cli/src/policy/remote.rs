//! A policy of the service with one of its versions.

use contract::{
    json::{Object, Value},
    pagination::{LIMIT_MAX, Page},
    policy::{Policy, PolicyVersion},
};

use crate::{client::Client, exit::Error};

/// The members of the policy that a patch can change: with the code, those that a policy file and a policy have in
/// common, apart from those of the version.
pub(super) const PATCHED: [&str; 7] = [
    "name",
    "description",
    "decision_types",
    "policy_group_id",
    "shadow_mode",
    "inheritable",
    "regulatory_refs",
];

/// A policy of the service with one of its versions.
#[derive(Debug)]
pub(super) struct Remote {
    pub(super) policy: Policy,
    pub(super) version: Option<PolicyVersion>,
    policy_value: Value,
    version_value: Value,
}

impl Remote {
    /// Reads the policy with this code and a version: the one with `number`, or the open draft or submitted
    /// version, else the active one, else the latest one. Returns `None` if there is no such policy.
    pub(super) async fn read(
        client: &Client,
        code: &str,
        number: Option<u32>,
    ) -> Result<Option<Self>, Error> {
        let Some(policy) = find(client, code).await? else { return Ok(None) };
        let latest = Some(policy.latest_version).filter(|latest| *latest > 0);
        let number = number.or(policy.draft_version).or(policy.active_version).or(latest);
        let id = policy.id.to_string();
        let policy_value = client.get(["policies", &id]).send().await?.value()?;
        let (version, version_value) = match number {
            Some(number) => {
                let path = ["policies", &id, "versions", &number.to_string()];
                let reply = client.get(path).send().await?;
                (Some(reply.read()?), reply.value()?)
            }
            None => (None, Value::Null),
        };
        Ok(Some(Self { policy, version, policy_value, version_value }))
    }

    /// Returns the value of a policy file with this policy and version. Members of `old` that the service
    /// does not return, or that have their default value, are unchanged.
    pub(super) fn value(&self, old: Option<&Value>) -> Value {
        let mut value = Object::new();
        for name in ["code"].into_iter().chain(PATCHED) {
            let member = self.policy_value.get(name);
            let is_in_file = old.is_some_and(|old| old.get(name).is_some());
            if let Some(member) = member.filter(|member| is_in_file || !is_default(member)) {
                value.insert(name, member.clone());
            }
        }
        let rules = self.version_value.get("rules").cloned();
        value.insert("rules", rules.unwrap_or_else(|| Value::Array(Vec::new())));
        if let Some(reason) = self.version_value.get("change_reason") {
            value.insert("change_reason", reason.clone());
        }
        // The service returns the clauses, and not the rules that they map to.
        if let Some(codification) = old.and_then(|old| old.get("codification")) {
            value.insert("codification", codification.clone());
        }
        Value::Object(value)
    }

    /// Returns the name of the version for people.
    pub(super) fn name(&self) -> String {
        match &self.version {
            None => "a policy without versions".to_owned(),
            Some(version) => {
                let active = if version.is_active { ", active" } else { "" };
                format!("version {} ({}{active})", version.version, version.status)
            }
        }
    }
}

/// Returns the policy with a code, which is unique without regard to case.
async fn find(client: &Client, code: &str) -> Result<Option<Policy>, Error> {
    let mut cursor: Option<String> = None;
    loop {
        let list = client.get(["policies"]).query("q", code).query("limit", LIMIT_MAX);
        let page: Page<Policy> = list.query_if("cursor", cursor).send().await?.read()?;
        let same = page.items.into_iter().find(|policy| policy.code.eq_ignore_ascii_case(code));
        match page.next_cursor {
            Some(next) if same.is_none() => cursor = Some(next),
            _ => return Ok(same),
        }
    }
}

/// Returns whether a member has the value that an absent member has.
fn is_default(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(boolean) => !boolean,
        Value::Array(elements) => elements.is_empty(),
        _ => false,
    }
}

/// Returns the members of a policy that differ from the defaults.
pub(super) fn with_defaults(policy: &Value) -> Object {
    let members = policy.as_object().into_iter().flat_map(Object::iter);
    let members = members.filter(|(name, value)| *name == "rules" || !is_default(value));
    members.map(|(name, value)| (name.to_owned(), value.clone())).collect()
}

/// Creates the error for a code without a policy.
pub(super) fn unknown(code: &str) -> Error {
    Error::Input(format!("the service has no policy `{code}`"))
}
