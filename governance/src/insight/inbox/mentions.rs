//! The threads in which a comment mentions the signed-in user.

use super::{Cause, RequestedAction, WaitingVersion, time};
use crate::base::prelude::*;

/// A mention: the ID and the name of the policy, the version and its draft revision, the time and the author of the
/// comment, and the numbers of threads and of open threads.
pub(super) type MentionRow = (PolicyId, String, u32, u32, i64, String, u64, u64);

/// Converts a mention to a version that waits until the user replies or the thread is resolved.
pub(super) fn waiting(row: MentionRow) -> Result<WaitingVersion> {
    let (policy_id, policy_name, version, revision, at, author, comments, open_comments) = row;
    Ok(WaitingVersion {
        action: RequestedAction::Reply,
        cause: Cause::Mentioned,
        policy_id,
        policy_name,
        version,
        revision,
        sealed_revision: None,
        since: time(at)?,
        by: Some(author),
        is_actionable: true,
        comments,
        open_comments,
    })
}
