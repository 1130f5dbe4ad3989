//! API keys: a row of the list, the form of a new key, and its one-time secret.

use contract::{
    api_key::{ApiKey, ApiKeyDraft},
    error::FieldError,
    id::ApiKeyId,
    json::{Object, Value},
    pagination::Page,
    read,
    scope::Scope,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::words;
use crate::{
    flash::OneTimeSecret,
    member::names::{Names, known},
    problem::Problem,
    text::query::end_instant,
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRow {
    pub id: ApiKeyId,
    pub name: String,
    /// Its first and last characters.
    pub preview: String,
    /// Its scopes, as on the wire.
    pub scopes: Vec<String>,
    pub state: KeyState,
    /// The time of expiry; absent if it does not expire.
    pub expires_at: Option<Timestamp>,
    /// The time of the last use, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// The creator and the time of creation. The creator is absent for the command line.
    pub created: (Option<String>, Timestamp),
    /// The user who revoked it and the time. The user is absent for the command line.
    pub revoked: Option<(Option<String>, Timestamp)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeyState {
    /// It can authenticate.
    Active,
    Expired,
    Revoked,
}

impl KeyState {
    pub fn label(self) -> &'static str {
        match self {
            Self::Active => "Active",
            Self::Expired => "Expired",
            Self::Revoked => words::REVOKED,
        }
    }
}

impl KeyRow {
    /// Returns whether it belongs to an authoring capability.
    pub fn is_of_capability(&self) -> bool {
        self.scopes.iter().all(|scope| scope == Scope::AuthoringCapability.as_str())
    }

    /// Creates the row of `key` with its status at `now` and the names of users and keys.
    pub fn new(key: ApiKey, names: &Names, now: Timestamp) -> Self {
        let state = match key.expires_at {
            _ if !key.is_active => KeyState::Revoked,
            Some(at) if at <= now => KeyState::Expired,
            _ => KeyState::Active,
        };
        Self {
            id: key.id,
            name: key.name,
            preview: key.key_preview,
            scopes: key.scopes.iter().map(Scope::to_string).collect(),
            state,
            expires_at: key.expires_at,
            last_used_at: key.last_used_at,
            created: (known(key.created_by, names), key.created_at),
            revoked: key.revoked_at.map(|at| (known(key.revoked_by, names), at)),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeysPage {
    /// One page of the list, newest first.
    pub rows: Page<KeyRow>,
    /// The key that was just created.
    pub secret: Option<OneTimeSecret>,
    /// Why creation was rejected, and the input.
    pub refused: Option<(Problem, KeyForm)>,
    pub next: ApiKeyId,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyForm {
    pub name: String,
    pub scopes: Vec<String>,
    /// The time of expiry, in UTC; empty for never.
    pub expires: String,
}

/// Returns the error for a form that was sent twice.
pub fn sent_twice(problem: Problem) -> Problem {
    Problem { message: words::SUBMITTED_TWICE.into(), ..problem }
}

impl KeyForm {
    /// Returns the requested key.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` with one sentence per error.
    pub fn draft(&self) -> Result<ApiKeyDraft, Problem> {
        let scopes: Value = self.scopes.iter().map(String::as_str).collect();
        let expires = end_instant(&self.expires);
        let mut body = Object::from([("name", self.name.trim().into()), ("scopes", scopes)]);
        if let Ok(Some(at)) = expires {
            body.insert("expires_at", at.to_string());
        }
        let read = read::body::<ApiKeyDraft>(&body.into());
        let mut errors: Vec<String> = Vec::new();
        if let Err(rejected) = &read {
            errors.extend(rejected.iter().map(message_of));
        }
        if expires.is_err() {
            errors.push(words::BAD_EXPIRES.to_owned());
        }
        read.ok().filter(|_| errors.is_empty()).ok_or_else(|| Problem::of_form(errors.join(" ")))
    }
}

fn message_of(error: &FieldError) -> String {
    match error.path.as_str() {
        "/name" => words::BAD_NAME.to_owned(),
        "/scopes" => words::NO_SCOPE.to_owned(),
        path => format!("{path}: {}.", error.message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> KeyForm {
        KeyForm {
            name: " billing ".into(),
            scopes: vec!["decisions:write".into(), "policies:read".into()],
            expires: "2027-01-01T00:00".into(),
        }
    }

    #[test]
    fn a_form_becomes_a_draft_with_the_selected_scopes() {
        let draft = form().draft().unwrap();
        assert_eq!(draft.name, "billing");
        assert_eq!(draft.scopes, [Scope::DecisionsWrite, Scope::PoliciesRead]);
        assert_eq!(draft.expires_at.unwrap().to_string(), "2027-01-01T00:00:00.000Z");
        let never = KeyForm { expires: String::new(), ..form() };
        assert_eq!(never.draft().unwrap().expires_at, None);
    }

    #[test]
    fn all_errors_are_reported_together() {
        let bad = KeyForm { name: " ".into(), scopes: Vec::new(), expires: "soon".into() };
        let message = bad.draft().unwrap_err().message;
        for sentence in [words::BAD_NAME, words::NO_SCOPE, words::BAD_EXPIRES] {
            assert!(message.contains(sentence), "{message}");
        }
    }

    #[test]
    fn a_scope_that_cannot_be_granted_is_rejected() {
        let bad = KeyForm { scopes: vec!["tenants:provision".into()], ..form() };
        assert!(bad.draft().unwrap_err().message.contains("tenants:provision"));
    }

    #[test]
    fn the_form_offers_every_grantable_scope_once() {
        let mut offered: Vec<&str> = words::SCOPES
            .iter()
            .flat_map(|(_, scopes)| scopes.iter().map(|(scope, _)| *scope))
            .collect();
        let mut grantable: Vec<&str> = Scope::ALL
            .iter()
            .filter(|scope| scope.is_grantable())
            .map(|scope| scope.as_str())
            .collect();
        offered.sort_unstable();
        grantable.sort_unstable();
        assert_eq!(offered, grantable);
    }

    #[test]
    fn revocation_takes_precedence_over_expiry() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let now = at("2026-11-20T10:00:00.000Z");
        let key = |is_active, expires: Option<&str>| ApiKey {
            id: ApiKeyId(uuid::Uuid::nil()),
            tenant_id: contract::id::TenantId(uuid::Uuid::nil()),
            name: "billing".into(),
            key_preview: "svc_…abcd".into(),
            scopes: vec![Scope::PoliciesRead],
            expires_at: expires.map(at),
            last_used_at: None,
            is_active,
            created_at: now,
            created_by: None,
            revoked_at: (!is_active).then_some(now),
            revoked_by: None,
        };
        let state =
            |is_active, expires| KeyRow::new(key(is_active, expires), &Names::new(), now).state;
        assert_eq!(state(true, None), KeyState::Active);
        assert_eq!(state(true, Some("2026-11-20T10:00:00.001Z")), KeyState::Active);
        assert_eq!(state(true, Some("2026-11-20T10:00:00.000Z")), KeyState::Expired);
        assert_eq!(state(false, Some("2026-11-20T10:00:00.000Z")), KeyState::Revoked);
    }
}
