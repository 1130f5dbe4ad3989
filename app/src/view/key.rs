//! API keys: a row of the list, the form of a new one, and the only sight of its secret.

use contract::{
    api_key::{ApiKey, ApiKeyDraft},
    error::FieldError,
    id::ApiKeyId,
    json::{Object, Value},
    page::Page,
    read,
    scope::Scope,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::{
    kept::Made,
    people::{Names, known},
    query::instant,
};
use crate::{problem::Problem, text::words};

/// A row of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRow {
    /// The key.
    pub id: ApiKeyId,
    /// What people call it.
    pub name: String,
    /// Its first and last characters.
    pub preview: String,
    /// What it may do, in the words of the wire.
    pub scopes: Vec<String>,
    /// Whether it opens the door.
    pub state: KeyState,
    /// From then on it is refused; absent when it does not expire.
    pub expires_at: Option<Timestamp>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// Who made it, and when; the command line is nobody.
    pub created: (Option<String>, Timestamp),
    /// Who revoked it, and when; the command line is nobody.
    pub revoked: Option<(Option<String>, Timestamp)>,
}

/// Whether a key opens the door.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeyState {
    /// It does.
    Active,
    /// Its time is over.
    Expired,
    /// It was revoked.
    Revoked,
}

impl KeyRow {
    /// Whether this is the key of an authoring capability.
    pub fn is_of_capability(&self) -> bool {
        self.scopes.iter().all(|scope| scope == Scope::AuthoringCapability.as_str())
    }

    /// The row of `key` as it stands at `now`, with people and keys by their names.
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

/// The page of keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeysPage {
    /// One page of the list, newest first.
    pub rows: Page<KeyRow>,
    /// The key that was made a moment ago.
    pub made: Option<Made>,
    /// Why none was made, and what was typed.
    pub refused: Option<(Problem, KeyForm)>,
    /// The id that the next key will have.
    pub next: ApiKeyId,
}

/// The form of a new key, as it was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyForm {
    /// What people shall call it.
    pub name: String,
    /// The ticked scopes.
    pub scopes: Vec<String>,
    /// When it shall expire, in UTC; empty for never.
    pub expires: String,
}

/// Why a form that was sent twice made no second key.
pub fn sent_twice(refused: Problem) -> Problem {
    Problem { message: words::keys::SENT_TWICE.into(), ..refused }
}

impl KeyForm {
    /// The key that is asked for.
    ///
    /// # Errors
    /// `VALIDATION_ERROR`, with all that is wrong in one sentence each.
    pub fn draft(&self) -> Result<ApiKeyDraft, Problem> {
        let scopes: Value = self.scopes.iter().map(String::as_str).collect();
        let expires = instant(&self.expires);
        let mut body = Object::from([("name", self.name.trim().into()), ("scopes", scopes)]);
        if let Ok(Some(at)) = expires {
            body.insert("expires_at", at.to_string());
        }
        let read = read::body::<ApiKeyDraft>(&body.into());
        let mut faults: Vec<String> = Vec::new();
        if let Err(errors) = &read {
            faults.extend(errors.iter().map(fault));
        }
        if expires.is_err() {
            faults.push(words::keys::BAD_EXPIRES.to_owned());
        }
        read.ok().filter(|_| faults.is_empty()).ok_or_else(|| Problem {
            code: "VALIDATION_ERROR".into(),
            status: 422,
            message: faults.join(" "),
            ..Problem::default()
        })
    }
}

/// What is wrong with a field, in a sentence.
fn fault(error: &FieldError) -> String {
    match error.path.as_str() {
        "/name" => words::keys::BAD_NAME.to_owned(),
        "/scopes" => words::keys::NO_SCOPE.to_owned(),
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
    fn a_form_asks_for_exactly_what_was_ticked() {
        let draft = form().draft().unwrap();
        assert_eq!(draft.name, "billing");
        assert_eq!(draft.scopes, [Scope::DecisionsWrite, Scope::PoliciesRead]);
        assert_eq!(draft.expires_at.unwrap().to_string(), "2027-01-01T00:00:00.000Z");
        let never = KeyForm { expires: String::new(), ..form() };
        assert_eq!(never.draft().unwrap().expires_at, None);
    }

    #[test]
    fn everything_wrong_is_said_at_once() {
        let bad = KeyForm { name: " ".into(), scopes: Vec::new(), expires: "soon".into() };
        let said = bad.draft().unwrap_err().message;
        for sentence in [words::keys::BAD_NAME, words::keys::NO_SCOPE, words::keys::BAD_EXPIRES] {
            assert!(said.contains(sentence), "{said}");
        }
    }

    #[test]
    fn a_scope_that_no_key_can_have_is_refused() {
        let bad = KeyForm { scopes: vec!["tenants:provision".into()], ..form() };
        assert!(bad.draft().unwrap_err().message.contains("tenants:provision"));
    }

    #[test]
    fn every_scope_that_can_be_granted_stands_in_the_form_once() {
        let mut offered: Vec<&str> = words::keys::SCOPES
            .iter()
            .flat_map(|(_, scopes)| scopes.iter().map(|(scope, _)| *scope))
            .collect();
        let mut grantable: Vec<&str> = Scope::ALL
            .iter()
            .filter(|scope| scope.grantable())
            .map(|scope| scope.as_str())
            .collect();
        offered.sort_unstable();
        grantable.sort_unstable();
        assert_eq!(offered, grantable);
    }

    #[test]
    fn a_key_is_revoked_before_it_is_expired() {
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
