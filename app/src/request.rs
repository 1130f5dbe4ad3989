//! The current request, as in `kit`, and what it says about the user.

use contract::{member::PendingInvitation, session::Session};
use governance::{SignedIn, access::session::TimeLeft};
pub(crate) use kit::request::*;

use crate::problem::Problem;

/// A user as shown on pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Person {
    pub(crate) name: String,
    pub(crate) email: String,
}

impl From<&Session> for Person {
    fn from(session: &Session) -> Self {
        Self { name: session.user.display_name.clone(), email: session.user.email.clone() }
    }
}

/// Returns the tenants that have invited the signed-in user.
pub(crate) async fn invitations(signed_in: &SignedIn) -> Result<Vec<PendingInvitation>, Problem> {
    let pending = governance::access::account::invitation::list(&governance(), signed_in).await;
    Ok(pending?.items)
}

/// Returns the time left of the user's session.
pub(crate) fn session_time(signed_in: &SignedIn) -> TimeLeft {
    signed_in.time_left(governance().clock().now())
}
