//! Texts for errors: what happened, and what to do next.

use super::messages;
use crate::problem::{Problem, UNREACHABLE};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorText {
    /// The headline of an error page.
    pub title: &'static str,
    pub text: String,
    /// The next step; empty if there is none.
    pub next: String,
}

/// Returns the text for `problem`. For an unknown code, it uses the service's own message.
pub fn describe(problem: &Problem) -> ErrorText {
    let mut described = describe_code(problem);
    if problem.is_input_lost {
        let space = if described.next.is_empty() { "" } else { " " };
        described.next = format!("{}{space}{INPUT_LOST}", described.next);
    }
    described
}

/// The sentence after a problem whose input is not shown again.
const INPUT_LOST: &str = "Your input was too large to be stored.";

fn describe_code(problem: &Problem) -> ErrorText {
    match problem.code.as_str() {
        "UNAUTHORIZED" => error_text(
            "Please sign in",
            "Your session has expired.",
            "Sign in again. Your input stays on the page.",
        ),
        "CONFIRMATION_REQUIRED" => error_text(
            "Confirm your identity",
            "You signed in more than 15 minutes ago, and this action requires a recent sign-in.",
            "Confirm your identity again.",
        ),
        "SECOND_FACTOR_MISSING" => error_text(
            "A second factor is needed",
            "Your account has a second factor, and the form did not contain it.",
            "Enter a code, or use a passkey.",
        ),
        "SECOND_FACTOR_REQUIRED" => error_text(
            "A second factor is required",
            "This organization requires a second factor, in addition to your password.",
            "Add a passkey or an authenticator app on the page of your account.",
        ),
        "FORBIDDEN" | "INSUFFICIENT_SCOPE" | "HUMAN_REQUIRED" => ErrorText {
            title: "You don't have permission",
            text: sentence(&problem.message, "Your role does not include this right."),
            next: "Ask an admin.".into(),
        },
        "MAKER_CHECKER_VIOLATION" if problem.reason.as_deref() == Some("MAKER_UNKNOWN") => {
            error_text(
                "This version cannot be ratified",
                "An API key without an owner contributed to it.",
                "Set the version aside and open a new draft.",
            )
        }
        "MAKER_CHECKER_VIOLATION" => error_text(
            "A different ratifier is required",
            "You helped create this version.",
            "A ratifier who neither wrote nor submitted it must sign.",
        ),
        code if code.starts_with("AUTHORING_CAPABILITY_") => ErrorText {
            title: "The capability does not allow this",
            text: sentence(&problem.message, "The authoring capability does not allow this."),
            next: "Revoke the capability, and issue a new one if it is still needed.".into(),
        },
        "NOT_FOUND" => error_text(
            "Page not found",
            "The page does not exist or you do not have access to it.",
            "Check the address, or start from one of the lists.",
        ),
        "METHOD_NOT_ALLOWED" => error_text(
            "Request not supported",
            "The page does not support this kind of request.",
            "Go back and use the button on the page.",
        ),
        "UNSUPPORTED_MEDIA_TYPE" => ErrorText {
            title: "Request not supported",
            text: sentence(&problem.message, "The input has another format."),
            next: "Go back and use the button on the page.".into(),
        },
        "PAYLOAD_TOO_LARGE" => ErrorText {
            title: "Too much input",
            text: sentence(&problem.message, "The input is too large."),
            next: "Go back, shorten the input, and try again.".into(),
        },
        "INVALID_TRANSITION" => transition(problem),
        "STALE_DRAFT_REVISION" => stale(problem),
        "RESUBMISSION_ANSWERS_RECORD_REQUIRED"
        | "RESUBMISSION_PRIOR_NOT_RETURNED"
        | "RESUBMISSION_ANSWERS_RECORD_MISMATCH" => error_text(
            "Resubmission must reference the requested changes",
            "A reviewer requested changes, and the next submission must reference them.",
            "Reload the page. It selects the requested changes for you.",
        ),
        "LINEAGE_UNRESOLVED" => error_text(
            "The history of this draft is incomplete",
            "The earlier drafts do not lead back to the last submission.",
            "Ask an admin of the tenant, or set the draft aside and start a new one.",
        ),
        "ALREADY_DELIVERED" => error_text(
            "Already delivered",
            "This delivery already succeeded.",
            "No retry is needed.",
        ),
        "STILL_PENDING" => error_text(
            "Still pending",
            "This delivery has not been attempted yet.",
            "It is sent automatically. Reload the page shortly.",
        ),
        "CONFLICT"
        | "CHAIN_SEALED"
        | "DUPLICATE_CODE"
        | "DRAFT_EXISTS"
        | "IDEMPOTENCY_KEY_REUSED" => ErrorText {
            title: "Conflict with an earlier change",
            text: sentence(&problem.message, "The action conflicts with an earlier one."),
            next: "Reload the page to see the current state.".into(),
        },
        "VALIDATION_ERROR"
        | "BUNDLE_TOO_LARGE"
        | "UNSUPPORTED_RULE_TYPE"
        | "CODIFICATION_REFUSED"
        | "MISSING_TENANT_ID"
        | "INVALID_TENANT_ID" => ErrorText {
            title: "The request contains invalid values",
            text: sentence(&problem.message, "A value is invalid."),
            next: "Correct the value and try again.".into(),
        },
        "NO_ACTIVE_POLICIES" => ErrorText {
            title: "No active policy",
            text: sentence(&problem.message, "No active policy governs this decision type."),
            next: "Activate a version of a policy first.".into(),
        },
        "FORM_BUDGET_EXHAUSTED" => ErrorText {
            title: "Submission limit reached",
            text: sentence(&problem.message, "The form has reached its submission limit."),
            next: match problem.wait_seconds {
                Some(seconds) => wait(Some(seconds)),
                None => "Ask the owner of the form to raise the limit.".into(),
            },
        },
        "TOO_MANY_REQUESTS" => ErrorText {
            title: "Too many requests",
            text: "Too many requests were sent in a short time.".into(),
            next: wait(problem.wait_seconds),
        },
        "SERVICE_UNAVAILABLE" => ErrorText {
            title: "Service unavailable",
            text: "The database is unavailable. Nothing was changed.".into(),
            next: wait(problem.wait_seconds),
        },
        "INTERNAL_ERROR" => error_text(
            "Something went wrong",
            "The request failed because of an internal error.",
            "Try again. If the problem persists, contact support with the correlation ID.",
        ),
        UNREACHABLE => error_text(
            "The service did not respond",
            "The request did not reach the service, or the response was lost.",
            "Check your connection, then reload the page to see whether the action succeeded.",
        ),
        _ => ErrorText {
            title: "Request failed",
            text: sentence(&problem.message, "The request was rejected."),
            next: String::new(),
        },
    }
}

