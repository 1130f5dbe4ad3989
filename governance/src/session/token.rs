//! A session looked at from outside, which is no use of it.

use std::fmt;

use tower_sessions::{Session, SessionStore as _, session::Id};

use super::{SIGNED_IN, SessionStore, SignedIn, store_fault};
use crate::{Governance, error::Result};

/// What the cookie of a session says.
#[derive(Clone, Copy)]
pub struct Token(Id);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

impl Token {
    /// That of a request's session; nothing for a request without the cookie.
    pub fn of(session: &Session) -> Option<Self> {
        session.id().map(Self)
    }

    /// Who is signed in by it now, as the store has it: nobody once the session was ended, was idle for too
    /// long or is too old. A tab that only listens does not keep its session alive.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the store is away.
    pub async fn signed_in(self, governance: &Governance) -> Result<Option<SignedIn>> {
        let loaded = SessionStore::of(governance).load(&self.0).await;
        let record = loaded.map_err(|error| store_fault(error.into()))?;
        let signed_in = record.and_then(|mut record| record.data.remove(SIGNED_IN));
        let signed_in = signed_in.and_then(|kept| serde_json::from_value(kept).ok());
        let now = governance.clock().now();
        Ok(signed_in.filter(|signed_in: &SignedIn| !signed_in.is_over(now)))
    }
}
