//! The current request, as in `kit`, and what it says about the user.

use contract::{member::PendingInvitation, session::Session};
use governance::{SignedIn, access::session::TimeLeft};
use kit::problem::Problem;
pub use kit::request::*;

/// A user as shown on pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    pub name: String,
    pub email: String,
}

impl From<&Session> for Person {
    fn from(session: &Session) -> Self {
        Self { name: session.user.display_name.clone(), email: session.user.email.clone() }
    }
}

/// Returns the tenants that have invited the signed-in user.
pub async fn invitations(signed_in: &SignedIn) -> Result<Vec<PendingInvitation>, Problem> {
    let pending = governance::access::account::invitation::list(&governance(), signed_in).await;
    Ok(pending?.items)
}

/// Returns the time left of the user's session.
pub fn session_time(signed_in: &SignedIn) -> TimeLeft {
    signed_in.time_left(governance().clock().now())
}