fn error_text(title: &'static str, text: &str, next: &str) -> ErrorText {
    ErrorText { title, text: text.into(), next: next.into() }
}

fn transition(problem: &Problem) -> ErrorText {
    match problem.reason.as_deref() {
        Some("REVIEW_REQUIRED") => error_text(
            "Review required",
            "This tenant requires an accepted review before ratification.",
            "A reviewer must accept this revision first.",
        ),
        Some("VERSION_RETURNED") => error_text(
            "A reviewer requested changes",
            "This revision cannot be ratified.",
            "Edit the draft and submit it for review again.",
        ),
        Some("ACTIVE_VERSION_CHANGED") => error_text(
            "The active version changed",
            "Another version was activated, or the policy was deactivated, while you were reading.",
            "Reload the page to see which version is active.",
        ),
        Some("VERSION_BOUND_TO_CAPABILITY") => error_text(
            "A program is working on this version",
            "An active capability is bound to this version.",
            "Set the version aside instead, or revoke the capability first.",
        ),
        Some("ALERT_ACKNOWLEDGED") => error_text(
            "The alert is acknowledged",
            "An acknowledged alert cannot be assigned or snoozed.",
            "Reload the page to see who acknowledged it.",
        ),
        Some("CAPABILITY_NOT_LIVE") => error_text(
            "The capability has ended",
            "Only an active capability can be carried over.",
            "Issue a new capability for the new version.",
        ),
        Some("CAPABILITY_CHAIN_FULL") => error_text(
            "Carry-over limit reached",
            "This capability was carried over 63 times, which is the maximum.",
            "Issue a new capability for the new version.",
        ),
        _ => version_changed(problem),
    }
}

/// Returns the text for a version whose status differs from the one on the page.
fn version_changed(problem: &Problem) -> ErrorText {
    let state = problem.state.as_deref().unwrap_or("in another state").replace('_', " ");
    ErrorText {
        title: "The version has changed",
        text: format!("It is now {state}."),
        next: "Reload the page to see who changed it and when.".into(),
    }
}

fn stale(problem: &Problem) -> ErrorText {
    let text = match problem.revision {
        Some(revision) => format!("The draft was updated to r{revision} while you were reading."),
        None => "The version changed while you were reading.".into(),
    };
    ErrorText {
        title: "The draft has changed",
        text,
        next: "Open the version and read it again before you sign. Your text is preserved here."
            .into(),
    }
}

fn wait(seconds: Option<u32>) -> String {
    match seconds {
        Some(1) => "Try again in a second.".into(),
        Some(seconds) => format!("Try again in {seconds} seconds."),
        None => "Try again shortly.".into(),
    }
}

/// Returns the service's message as a sentence, or `otherwise` if the message is empty.
fn sentence(message: &str, otherwise: &str) -> String {
    if message.is_empty() { otherwise.to_owned() } else { messages::sentence(message) }
}

/// Returns whether `pointer` is `path` or a descendant of it.
pub fn is_at(pointer: &str, path: &str) -> bool {
    let rest = pointer.strip_prefix(path);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the title of a list of field errors.
pub fn fields(number: usize) -> String {
    match number {
        1 => "1 field needs attention.".to_owned(),
        _ => format!("{number} fields need attention."),
    }
}

#[cfg(test)]
mod tests {
    use contract::error::ErrorCode;

    use super::*;

    #[test]
    fn every_error_code_has_a_text() {
        for code in ErrorCode::ALL {
            let problem = Problem { code: code.as_str().into(), ..Problem::default() };
            let error_text = describe(&problem);
            assert_ne!(error_text.title, "Request failed", "{}", code.as_str());
            assert!(
                error_text.text.ends_with('.') && error_text.next.ends_with('.'),
                "{error_text:?}"
            );
        }
    }

    #[test]
    fn an_unknown_code_shows_the_message_of_the_service() {
        let problem = Problem {
            code: "NEW".into(),
            message: "the moon is not full".into(),
            ..Problem::default()
        };
        assert_eq!(describe(&problem).text, "The moon is not full.");
    }

    #[test]
    fn a_stale_draft_error_names_the_current_revision() {
        let problem = Problem {
            code: "STALE_DRAFT_REVISION".into(),
            revision: Some(9),
            ..Problem::default()
        };
        assert_eq!(describe(&problem).text, "The draft was updated to r9 while you were reading.");
    }
}
