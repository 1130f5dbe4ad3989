//! The form of a new capability.

use contract::{
    capability::CapabilityDraft,
    error::FieldError,
    id::PolicyId,
    json::{Object, Value},
    read,
};
use serde::{Deserialize, Serialize};

use crate::{
    capability::words,
    problem::Problem,
    text::query::{end_instant, instant},
};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GrantForm {
    /// The version, as formatted by [`version_word`].
    pub version: String,
    /// The display name of the program.
    pub name: String,
    pub actions: Vec<String>,
    /// The start of validity, in UTC; empty for immediately.
    pub not_before: String,
    /// The end of validity, in UTC; empty for never.
    pub expires: String,
    /// The maximum number of writes; empty for no limit.
    pub max_uses: String,
}

/// Returns the form value of a version of a policy.
pub fn version_word(policy: PolicyId, version: u32) -> String {
    format!("{policy}/{version}")
}

impl GrantForm {
    /// Returns the requested capability.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` with one sentence per error.
    pub fn draft(&self) -> Result<CapabilityDraft, Problem> {
        let actions: Value = self.actions.iter().map(String::as_str).collect();
        let mut body = Object::from([("name", self.name.trim().into()), ("actions", actions)]);
        let mut errors: Vec<&'static str> = Vec::new();
        match self.version.split_once('/') {
            Some((policy, version)) => {
                body.insert("policy_id", policy);
                body.insert("version", version.parse().unwrap_or(0_u32));
            }
            None => errors.push(words::NO_VERSION),
        }
        for (name, time, message) in [
            ("not_before", instant(&self.not_before), words::BAD_NOT_BEFORE),
            ("expires_at", end_instant(&self.expires), words::BAD_EXPIRES),
        ] {
            match time {
                Ok(Some(at)) => {
                    body.insert(name, at.to_string());
                }
                Ok(None) => {}
                Err(()) => errors.push(message),
            }
        }
        match self.max_uses.trim() {
            "" => {}
            uses => {
                // A value that is not a number is rejected below, like a number out of range.
                body.insert("max_uses", uses.parse().unwrap_or(0_u32));
            }
        }
        read_draft(body, errors)
    }
}

/// Parses a body built from a form. `errors` are the errors found so far.
fn read_draft(body: Object, mut errors: Vec<&'static str>) -> Result<CapabilityDraft, Problem> {
    let read = read::body::<CapabilityDraft>(&body.into());
    if let Err(rejected) = &read {
        // A member that could not be built from its field is already reported for that field.
        errors.extend(rejected.iter().filter(|error| error.code != "required").map(message_of));
    }
    errors.dedup();
    read.ok().filter(|_| errors.is_empty()).ok_or_else(|| Problem::of_form(errors.join(" ")))
}

fn message_of(error: &FieldError) -> &'static str {
    match error.path.as_str() {
        "/name" => words::BAD_NAME,
        "/expires_at" => words::ENDS_BEFORE,
        "/max_uses" => words::BAD_USES,
        path if path.starts_with("/actions") => words::NO_ACTION,
        _ => words::NO_VERSION,
    }
}

#[cfg(test)]
mod tests {
    use contract::capability::CapabilityAction;

    use super::*;

    const POLICY: &str = "0b7c6f5e-8d0f-4d0e-9a55-6f2f5f6d1c11";

    fn form() -> GrantForm {
        GrantForm {
            version: format!("{POLICY}/4"),
            name: " drafting assistant ".into(),
            actions: vec!["review.seal".into(), "policy.read".into()],
            not_before: "2027-01-01T00:00".into(),
            expires: "2027-02-01T00:00".into(),
            max_uses: " 40 ".into(),
        }
    }

    #[test]
    fn a_form_becomes_a_draft_with_the_entered_values() {
        let draft = form().draft().unwrap();
        assert_eq!((draft.policy_id.to_string().as_str(), draft.version), (POLICY, 4));
        assert_eq!(draft.name, "drafting assistant");
        assert_eq!(draft.actions, [CapabilityAction::PolicyRead, CapabilityAction::ReviewSeal]);
        assert_eq!(draft.not_before.unwrap().to_string(), "2027-01-01T00:00:00.000Z");
        assert_eq!(draft.expires_at.unwrap().to_string(), "2027-02-01T00:00:00.000Z");
        assert_eq!(draft.max_uses, Some(40));
        let open = GrantForm {
            not_before: String::new(),
            expires: String::new(),
            max_uses: String::new(),
            ..form()
        };
        let open = open.draft().unwrap();
        assert_eq!((open.not_before, open.expires_at, open.max_uses), (None, None, None));
    }

    #[test]
    fn every_error_is_reported_exactly_once() {
        use crate::capability::words::{
            BAD_EXPIRES, BAD_NAME, BAD_NOT_BEFORE, BAD_USES, ENDS_BEFORE, NO_ACTION, NO_VERSION,
        };
        let message = GrantForm::default().draft().unwrap_err().message;
        assert_eq!(message, format!("{NO_VERSION} {NO_ACTION} {BAD_NAME}"));
        let bad = GrantForm {
            version: "x/y".into(),
            not_before: "soon".into(),
            expires: "later".into(),
            max_uses: "-1".into(),
            ..form()
        };
        let message = bad.draft().unwrap_err().message;
        for sentence in [NO_VERSION, BAD_NOT_BEFORE, BAD_EXPIRES, BAD_USES] {
            assert_eq!(message.matches(sentence).count(), 1, "{message}");
        }
        let reversed = GrantForm { expires: form().not_before, ..form() };
        assert_eq!(reversed.draft().unwrap_err().message, ENDS_BEFORE);
    }

    #[test]
    fn the_form_offers_every_action_once() {
        let offered = words::ACTIONS.map(|(action, _)| action);
        let mut offered: Vec<&str> = offered.to_vec();
        offered.sort_unstable();
        let expected: Vec<&str> =
            CapabilityAction::ALL.iter().map(|action| action.as_str()).collect();
        assert_eq!(offered, expected);
    }
}
