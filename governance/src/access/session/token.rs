//! Read-only access to a session, which does not count as use of it.

use tower_sessions::{Session, SessionStore as _, session::Id};

use super::{SIGNED_IN, SessionStore, SignedIn, store_error};
use crate::base::prelude::*;

#[derive(Clone, derive_more::Debug, Copy)]
#[debug("SessionToken")]
pub struct SessionToken(Id);

impl SessionToken {
    /// Returns the token of a request's session; `None` for a request without a cookie.
    pub fn from_session(session: &Session) -> Option<Self> {
        session.id().map(Self)
    }

    /// Returns the user who is signed in with this token, read from the database. `None` when the
    /// session was ended, was idle for too long or is too old. Unlike a request, this does not extend
    /// the session.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the database is unavailable.
    pub async fn signed_in(self, governance: &Governance) -> Result<Option<SignedIn>> {
        let loaded = SessionStore::new(governance).load(&self.0).await;
        let record = loaded.map_err(|error| store_error(error.into()))?;
        let signed_in = record.and_then(|mut record| record.data.remove(SIGNED_IN));
        let signed_in = signed_in.and_then(|value| serde_json::from_value(value).ok());
        let now = governance.clock().now();
        Ok(signed_in.filter(|signed_in: &SignedIn| !signed_in.has_expired(now)))
    }
}
