//! Texts of `/t/{tenant}/policies/{policy}/versions/{version}/review` and `/send`.

use crate::{text::number::count, view::review::ChangeKind};

pub(crate) const OPEN: &str = "Review";
pub(crate) const CHANGES: &str = "What changes";
pub(crate) const ALL_NEW: &str = "No version decides yet, so every rule is new.";
pub(crate) const NOTHING: &str = "The rules are the same as those that decide now.";
pub(crate) const BEFORE: &str = "Before";
pub(crate) const AFTER: &str = "After";
pub(crate) const VIEWED: &str = "Viewed";
pub(crate) const MARK_ALL: &str = "Mark all as viewed";
pub(crate) const COMMENT: &str = "Comment on this rule";
pub(crate) const VERDICT: &str = "Your review";
pub(crate) const NOTE: &str = "Note on the whole";
pub(crate) const NOTE_HINT: &str =
    "Becomes part of the record. A return needs a note or a comment.";
pub(crate) const ACCEPT: &str = "Accept";
pub(crate) const RETURN: &str = "Return";
pub(crate) const KEEP: &str = "Keep my marks and comments for later";
pub(crate) const EARLIER: &str = "Sealed for review";
pub(crate) const NOTHING_SEALED: &str = "Nothing was sealed for review yet.";
pub(crate) const WAITS: &str = "Waits for a reviewer.";
pub(crate) const OUTDATED: &str = "outdated";
pub(crate) const RECORD: &str = "Record digest";

pub(crate) const SEND: &str = "Send for review";
pub(crate) const SEND_SAYS: &str = "The revision is sealed: reviewers judge exactly these rules, and they are fixed until it is recalled.";
pub(crate) const ANSWERS: &str = "This send answers the return of";

/// Returns, for example, "Review Vendor payments v18".
pub(crate) fn title(policy: &str, version: u32) -> String {
    format!("Review {policy} v{version}")
}

/// Returns, for example, "against v17".
pub(crate) fn against(version: u32) -> String {
    format!("against v{version}, which decides now")
}

/// Returns, for example, "Sealed r3, now r5. You are reading r5."
pub(crate) fn moved(sealed: u32, now: u32) -> String {
    format!("Sealed r{sealed}, now r{now}. You are reading r{now}.")
}

/// Returns, for example, "Viewed 1 of 3".
pub(crate) fn viewed(seen: usize, all: usize) -> String {
    format!("Viewed {seen} of {all}")
}

/// Returns, for example, "The same in both: 5 rules".
pub(crate) fn same(rules: usize) -> String {
    format!("The same in both: {}", count(rules, "rule", "rules"))
}

/// Returns the warnings before accepting.
#[cfg(feature = "ssr")]
pub(crate) fn open(unseen: usize, remarks: usize) -> String {
    let unseen = (unseen > 0).then(|| {
        let rules = count(unseen, "changed rule is", "changed rules are");
        format!("{rules} not marked as viewed")
    });
    let remarks =
        (remarks > 0).then(|| format!("you wrote {}", count(remarks, "comment", "comments")));
    let mut open = unseen.into_iter().chain(remarks).collect::<Vec<_>>().join(", and ");
    open.push('.');
    open
}

/// Returns the symbol, the name and the color of a difference.
pub(crate) fn kind(kind: ChangeKind) -> (&'static str, &'static str, &'static str) {
    match kind {
        ChangeKind::Added => ("+", "added", "allow"),
        ChangeKind::Removed => ("-", "removed", "deny"),
        ChangeKind::Changed => ("~", "changed", "warn"),
        ChangeKind::Moved => (">", "moved", "na"),
    }
}

/// Returns the display name of a member of a rule.
pub(crate) fn member(name: &str) -> &str {
    match name {
        "code" => "code",
        "name" => "name",
        "rule_type" => "type",
        "condition" => "what it asks for",
        "severity" => "severity",
        "description" => "description",
        "is_active" => "switched on or off",
        "when" => "when it applies",
        "source_ref" => "source",
        "replaces_rule_code" => "what it replaces",
        other => other,
    }
}

/// The page that confirms and records a review.
#[cfg(feature = "ssr")]
pub(crate) mod record {
    use contract::policy::ReviewVerdict;

    pub(crate) const BACK: &str = "Back to the review";
    pub(crate) const YOUR_WORDS: &str = "What you wrote";

    const fn verb(verdict: ReviewVerdict) -> &'static str {
        match verdict {
            ReviewVerdict::Accept => "Accept",
            ReviewVerdict::Return => "Return",
        }
    }

    /// Returns, for example, "Accept Vendor payments v18".
    pub(crate) fn title(verdict: ReviewVerdict, policy: &str, version: u32) -> String {
        format!("{} {policy} v{version}", verb(verdict))
    }

    /// Returns, for example, "Accept v18".
    pub(crate) fn act(verdict: ReviewVerdict, version: u32) -> String {
        format!("{} v{version}", verb(verdict))
    }

    /// Returns the effect of a verdict.
    pub(crate) const fn says(verdict: ReviewVerdict) -> &'static str {
        match verdict {
            ReviewVerdict::Accept => {
                "Your acceptance becomes a record that never changes. Whoever ratifies the version rests on it."
            }
            ReviewVerdict::Return => {
                "Your return becomes a record that never changes. The next send for review has to answer it."
            }
        }
    }
}

/// The reasons why a review cannot be recorded.
#[cfg(feature = "ssr")]
pub(crate) mod refusal {
    pub(crate) const GIVE_A_REASON: &str =
        "say why it goes back: a note on the whole, or a comment on a rule";

    pub(crate) const NO_REASON: &str =
        "A return needs a note or a comment. Write one on the page of the review.";
    pub(crate) const NOT_OPEN: &str =
        "This version is closed or ratified; there is nothing to review.";
    pub(crate) const NOT_SEALED: &str = "Its author has not sent it for review yet.";
    pub(crate) const WITHOUT_REVIEW: &str =
        "It was submitted without a review: who ratifies it judges it on its own page.";
    pub(crate) const HAS_RECORD: &str =
        "It was reviewed already. A record does not change; the next one follows the next send.";
    pub(crate) const MOVED_ON: &str =
        "The draft has moved on since it was sealed. Its author sends it again when it is ready.";
    pub(crate) const MOVED_ON_WHILE_READ: &str =
        "The version changed while you read it. Read it again before you record a review.";
    pub(crate) const OWN: &str = "You sent this version. Someone else must review it.";
}
