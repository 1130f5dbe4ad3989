//! Words for refusals: what happened, and what to do next.

use super::words;
use crate::problem::{Problem, UNREACHABLE};

/// A refusal in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The headline of an error page.
    pub title: &'static str,
    /// What happened.
    pub text: String,
    /// What to do next; empty when there is nothing to do.
    pub next: String,
}

/// The words for `problem`; an unknown code shows the service's own sentence.
pub fn say(problem: &Problem) -> Said {
    let said = |title, text: &str, next: &str| Said { title, text: text.into(), next: next.into() };
    match problem.code.as_str() {
        "UNAUTHORIZED" => said(
            "Please sign in",
            "You are not signed in, or the sign-in has run out.",
            "Sign in again. What you typed stays in the page.",
        ),
        "FORBIDDEN" if problem.asks_for_confirmation() => said(
            "Confirm it is you",
            "Your sign-in is older than 15 minutes, and this action needs a recent one.",
            "Enter your password again.",
        ),
        "FORBIDDEN" | "INSUFFICIENT_SCOPE" | "HUMAN_REQUIRED" => Said {
            title: "You may not see or do this",
            text: sentence(&problem.message, "Your role does not include this right."),
            next: "An admin of the tenant can grant it.".into(),
        },
        "MAKER_CHECKER_VIOLATION" if problem.reason.as_deref() == Some("MAKER_UNKNOWN") => said(
            "This version cannot be ratified",
            "An API key without an owner had a part in making it.",
            "Set the version aside and open a new draft.",
        ),
        "MAKER_CHECKER_VIOLATION" => said(
            "Somebody else must ratify",
            "You had a part in making this version.",
            "A ratifier who neither wrote nor sent it must sign.",
        ),
        code if code.starts_with("AUTHORING_CAPABILITY_") => Said {
            title: "The grant does not allow this",
            text: sentence(&problem.message, "The authoring capability does not allow this."),
            next: "Revoke the grant, and issue another one where it is still needed.".into(),
        },
        "NOT_FOUND" => said(
            "There is nothing here",
            "The address names nothing that you can see.",
            "Check the address, or start from one of the lists.",
        ),
        "METHOD_NOT_ALLOWED" => said(
            "This page cannot be used this way",
            "The address exists, but not for this kind of request.",
            "Go back and use the button of the page.",
        ),
        "INVALID_TRANSITION" => transition(problem),
        "STALE_DRAFT_REVISION" => stale(problem),
        "RESUBMISSION_ANSWERS_RECORD_REQUIRED"
        | "RESUBMISSION_PRIOR_NOT_RETURNED"
        | "RESUBMISSION_ANSWERS_RECORD_MISMATCH" => said(
            "This send must answer a return",
            "The version was sent back, and a send names the return that it answers.",
            "Reload the page: it chooses the return for you.",
        ),
        "LINEAGE_UNRESOLVED" => said(
            "The history of this draft cannot be followed",
            "The drafts before this one do not lead back to what was sent last.",
            "Ask an admin of the tenant, or set the draft aside and start a new one.",
        ),
        "ALREADY_DELIVERED" => said(
            "Already delivered",
            "The receiver has taken this delivery.",
            "There is nothing to send again.",
        ),
        "STILL_PENDING" => said(
            "Still pending",
            "This delivery has not been tried yet.",
            "It is tried by itself; reload the page in a moment.",
        ),
        "CONFLICT"
        | "CHAIN_SEALED"
        | "DUPLICATE_CODE"
        | "DRAFT_EXISTS"
        | "IDEMPOTENCY_KEY_REUSED" => Said {
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
        | "INVALID_TENANT_ID" => Said {
            title: "Something in the request needs a change",
            text: sentence(&problem.message, "A value is not as it must be."),
            next: "Correct it and send again.".into(),
        },
        "NO_ACTIVE_POLICIES" => Said {
            title: "No policy decides here",
            text: sentence(&problem.message, "No active policy governs this decision type."),
            next: "Activate a version of a policy first.".into(),
        },
        "FORM_BUDGET_EXHAUSTED" => Said {
            title: "The form takes no more submissions",
            text: sentence(&problem.message, "The form has used up its budget."),
            next: match problem.wait_seconds {
                Some(seconds) => wait(Some(seconds)),
                None => "Ask the owner of the form for a larger budget.".into(),
            },
        },
        "TOO_MANY_REQUESTS" => Said {
            title: "Too many attempts",
            text: "There were too many requests within a short time.".into(),
            next: wait(problem.wait_seconds),
        },
        "SERVICE_UNAVAILABLE" => Said {
            title: "The service is not ready",
            text: "The service is overloaded or cannot reach its store. Nothing was changed."
                .into(),
            next: wait(problem.wait_seconds),
        },
        "INTERNAL_ERROR" => said(
            "Something went wrong on our side",
            "The request failed through a fault of ours.",
            "Try again. If it happens again, tell us the correlation id.",
        ),
        UNREACHABLE => said(
            "The service did not answer",
            "The request did not reach the service, or its answer was lost.",
            "Check the connection, then reload to see whether the act was done.",
        ),
        _ => Said {
            title: "This did not succeed",
            text: sentence(&problem.message, "The request was refused."),
            next: String::new(),
        },
    }
}

fn transition(problem: &Problem) -> Said {
    let said = |title, text: &str, next: &str| Said { title, text: text.into(), next: next.into() };
    match problem.reason.as_deref() {
        Some("REVIEW_REQUIRED") => said(
            "A review comes first",
            "This tenant ratifies only what a reviewer has accepted.",
            "A reviewer must accept this revision first.",
        ),
        Some("VERSION_RETURNED") => said(
            "A reviewer returned this revision",
            "A returned revision cannot be ratified.",
            "Change the draft and send it for review again.",
        ),
        Some("ACTIVE_VERSION_CHANGED") => said(
            "The active version changed",
            "Another version was activated, or the policy was deactivated, while you read.",
            "Reload the page to see which version is active.",
        ),
        Some("VERSION_BOUND_TO_CAPABILITY") => said(
            "A program works on this version",
            "A live grant is bound to this version.",
            "Set the version aside instead, or revoke the grant first.",
        ),
        Some("CAPABILITY_NOT_LIVE") => said(
            "The grant has ended",
            "Only a live grant can be carried.",
            "Issue another grant for the new version.",
        ),
        Some("CAPABILITY_CHAIN_FULL") => said(
            "The chain is full",
            "This grant was carried 63 times, which is as far as a chain goes.",
            "Issue another grant for the new version.",
        ),
        _ => moved_on(problem),
    }
}

/// A version that is no longer in the state that the page showed.
fn moved_on(problem: &Problem) -> Said {
    let state = problem.state.as_deref().unwrap_or("in another state").replace('_', " ");
    Said {
        title: "The version has moved on",
        text: format!("This version is now {state}."),
        next: "Reload the page to see who changed it and when.".into(),
    }
}

fn stale(problem: &Problem) -> Said {
    let text = match problem.revision {
        Some(revision) => format!("The draft moved to r{revision} while you read."),
        None => "The version changed while you read.".into(),
    };
    Said {
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

/// The service's own message as a sentence, or another one without a message.
fn sentence(message: &str, otherwise: &str) -> String {
    if message.is_empty() { otherwise.to_owned() } else { words::sentence(message) }
}

#[cfg(test)]
mod tests {
    use contract::error::ErrorCode;

    use super::*;

    #[test]
    fn every_code_of_the_contract_has_words() {
        for code in ErrorCode::ALL {
            let problem = Problem { code: code.as_str().into(), ..Problem::default() };
            let said = say(&problem);
            assert_ne!(said.title, "This did not succeed", "{}", code.as_str());
            assert!(said.text.ends_with('.') && said.next.ends_with('.'), "{said:?}");
        }
    }

    #[test]
    fn an_unknown_code_shows_the_services_own_sentence() {
        let problem = Problem {
            code: "NEW".into(),
            message: "the moon is not full".into(),
            ..Problem::default()
        };
        assert_eq!(say(&problem).text, "The moon is not full.");
    }

    #[test]
    fn a_moved_draft_names_its_revision() {
        let problem = Problem {
            code: "STALE_DRAFT_REVISION".into(),
            revision: Some(9),
            ..Problem::default()
        };
        assert_eq!(say(&problem).text, "The draft moved to r9 while you read.");
    }
}
