//! Who makes a key, and what a key may hand on to the keys that it makes.

use contract::{
    api_key::ApiKeyDraft,
    id::{ApiKeyId, UserId},
};

use crate::{
    caller::Caller,
    error::{Noun, Refusal, Result, insufficient_scope, invalid_field, not_found},
    member,
    tenancy::TenantTx,
};

/// The maker of a key.
#[derive(Debug, Default)]
pub(crate) struct Maker {
    /// The person or the key, as records name them.
    pub(crate) created_by: Option<String>,
    /// The person for whom the key acts where people are compared.
    pub(crate) person: Option<UserId>,
    /// The key that makes it.
    pub(crate) parent: Option<ApiKeyId>,
}

impl From<UserId> for Maker {
    fn from(person: UserId) -> Self {
        Self { created_by: Some(person.to_string()), person: Some(person), parent: None }
    }
}

impl From<&Caller> for Maker {
    fn from(caller: &Caller) -> Self {
        let parent = match caller {
            Caller::Key(key) => Some(key.id),
            _ => None,
        };
        Self { created_by: caller.principal(), person: caller.person(), parent }
    }
}

impl Maker {
    /// Locks the membership of the person for whom the key will act, so that a removal at the same time
    /// either sees the key or comes first.
    ///
    /// # Errors
    /// `NOT_FOUND` when the person is not a member.
    pub(super) async fn lock_person(&self, tx: &TenantTx) -> Result<()> {
        let Some(person) = self.person else { return Ok(()) };
        let role = member::lock_role(tx, person).await?;
        Ok(role.map(drop).ok_or_else(|| not_found(Noun::Member))?)
    }
}

/// Refuses a key that could do more, or be valid for longer, than the key that asks for it.
///
/// # Errors
/// `INSUFFICIENT_SCOPE`; `VALIDATION_ERROR` at `/expires_at`.
pub(super) fn check_within(caller: &Caller, draft: &ApiKeyDraft) -> Result<(), Refusal> {
    let Caller::Key(key) = caller else { return Ok(()) };
    if let Some(beyond) = draft.scopes.iter().find(|scope| !key.scopes.contains(scope)) {
        return Err(insufficient_scope(*beyond));
    }
    let Some(end) = key.expires_at else { return Ok(()) };
    match draft.expires_at {
        Some(at) if at <= end => Ok(()),
        Some(_) => {
            let message = format!("must not be later than `{end}`, when the calling key expires");
            Err(invalid_field("/expires_at", "range", &message))
        }
        None => {
            let message = format!("is required, because the calling key expires at `{end}`");
            Err(invalid_field("/expires_at", "required", &message))
        }
    }
}
