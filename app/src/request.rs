//! The current request, as in `kit`, and what it says about the user.

use contract::member::PendingInvitation;
use governance::SignedIn;
pub(crate) use kit::request::*;

use crate::{frame::view::SessionTime, problem::Problem};

/// Returns the tenants that have invited the signed-in user.
pub(crate) async fn invitations(signed_in: &SignedIn) -> Result<Vec<PendingInvitation>, Problem> {
    let pending = governance::access::account::invitation::list(&governance(), signed_in).await;
    Ok(pending?.items)
}

/// Returns the time left of the user's session.
pub(crate) fn session_time(signed_in: &SignedIn) -> SessionTime {
    let left = signed_in.time_left(governance().clock().now());
    SessionTime { idle_ms: left.idle_ms, limit_ms: left.limit_ms }
}
