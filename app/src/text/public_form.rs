//! Texts of `/f/{form}`, the public page of a hosted form.

/// The submit button.
pub const SUBMIT: &str = "Submit";
/// The mark of questions that require an answer.
pub const REQUIRED: &str = "(required)";
/// The first choice of a list.
pub const CHOOSE: &str = "Choose one";
/// The positive answer to a yes-or-no question.
pub const YES: &str = "Yes";
/// The negative answer to a yes-or-no question.
pub const NO: &str = "No";
/// The time zone of a date and time.
pub const UTC: &str = "In UTC.";
/// The notice about the use of the answers.
pub const DATA_NOTICE: &str =
    "Your answers are checked against a policy, and the result is recorded. You get a receipt.";
/// The prefix of the page title when answers contain errors.
pub const ERROR: &str = "Error";
/// The title of the page that requires a token.
pub const TOKEN_TITLE: &str = "Access token required";
/// The hint for the token.
pub const TOKEN_HELP: &str = "Use the link that you were sent, or enter the token from it.";
/// The token field.
pub const TOKEN: &str = "Access token";
/// The title of the page that requires a password.
pub const PASSWORD_TITLE: &str = "Password required";
/// The hint for the password.
pub const PASSWORD_HELP: &str = "Ask the sender of the link for the password.";
/// The password field.
pub const PASSWORD: &str = "Password";
/// The title of the page that requires a sign-in.
pub const SIGN_IN_TITLE: &str = "Sign-in required";
/// The hint for the sign-in.
pub const SIGN_IN_HELP: &str = "Only members of this organization can submit.";
/// The sign-in link.
pub const SIGN_IN: &str = "Sign in";
/// The button that submits a token or password.
pub const CONTINUE: &str = "Continue";
/// The notice above answers that were rejected by a rate limit or a budget.
pub const ANSWERS_PRESERVED: &str = "Your answers are preserved below. Submit them again then.";
/// The notice above answers that differ from those already submitted.
pub const ALREADY_SUBMITTED: &str =
    "You already submitted different answers from this page. Submit again to send these too.";
/// The message when no active policy can decide.
pub const CLOSED: &str = "This form is not accepting submissions.";
/// The label of the correlation ID.
pub const CORRELATION_ID: &str = "Correlation ID";

/// Returns, for example, "Requested by Acme."
pub fn asked_by(name: &str) -> String {
    format!("Requested by {name}.")
}

/// Returns, for example, "2 answers need attention".
pub fn need_a_change(count: usize) -> String {
    match count {
        1 => "1 answer needs attention".to_owned(),
        count => format!("{count} answers need attention"),
    }
}

/// Returns when to submit again.
pub fn wait(seconds: u32) -> String {
    match seconds {
        0..=1 => "Try again in a second.".to_owned(),
        2..=119 => format!("Try again in {seconds} seconds."),
        120..=7_199 => format!("Try again in {} minutes.", seconds.div_ceil(60)),
        _ => format!("Try again in {} hours.", seconds.div_ceil(3_600)),
    }
}
