//! Texts for errors: what happened, and what to do next.

use super::messages;
use crate::problem::{Problem, UNREACHABLE};

/// The text of an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorText {
    /// The headline of an error page.
    pub title: &'static str,
    /// The description of the error.
    pub text: String,
    /// The next step; empty if there is none.
    pub next: String,
}

/// Returns the text for `problem`. For an unknown code, it uses the service's own message.
pub fn describe(problem: &Problem) -> ErrorText {
    let text_of =
        |title, text: &str, next: &str| ErrorText { title, text: text.into(), next: next.into() };
    match problem.code.as_str() {
        "UNAUTHORIZED" => text_of(
            "Please sign in",
            "You are not signed in, or the sign-in has run out.",
            "Sign in again. What you typed stays in the page.",
        ),
        "FORBIDDEN" if problem.asks_for_confirmation() => text_of(
            "Confirm it is you",
            "Your sign-in is older than 15 minutes, and this action needs a recent one.",
            "Enter your password again.",
        ),
        "FORBIDDEN" | "INSUFFICIENT_SCOPE" | "HUMAN_REQUIRED" => ErrorText {
            title: "You may not see or do this",
            text: sentence(&problem.message, "Your role does not include this right."),
            next: "An admin of the tenant can grant it.".into(),
        },
        "MAKER_CHECKER_VIOLATION" if problem.reason.as_deref() == Some("MAKER_UNKNOWN") => text_of(
            "This version cannot be ratified",
            "An API key without an owner had a part in making it.",
            "Set the version aside and open a new draft.",
        ),
        "MAKER_CHECKER_VIOLATION" => text_of(
            "Somebody else must ratify",
            "You had a part in making this version.",
            "A ratifier who neither wrote nor sent it must sign.",
        ),
        code if code.starts_with("AUTHORING_CAPABILITY_") => ErrorText {
            title: "The grant does not allow this",
            text: sentence(&problem.message, "The authoring capability does not allow this."),
            next: "Revoke the grant, and issue another one where it is still needed.".into(),
        },
        "NOT_FOUND" => text_of(
            "There is nothing here",
            "The address names nothing that you can see.",
            "Check the address, or start from one of the lists.",
        ),
        "METHOD_NOT_ALLOWED" => text_of(
            "This page cannot be used this way",
            "The address exists, but not for this kind of request.",
            "Go back and use the button of the page.",
        ),
        "INVALID_TRANSITION" => transition(problem),
        "STALE_DRAFT_REVISION" => stale(problem),
        "RESUBMISSION_ANSWERS_RECORD_REQUIRED"
        | "RESUBMISSION_PRIOR_NOT_RETURNED"
        | "RESUBMISSION_ANSWERS_RECORD_MISMATCH" => text_of(
            "This send must answer a return",
            "The version was sent back, and a send names the return that it answers.",
            "Reload the page: it chooses the return for you.",
        ),
        "LINEAGE_UNRESOLVED" => text_of(
            "The history of this draft cannot be followed",
            "The drafts before this one do not lead back to what was sent last.",
            "Ask an admin of the tenant, or set the draft aside and start a new one.",
        ),
        "ALREADY_DELIVERED" => text_of(
            "Already delivered",
            "The receiver has taken this delivery.",
            "There is nothing to send again.",
        ),
        "STILL_PENDING" => text_of(
            "Still pending",
            "This delivery has not been tried yet.",
            "It is tried by itself; reload the page in a moment.",
        ),
        "CONFLICT"
        | "CHAIN_SEALED"
        | "DUPLICATE_CODE"
        | "DRAFT_EXISTS"
        | "IDEMPOTENCY_KEY_REUSED" => ErrorText {
            title: "This collides with something done before",
            text: sentence(&problem.message, "The act collides with one that was done before."),
            next: "Reload the page to see what is there now.".into(),
        },
        "VALIDATION_ERROR"
        | "BUNDLE_TOO_LARGE"
        | "UNSUPPORTED_RULE_TYPE"
        | "CODIFICATION_REFUSED"
        | "PAYLOAD_TOO_LARGE"
        | "UNSUPPORTED_MEDIA_TYPE"
        | "MISSING_TENANT_ID"
        | "INVALID_TENANT_ID" => ErrorText {
            title: "Something in the request needs a change",
            text: sentence(&problem.message, "A value is not as it must be."),
            next: "Correct it and send again.".into(),
        },
        "NO_ACTIVE_POLICIES" => ErrorText {
            title: "No policy decides here",
            text: sentence(&problem.message, "No active policy governs this decision type."),
            next: "Activate a version of a policy first.".into(),
        },
        "FORM_BUDGET_EXHAUSTED" => ErrorText {
            title: "The form takes no more submissions",
            text: sentence(&problem.message, "The form has used up its budget."),
            next: match problem.wait_seconds {
                Some(seconds) => wait(Some(seconds)),
                None => "Ask the owner of the form for a larger budget.".into(),
            },
        },
        "TOO_MANY_REQUESTS" => ErrorText {
            title: "Too many attempts",
            text: "There were too many requests within a short time.".into(),
            next: wait(problem.wait_seconds),
        },
        "SERVICE_UNAVAILABLE" => ErrorText {
            title: "The service is not ready",
            text: "The service is overloaded or cannot reach its store. Nothing was changed."
                .into(),
            next: wait(problem.wait_seconds),
        },
        "INTERNAL_ERROR" => text_of(
            "Something went wrong on our side",
            "The request failed through a fault of ours.",
            "Try again. If it happens again, tell us the correlation id.",
        ),
        UNREACHABLE => text_of(
            "The service did not answer",
            "The request did not reach the service, or its answer was lost.",
            "Check the connection, then reload to see whether the act was done.",
        ),
        _ => ErrorText {
            title: "This did not succeed",
            text: sentence(&problem.message, "The request was refused."),
            next: String::new(),
        },
    }
}

