//! A sign-in whose password is correct and whose second factor is still missing.

use contract::second_factor::SecondFactorKind;
use entity::user;
use tower_sessions::Session;

use super::{SignedIn, store_error};
use crate::base::prelude::*;

/// The result of a correct password.
#[derive(Clone, Debug)]
pub enum SignIn {
    Complete(SignedIn),
    /// The account has a second factor, which must follow.
    Pending(PendingSignIn),
}

/// A sign-in that waits for the second factor. It is stored in the session of the browser and gives access to nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingSignIn {
    /// Identifies the sign-in in the challenges of passkeys.
    pub(crate) id: Uuid,
    pub(crate) user_id: UserId,
    /// The generation of the password that was checked.
    pub(crate) password_generation: i64,
    started_at: Timestamp,
    methods: Vec<SecondFactorKind>,
}

/// The time within which the second factor must follow, in milliseconds: 5 minutes.
const LIFETIME_MS: i64 = 5 * 60 * 1_000;

/// The member of the session data that contains the pending sign-in.
const PENDING: &str = "pending_sign_in";

impl PendingSignIn {
    pub(crate) fn new(
        governance: &Governance,
        row: &user::Model,
        methods: Vec<SecondFactorKind>,
    ) -> Self {
        Self {
            id: governance.entropy().id(),
            user_id: UserId(row.user_id),
            password_generation: row.password_generation,
            started_at: governance.clock().now(),
            methods,
        }
    }

    /// Returns the second factors that the account had when the password was checked.
    pub fn methods(&self) -> &[SecondFactorKind] {
        &self.methods
    }
}

/// Stores a pending sign-in in the session of the browser, with a new token. An earlier session of the browser ends.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the database is unavailable.
pub async fn start_pending(session: &Session, pending: &PendingSignIn) -> Result<()> {
    session.clear().await;
    session.cycle_id().await.map_err(store_error)?;
    session.insert(PENDING, pending).await.map_err(store_error)
}

/// Returns the pending sign-in of a session. `None` without one, or when it is older than five minutes.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the database is unavailable.
pub async fn pending(governance: &Governance, session: &Session) -> Result<Option<PendingSignIn>> {
    let pending: Option<PendingSignIn> = session.get(PENDING).await.map_err(store_error)?;
    let now = governance.clock().now().millis();
    let is_current =
        |pending: &PendingSignIn| now.saturating_sub(pending.started_at.millis()) <= LIFETIME_MS;
    Ok(pending.filter(is_current))
}
