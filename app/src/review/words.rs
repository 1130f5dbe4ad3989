//! Texts of `/t/{tenant}/policies/{policy}/versions/{version}/review` and `/send`.

use contract::text::isolated;

use crate::text::number::count;

pub(crate) const CHANGES: &str = "Changes";
pub(crate) const ALL_NEW: &str = "No active version. All rules are new.";
pub(crate) const NO_CHANGES: &str = "The rules are identical to the active version.";
pub(crate) const BEFORE: &str = "Before";
pub(crate) const AFTER: &str = "After";
pub(crate) const VIEWED: &str = "Viewed";
pub(crate) const MARK_ALL: &str = "Mark all as viewed";
pub(crate) const COMMENT: &str = "Comment on this rule";
pub(crate) const HAS_COMMENT: &str = "Draft comment";
pub(crate) const VERDICT: &str = "Your review";
pub(crate) const NOTE: &str = "General note";
pub(crate) const NOTE_HINT: &str =
    "Stored permanently with the review. Requesting changes requires a note or a comment.";
pub(crate) const RETURN: &str = "Request changes";
pub(crate) const SAVE_DRAFT: &str = "Save review draft";
pub(crate) const DRAFT_SAVED: &str = "Review draft saved";
pub(crate) const SUBMISSIONS: &str = "Previous submissions";
pub(crate) const NO_SUBMISSIONS: &str = "Nothing submitted for review yet.";
pub(crate) const NOT_REVIEWED: &str = "Not reviewed";
pub(crate) const OUTDATED: &str = "outdated";
pub(crate) const RECORD: &str = "Record digest";

pub(crate) const SUBMIT_HELP: &str =
    "Reviewers see exactly these rules. The version is locked until you recall it.";
pub(crate) const CONFIRM_SAME_RULES: &str = "Submit the same rules again";
pub(crate) const ADDRESSES: &str = "Addresses changes requested by";

/// Returns the label of the link to the review.
pub(crate) fn open(version: u32) -> String {
    format!("Review v{version}")
}

pub(crate) fn submit(version: u32) -> String {
    format!("Submit v{version} for review")
}

pub(crate) fn accept(version: u32) -> String {
    format!("Accept v{version}")
}

pub(crate) fn same_rules(active: u32) -> String {
    format!("This version has the same rules as v{active}, the active version.")
}

/// Why a returned revision cannot be submitted.
pub(crate) const UNCHANGED: &str =
    "Changes to this revision were requested. Change a rule or the reason first.";

#[cfg(feature = "ssr")]
pub(crate) const SINCE_REVIEW: &str = "Since your last review";
#[cfg(feature = "ssr")]
pub(crate) const ALL_CHANGES: &str = "All changes";
#[cfg(feature = "ssr")]
pub(crate) const SHOWN_CHANGES: &str = "Changes to show";
#[cfg(feature = "ssr")]
pub(crate) const REPLIES: &str = "Replies";
#[cfg(feature = "ssr")]
pub(crate) const SAME_SINCE: &str = "No rule has changed.";
#[cfg(feature = "ssr")]
pub(crate) const NEW_RULES: &str = "New rules";

/// Returns the name of a revision, with the version if it is an earlier one: "r6" or "v1, r6".
#[cfg(feature = "ssr")]
pub(crate) fn revision(earlier: Option<u32>, revision: u32) -> String {
    match earlier {
        Some(version) => format!("v{version}, r{revision}"),
        None => format!("r{revision}"),
    }
}

#[cfg(feature = "ssr")]
pub(crate) fn changes_since(base: &str) -> String {
    format!("Changes since {base}")
}

#[cfg(feature = "ssr")]
pub(crate) fn own_review(verdict: contract::policy::ReviewVerdict, revision: &str) -> String {
    match verdict {
        contract::policy::ReviewVerdict::Accept => format!("You accepted {revision}."),
        contract::policy::ReviewVerdict::Return => format!("You requested changes to {revision}."),
    }
}

/// Returns what a reviewer did. It follows the name of the reviewer.
#[cfg(feature = "ssr")]
pub(crate) fn requested(revision: &str) -> String {
    format!("requested changes to {revision}")
}

#[cfg(feature = "ssr")]
pub(crate) const REJECTED: &str = "rejected this version";

#[cfg(feature = "ssr")]
pub(crate) fn replied_on(subject: &str) -> String {
    format!("replied on {subject}")
}

#[cfg(feature = "ssr")]
pub(crate) fn more_rules(rules: usize) -> String {
    format!("{}.", count(rules, "more rule", "more rules"))
}

#[cfg(feature = "ssr")]
pub(crate) const CHANGED_RULES: &str = "Changed rules";
#[cfg(feature = "ssr")]
pub(crate) const NOTE_LINK: &str = "Note";
#[cfg(feature = "ssr")]
pub(crate) const REASON: &str = "Reason for this version";
#[cfg(feature = "ssr")]
pub(crate) const SUBMITTED_BY: &str = "submitted by";

#[cfg(feature = "ssr")]
pub(crate) fn changed_rules(rules: usize) -> String {
    count(rules, "changed rule", "changed rules")
}

/// Returns the number of a submission if there are several, for example "submission 2".
#[cfg(feature = "ssr")]
pub(crate) fn submission(sequence: u32) -> Option<String> {
    (sequence > 1).then(|| format!("submission {sequence}"))
}

