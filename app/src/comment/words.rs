//! Texts of the comments on a version.

use contract::text::isolated;

pub(crate) const TITLE: &str = "Comments";
pub(crate) const NOTE: &str = "Replies and new comments are not part of a review record.";
pub(crate) const NONE: &str = "No comments yet.";
pub(crate) const IN_RECORD: &str = "In review record";
pub(crate) const OUTDATED: &str = "Outdated";
pub(crate) const RESOLVED_BY: &str = "Resolved by";
pub(crate) const REPLY: &str = "Reply";
pub(crate) const RESOLVED: &str = "Comment resolved.";
pub(crate) const RESOLVE: &str = "Resolve";
pub(crate) const REOPEN: &str = "Reopen";
pub(crate) const NEW: &str = "New comment";
pub(crate) const ABOUT: &str = "About";
pub(crate) const VERSION: &str = "This version";
pub(crate) const ADD: &str = "Comment";
pub(crate) const MENTION_HINT: &str =
    "Write @ and the email of a member to mention that member, for example @ines@acme.example.";
pub(crate) const EMPTY: &str = "enter a comment of 1 to 4,000 characters";

pub(crate) fn rule(code: &str) -> String {
    format!("Rule {code}")
}

pub(crate) fn clause(location: &str) -> String {
    format!("Clause {location}")
}

/// Returns the label of the field for a reply.
pub(crate) fn reply_to(name: &str) -> String {
    format!("Reply to {}", isolated(name))
}

pub(crate) fn on_revision(revision: u32) -> String {
    format!("on r{revision}")
}
