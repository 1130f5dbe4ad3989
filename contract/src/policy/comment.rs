//! Comments on policy versions, in threads.

use crate::{
    id::{CommentId, ReviewRecordId, UserId},
    read::text,
    time::Timestamp,
};

/// The maximum length of a comment in characters.
pub const COMMENT_MAX: usize = 4_000;

/// The body of a request that creates a comment.
#[body(Eq)]
pub struct CommentDraft {
    /// The text, 1 to 4,000 characters. `@` and the email address of a member mentions that member.
    #[json(with = text(1, COMMENT_MAX))]
    pub text: String,
    /// The code of the rule that the comment concerns: a current rule of the version.
    #[json(with = text(1, 100))]
    pub rule_code: Option<String>,
    /// The ID of a comment of the same version. The comment becomes a reply in its thread.
    pub in_reply_to: Option<CommentId>,
}

/// A comment on a policy version: the first entry of a thread, or a reply.
///
/// A comment of a review record is the first entry of a thread. It has a `record_id`, and its text is part
/// of that immutable record. All other comments are not part of any signed statement.
#[wire(Eq)]
pub struct Comment {
    /// The ID of the comment.
    pub id: CommentId,
    /// The version number.
    pub version: u32,
    /// The draft revision that was commented on.
    pub draft_revision: u32,
    /// The code of the rule that the comment concerns.
    pub rule_code: Option<String>,
    /// The ID of the clause that a comment of a review record concerns.
    pub unit_id: Option<String>,
    /// The text of the comment.
    pub text: String,
    /// The ID of the user who wrote the comment.
    pub author: UserId,
    /// The ID of the review record that the comment is part of.
    pub record_id: Option<ReviewRecordId>,
    /// The ID of the first entry of the thread; only for replies.
    pub in_reply_to: Option<CommentId>,
    /// The time at which the comment was created.
    pub created_at: Timestamp,
    /// The time at which the thread was resolved; only for the first entry of a resolved thread.
    pub resolved_at: Option<Timestamp>,
    /// The ID of the user who resolved the thread.
    pub resolved_by: Option<UserId>,
}