#[cfg(feature = "ssr")]
pub(crate) fn open_comments(open: usize) -> String {
    count(open, "open comment", "open comments")
}

#[cfg(feature = "ssr")]
pub(crate) fn unanswered(comments: usize) -> String {
    let comments = count(comments, "comment has", "comments have");
    format!("{comments} no reply. You can submit without a reply.")
}

#[cfg(feature = "ssr")]
pub(crate) fn findings(findings: usize) -> String {
    count(findings, "lint finding", "lint findings")
}

pub(crate) fn title(policy: &str, version: u32) -> String {
    format!("Review {} v{version}", isolated(policy))
}

pub(crate) fn against(version: u32) -> String {
    format!("against v{version}, the active version")
}

/// Returns what the rules are compared with: the revision that the user has reviewed.
#[cfg(feature = "ssr")]
pub(crate) fn against_review(revision: &str) -> String {
    format!("against {revision}, your last review")
}

pub(crate) fn newer_revision(sealed: u32, now: u32) -> String {
    format!("Submitted r{sealed}, now r{now}. You are reading r{now}.")
}

#[cfg(feature = "ssr")]
pub(crate) const TABS: &str = "Parts of the review";
#[cfg(feature = "ssr")]
pub(crate) const REVIEWERS: &str = "Reviewers";
#[cfg(feature = "ssr")]
pub(crate) const YOU: &str = "You";
#[cfg(feature = "ssr")]
pub(crate) const REQUIRED: &str = "Ratification requires an accepted review.";
#[cfg(feature = "ssr")]
pub(crate) const OPTIONAL: &str = "Ratification does not require a review.";

/// Returns the number of viewed rules. `seen` may be a placeholder.
pub(crate) fn viewed(seen: impl std::fmt::Display, all: usize) -> String {
    format!("Viewed {seen} of {all}")
}

pub(crate) fn same(rules: usize) -> String {
    format!("The same in both: {}", count(rules, "rule", "rules"))
}

/// Returns the warnings before accepting.
#[cfg(feature = "ssr")]
pub(crate) fn open_items(not_viewed: usize, comments: usize) -> String {
    let not_viewed = (not_viewed > 0).then(|| {
        let rules = count(not_viewed, "changed rule is", "changed rules are");
        format!("{rules} not marked as viewed")
    });
    let comments =
        (comments > 0).then(|| format!("you wrote {}", count(comments, "comment", "comments")));
    let mut open = not_viewed.into_iter().chain(comments).collect::<Vec<_>>().join(", and ");
    open.push('.');
    open
}

pub(crate) fn member(name: &str) -> &str {
    match name {
        "code" => "code",
        "name" => "name",
        "rule_type" => "type",
        "condition" => "condition",
        "severity" => "severity",
        "description" => "description",
        "is_active" => "active",
        "when" => "gate",
        "source_ref" => "source",
        "replaces_rule_code" => "replaced rule",
        other => other,
    }
}

/// The page that confirms and records a review.
#[cfg(feature = "ssr")]
pub(crate) mod record {
    use contract::{policy::ReviewVerdict, text::isolated};

    pub(crate) const BACK: &str = "Back to the review";
    pub(crate) const YOUR_REVIEW: &str = "Your review";

    const fn verb(verdict: ReviewVerdict) -> &'static str {
        match verdict {
            ReviewVerdict::Accept => "Accept",
            ReviewVerdict::Return => "Request changes to",
        }
    }

    pub(crate) fn title(verdict: ReviewVerdict, policy: &str, version: u32) -> String {
        format!("{} {} v{version}", verb(verdict), isolated(policy))
    }

    pub(crate) fn act(verdict: ReviewVerdict, version: u32) -> String {
        format!("{} v{version}", verb(verdict))
    }

    /// Returns the effect of a verdict.
    pub(crate) const fn description(verdict: ReviewVerdict) -> &'static str {
        match verdict {
            ReviewVerdict::Accept => {
                "Your review is recorded permanently. The ratifier relies on this review."
            }
            ReviewVerdict::Return => {
                "Your request for changes is recorded permanently. The next submission must address it."
            }
        }
    }
}

/// The reasons why a review cannot be recorded.
#[cfg(feature = "ssr")]
pub(crate) mod refusal {
    pub(crate) const GIVE_A_REASON: &str = "add a general note or a comment on a rule";
    pub(crate) const SAME_RULES: &str = "confirm that the active version has the same rules";

    pub(crate) const NO_REASON: &str = "Add a note or a comment to request changes.";
    pub(crate) const NOT_OPEN: &str =
        "This version is closed or ratified; there is nothing to review.";
    pub(crate) const NOT_SEALED: &str = "Not submitted for review yet.";
    pub(crate) const WITHOUT_REVIEW: &str =
        "It was submitted without a review. The ratifier checks it on the version page.";
    pub(crate) const HAS_RECORD: &str =
        "This revision was already reviewed. Resubmit to request another review.";
    pub(crate) const DRAFT_CHANGED: &str =
        "The draft changed after submission. The author can resubmit it.";
    pub(crate) const VERSION_CHANGED: &str =
        "The version changed while you were reading. Read it again before you record a review.";
    pub(crate) const OWN_SUBMISSION: &str =
        "You submitted this version. Another person must review it.";
}
