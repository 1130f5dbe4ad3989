//! The creator of a key, and the limits of what a key may pass on to keys that it creates.

use contract::api_key::ApiKeyDraft;

use crate::{
    access::membership,
    base::{error::insufficient_scope, prelude::*},
};

#[derive(Debug, Default)]
pub(crate) struct KeyCreator {
    /// The ID of the user or key, as stored in records.
    pub(crate) created_by: Option<String>,
    /// The user whom the key acts for, for example in the maker-checker rule.
    pub(crate) person: Option<UserId>,
    pub(crate) parent: Option<ApiKeyId>,
}

impl From<UserId> for KeyCreator {
    fn from(person: UserId) -> Self {
        Self { created_by: Some(person.to_string()), person: Some(person), parent: None }
    }
}

impl From<&Caller> for KeyCreator {
    fn from(caller: &Caller) -> Self {
        let parent = match caller {
            Caller::Key(key) => Some(key.id),
            _ => None,
        };
        Self { created_by: caller.principal(), person: caller.person(), parent }
    }
}

impl KeyCreator {
    /// Locks the membership of the user for whom the key will act. A concurrent removal of the user
    /// either sees the key or happens before.
    ///
    /// # Errors
    /// `NOT_FOUND` when the user is not a member.
    pub(super) async fn lock_person(&self, tx: &TenantTx) -> Result<()> {
        let Some(person) = self.person else { return Ok(()) };
        let role = membership::lock_role(tx, person).await?;
        Ok(role.map(drop).or_not_found(ResourceKind::Member)?)
    }
}

/// Checks that a key requested by another key has no more scopes and expires no later than the calling
/// key.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`; `VALIDATION_ERROR` at `/expires_at`.
pub(super) fn check_within(caller: &Caller, draft: &ApiKeyDraft) -> Result<(), Refusal> {
    let Caller::Key(key) = caller else { return Ok(()) };
    if let Some(scope) = draft.scopes.iter().find(|scope| !key.scopes.contains(scope)) {
        return Err(insufficient_scope(*scope));
    }
    let Some(expires_at) = key.expires_at else { return Ok(()) };
    match draft.expires_at {
        Some(at) if at <= expires_at => Ok(()),
        Some(_) => {
            let message =
                format!("must not be later than `{expires_at}`, when the calling key expires");
            Err(invalid_field("/expires_at", "range", &message))
        }
        None => {
            let message = format!("is required, because the calling key expires at `{expires_at}`");
            Err(invalid_field("/expires_at", "required", &message))
        }
    }
}