fn transition(problem: &Problem) -> ErrorText {
    let text_of =
        |title, text: &str, next: &str| ErrorText { title, text: text.into(), next: next.into() };
    match problem.reason.as_deref() {
        Some("REVIEW_REQUIRED") => text_of(
            "A review comes first",
            "This tenant ratifies only what a reviewer has accepted.",
            "A reviewer must accept this revision first.",
        ),
        Some("VERSION_RETURNED") => text_of(
            "A reviewer returned this revision",
            "A returned revision cannot be ratified.",
            "Change the draft and send it for review again.",
        ),
        Some("ACTIVE_VERSION_CHANGED") => text_of(
            "The active version changed",
            "Another version was activated, or the policy was deactivated, while you read.",
            "Reload the page to see which version is active.",
        ),
        Some("VERSION_BOUND_TO_CAPABILITY") => text_of(
            "A program works on this version",
            "A live grant is bound to this version.",
            "Set the version aside instead, or revoke the grant first.",
        ),
        Some("CAPABILITY_NOT_LIVE") => text_of(
            "The grant has ended",
            "Only a live grant can be carried.",
            "Issue another grant for the new version.",
        ),
        Some("CAPABILITY_CHAIN_FULL") => text_of(
            "The chain is full",
            "This grant was carried 63 times, which is as far as a chain goes.",
            "Issue another grant for the new version.",
        ),
        _ => version_changed(problem),
    }
}

/// Returns the text for a version whose status differs from the one on the page.
fn version_changed(problem: &Problem) -> ErrorText {
    let state = problem.state.as_deref().unwrap_or("in another state").replace('_', " ");
    ErrorText {
        title: "The version has moved on",
        text: format!("This version is now {state}."),
        next: "Reload the page to see who changed it and when.".into(),
    }
}

fn stale(problem: &Problem) -> ErrorText {
    let text = match problem.revision {
        Some(revision) => format!("The draft moved to r{revision} while you read."),
        None => "The version changed while you read.".into(),
    };
    ErrorText {
        title: "The draft has moved on",
        text,
        next: "Open the version and read it again before you sign. Your text is kept here.".into(),
    }
}

fn wait(seconds: Option<u32>) -> String {
    match seconds {
        Some(1) => "Try again in a second.".into(),
        Some(seconds) => format!("Try again in {seconds} seconds."),
        None => "Try again in a moment.".into(),
    }
}

/// Returns the service's message as a sentence, or `otherwise` if the message is empty.
fn sentence(message: &str, otherwise: &str) -> String {
    if message.is_empty() { otherwise.to_owned() } else { messages::sentence(message) }
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
            assert_ne!(error_text.title, "This did not succeed", "{}", code.as_str());
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
        assert_eq!(describe(&problem).text, "The draft moved to r9 while you read.");
    }
}
